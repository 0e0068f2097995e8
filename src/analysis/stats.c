#include "config.h"

#include "analysis/stats.h"

#include "base/text.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#define LAG1_MAX 0.95
#define COSINES_MIN 2
#define COSINES_MAX 24

double stats_normal(struct rng *r) {
  /* Never 0 or 1: the middle of one of 2^53 cells. */
  return gsl_cdf_ugaussian_Pinv(rng_unit(r) + 0x1p-54);
}

double stats_t(double p, double df) {
  return isfinite(df) ? gsl_cdf_tdist_Pinv(p, df) : gsl_cdf_ugaussian_Pinv(p);
}

/* Lag-1 correlation, corrected: the estimate falls short of the truth by (1 + 4 rho) / n. */
static double lag1(const double *x, size_t n, double mean) {
  double c0 = 0, c1 = 0;
  for (size_t i = 0; i < n; i++) {
    c0 += (x[i] - mean) * (x[i] - mean);
    if (i > 0)
      c1 += (x[i] - mean) * (x[i - 1] - mean);
  }
  if (!(c0 > 0))
    return 0;
  double rho = c1 / c0;
  rho += (1 + 4 * rho) / (double)n;
  return fmin(fmax(rho, 0), LAG1_MAX);
}

/* The first terms say what the slow part of the series does; more of them are steadier, but no longer slow. */
static size_t cosines(size_t n) {
  size_t b = n < 60 ? n / 10 : 6 + (n - 60) / 150;
  return b < COSINES_MIN ? COSINES_MIN : b > COSINES_MAX ? COSINES_MAX : b;
}

/* Mean square of the first b terms of the cosine transform. */
static double slow_variance(const double *e, size_t n, size_t b) {
  double sum = 0;
  for (size_t j = 1; j <= b; j++) {
    double c = 0, w = M_PI * (double)j / (double)n;
    for (size_t t = 0; t < n; t++)
      c += e[t] * cos(w * ((double)t + 0.5));
    sum += c * c * 2 / (double)n;
  }
  return sum / (double)b;
}

struct stats_error stats_error(const double *x, size_t n, double lag1_least) {
  struct stats_error r = {NAN, NAN, NAN};
  if (n < STATS_MIN)
    return r;
  double mean = gsl_stats_mean(x, 1, n), dn = (double)n;
  double rho = fmax(lag1(x, n, mean), fmin(lag1_least, LAG1_MAX));
  double *e = xmalloc((n - 1) * sizeof(double));
  for (size_t i = 1; i < n; i++)
    e[i - 1] = (x[i] - mean) - rho * (x[i - 1] - mean);
  size_t b = cosines(n);
  double v = slow_variance(e, n - 1, b) / ((1 - rho) * (1 - rho));
  free(e);
  /* Relative variance of v: of b squared terms, and of 1 / (1 - rho)^2. */
  double spread = 2 / (double)b + 4 * (1 + rho) / (dn * (1 - rho));
  return (struct stats_error){sqrt(v / dn), fmax(2 / spread, 1), rho};
}

struct stats_value stats_mean(const double *x, size_t n) {
  struct stats_value v = {{NAN, NAN, NAN}, NAN, NAN};
  if (n == 0)
    return v;
  v.e.value = gsl_stats_mean(x, 1, n);
  struct stats_error e = stats_error(x, n, 0);
  if (isnan(e.se))
    return v;
  double half = stats_t(0.975, e.df) * e.se;
  v.e.lo = v.e.value - half;
  v.e.hi = v.e.value + half;
  v.se_log = v.e.value > 0 ? e.se / v.e.value : NAN;
  v.df = e.df;
  return v;
}

double stats_ratio_influence(const double *num, const double *den, size_t n, double *z) {
  double a = 0, b = 0;
  for (size_t i = 0; i < n; i++) {
    a += num[i];
    b += den[i];
  }
  if (!(b > 0))
    return NAN;
  for (size_t i = 0; i < n; i++)
    z[i] = (num[i] - a / b * den[i]) * (double)n / b;
  return a / b;
}

struct stats_value stats_ratio(const double *num, const double *den, size_t n) {
  struct stats_value v = {{NAN, NAN, NAN}, NAN, NAN};
  double *z = xcalloc(n + 1, sizeof(double));
  v.e.value = stats_ratio_influence(num, den, n, z);
  struct stats_error e = isnan(v.e.value) ? (struct stats_error){NAN, NAN, NAN} : stats_error(z, n, 0);
  free(z);
  if (isnan(e.se))
    return v;
  double half = stats_t(0.975, e.df) * e.se;
  v.e.lo = v.e.value >= 0 ? fmax(v.e.value - half, 0) : v.e.value - half;
  v.e.hi = v.e.value + half;
  v.se_log = v.e.value > 0 ? e.se / v.e.value : NAN;
  v.df = e.df;
  return v;
}

struct estimate stats_change(const struct stats_value *a, const struct stats_value *b) {
  struct estimate r = {NAN, NAN, NAN};
  if (!(a->e.value > 0) || !(b->e.value > 0))
    return r;
  double log_ratio = log(b->e.value / a->e.value), va = a->se_log * a->se_log, vb = b->se_log * b->se_log;
  r.value = expm1(log_ratio);
  if (!isfinite(va + vb))
    return r;
  /* Degrees of freedom after Welch. */
  double df = va + vb > 0 ? (va + vb) * (va + vb) / (va * va / a->df + vb * vb / b->df) : INFINITY;
  double half = stats_t(0.975, fmax(df, 1)) * sqrt(va + vb);
  r.lo = expm1(log_ratio - half);
  r.hi = expm1(log_ratio + half);
  return r;
}

int stats_quantile_supported(uint64_t total, double q) {
  return (double)total * (1 - q) >= 10 * (1 - 1e-9);
}
