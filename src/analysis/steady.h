/* steady: has a series of one-second values settled, and where does its steady part begin?  Pure functions.
 *
 * MSER-5 (K. P. White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69, 1997): of the
 * means of five seconds each the first d <= n / 2 are cut that make sum over i > d of (Y_i - mean)^2 / (n - d)^2 smallest.  A cut
 * at its limit says that the series is still on its way. What is kept must have no slope: a straight line whose error reckons
 * with correlated seconds (analysis/stats.h). */
#ifndef RK_ANALYSIS_STEADY_H
#define RK_ANALYSIS_STEADY_H

#include <stddef.h>

#define STEADY_BATCH 5
#define STEADY_MIN_S 30 /* fewer seconds are not judged */

enum steady_state {
  STEADY_YES,
  STEADY_TOO_SHORT, /* fewer than STEADY_MIN_S values */
  STEADY_SETTLING,  /* the cut lies at its limit: still on its way */
  STEADY_TREND,     /* what is kept still goes up or down */
};

struct steady {
  enum steady_state state;
  size_t cut_s; /* values to leave out at the front */
  double mean;  /* of what is kept; NaN when too short */
  double trend; /* change over what is kept, relative to the mean: 0.1 is 10 % up; NaN when too short or the mean is 0 */
  double trend_lo, trend_hi; /* its 95 % interval */
};

/* Where MSER-5 cuts x[0..n-1]: a multiple of five seconds, at most n / 2; 0 for fewer than two batches. */
size_t steady_cut(const double *x, size_t n);

/* Judge one series.  A trend counts when its interval excludes 0 and it exceeds `tolerance` (0.05: 5 % over what is kept). */
struct steady steady_judge(const double *x, size_t n, double tolerance);

/* Judge several series of the same seconds (throughput, mean latency, read MB/s) together: the worst state, the latest cut, and
 * the trend of the series that gave the state (its index in *which, which may be NULL).  A series that is all zero (nothing is
 * read) is steady. */
struct steady steady_all(const double *const *x, size_t nseries, size_t n, double tolerance, size_t *which);

#endif
