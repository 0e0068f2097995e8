#include "config.h"

#include "base/units.h"
#include "check/edition.h"
#include "sweep/plan.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct sweep_options options;
static struct plan_facts facts;
static struct cause c;

static void setup(void) {
  sweep_options_init(&options);
  facts = (struct plan_facts){.physical_mib = 256 * 1024, .scale = 1, .data_bytes = 200 * GIB, .least_mib = 128};
}

TestSuite(plan, .init = setup);

static void expect(const int64_t *mib, size_t n, const int64_t *gib, size_t ngib) {
  cr_assert_eq(n, ngib);
  for (size_t i = 0; i < n; i++)
    cr_assert_eq(mib[i], gib[i] * 1024, "step %zu is %ld MB", i, (long)mib[i]);
}

Test(plan, steps_are_sorted_and_named_once) {
  int64_t *mib;
  size_t n;
  cr_assert_eq(steps_parse("8G,128G,64G", &mib, &n, &c), 0);
  expect(mib, n, (int64_t[]){128, 64, 8}, 3);
  free(mib);
  const char *bad[] = {"", "8X", "-1G", "8G,", ",8G", "8G,8G", "8G,8192M", "64M", "127M", "0.0001G", "128G;64G", "8", NULL};
  for (int i = 0; bad[i]; i++) {
    cause_clear(&c);
    cr_assert_eq(steps_parse(bad[i], &mib, &n, &c), -1, "'%s' was taken", bad[i]);
    cr_assert(c.status == STATUS_SETUP && c.text[0] && c.remedy[0], "'%s': %s; %s", bad[i], c.text, c.remedy);
  }
  cr_assert_eq(steps_parse("128M", &mib, &n, &c), 0);
  free(mib);
}

Test(plan, between_gives_the_default_steps_and_always_both_ends) {
  int64_t *mib;
  size_t n;
  cr_assert_eq(steps_between(128 * GIB, 8 * GIB, &mib, &n, &c), 0);
  expect(mib, n, (int64_t[]){128, 96, 64, 32, 16, 8}, 6);
  free(mib);
  cr_assert_eq(steps_between(16 * GIB, 3 * GIB, &mib, &n, &c), 0);
  expect(mib, n, (int64_t[]){16, 12, 8, 4, 3}, 5);
  free(mib);
  cr_assert_eq(steps_between(10 * GIB, 8 * GIB, &mib, &n, &c), 0);
  expect(mib, n, (int64_t[]){10, 8}, 2);
  free(mib);
  cr_assert_eq(steps_between(8 * GIB, 8 * GIB, &mib, &n, &c), -1);
  cr_assert_eq(steps_between(8 * GIB, 16 * GIB, &mib, &n, &c), -1);
  cr_assert(strstr(c.remedy, "swap"));
  cr_assert_eq(steps_between(8 * GIB, 64 * MIB, &mib, &n, &c), -1);
  /* The widest range there can be still fits. */
  cr_assert_eq(steps_between(INT64_C(1) << 60, 128 * MIB, &mib, &n, &c), 0);
  free(mib);
}

Test(plan, default_steps_that_cannot_be_reached_are_left_out_with_a_word) {
  struct plan p;
  facts.physical_mib = 64 * 1024;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(p.step[1].mib, 64 * 1024);
  cr_assert_eq(p.nstep, 1 + 4 + 1);
  cr_assert(strstr(p.left_out, "128 GB") && strstr(p.left_out, "96 GB"), "%s", p.left_out);
  plan_free(&p);
  facts.physical_mib = 10 * 1024;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), -1, "one step is no sweep");
  cr_assert(strstr(c.text, "at least two") && c.remedy[0]);
}

Test(plan, named_steps_that_cannot_be_reached_are_refused) {
  struct plan p;
  cr_assert_eq(steps_parse("512G,64G", &options.step_mib, &options.nstep, &c), 0);
  options.steps_named = 1;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), -1);
  cr_assert(c.status == STATUS_SETUP && strstr(c.text, "512 GB") && strstr(c.text, "256 GB"), "%s", c.text);
  facts.physical_mib = 1024 * 1024;
  facts.edition_mib = 128 * 1024;
  strcpy(facts.edition, "Standard Edition");
  cr_assert_eq(plan_make(&p, &options, &facts, &c), -1);
  cr_assert(strstr(c.text, "Standard Edition"), "%s", c.text);
  facts.edition_mib = 0;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0, "equal to what there is, or below");
  plan_free(&p);
  facts.least_mib = 100 * 1024;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), -1);
  cr_assert(strstr(c.text, "64 GB is below"), "%s", c.text);
  free(options.step_mib);
}

Test(plan, a_floor_refuses_named_steps_and_leaves_default_ones_out) {
  struct plan p;
  options.floor_mib = 20 * 1024;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(p.nstep, 1 + 4 + 1);
  cr_assert(strstr(p.left_out, "16 GB is below the floor of 20 GB") && strstr(p.left_out, "8 GB"), "%s", p.left_out);
  plan_free(&p);
  options.floor_mib = -1;
  options.steps_named = 1;
  cr_assert_eq(steps_parse("8G,4G,3G", &options.step_mib, &options.nstep, &c), 0);
  cr_assert_eq(plan_make(&p, &options, &facts, &c), -1, "a server's floor is 4 GB");
  cr_assert(c.status == STATUS_SETUP && strstr(c.text, "3 GB is below the floor of 4 GB") && strstr(c.remedy, "--floor"), "%s; %s", c.text, c.remedy);
  options.floor_mib = 3 * 1024;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0, "unless another is named");
  plan_free(&p);
  options.floor_mib = -1;
  options.target.is_sandbox = 1;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0, "the sandbox has none");
  plan_free(&p);
  free(options.step_mib);
}

Test(plan, order_and_roles) {
  struct plan p;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(p.nstep, 8);
  cr_assert_eq(p.step[0].role, STEP_BURN_IN);
  cr_assert_eq(p.step[0].index, 0);
  for (size_t i = 1; i < 7; i++) {
    cr_assert_eq(p.step[i].role, STEP_MEASURED);
    cr_assert_eq(p.step[i].index, (int)i);
    cr_assert_gt(p.step[i - 1].mib + (i == 1), p.step[i].mib);
  }
  cr_assert_eq(p.step[7].role, STEP_DRIFT);
  cr_assert_eq(p.step[7].mib, p.step[1].mib);
  plan_free(&p);
  options.drift = 0;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(p.nstep, 7);
  plan_free(&p);
}

Test(plan, times_add_up_and_know_the_scale) {
  struct plan p, q;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  int64_t least = 0, most = 0;
  for (size_t i = 0; i < p.nstep; i++) {
    cr_assert_leq(p.step[i].least_ns, p.step[i].most_ns);
    least += p.step[i].least_ns;
    most += p.step[i].most_ns;
  }
  cr_assert_eq(p.least_ns, least);
  cr_assert_eq(p.most_ns, most);
  /* Going up reads 128 GiB at 100 MiB/s in the worst case: 1,310 s more than a step that goes down. */
  cr_assert_eq((p.step[7].most_ns - p.step[1].most_ns) / NS_PER_S, 1310);
  options.target.is_sandbox = 1;
  facts.scale = 1024;
  cr_assert_eq(plan_make(&q, &options, &facts, &c), 0);
  cr_assert_eq((q.step[7].most_ns - q.step[1].most_ns) / NS_PER_S, 1);
  cr_assert_lt(q.most_ns, p.least_ns);
  plan_free(&q);
  options.warm_ns = 90 * NS_PER_S;
  options.warm_max_ns = NS_PER_S;
  options.measure_ns = 2 * NS_PER_S;
  options.demand_named = 1;
  cr_assert_eq(plan_make(&q, &options, &facts, &c), 0);
  cr_assert_eq(q.warm_max_ns, q.warm_ns, "never less than the least");
  cr_assert_eq(q.step[2].least_ns, 92 * NS_PER_S);
  cr_assert_eq(q.probe, 0);
  cr_assert_eq(p.probe, 1);
  plan_free(&q);
  options.warm_ns = -1;
  cr_assert_eq(plan_make(&q, &options, &facts, &c), 0);
  cr_assert_eq(q.warm_max_ns, NS_PER_S, "a limit that was given wins over a default");
  cr_assert_eq(q.warm_ns, NS_PER_S);
  plan_free(&p);
  plan_free(&q);
}

Test(plan, measures_until_precise_unless_the_time_is_fixed) {
  struct plan p;
  /* A server: 2 to 15 minutes. */
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_float_eq(p.precision, 0.05, 1e-12);
  cr_assert_eq(p.measure_ns, 120 * NS_PER_S);
  cr_assert_eq(p.measure_max_ns, 900 * NS_PER_S);
  cr_assert_eq(p.step[2].least_ns, p.warm_ns + p.measure_ns);
  cr_assert_eq(p.step[2].most_ns, p.settle_max_ns + p.warm_max_ns + p.measure_max_ns);
  plan_free(&p);
  options.measure_ns = 60 * NS_PER_S;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert(p.precision == 0 && p.measure_ns == 60 * NS_PER_S && p.measure_max_ns == p.measure_ns);
  plan_free(&p);
  /* The most is the most. */
  options.measure_ns = -1;
  options.measure_max_ns = 30 * NS_PER_S;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert(p.precision > 0 && p.measure_ns == 30 * NS_PER_S && p.measure_max_ns == p.measure_ns);
  plan_free(&p);
  /* The sandbox: a short time, unless it is asked for more. */
  options.measure_max_ns = -1;
  options.target.is_sandbox = 1;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert(p.precision == 0 && p.measure_ns == 10 * NS_PER_S && p.measure_max_ns == p.measure_ns);
  plan_free(&p);
  options.precision = 0.02;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert(p.precision == 0.02 && p.measure_ns == 20 * NS_PER_S && p.measure_max_ns == 120 * NS_PER_S);
  plan_free(&p);
}

/* steps 16G,12G,8G */
static void three_steps(int passes) {
  cr_assert_eq(steps_parse("16G,12G,8G", &options.step_mib, &options.nstep, &c), 0);
  options.passes = passes;
}

Test(plan, passes_go_down_from_the_largest_each_time) {
  struct plan p;
  three_steps(3);
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(p.passes, 3);
  cr_assert_eq(p.nstep, 1 + 9 + 1);
  cr_assert(p.step[0].role == STEP_BURN_IN && p.step[0].pass == 0 && p.step[0].fill);
  int64_t least = p.step[0].least_ns, most = p.step[0].most_ns;
  for (int i = 1; i <= 9; i++) {
    const struct plan_step *s = &p.step[i];
    cr_assert(s->role == STEP_MEASURED && s->index == i && s->pass == (i - 1) / 3 + 1, "step %d is of pass %d", i, s->pass);
    cr_assert_eq(s->mib, (16 - (i - 1) % 3 * 4) * 1024);
    cr_assert_eq(s->fill, i == 4 || i == 7, "step %d: the way back up fills the cache, the first time it is full", i);
    least += s->least_ns;
    most += s->most_ns;
  }
  /* 16 GiB at 100 MiB/s in the worst case. */
  cr_assert_eq((p.step[4].most_ns - p.step[1].most_ns) / NS_PER_S, 163);
  cr_assert(p.step[10].role == STEP_DRIFT && p.step[10].index == 10 && p.step[10].pass == 0 && p.step[10].fill);
  cr_assert_eq(p.least_ns, least + p.step[10].least_ns);
  cr_assert_eq(p.most_ns, most + p.step[10].most_ns);
  /* What --refine adds is of no pass. */
  size_t at = plan_add_step(&p, 10 * 1024);
  cr_assert(at == 10 && p.step[10].pass == 0 && p.step[10].index == 10 && p.step[11].index == 11);
  plan_free(&p);
  options.drift = 0;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(p.nstep, 1 + 9);
  plan_free(&p);
  free(options.step_mib);
}

static void passes_are(int passes, int64_t warm_s, int64_t measure_s) {
  struct plan p;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert(p.passes == passes && p.warm_ns == warm_s * NS_PER_S && p.measure_ns == measure_s * NS_PER_S, "%d passes, warm %ld s, measure %ld s",
            p.passes, (long)(p.warm_ns / NS_PER_S), (long)(p.measure_ns / NS_PER_S));
  plan_free(&p);
}

Test(plan, several_short_passes_in_the_sandbox_unless_the_time_is_named) {
  passes_are(1, 60, 120);
  options.passes = 2;
  passes_are(2, 60, 120);
  options.target.is_sandbox = 1;
  facts.scale = 1024;
  passes_are(2, 5, 10);
  options.passes = 1;
  passes_are(1, 8, 20);
  options.passes = 0;
  passes_are(3, 5, 10);
  options.measure_ns = 30 * NS_PER_S;
  passes_are(1, 8, 30);
  options.passes = 4;
  passes_are(4, 5, 30);
  options.passes = 0;
  options.measure_ns = -1;
  options.precision = 0.05;
  passes_are(1, 8, 20);
  options.precision = -1;
  options.measure_max_ns = 60 * NS_PER_S;
  passes_are(1, 8, 20);
  /* A measured point has nothing to go through. */
  struct plan p;
  options.measure_max_ns = -1;
  plan_point(&p, &options, &facts, 1024);
  cr_assert(p.passes == 1 && p.warm_ns == 8 * NS_PER_S && p.measure_ns == 20 * NS_PER_S);
  plan_free(&p);
}

static int is_one_of(const void *arg, const struct plan_step *s) {
  for (const int *i = arg; *i; i++)
    if (s->index == *i)
      return 1;
  return 0;
}

Test(plan, what_is_left_goes_up_where_it_does_then) {
  struct plan p;
  three_steps(2);
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  int64_t down = p.step[2].most_ns;
  plan_take_out(&p, is_one_of, (const int[]){1, 2, 4, 6, 0});
  static const struct {
    int index, fill;
  } want[] = {{0, 1}, {3, 0}, {5, 1}, {7, 1}};
  cr_assert_eq(p.nstep, 4);
  int64_t most = 0;
  for (int i = 0; i < 4; i++) {
    cr_assert(p.step[i].index == want[i].index && p.step[i].fill == want[i].fill, "step %d, fill %d", p.step[i].index, p.step[i].fill);
    most += p.step[i].most_ns;
  }
  cr_assert_eq((p.step[2].most_ns - down) / NS_PER_S, 122, "12 GB come up now, at 100 MiB/s in the worst case");
  cr_assert_eq(p.most_ns, most);
  plan_take_out(&p, is_one_of, (const int[]){3, 5, 0});
  cr_assert(p.nstep == 2 && p.step[1].role == STEP_DRIFT && !p.step[1].fill, "the burn-in has filled it");
  plan_free(&p);
  free(options.step_mib);
}

Test(plan, added_steps_come_before_the_drift_step) {
  struct plan p;
  options.refine = 1;
  options.budget_ns = 3600 * NS_PER_S;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  int64_t least = 0, most = 3600 * NS_PER_S;
  for (size_t i = 0; i < p.nstep; i++) {
    least += p.step[i].least_ns;
    most += p.step[i].most_ns;
    cr_assert_eq(p.step[i].fill, i == 0 || i == 7, "step %zu: only the first and the way up fill the cache", i);
  }
  cr_assert_eq(p.least_ns, least);
  cr_assert_eq(p.most_ns, most, "the budget is in it");
  cr_assert_eq(p.added_most, 3600 / (60 + 120));
  cr_assert_eq(plan_add_step(&p, 23 * 1024), 7);
  cr_assert_eq(plan_add_step(&p, 19 * 1024), 8);
  cr_assert_eq(p.nstep, 10);
  cr_assert(p.step[7].mib == 23 * 1024 && p.step[7].role == STEP_MEASURED && p.step[7].index == 7);
  cr_assert(p.step[7].fill, "from 8 GB up");
  cr_assert_gt(p.step[7].most_ns, p.step[2].most_ns);
  cr_assert(p.step[8].mib == 19 * 1024 && p.step[8].index == 8 && !p.step[8].fill, "from 23 GB down");
  cr_assert(p.step[9].role == STEP_DRIFT && p.step[9].mib == 128 * 1024 && p.step[9].index == 9 && p.step[9].fill);
  plan_free(&p);
  options.drift = 0;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  cr_assert_eq(plan_add_step(&p, 23 * 1024), 7);
  cr_assert(p.nstep == 8 && p.step[7].index == 7);
  plan_free(&p);
}

Test(plan, editions) {
  cr_assert_eq(edition_limit_mib("Standard Edition (64-bit)", "11.0.7001.0"), 64 * 1024);
  cr_assert_eq(edition_limit_mib("Standard Edition (64-bit)", "15.0.2000.5"), 128 * 1024);
  cr_assert_eq(edition_limit_mib("Standard Developer Edition (64-bit)", "17.0.1000.7"), 256 * 1024);
  cr_assert_eq(edition_limit_mib("Express Edition with Advanced Services (64-bit)", "12.0.2000.8"), 1024);
  cr_assert_eq(edition_limit_mib("Express Edition (64-bit)", "16.0.1000.6"), 1410);
  cr_assert_eq(edition_limit_mib("Web Edition (64-bit)", "16.0.1000.6"), 64 * 1024);
  cr_assert_eq(edition_limit_mib("Enterprise Edition: Core-based Licensing (64-bit)", "16.0.1000.6"), 0);
  cr_assert_eq(edition_limit_mib("Developer Edition (64-bit)", "16.0.1000.6"), 0);
  cr_assert_eq(edition_limit_mib("", ""), 0);
}

static char *plan_text(const struct plan *p) {
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  plan_print(p, f);
  fclose(f);
  return text;
}

Test(plan, is_printed_whole) {
  struct plan p;
  facts.physical_mib = 100 * 1024;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  char *text = plan_text(&p);
  const char *want[] = {"96 GB", "8 GB", "burn-in", "first again", "left out", "probe", "at least", "at most", NULL};
  for (int i = 0; want[i]; i++)
    cr_assert(strstr(text, want[i]), "'%s' is not in:\n%s", want[i], text);
  cr_assert_not(strstr(text, "is not judged"), "the probe's rate is not known:\n%s", text);
  free(text);
  plan_free(&p);
}

Test(plan, refinement_and_precision_are_printed) {
  struct plan p;
  options.refine = 1;
  options.precision = 0.03;
  options.measure_max_ns = 600 * NS_PER_S;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  char *text = plan_text(&p);
  const char *want[] = {"refine", "4 h", "measure for 2 min to 10 min until p95 is known to 3 %", "1.15", "the budget", NULL};
  for (int i = 0; want[i]; i++)
    cr_assert(strstr(text, want[i]), "'%s' is not in:\n%s", want[i], text);
  cr_assert_lt(strstr(text, "refine"), strstr(text, "first again"), "the first step again comes last");
  free(text);
  plan_free(&p);
}

static void printed(const char *const *want) {
  struct plan p;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  char *text = plan_text(&p);
  const char *at = text;
  for (; *want; want++, at = at ? at + 1 : NULL) {
    at = at ? strstr(at, *want) : NULL;
    cr_assert(at, "'%s' is not in its place in:\n%s", *want, text);
  }
  free(text);
  plan_free(&p);
}

Test(plan, passes_are_printed_as_such) {
  three_steps(3);
  options.demand_named = 1;
  cr_assert_eq(stop_add(&options.stop, "p95=50ms", &c), 0);
  printed((const char *const[]){"burn-in", "\npass 1 of 3:\n   1  16 GB ", "\n   3  8 GB ", "\npass 2 of 3: the same again, as steps 4 to 6, at least ",
                                ", at most ", "\npass 3 of 3: the same again, as steps 7 to 9, at least ", "\n  10  16 GB       first again",
                                "gone through 3 times", "p95 above 50 ms, in that pass and in those after it", NULL});
  options.passes = 1;
  printed((const char *const[]){"burn-in", "\n   1  16 GB ", "\n   4  16 GB       first again", "p95 above 50 ms.", NULL});
  free(options.step_mib);
}

static int says_not_judged(double rate, double think_s, int64_t measure_s) {
  struct plan p;
  options.demand_named = 1;
  options.demand.rate = rate;
  options.demand.think_s = think_s;
  options.measure_ns = measure_s * NS_PER_S;
  cr_assert_eq(plan_make(&p, &options, &facts, &c), 0);
  char *text = plan_text(&p);
  int said = strstr(text, "is not judged") != NULL;
  free(text);
  plan_free(&p);
  return said;
}

Test(plan, too_few_requests_are_foretold) {
  cr_assert(says_not_judged(60, 0, 10));
  cr_assert_not(says_not_judged(100, 0, 10));
  cr_assert(says_not_judged(0, 1, 10)); /* 64 users */
  cr_assert_not(says_not_judged(0, 1, 20));
}
