/* bootstrap: replicates of the mean of a correlated series.  Internal to stats; pure functions. */
#ifndef RK_ANALYSIS_BOOTSTRAP_H
#define RK_ANALYSIS_BOOTSTRAP_H

#include "analysis/stats.h"

/* Deviations of the mean of z[0..n-1] (whose own mean is about 0) in ndraw > 1 replicates; their standard deviation times 1.96 is
 * the half width of the interval that `e` gives.  All 0 when that is unknown. */
void bootstrap_deviations(const double *z, size_t n, const struct stats_error *e, uint64_t seed, double *draw, size_t ndraw);

/* Replicates of an estimate whose influence series is z: the value plus the deviation; of a value above 0 none falls to 0. */
void bootstrap_about(double value, const double *z, size_t n, uint64_t seed, double *draw, size_t ndraw);

#endif
