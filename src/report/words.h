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
/* What makes the figures less than they seem, and what to do about it; also sets incomplete. */
void words_warnings(struct account *);

#endif
