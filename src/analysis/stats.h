/* stats: means, percentiles and ratios of a step with honest intervals.  Pure functions.
 *
 * Seconds that follow one another resemble each other, so a step of n seconds says less than n independent ones.  The error of a
 * mean is taken from its long-run variance: the series is pre-whitened with its lag-1 correlation (corrected for the bias that
 * this correlation has in short series: M. G. Kendall, "Note on bias in the estimation of autocorrelation", Biometrika 41, 1954),
 * the variance of what is left is the mean square of its first few cosine terms, and the pre-whitening is undone (D. W. K.
 * Andrews and J. C. Monahan, "An improved heteroskedasticity and autocorrelation consistent covariance matrix estimator",
 * Econometrica 60, 1992; E. Lazarus et al., "HAR inference: recommendations for practice", JBES 36, 2018).  The quantile is
 * Student's t with the degrees of freedom that this leaves. Simulated series (independent, correlated 0.8, 60 and 300 seconds,
 * for means, percentiles and ratios) are covered in 90 to 99 %. */
#ifndef RK_ANALYSIS_STATS_H
#define RK_ANALYSIS_STATS_H

#include "analysis/hist.h"
#include "base/random.h"

#include <stddef.h>
#include <stdint.h>

/* An estimate with its 95 % interval; NaN where unknown. */
struct estimate {
  double value, lo, hi;
};

/* An estimate with what it takes to compare it: the standard error of its natural log (NaN where unknown), its degrees of
 * freedom. */
struct stats_value {
  struct estimate e;
  double se_log, df;
};

/* A standard normal draw (by the inverse of its distribution: one uniform a draw, so that streams stay aligned). */
double stats_normal(struct rng *);

/* The quantile p (0 < p < 1) of Student's t; df >= 1, infinite: the normal distribution. */
double stats_t(double p, double df);

/* Standard error of the mean of x[0..n-1], its degrees of freedom (>= 1), and the bias-corrected lag-1 correlation, 0..0.95, that
 * it reckons with: at least `lag1_least` (0 when nothing is known).  n < STATS_MIN: all NaN.  A constant series has the error 0.
 */
#define STATS_MIN 8
struct stats_error {
  double se, df, lag1;
};
struct stats_error stats_error(const double *x, size_t n, double lag1_least);

/* The mean of x[0..n-1]; sum(num) / sum(den) of n seconds (den >= 0, its sum above 0, else NaN).  The interval of a ratio of
 * positive sums does not go below 0.  Fewer than STATS_MIN seconds: no interval. */
struct stats_value stats_mean(const double *x, size_t n);
struct stats_value stats_ratio(const double *num, const double *den, size_t n);
/* How each second moves that ratio (their mean is 0), put into z[0..n-1]; returns the ratio, or NaN with z as it was. */
double stats_ratio_influence(const double *num, const double *den, size_t n, double *z);

/* b / a - 1 for two steps, independent of one another: 0.66 is 66 % more.  Both values above 0, else NaN. */
struct estimate stats_change(const struct stats_value *a, const struct stats_value *b);

/* Replicates of the same estimates, as if the seconds were measured again: a stationary block bootstrap (D. N. Politis and J. P.
 * Romano, JASA 89, 1994), stretched so that its 95 % interval is as wide as the honest one.  ndraw > 1.  Fewer than STATS_MIN
 * seconds: all equal the estimate. */
void stats_mean_draws(const double *x, size_t n, uint64_t seed, double *draw, size_t ndraw);
void stats_ratio_draws(const double *num, const double *den, size_t n, uint64_t seed, double *draw, size_t ndraw);

/* ---- latencies a second ---- */

/* The histograms of n seconds, kept sparse, and their sum. */
struct seconds_hist;

struct seconds_hist *seconds_hist_new(size_t n);
void seconds_hist_free(struct seconds_hist *);
/* In any order; a second that is out of range is left out. */
void seconds_hist_add(struct seconds_hist *, size_t second, uint32_t bucket, uint32_t count);
const struct hist *seconds_hist_sum(const struct seconds_hist *);

/* Percentile q (0 < q < 1) in ms.  The interval comes from the share of samples below the estimate, second by second, on the
 * log-odds scale (R. S. Woodruff, "Confidence intervals for medians and other position measures", JASA 47, 1952); as correlated
 * as the share below the median at least.  hi is INFINITY where the samples do not reach so far.  Empty: NaN. */
struct stats_value seconds_hist_quantile(const struct seconds_hist *, double q);
void seconds_hist_quantile_draws(const struct seconds_hist *, double q, uint64_t seed, double *draw, size_t ndraw);

/* The mean in ms: of all samples, each second weighted with its count. */
struct stats_value seconds_hist_mean(const struct seconds_hist *);
void seconds_hist_mean_draws(const struct seconds_hist *, uint64_t seed, double *draw, size_t ndraw);

/* Do `total` samples say anything about percentile q?  At least ten must lie beyond it. */
int stats_quantile_supported(uint64_t total, double q);

#endif
