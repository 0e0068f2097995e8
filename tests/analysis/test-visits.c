#include "config.h"

#include "analysis/stats.h"
#include "analysis/visits.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

enum { SWEEPS = 1000, STEPS_MAX = 6, PASSES_MAX = 3, OWN_DF = 8 };

/* A sweep whose visits have errors around 1 that they know with 8 degrees of freedom; besides, visits differ by `between`, whole passes by
 * `passes`. */
struct world {
  size_t steps, visits;
  double between, passes;
};

static void sweep(struct visit *v, const struct world *w, struct rng *r) {
  double pass[PASSES_MAX];
  for (size_t p = 0; p < w->visits; p++)
    pass[p] = w->passes * stats_normal(r);
  for (size_t i = 0; i < w->steps * w->visits; i++) {
    double squares = 0;
    for (int d = 0; d < OWN_DF; d++)
      squares += pow(stats_normal(r), 2);
    v[i] = (struct visit){.step = i / w->visits,
                          .ln = pass[i % w->visits] + w->between * stats_normal(r) + stats_normal(r),
                          .se = sqrt(squares / OWN_DF),
                          .df = OWN_DF};
  }
}

/* How often, of 1,000, the interval of the first step holds the truth, 0: by the visits' own errors alone, and with what they say of one
 * another. */
static void cover(const struct world *w, uint64_t stream, int *own, int *with) {
  struct visit v[STEPS_MAX * PASSES_MAX];
  *own = *with = 0;
  for (uint64_t s = 0; s < SWEEPS; s++) {
    struct rng r = rng_at(29, stream, s);
    sweep(v, w, &r);
    double mean = 0;
    for (size_t i = 0; i < w->visits; i++)
      mean += v[i].ln / (double)w->visits;
    struct visits_spread none = {.scale = 1, .df = INFINITY}, spread = visits_spread(v, w->steps * w->visits);
    struct visits_error a = visits_error(&none, v, w->visits), b = visits_error(&spread, v, w->visits);
    *own += fabs(mean) <= stats_t(0.975, a.df) * a.se;
    *with += fabs(mean) <= stats_t(0.975, b.df) * b.se;
  }
}

Test(visits, intervals_hold_the_truth) {
  static const struct world worlds[] = {{6, 3, 0, 0}, {6, 3, 1, 0}, {6, 3, 3, 0}, {6, 3, 0, 1}, {6, 3, 0, 3}, {6, 3, 2, 2}, {6, 2, 1, 0}, {6, 2, 3, 0},
                                        {4, 3, 3, 0}, {4, 3, 0, 3}, {3, 2, 0, 0}, {3, 2, 1, 0}, {3, 2, 2, 2}, {2, 2, 3, 0}, {2, 2, 0, 3}};
  for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
    const struct world *w = &worlds[i];
    int own, with;
    cover(w, i, &own, &with);
    cr_expect(with >= SWEEPS * 89 / 100 && with <= SWEEPS * 985 / 1000, "%zu steps, %zu visits, between %g, passes %g: held in %d of %d (by own errors in %d)",
              w->steps, w->visits, w->between, w->passes, with, SWEEPS, own);
    if (w->between + w->passes >= 3)
      cr_expect(own < SWEEPS * 80 / 100, "the test cannot fail: held in %d by own errors alone", own);
  }
}

Test(visits, nothing_repeated_changes_nothing) {
  const struct visit v[] = {{1, 2.0, 0.1, 5}, {2, 3.0, 0.2, 7}};
  struct visits_spread s = visits_spread(v, 2);
  cr_assert(!s.known && s.scale == 1);
  struct visits_error e = visits_error(&s, &v[1], 1);
  cr_assert_float_eq(e.se, 0.2, 1e-12);
  cr_assert_float_eq(e.df, 7, 1e-9);
}

Test(visits, the_ratio_is_birges) {
  /* Two visits 0.6 apart of errors 0.1: each lies 3 errors from the mean, 18 squares over one visit more. */
  const struct visit v[] = {{8, 1.0, 0.1, 20}, {8, 1.6, 0.1, 20}, {16, 0.5, 0.05, 20}};
  struct visits_spread s = visits_spread(v, 3);
  cr_assert(s.known && !s.absolute);
  cr_assert_float_eq(s.scale, sqrt(18), 1e-9);
  cr_assert_float_eq(s.df, 1, 1e-9);
  struct visits_error pooled = visits_error(&s, v, 2), once = visits_error(&s, &v[2], 1);
  cr_assert_float_eq(pooled.se, sqrt(18) * 0.1 / sqrt(2), 1e-9);
  cr_assert_float_eq(once.se, sqrt(18) * 0.05, 1e-9);
  cr_assert_float_eq(once.df, 1, 1e-9);
}

Test(visits, agreement_leaves_the_errors_alone) {
  const struct visit v[] = {{1, 1.00, 0.1, 10}, {1, 1.01, 0.1, 10}, {2, 2.0, 0.1, 10}, {2, 1.99, 0.1, 10}};
  struct visits_spread s = visits_spread(v, 4);
  cr_assert(s.known && s.scale == 1 && isinf(s.df));
  struct visits_error e = visits_error(&s, v, 2);
  cr_assert_float_eq(e.se, 0.1 / sqrt(2), 1e-9);
  cr_assert_float_eq(e.df, 20, 1e-9);
}

/* A pass that was slow as a whole is one deviation, whatever the number of steps that it shows in. */
Test(visits, a_slow_pass_counts_once) {
  struct visit v[12];
  for (size_t i = 0; i < 12; i++)
    v[i] = (struct visit){.step = i / 2, .ln = i % 2 ? 0.5 : 0, .se = 0.05, .df = 10};
  cr_assert_float_eq(visits_spread(v, 12).df, 1, 1e-6);
  /* The same deviations, as often up as down. */
  for (size_t i = 0; i < 12; i++)
    v[i].ln = (i % 2) ^ (i / 2 % 2) ? 0.5 : 0;
  cr_assert_gt(visits_spread(v, 12).df, 4.5);
}

Test(visits, visits_without_errors_give_their_own) {
  const struct visit v[] = {{1, 1.0, NAN, NAN}, {1, 1.2, NAN, NAN}, {2, 3.0, NAN, NAN}};
  struct visits_spread s = visits_spread(v, 3);
  cr_assert(s.known && s.absolute);
  cr_assert_float_eq(s.scale, 0.2 / sqrt(2), 1e-9);
  cr_assert_float_eq(visits_error(&s, v, 2).se, 0.1, 1e-9);
  struct visits_spread none = visits_spread(&v[2], 1);
  cr_assert(isnan(visits_error(&none, &v[2], 1).se));
}
