/* moderate: the steps of a sweep lend each other what they know about their noise.
 *
 * The error of a step of 20 or 30 seconds rests on one or two degrees of freedom: its interval is honest, but now and then ten
 * times too wide.  All steps see the same machines and users, so their relative errors are taken as draws from one distribution,
 * and each is drawn towards the middle of it, the more the less it knows itself (G. K. Smyth, "Linear models and empirical Bayes
 * methods for assessing differential expression", Statistical Applications in Genetics and Molecular Biology 3, 2004).  Simulated
 * sweeps of six steps of 12 to 300 correlated seconds: intervals of changes cover in 95 to 98 % (without this in 95 to 99 %), are
 * half as wide for 20 seconds and a tenth narrower for 300; where the noise triples from the largest step to the smallest, they
 * cover in 89 to 99 %. */
#ifndef RK_REPORT_MODERATE_H
#define RK_REPORT_MODERATE_H

#include "report/figures.h"

/* The errors v[0..n-1] of one quantity at n steps, in place: se_log and df.  Those without an error (NaN or 0) are left alone;
 * with fewer than three others nothing is done. */
void moderate_errors(struct stats_value **v, size_t n);

/* All quantities of a sweep: errors, intervals and replicates. */
void moderate(struct figures_list *);

/* A quantity of a row that has an error: where its parts are.  draw is NULL where none are kept. */
struct quantity {
  struct estimate *e;
  struct stats_value *v;
  double **draw;
};
#define QUANTITIES (MS_STATS + 3)
/* 0 <= which < QUANTITIES: an enum latency_stat; then tx_s, read_mb_s, reads_per_tx. */
struct quantity quantity_of(struct figures *, int which);

#endif
