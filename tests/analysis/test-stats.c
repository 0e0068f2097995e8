#include "config.h"

#include "analysis/stats.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- do the intervals hold the truth? ---- */

/* One cell of the table: how the seconds resemble each other, and how many there are. */
struct cell {
  double phi;
  size_t n;
};
static const struct cell cells[] = {{0, 60}, {0, 300}, {0.8, 60}, {0.8, 300}};
#define CELLS (sizeof cells / sizeof *cells)
#define SERIES 200

/* A stationary AR(1) series of unit variance. */
static void ar1(double *x, const struct cell *c, struct rng *r) {
  for (size_t i = 0; i < c->n; i++)
    x[i] = i ? c->phi * x[i - 1] + sqrt(1 - c->phi * c->phi) * stats_normal(r) : stats_normal(r);
}

static void honest(const char *what, const struct cell *c, int covered) {
  cr_expect(covered >= SERIES * 90 / 100 && covered <= SERIES * 99 / 100,
            "%s, phi %g, %zu seconds: the interval holds the truth in %d of %d", what, c->phi, c->n, covered, SERIES);
}

static int holds(const struct estimate *e, double truth) {
  return e->lo <= truth && truth <= e->hi;
}

Test(coverage, means) {
  double x[300];
  for (size_t k = 0; k < CELLS; k++) {
    int normal = 0, skewed = 0;
    for (uint64_t s = 0; s < SERIES; s++) {
      struct rng r = rng_at(11, k, s);
      ar1(x, &cells[k], &r);
      struct stats_value v = stats_mean(x, cells[k].n);
      normal += holds(&v.e, 0);
      for (size_t i = 0; i < cells[k].n; i++)
        x[i] = exp(0.3 * x[i]);
      v = stats_mean(x, cells[k].n);
      skewed += holds(&v.e, exp(0.045));
    }
    honest("mean", &cells[k], normal);
    honest("mean of skewed seconds", &cells[k], skewed);
  }
}

/* A step: each second 40 to 60 transactions, lognormal around a level that wanders from second to second. */
#define WANDER 0.3
#define SPREAD 0.6
#define LEVEL_MS 5.0

static struct seconds_hist *step_make(const struct cell *c, struct rng *r) {
  double level[300];
  ar1(level, c, r);
  struct seconds_hist *h = seconds_hist_new(c->n);
  for (size_t i = 0; i < c->n; i++)
    for (int64_t k = rng_range(r, 40, 60); k > 0; k--)
      seconds_hist_add(h, i, hist_bucket((int64_t)(1e6 * LEVEL_MS * exp(WANDER * level[i] + SPREAD * stats_normal(r)))), 1);
  return h;
}

static double step_quantile(double normal_quantile) {
  return LEVEL_MS * exp(normal_quantile * hypot(WANDER, SPREAD));
}

Test(coverage, percentiles_and_ratios_of_steps) {
  for (size_t k = 0; k < CELLS; k++) {
    int mean = 0, p50 = 0, p95 = 0, ratio = 0, mean_ratio = 0;
    for (uint64_t s = 0; s < SERIES; s++) {
      struct rng r = rng_at(12, k, s);
      struct seconds_hist *a = step_make(&cells[k], &r), *b = step_make(&cells[k], &r);
      struct stats_value va = seconds_hist_quantile(a, 0.95), vb = seconds_hist_quantile(b, 0.95);
      struct estimate change = stats_change(&va, &vb);
      p95 += holds(&va.e, step_quantile(1.6448536));
      ratio += holds(&change, 0);
      va = seconds_hist_quantile(a, 0.5);
      p50 += holds(&va.e, step_quantile(0));
      va = seconds_hist_mean(a);
      vb = seconds_hist_mean(b);
      mean += holds(&va.e, LEVEL_MS * exp((WANDER * WANDER + SPREAD * SPREAD) / 2));
      change = stats_change(&va, &vb);
      mean_ratio += holds(&change, 0);
      seconds_hist_free(a);
      seconds_hist_free(b);
    }
    honest("p95", &cells[k], p95);
    honest("ratio of p95", &cells[k], ratio);
    honest("p50", &cells[k], p50);
    honest("mean latency", &cells[k], mean);
    honest("ratio of mean latencies", &cells[k], mean_ratio);
  }
}

/* ---- contracts ---- */

Test(stats, a_constant_series_is_certain) {
  double x[60];
  for (int i = 0; i < 60; i++)
    x[i] = 3;
  struct stats_value v = stats_mean(x, 60);
  cr_expect_float_eq(v.e.value, 3, 1e-12);
  cr_expect_float_eq(v.e.lo, 3, 1e-9);
  cr_expect_float_eq(v.e.hi, 3, 1e-9);
  double draw[10];
  stats_mean_draws(x, 60, 1, draw, 10);
  for (int i = 0; i < 10; i++)
    cr_expect_float_eq(draw[i], 3, 1e-9);
}

Test(stats, too_few_seconds_have_no_interval) {
  double x[STATS_MIN] = {1, 2, 1, 2, 3, 1, 2, 1};
  struct stats_value v = stats_mean(x, STATS_MIN - 1);
  cr_expect_float_eq(v.e.value, 12.0 / 7, 1e-12);
  cr_expect(isnan(v.e.lo) && isnan(v.e.hi) && isnan(v.se_log));
  v = stats_mean(x, STATS_MIN);
  cr_expect(v.e.lo < v.e.value && v.e.value < v.e.hi);
  v = stats_mean(x, 0);
  cr_expect(isnan(v.e.value));
  struct seconds_hist *h = seconds_hist_new(3);
  v = seconds_hist_quantile(h, 0.95);
  cr_expect(isnan(v.e.value) && isnan(v.e.lo));
  seconds_hist_add(h, 3, 100, 1); /* there is no fourth second */
  cr_expect_eq(seconds_hist_sum(h)->total, 0);
  seconds_hist_add(h, 1, 100, 5);
  v = seconds_hist_quantile(h, 0.95);
  cr_expect_float_eq(v.e.value, 0.1005, 1e-9);
  cr_expect(isnan(v.e.lo) && isnan(v.e.hi));
  seconds_hist_free(h);
}

Test(stats, correlation_is_seen) {
  static double x[2000];
  struct cell c = {0.8, 2000}, white = {0, 2000};
  struct rng r = rng_at(13, 0, 0);
  ar1(x, &c, &r);
  struct stats_error e = stats_error(x, 2000, 0);
  cr_expect_float_eq(e.lag1, 0.8, 0.06, "%g", e.lag1);
  cr_expect_float_eq(e.se, 3 / sqrt(2000), 0.4 * 3 / sqrt(2000), "%g", e.se); /* sqrt((1 + phi) / (1 - phi)) = 3 */
  ar1(x, &white, &r);
  e = stats_error(x, 2000, 0);
  cr_expect_float_eq(e.lag1, 0, 0.06, "%g", e.lag1);
  cr_expect_float_eq(e.se, 1 / sqrt(2000), 0.4 / sqrt(2000), "%g", e.se);
}

Test(stats, ratio_weighs_by_the_denominator) {
  double num[10], den[10];
  for (int i = 0; i < 10; i++) {
    den[i] = 1 + i % 3;
    num[i] = 2 * den[i];
  }
  struct stats_value v = stats_ratio(num, den, 10);
  cr_expect_float_eq(v.e.value, 2, 1e-12);
  cr_expect_float_eq(v.e.lo, 2, 1e-9);
  memset(den, 0, sizeof den);
  v = stats_ratio(num, den, 10);
  cr_expect(isnan(v.e.value) && isnan(v.e.lo));
}

Test(stats, change_of_what_is_not_positive_is_unknown) {
  struct stats_value a = {{2, 1, 3}, 0.1, 20}, b = {{3, 2, 4}, 0.1, 20}, zero = {{0, 0, 1}, NAN, 20};
  struct estimate c = stats_change(&a, &b);
  cr_expect_float_eq(c.value, 0.5, 1e-12);
  cr_expect(c.lo > 0 && c.lo < 0.5 && c.hi > 0.5);
  c = stats_change(&a, &zero);
  cr_expect(isnan(c.value));
  b.se_log = NAN;
  c = stats_change(&a, &b);
  cr_expect(c.value == 0.5 && isnan(c.lo));
}

/* The replicates' own 95 % interval is the honest one. */
Test(stats, draws_are_as_wide_as_the_interval) {
  struct rng r = rng_at(14, 0, 0);
  struct seconds_hist *h = step_make(&cells[3], &r);
  static double draw[4000];
  for (int what = 0; what < 2; what++) {
    struct stats_value v = what ? seconds_hist_mean(h) : seconds_hist_quantile(h, 0.95);
    if (what)
      seconds_hist_mean_draws(h, 1, draw, 4000);
    else
      seconds_hist_quantile_draws(h, 0.95, 1, draw, 4000);
    int in = 0;
    for (int i = 0; i < 4000; i++)
      in += draw[i] >= v.e.lo && draw[i] <= v.e.hi;
    cr_expect(in > 4000 * 0.92 && in < 4000 * 0.98, "%d of 4000 draws lie in the interval", in);
    double first = draw[0];
    if (what)
      seconds_hist_mean_draws(h, 1, draw, 10);
    else
      seconds_hist_quantile_draws(h, 0.95, 1, draw, 10);
    cr_expect(draw[0] > 0 && fabs(draw[0] / first - 1) < 0.5);
  }
  seconds_hist_free(h);
}

Test(stats, a_percentile_needs_samples_beyond_it) {
  cr_expect(stats_quantile_supported(200, 0.95));
  cr_expect_not(stats_quantile_supported(199, 0.95));
  cr_expect(stats_quantile_supported(10000, 0.999));
  cr_expect_not(stats_quantile_supported(500, 0.999));
  struct seconds_hist *h = seconds_hist_new(20);
  for (uint32_t i = 0; i < 20; i++)
    seconds_hist_add(h, i, 1000 + 13 * (i * 7 % 20), 1);
  struct stats_value v = seconds_hist_quantile(h, 0.95);
  cr_expect(isinf(v.e.hi), "20 samples cannot tell how large p95 may be");
  seconds_hist_free(h);
}

Test(stats, t_quantiles) {
  cr_expect_float_eq(stats_t(0.975, 10), 2.228, 0.001);
  cr_expect_float_eq(stats_t(0.975, INFINITY), 1.960, 0.001);
}
