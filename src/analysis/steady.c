#include "config.h"

#include "analysis/steady.h"

#include "analysis/stats.h"
#include "base/text.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* The cut in batches; *limit is the largest that was tried. */
static size_t cut_batches(const double *x, size_t n, size_t *limit) {
  size_t k = n / STEADY_BATCH, best = 0;
  *limit = k / 2;
  double sum = 0, sum2 = 0, least = INFINITY;
  /* From the end, so that each d costs one step; the offset keeps the squares small.  The oldest n % 5 seconds belong to no batch
   * only if they come last: batches are counted from the first second. */
  double offset = k ? gsl_stats_mean(x, 1, k * STEADY_BATCH) : 0;
  for (size_t d = k; d-- > 0;) {
    double y = gsl_stats_mean(x + d * STEADY_BATCH, 1, STEADY_BATCH) - offset, left = (double)(k - d);
    sum += y;
    sum2 += y * y;
    double mser = fmax(sum2 - sum * sum / left, 0) / (left * left);
    if (d <= *limit && mser <= least) {
      least = mser;
      best = d;
    }
  }
  return best;
}

size_t steady_cut(const double *x, size_t n) {
  size_t limit;
  return cut_batches(x, n, &limit) * STEADY_BATCH;
}

/* Change of x[0..n-1] along its least-squares line, with its interval; the line's error reckons with the correlation of what is
 * left. */
static void find_trend(const double *x, size_t n, struct steady *s) {
  double *t = xmalloc(2 * n * sizeof(double)), *rest = t + n, at0, slope, c00, c01, c11, sumsq;
  for (size_t i = 0; i < n; i++)
    t[i] = (double)i;
  gsl_fit_linear(t, 1, x, 1, n, &at0, &slope, &c00, &c01, &c11, &sumsq);
  for (size_t i = 0; i < n; i++)
    rest[i] = x[i] - at0 - slope * t[i];
  struct stats_error e = stats_error(rest, n, 0);
  free(t);
  /* Variance of a slope over n seconds: the long-run variance n se^2 over sum of (t - mean)^2 = n (n^2 - 1) / 12. */
  double dn = (double)n, half = stats_t(0.975, e.df) * e.se * sqrt(12 / (dn * dn - 1)) * dn;
  s->trend = slope * dn / s->mean;
  s->trend_lo = s->trend - half / fabs(s->mean);
  s->trend_hi = s->trend + half / fabs(s->mean);
}

struct steady steady_judge(const double *x, size_t n, double tolerance) {
  struct steady s = {STEADY_TOO_SHORT, 0, NAN, NAN, NAN, NAN};
  if (n < STEADY_MIN_S)
    return s;
  size_t limit, cut = cut_batches(x, n, &limit);
  s.cut_s = cut * STEADY_BATCH;
  s.mean = gsl_stats_mean(x + s.cut_s, 1, n - s.cut_s);
  s.state = STEADY_YES;
  if (s.mean == 0)
    return s;
  find_trend(x + s.cut_s, n - s.cut_s, &s);
  if (cut == limit)
    s.state = STEADY_SETTLING;
  else if (fabs(s.trend) > tolerance && (s.trend_lo > 0 || s.trend_hi < 0))
    s.state = STEADY_TREND;
  return s;
}

/* Too short is worst, then settling, then a trend. */
static int badness(enum steady_state s) {
  static const int order[] = {[STEADY_YES] = 0, [STEADY_TREND] = 1, [STEADY_SETTLING] = 2, [STEADY_TOO_SHORT] = 3};
  return order[s];
}

struct steady steady_all(const double *const *x, size_t nseries, size_t n, double tolerance, size_t *which) {
  struct steady all = {STEADY_YES, 0, NAN, NAN, NAN, NAN};
  size_t from = 0, cut = 0;
  for (size_t i = 0; i < nseries; i++) {
    struct steady s = steady_judge(x[i], n, tolerance);
    cut = s.cut_s > cut ? s.cut_s : cut;
    if (i == 0 || badness(s.state) > badness(all.state)) {
      all = s;
      from = i;
    }
  }
  all.cut_s = cut;
  if (which)
    *which = from;
  return all;
}
