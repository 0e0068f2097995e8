#include "config.h"

#include "analysis/stats.h"
#include "analysis/steady.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

#define SERIES 200

enum shape {
  LEVEL,
  DECAY /* 100 (1 + exp(-t / 20)) */,
  RAMP /* 20 % up over all */,
  JUMP /* 50 % too high for the first 40 s */
};

static void make(double *x, size_t n, enum shape shape, double phi, uint64_t i) {
  struct rng r = rng_at(21, (uint64_t)shape, i);
  double z = stats_normal(&r);
  for (size_t t = 0; t < n; t++) {
    double at = (double)t, m = shape == DECAY            ? 100 * exp(-at / 20)
                               : shape == RAMP           ? 20 * at / (double)n
                               : shape == JUMP && t < 40 ? 50
                                                         : 0;
    x[t] = 100 + m + 5 * z;
    z = phi * z + sqrt(1 - phi * phi) * stats_normal(&r);
  }
}

static int steady_in(size_t n, enum shape shape, double phi, double *mean_cut) {
  double x[600];
  int yes = 0;
  double cut = 0;
  for (uint64_t i = 0; i < SERIES; i++) {
    make(x, n, shape, phi, i);
    struct steady s = steady_judge(x, n, 0.05);
    yes += s.state == STEADY_YES;
    cut += (double)s.cut_s;
  }
  *mean_cut = cut / SERIES;
  return yes;
}

Test(steady, what_has_settled_is_steady) {
  double cut;
  cr_expect_geq(steady_in(120, LEVEL, 0, &cut), SERIES * 95 / 100);
  cr_expect_lt(cut, 20);
  cr_expect_geq(steady_in(120, LEVEL, 0.8, &cut), SERIES * 88 / 100);
  cr_expect_geq(steady_in(300, LEVEL, 0.8, &cut), SERIES * 95 / 100);
  cr_expect_geq(steady_in(300, DECAY, 0, &cut), SERIES * 97 / 100);
  cr_expect(cut > 50 && cut < 110, "a decay of 20 s is cut after %g s", cut);
  cr_expect_geq(steady_in(300, JUMP, 0, &cut), SERIES * 97 / 100);
  cr_expect(cut >= 40 && cut < 60, "a jump after 40 s is cut at %g s", cut);
}

Test(steady, what_is_on_its_way_is_not) {
  double cut;
  cr_expect_leq(steady_in(60, DECAY, 0, &cut), SERIES * 3 / 100);
  cr_expect_leq(steady_in(300, RAMP, 0, &cut), SERIES * 3 / 100);
  cr_expect_leq(steady_in(600, RAMP, 0.5, &cut), SERIES * 10 / 100);
}

Test(steady, edges) {
  double x[60] = {0}, zero[60] = {0};
  struct steady s = steady_judge(x, 0, 0.05);
  cr_expect_eq(s.state, STEADY_TOO_SHORT);
  s = steady_judge(zero, STEADY_MIN_S - 1, 0.05);
  cr_expect(s.state == STEADY_TOO_SHORT && isnan(s.mean));
  s = steady_judge(zero, 60, 0.05);
  cr_expect(s.state == STEADY_YES && s.mean == 0 && isnan(s.trend), "nothing read at all is steady");
  for (int i = 0; i < 60; i++)
    x[i] = 7;
  s = steady_judge(x, 60, 0.05);
  cr_expect(s.state == STEADY_YES && s.cut_s == 0);
  cr_expect_float_eq(s.trend, 0, 1e-9);
  cr_expect_eq(steady_cut(x, 4), 0);
  for (int i = 0; i < 60; i++)
    x[i] = 1 + (i < 20);
  cr_expect_eq(steady_cut(x, 60), 20);
}

Test(steady, several_series_are_as_steady_as_the_worst) {
  double level[300], ramp[300], zero[300] = {0};
  size_t which;
  make(level, 300, LEVEL, 0, 0);
  make(ramp, 300, RAMP, 0, 0);
  const double *both[] = {level, zero, ramp};
  struct steady s = steady_all(both, 3, 300, 0.05, &which);
  cr_expect_neq(s.state, STEADY_YES);
  cr_expect_eq(which, 2);
  s = steady_all(both, 2, 300, 0.05, NULL);
  cr_expect_eq(s.state, STEADY_YES);
}
