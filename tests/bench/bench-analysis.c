/* bench-analysis: what it takes to judge a run of 6 steps of an hour each from one-second histograms: percentiles and means with
 * their intervals, bootstrap replicates, steadiness, the changes between steps, the verdict.  Needs no server (an argument is
 * passed over). */
#include "config.h"

#include "analysis/refine.h"
#include "analysis/stats.h"
#include "analysis/steady.h"
#include "analysis/verdict.h"
#include "base/clock.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 6, SECONDS = 3600, TX_S = 250, DRAWS = 1000 };

static const double memory_gb[STEPS] = {128, 96, 64, 32, 16, 8}, level_ms[STEPS] = {2.5, 2.5, 2.5, 4.15, 12.5, 31.6};

/* The sparse histograms of a step, as a run keeps them. */
struct made {
  size_t n;
  struct row {
    uint32_t second, bucket;
  } * row;
  double tx[SECONDS], mean[SECONDS], read_mb[SECONDS];
};

static struct made make(int step) {
  struct made m = {.row = malloc(sizeof *m.row * SECONDS * TX_S)};
  double wander = 0;
  for (uint32_t s = 0; m.row && s < SECONDS; s++) {
    struct rng r = rng_at(1, (uint64_t)step, s);
    wander = 0.8 * wander + 0.6 * stats_normal(&r);
    double sum = 0;
    for (int k = 0; k < TX_S; k++) {
      double ms = level_ms[step] * exp(0.1 * wander + 0.6 * stats_normal(&r)) / 2.7;
      m.row[m.n++] = (struct row){s, hist_bucket((int64_t)(1e6 * ms))};
      sum += ms;
    }
    m.tx[s] = TX_S + 5 * stats_normal(&r);
    m.mean[s] = sum / TX_S;
    m.read_mb[s] = 10 * level_ms[step] * exp(0.1 * stats_normal(&r));
  }
  return m;
}

static double since(int64_t *t) {
  int64_t now = mono_ns(), was = *t;
  *t = now;
  return (double)(now - was) / 1e9;
}

int main(void) {
  static const double share[] = {0.5, 0.9, 0.95, 0.99, 0.999};
  static double draw[STEPS][DRAWS];
  static struct made made[STEPS];
  struct verdict_point p[STEPS];
  struct stats_value p95[STEPS];
  double sum_s = 0, interval_s = 0, draw_s = 0, steady_s = 0, verdict_s = 0;
  size_t rows = 0;
  for (int i = 0; i < STEPS; i++)
    if (!(made[i] = make(i)).row)
      return 1;
  int64_t t = mono_ns(), begin = t;
  for (int i = 0; i < STEPS; i++) {
    struct seconds_hist *h = seconds_hist_new(SECONDS);
    for (size_t k = 0; k < made[i].n; k++)
      seconds_hist_add(h, made[i].row[k].second, made[i].row[k].bucket, 1);
    rows += made[i].n;
    sum_s += since(&t);
    p95[i] = seconds_hist_quantile(h, 0.95);
    for (size_t k = 0; k < sizeof share / sizeof *share; k++)
      seconds_hist_quantile(h, share[k]);
    seconds_hist_mean(h);
    stats_mean(made[i].tx, SECONDS);
    stats_ratio(made[i].read_mb, made[i].tx, SECONDS);
    interval_s += since(&t);
    seconds_hist_quantile_draws(h, 0.95, 1, draw[i], DRAWS);
    draw_s += since(&t);
    const double *series[] = {made[i].tx, made[i].mean, made[i].read_mb};
    steady_all(series, 3, SECONDS, 0.05, NULL);
    steady_s += since(&t);
    p[i] = (struct verdict_point){memory_gb[i] * 1024, p95[i].e.value, NAN, draw[i], DRAWS};
    seconds_hist_free(h);
  }
  struct verdict v;
  struct verdict_options o = VERDICT_DEFAULTS;
  if (verdict_find(p, STEPS, &o, &v) != 0)
    return 1;
  verdict_slo(p, STEPS, &o, 10);
  refine_next(&v, REFINE_RATIO, NULL);
  verdict_s = since(&t);
  const double all_s = (double)(t - begin) / 1e9;
  printf("analysis: %d steps of %d s, %zu histogram rows: %.2f s, ratio %.2f of 3 s (want 1.00 at most; sums %.2f, intervals %.2f, replicates %.2f, "
         "steadiness %.2f, verdict %.2f)\n",
         STEPS, SECONDS, rows, all_s, all_s / 3, sum_s, interval_s, draw_s, steady_s, verdict_s);
  printf("analysis: edge %g|%g GB, knee (%g, %g) GB, %.0f %% of the resamples agree\n", v.edge.a_mib / 1024, v.edge.b_mib / 1024,
         v.knee.a_mib / 1024, v.knee.b_mib / 1024, 100 * v.knee.confidence);
  for (int i = 0; i < STEPS; i++)
    free(made[i].row);
  return 0;
}
