/* words: the sentences of the account.  Each fills its own part of a struct account from the figures and verdicts in it. */
#ifndef RK_REPORT_WORDS_H
#define RK_REPORT_WORDS_H

#include "report/account.h"

/* The sandbox's label, without control characters. */
void words_label(struct account *);
/* Run, server, data, demand. */
void words_facts(struct account *);
/* Plateau, knee, what planners ask for, storage, throughput, drift. */
void words_verdicts(struct account *);
/* Of the verdicts: which steps --refine has added, and why no more. */
void words_refined(struct account *);
/* How many those are, and their memory in MiB (NaN when the record is damaged). */
size_t refined_count(const struct account *);
double refined_mib(const struct account *, size_t i);
/* Where and why the descent ended early, as asked: into the verdicts. */
void words_stopped(struct account *);
/* What fell into the measured phases. */
void words_noted(struct account *);
/* What makes the figures less than they seem, and what to do about it; also sets incomplete. */
void words_warnings(struct account *);

#endif
