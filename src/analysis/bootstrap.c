#include "config.h"

#include "analysis/bootstrap.h"

#include "base/text.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mean length of a block that suits a series with this lag-1 correlation (E. Carlstein, Annals of Statistics 14, 1986): from one
 * second to a quarter of the series. */
static double block_length(size_t n, double rho) {
  double l = pow(sqrt(6) * rho / (1 - rho * rho), 2.0 / 3) * cbrt((double)n);
  return fmin(fmax(l, 1), (double)n / 4);
}

void bootstrap_deviations(const double *z, size_t n, const struct stats_error *e, uint64_t seed, double *draw, size_t ndraw) {
  memset(draw, 0, ndraw * sizeof *draw);
  if (!(e->se > 0))
    return;
  /* The series twice after itself: a block that begins near the end goes on at the start. */
  double *sum = xmalloc((2 * n + 1) * sizeof(double));
  sum[0] = 0;
  for (size_t i = 0; i < 2 * n; i++)
    sum[i + 1] = sum[i] + z[i % n];
  double length = block_length(n, e->lag1);
  for (size_t r = 0; r < ndraw; r++) {
    struct rng rng = rng_at(seed, 0, r);
    double total = 0;
    for (size_t got = 0; got < n;) {
      size_t at = (size_t)rng_range(&rng, 0, (int64_t)n - 1), left = n - got;
      double l = length > 1 ? ceil(log1p(-rng_unit(&rng)) / log1p(-1 / length)) : 1;
      size_t len = l < 1 ? 1 : l > (double)left ? left : (size_t)l;
      total += sum[at + len] - sum[at];
      got += len;
    }
    draw[r] = total / (double)n;
  }
  free(sum);
  double sd = gsl_stats_sd(draw, 1, ndraw), mean = gsl_stats_mean(draw, 1, ndraw);
  double stretch = sd > 0 ? stats_t(0.975, e->df) * e->se / (stats_t(0.975, INFINITY) * sd) : 0;
  for (size_t r = 0; r < ndraw; r++)
    draw[r] = (draw[r] - mean) * stretch;
}

void bootstrap_about(double value, const double *z, size_t n, uint64_t seed, double *draw, size_t ndraw) {
  struct stats_error e = stats_error(z, n, 0);
  bootstrap_deviations(z, n, &e, seed, draw, ndraw);
  for (size_t r = 0; r < ndraw; r++)
    draw[r] = value > 0 && draw[r] < 0 ? value * exp(draw[r] / value) : value + draw[r];
}

void stats_mean_draws(const double *x, size_t n, uint64_t seed, double *draw, size_t ndraw) {
  double mean = n ? gsl_stats_mean(x, 1, n) : NAN;
  double *z = xmalloc((n + 1) * sizeof(double));
  for (size_t i = 0; i < n; i++)
    z[i] = x[i] - mean;
  bootstrap_about(mean, z, n, seed, draw, ndraw);
  free(z);
}

void stats_ratio_draws(const double *num, const double *den, size_t n, uint64_t seed, double *draw, size_t ndraw) {
  double *z = xcalloc(n + 1, sizeof(double));
  double value = stats_ratio_influence(num, den, n, z);
  bootstrap_about(value, z, n, seed, draw, ndraw);
  free(z);
}
