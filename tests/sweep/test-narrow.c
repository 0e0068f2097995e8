/* Which steps a refined sweep adds: the loop with verdicts on curves that are known, and with made-up ones. */
#include "config.h"

#include "base/units.h"
#include "sweep/narrow.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GB INT64_C(1024)

static struct verdict no_verdict(void) {
  struct verdict v = {.ok = 1};
  v.knee = v.edge = v.knee2 = (struct bracket){0, NAN, NAN, NAN, NAN, NAN, NAN};
  return v;
}

static struct bracket between(double a_gb, double b_gb) {
  return (struct bracket){1, a_gb * 1024, b_gb * 1024, 0.9, 1, 0.1, 0.5};
}

static void expect(const struct narrow *n, enum narrow_state state, int64_t gb, const char *bracket) {
  cr_assert_eq(n->state, state, "%s, not %s", narrow_state_name(n->state), narrow_state_name(state));
  cr_assert_eq(n->mib, gb * GB, "%ld MB", (long)n->mib);
  if (bracket)
    cr_assert_str_eq(n->bracket, bracket);
  else
    cr_assert_null(n->bracket);
}

static void says(const struct narrow *n, const struct verdict *v, const char *want) {
  char *s = narrow_text(n, v, 5 * 60 * NS_PER_S);
  cr_assert_str_eq(s, want);
  free(s);
}

static const int64_t had[] = {128 * GB, 96 * GB, 64 * GB, 32 * GB, 16 * GB, 8 * GB};
#define HAD had, sizeof had / sizeof *had

Test(narrow, the_knee_first_then_the_edge_then_a_second_knee) {
  struct verdict v = no_verdict();
  v.knee = between(16, 32);
  v.edge = between(32, 64);
  v.knee2 = between(8, 16);
  struct narrow n = narrow_next(&v, HAD, 100, 10);
  expect(&n, NARROW_ADD, 23, "knee");
  says(&n, &v, "the knee is between 16 GB and 32 GB: a step at 23 GB");
  v.knee = between(22, 23);
  n = narrow_next(&v, HAD, 100, 10);
  expect(&n, NARROW_ADD, 45, "plateau edge");
  says(&n, &v, "the plateau edge is between 32 GB and 64 GB: a step at 45 GB");
  v.edge = between(60, 64);
  n = narrow_next(&v, HAD, 100, 10);
  expect(&n, NARROW_ADD, 11, "second knee");
  v.knee2.found = 0;
  n = narrow_next(&v, HAD, 100, 10);
  expect(&n, NARROW_DONE, 0, NULL);
  says(&(struct narrow){NARROW_STOPPED, "knee", 16 * GB, 32 * GB, 23 * GB}, &v,
       "the knee is between 16 GB and 32 GB: a step at 23 GB would be next, but the descent was ended above it (--stop-above)");
  says(&n, &v, "the knee is between 22 GB and 23 GB, the plateau edge is between 60 GB and 64 GB: narrow enough");
}

Test(narrow, nothing_to_narrow) {
  struct verdict v = no_verdict();
  struct narrow n = narrow_next(&v, HAD, 100, 10);
  expect(&n, NARROW_NONE, 0, NULL);
  says(&n, &v, "there is no bracket to narrow: the steps so far show neither a knee nor a plateau edge");
  v.ok = 0;
  v.knee = between(16, 32);
  n = narrow_next(&v, HAD, 100, 10);
  expect(&n, NARROW_NONE, 0, NULL);
  says(&n, &v, "there is no bracket to narrow: the steps so far give no verdict");
}

Test(narrow, the_budget_ends_it_before_a_step_that_would_not_fit) {
  struct verdict v = no_verdict();
  v.knee = between(16, 32);
  struct narrow n = narrow_next(&v, HAD, 10, 10);
  expect(&n, NARROW_ADD, 23, "knee");
  n = narrow_next(&v, HAD, 9, 10);
  expect(&n, NARROW_BUDGET, 23, "knee");
  says(&n, &v, "the knee is between 16 GB and 32 GB: a step at 23 GB would be next, but it would not end within the budget of 5 min");
  v.knee = between(22, 23);
  n = narrow_next(&v, HAD, -5, 10);
  expect(&n, NARROW_DONE, 0, NULL);
}

Test(narrow, a_step_that_could_not_be_judged_is_not_tried_for_ever) {
  struct verdict v = no_verdict();
  v.knee = between(16, 32);
  struct narrow n = narrow_next(&v, (int64_t[]){128 * GB, 16 * GB, 32 * GB, 23 * GB}, 4, 100, 10);
  expect(&n, NARROW_STUCK, 23, "knee");
  says(&n, &v, "the knee is between 16 GB and 32 GB: the step at 23 GB could not be judged");
}

/* ---- the loop, as a sweep does it ---- */

enum { MOST = 40 };
struct sweep {
  struct verdict_point point[MOST];
  int64_t mib[MOST];
  size_t n;
  struct verdict v;
  struct narrow last;
};

/* Level above `knee` GB, and latency that rises by a power of what is missing below it. */
static double hinge(double knee_gb, int64_t mib) {
  return 2.5 * (1 + 3 * fmax(0, log2(knee_gb * 1024 / (double)mib)));
}

static void measure(struct sweep *s, double knee_gb, int64_t mib) {
  cr_assert_lt(s->n, MOST);
  s->mib[s->n] = mib;
  s->point[s->n++] = (struct verdict_point){.mem_mib = (double)mib, .y = hinge(knee_gb, mib), .se_log = 0.01};
}

static void sweep(struct sweep *s, double knee_gb, int64_t left_ns) {
  struct verdict_options o = VERDICT_DEFAULTS;
  o.draws = 200;
  s->n = 0;
  for (size_t i = 0; i < sizeof had / sizeof *had; i++)
    measure(s, knee_gb, had[i]);
  for (;; left_ns -= 10) {
    cr_assert_eq(verdict_find(s->point, s->n, &o, &s->v), 0);
    s->last = narrow_next(&s->v, s->mib, s->n, left_ns, 10);
    if (s->last.state != NARROW_ADD)
      return;
    cr_assert(s->last.a_mib < s->last.mib && s->last.mib < s->last.b_mib && s->last.mib % GB == 0);
    for (size_t i = 0; i < s->n; i++)
      cr_assert_neq(s->mib[i], s->last.mib, "%ld MB twice", (long)s->last.mib);
    measure(s, knee_gb, s->last.mib);
  }
}

Test(narrow, ends_with_narrow_brackets_that_hold_the_truth) {
  const double knee[] = {12, 20, 27.5, 40, 75};
  for (size_t i = 0; i < sizeof knee / sizeof *knee; i++) {
    struct sweep s;
    sweep(&s, knee[i], 1000000);
    cr_assert_eq(s.last.state, NARROW_DONE, "%g GB: %s", knee[i], narrow_state_name(s.last.state));
    const struct bracket *b = &s.v.edge;
    cr_assert(b->found, "%g GB", knee[i]);
    cr_assert(b->b_mib / b->a_mib <= REFINE_RATIO * (1 + 1e-9) || b->b_mib - b->a_mib <= 1024, "%g GB: %g to %g MB", knee[i], b->a_mib, b->b_mib);
    /* 5 % more are reached a sixtieth of an octave below the hinge. */
    cr_assert(b->a_mib <= knee[i] * 1024 && b->b_mib >= knee[i] * 1024 * exp2(-0.05 / 3) * 0.999, "%g GB: %g to %g MB", knee[i], b->a_mib, b->b_mib);
    cr_assert_leq(s.n, 6 + 12, "%g GB: %zu steps", knee[i], s.n);
  }
}

Test(narrow, a_budget_of_three_steps_gives_three) {
  struct sweep s;
  sweep(&s, 27.5, 30);
  cr_assert_eq(s.last.state, NARROW_BUDGET);
  cr_assert_eq(s.n, 6 + 3);
}

Test(narrow, a_flat_curve_gets_no_step) {
  struct sweep s;
  sweep(&s, 4, 1000);
  cr_assert_eq(s.last.state, NARROW_NONE);
  cr_assert_eq(s.n, 6);
}
