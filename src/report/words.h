/* words: the sentences of the account.  Each fills its own part of a struct account from the figures and verdicts in it. */
#ifndef RK_REPORT_WORDS_H
#define RK_REPORT_WORDS_H

#include "report/account.h"

/* The sandbox's label, without control characters. */
void words_label(struct account *);
/* Of a run in the sandbox: which figures are of its own world, and which of this machine's; of another: nothing. */
void words_scale(struct text *, const json_t *meta);
/* Run, server, data, demand. */
void words_facts(struct account *);
/* That the run was broken off and gone on with: a fact, and a warning where the server was restarted meanwhile. */
void words_sessions(struct account *);
/* Plateau, knee, limits, what planners ask for, drift; why; what it is good for. */
void words_verdicts(struct account *);
/* Of the verdicts: which steps --refine has added, and why no more. */
void words_refined(struct account *);
/* Of the warnings: the steps at which --measure-max ended before p95 was known to --precision; they have a note of that code. */
#define NOTE_PRECISION "precision"
void words_precision(struct account *);
/* How many added steps there are, and their memory in MiB (NaN when the record is damaged). */
size_t refined_count(const struct account *);
double refined_mib(const struct account *, size_t i);
/* What the visits of the steps say of one another; that there was one of each, where there was. */
void words_visits(struct account *);
/* Where and why the descent ended early, as asked: into the verdicts. */
void words_stopped(struct account *);
/* The note of a step with which a descent ends. */
#define NOTE_STOP_ABOVE "stop-above"
/* A note about all joined points, kept with the first of them. */
#define NOTE_JOINED "joined"
/* The data files at the first and the last sample of a run, bytes; 0 when nothing tells. */
int words_data_size(const struct run_data *, double *from, double *to);
/* Of points that were joined, in place of what a sweep tells of itself: what makes the verdict doubtful, drift, the size of the data,
 * where a descent ended.  joined_started adds when their runs began and returns how many those are; joined_growth returns whether they
 * are joined at all.  In joined.c. */
size_t joined_started(struct text *, const struct account *);
void joined_doubts(struct account *);
void joined_drift(struct account *);
int joined_growth(struct account *);
void joined_stopped(struct account *);
/* What fell into the measured phases. */
void words_noted(struct account *);
/* Storage, pressure, waits, throughput, growth of the data.  In words_why.c. */
void words_why(struct account *);
/* The kinds of pressure (bits 1 << enum pressure) that a step was under: a wait that makes a fifth of the mean latency, queries that
 * waited for memory, busy processors. */
unsigned words_pressures(const struct figures *);
/* What makes the figures less than they seem, and what to do about it; also sets incomplete. */
void words_warnings(struct account *);

#endif
