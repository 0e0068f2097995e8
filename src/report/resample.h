/* resample: how far a step's figures would scatter if it were measured again: a block bootstrap over its seconds. */
#ifndef RK_REPORT_RESAMPLE_H
#define RK_REPORT_RESAMPLE_H

#include "report/figures.h"

#define RESAMPLE_DRAWS 1000
#define RESAMPLE_SECONDS_MIN 8

/* Fill the replicates (draw_*) and the intervals of tx_s, mean, p50, p95, p99, read_mb_s and reads_per_tx.  Latencies,
 * transactions and reads of one second are drawn together; the blocks are circular, about the cube root of the number of seconds
 * long (Politis and Romano 1992), since neighbouring seconds resemble each other.  A step of fewer than RESAMPLE_SECONDS_MIN
 * seconds gets none.  Pure in (the step, seed). */
void resample(struct figures *, uint64_t seed);

/* The 95 % interval of n replicates, put into lo and hi; NaN among them or n = 0: unknown. */
void resample_interval(const double *draw, size_t n, struct estimate *);

#endif
