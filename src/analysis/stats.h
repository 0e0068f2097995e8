/* stats: means, percentiles and ratios with honest intervals. */
#ifndef RK_ANALYSIS_STATS_H
#define RK_ANALYSIS_STATS_H

#include "base/random.h"

/* A standard normal draw (by the inverse of its distribution: one uniform a draw, so that streams stay aligned). */
double stats_normal(struct rng *);

#endif
