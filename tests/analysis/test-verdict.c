#include "config.h"

#include "analysis/stats.h"
#include "analysis/verdict.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

#define GB(x) ((x)*1024.0)
#define COUNT(a) (sizeof(a) / sizeof *(a))

static size_t points(struct verdict_point *p, size_t n, const double *gb, const double *y) {
  for (size_t i = 0; i < n; i++)
    p[i] = (struct verdict_point){GB(gb[i]), y[i], NAN, NULL, 0};
  return n;
}

static struct verdict find(size_t n, const double *gb, const double *y, enum verdict_sense sense, double noise) {
  struct verdict_point p[64];
  struct verdict v;
  struct verdict_options o = VERDICT_DEFAULTS;
  o.sense = sense;
  o.noise = noise;
  cr_assert_eq(verdict_find(p, points(p, n, gb, y), &o, &v), 0);
  cr_assert(v.ok);
  return v;
}

static void is_bracket(const struct bracket *b, double a_gb, double b_gb) {
  cr_assert(b->found);
  cr_expect_float_eq(b->a_mib, GB(a_gb), 1e-6, "a is %g GB", b->a_mib / 1024);
  cr_expect_float_eq(b->b_mib, GB(b_gb), 1e-6, "b is %g GB", b->b_mib / 1024);
  cr_expect(b->confidence > 0 && b->confidence <= b->near && b->near <= 1);
}

static const double sr_gb[] = {128, 96, 64, 32, 16, 8}, sr_ms[] = {2.5, 2.5, 2.5, 4.15, 12.5, 31.6};

Test(verdict, storagereview) {
  struct verdict v = find(6, sr_gb, sr_ms, LESS_IS_BETTER, 0.03);
  cr_assert_eq(v.plateau, PLATEAU_EDGE);
  is_bracket(&v.edge, 32, 64);
  is_bracket(&v.knee, 16, 32);
  cr_expect_not(v.knee2.found);
  cr_expect_float_eq(v.knee.lost_above, 0.66, 0.001);
  cr_expect_float_eq(v.knee.lost_below, 12.5 / 4.15 - 1, 0.001);
  cr_expect(v.noise_assumed);
  cr_expect_not(v.below_knee);
}

/* Throughput in the same shape gives the same brackets; so do other units and another order. */
Test(verdict, sense_scale_and_order_do_not_matter) {
  double tps[6];
  for (int i = 0; i < 6; i++)
    tps[i] = 1e6 / sr_ms[i];
  struct verdict v = find(6, sr_gb, tps, MORE_IS_BETTER, 0.03);
  is_bracket(&v.edge, 32, 64);
  is_bracket(&v.knee, 16, 32);
  double gb[] = {16, 128, 8, 64, 96, 32}, us[] = {12500, 2500, 31600, 2500, 2500, 4150};
  v = find(6, gb, us, LESS_IS_BETTER, 0.03);
  is_bracket(&v.edge, 32, 64);
  is_bracket(&v.knee, 16, 32);
}

Test(verdict, refuses_what_it_cannot_judge) {
  struct verdict_point p[3] = {{1024, 1, NAN, NULL, 0}, {2048, 1, NAN, NULL, 0}, {4096, 1, NAN, NULL, 0}};
  struct verdict_options o = VERDICT_DEFAULTS;
  struct verdict v;
  cr_assert_eq(verdict_find(p, 2, &o, &v), -1);
  cr_assert_not(v.ok);
  double bad[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < COUNT(bad); i++) {
    p[1].y = bad[i];
    cr_assert_eq(verdict_find(p, 3, &o, &v), -1);
    p[1].y = 1;
    p[1].mem_mib = bad[i];
    cr_assert_eq(verdict_find(p, 3, &o, &v), -1);
    p[1].mem_mib = 2048;
  }
  p[1].mem_mib = 4096;
  cr_assert_eq(verdict_find(p, 3, &o, &v), -1, "a memory that comes twice was taken");
}

Test(verdict, the_same_seed_gives_the_same_answer) {
  struct verdict a = find(6, sr_gb, sr_ms, LESS_IS_BETTER, 0.08), b = find(6, sr_gb, sr_ms, LESS_IS_BETTER, 0.08);
  cr_assert(a.knee.confidence > 0.1 && a.knee.confidence < 0.95);
  cr_assert_eq(a.knee.confidence, b.knee.confidence);
  cr_assert_eq(a.edge.confidence, b.edge.confidence);
}

/* Known errors and replicates stand in the place of the assumed noise. */
Test(verdict, errors_decide_the_confidence) {
  struct verdict_point p[6];
  struct verdict_options o = VERDICT_DEFAULTS;
  struct verdict sharp, vague;
  static double draw[6][500];
  points(p, 6, sr_gb, sr_ms);
  for (int i = 0; i < 6; i++)
    p[i].se_log = 0.001;
  cr_assert_eq(verdict_find(p, 6, &o, &sharp), 0);
  cr_expect_not(sharp.noise_assumed);
  cr_expect_eq(sharp.knee.confidence, 1);
  for (int i = 0; i < 6; i++) {
    struct rng r = rng_at(5, (uint64_t)i, 0);
    for (int k = 0; k < 500; k++)
      draw[i][k] = sr_ms[i] * exp(0.08 * stats_normal(&r));
    p[i] = (struct verdict_point){p[i].mem_mib, sr_ms[i], NAN, draw[i], 500};
  }
  cr_assert_eq(verdict_find(p, 6, &o, &vague), 0);
  cr_expect_not(vague.noise_assumed);
  cr_expect(vague.knee.confidence < 0.9, "%g", vague.knee.confidence);
}

/* Points that scatter more than was assumed are taken as unsure as they are. */
Test(verdict, noise_is_widened_to_what_the_points_show) {
  double gb[12], y[12];
  struct rng r = rng_at(7, 0, 0);
  for (int i = 0; i < 12; i++) {
    gb[i] = 10 * (i + 1);
    y[i] = 5 * exp(0.15 * stats_normal(&r));
  }
  struct verdict v = find(12, gb, y, LESS_IS_BETTER, 0.03);
  cr_expect(v.noise > 0.07 && v.noise < 0.3, "%g", v.noise);
  cr_expect_eq(v.plateau, PLATEAU_FLAT);
  cr_expect_not(v.knee.found);
  v = find(6, sr_gb, sr_ms, LESS_IS_BETTER, 0.03);
  cr_expect_float_eq(v.noise, 0.03, 1e-12);
}

Test(verdict, an_edge_that_may_still_rise_is_unsure) {
  const double gb[] = {8, 16, 32, 64, 96, 112, 128},
               tps[] = {100, 112, 125.4, 140.5, 150.1, 153.9, 157.4}; /* 12 % for a doubling */
  struct verdict v = find(7, gb, tps, MORE_IS_BETTER, 0.03);
  cr_expect_eq(v.plateau, PLATEAU_UNSURE, "%d", v.plateau);
  is_bracket(&v.edge, 64, 96);
  v = find(7, gb, tps, MORE_IS_BETTER, 0.001);
  cr_expect_eq(v.plateau, PLATEAU_NOT_REACHED);
  cr_expect_not(v.edge.found);
  cr_expect(v.top_gain_lo > 0.1 && v.top_gain > v.top_gain_lo && v.top_gain < v.top_gain_hi);
}

/* A run whose two largest steps read nothing from storage: with errors of 6 % three points at the top pass for a line, but the gain is
 * that of the step below the edge, and more memory would not help. */
Test(verdict, a_step_below_the_edge_does_not_speak_for_the_top) {
  const double ms[] = {4.38, 4.67, 6.50, 12.08, 14.96, 21.86};
  struct verdict v = find(6, sr_gb, ms, LESS_IS_BETTER, 0.06);
  cr_expect_neq(v.plateau, PLATEAU_NOT_REACHED);
  cr_expect_float_eq(v.top_from_mib, GB(96), 1e-6);
}

/* Two steps at the top that read nothing: what they differ by is not memory's doing, and more of it would not help. */
Test(verdict, steps_known_to_be_level_are_the_plateau) {
  const double gb[] = {128, 96, 64, 32, 16, 8}, ms[] = {4.21, 4.82, 6.42, 11.16, 13.96, 21.3};
  struct verdict v = find(6, gb, ms, LESS_IS_BETTER, 0.03);
  cr_assert_eq(v.plateau, PLATEAU_NOT_REACHED, "nothing is known of reads");
  struct verdict_point p[6];
  struct verdict_options o = VERDICT_DEFAULTS;
  points(p, 6, gb, ms);
  o.level_mib = GB(96);
  cr_assert_eq(verdict_find(p, 6, &o, &v), 0);
  cr_assert_eq(v.plateau, PLATEAU_EDGE);
  is_bracket(&v.edge, 64, 96);
  cr_expect_gt(v.edge.confidence, 0.9);
  cr_expect_not(v.below_knee);
  cr_expect_eq(v.top_gain_hi, 0);
  cr_expect(v.plateau_y > 4.21 && v.plateau_y < 4.82);
  o.level_mib = GB(128); /* only the largest */
  cr_assert_eq(verdict_find(p, 6, &o, &v), 0);
  cr_assert_eq(v.plateau, PLATEAU_EDGE);
  is_bracket(&v.edge, 96, 128);
  o.level_mib = GB(256); /* none of these steps */
  cr_assert_eq(verdict_find(p, 6, &o, &v), 0);
  cr_expect_eq(v.plateau, PLATEAU_NOT_REACHED);
  o.level_mib = GB(8); /* all of them */
  cr_assert_eq(verdict_find(p, 6, &o, &v), 0);
  cr_expect_eq(v.plateau, PLATEAU_FLAT);
}

Test(verdict, more_memory_that_looks_worse_is_said) {
  double tps[] = {100, 130, 129, 120, 90, 60};
  struct verdict v = find(6, sr_gb, tps, MORE_IS_BETTER, 0.03);
  cr_expect_float_eq(v.rise_mib, GB(128), 1e-6);
  cr_expect_float_eq(v.rise_than_mib, GB(96), 1e-6);
  v = find(6, sr_gb, sr_ms, LESS_IS_BETTER, 0.03);
  cr_expect_eq(v.rise_mib, 0);
}

Test(verdict, limit) {
  struct verdict_point p[6];
  struct verdict_options o = VERDICT_DEFAULTS;
  points(p, 6, sr_gb, sr_ms);
  struct slo_answer a = verdict_slo(p, 6, &o, 5);
  cr_expect_float_eq(a.likely_mib, GB(32), 1e-6);
  cr_expect_float_eq(a.sure_mib, GB(32), 1e-6);
  cr_expect(a.at_mib > GB(16) && a.at_mib < GB(32));
  cr_expect(a.at_lo_mib < a.at_mib && a.at_mib < a.at_hi_mib);
  a = verdict_slo(p, 6, &o, 4.2); /* 4.15 + 6 % is above */
  cr_expect_float_eq(a.likely_mib, GB(32), 1e-6);
  cr_expect_float_eq(a.sure_mib, GB(64), 1e-6);
  a = verdict_slo(p, 6, &o, 1);
  cr_expect(isnan(a.likely_mib) && isnan(a.sure_mib) && isnan(a.at_mib));
  a = verdict_slo(p, 6, &o, 50);
  cr_expect_float_eq(a.likely_mib, GB(8), 1e-6);
  cr_expect(isnan(a.at_mib), "a limit that the smallest step keeps has no crossing");
  o.sense = MORE_IS_BETTER;
  for (int i = 0; i < 6; i++)
    p[i].y = 1000 / p[i].y;
  a = verdict_slo(p, 6, &o, 200);
  cr_expect_float_eq(a.likely_mib, GB(32), 1e-6);
}
