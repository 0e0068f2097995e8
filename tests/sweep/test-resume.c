/* Going on with a run, and doing the same again: what is missing, what differs, which options. */
#include "config.h"

#include "base/text.h"
#include "base/units.h"
#include "sweep/options.h"
#include "sweep/resume.h"
#include "sweep/work.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct cause c;

/* ---- what is missing ---- */

static struct run_data *run_of(const char *meta) {
  struct run_data *d = xcalloc(1, sizeof *d);
  json_error_t e;
  d->folder = xstrdup("a-run");
  d->type_name = xcalloc(1, sizeof *d->type_name);
  d->meta = json_loads(meta, 0, &e);
  cr_assert(d->meta, "%s", e.text);
  return d;
}

static struct step_data *add_step(struct run_data *d, int index, enum step_role role, int64_t mib, int incomplete, uint64_t digest, int64_t end_s) {
  d->step = xrealloc(d->step, d->nstep + 1, sizeof *d->step);
  struct step_data *s = &d->step[d->nstep++];
  *s = (struct step_data){.name = xstrdup("x")};
  s->facts = (struct step_facts){.index = index, .role = role, .setting_mib = mib, .incomplete = incomplete, .digest = digest};
  for (int p = 0; p < PHASES; p++)
    s->facts.begin_ns[p] = s->facts.end_ns[p] = incomplete ? ABSENT : end_s * NS_PER_S;
  return s;
}

static struct plan plan_of(void) {
  struct plan p = {.step = xcalloc(5, sizeof *p.step), .nstep = 5};
  const int64_t mib[] = {16384, 16384, 12288, 8192, 16384};
  for (int i = 0; i < 5; i++)
    p.step[i] = (struct plan_step){.index = i, .role = i == 0 ? STEP_BURN_IN : i == 4 ? STEP_DRIFT : STEP_MEASURED, .mib = mib[i],
                                   .least_ns = 10, .most_ns = 20};
  p.least_ns = 50;
  p.most_ns = 100;
  return p;
}

static const char whole_plan[] = "{\"plan\": {\"steps_mib\": [16384, 12288, 8192], \"drift\": true}}";

Test(resume, finds_what_is_missing) {
  struct resume *r;
  struct run_data *d = run_of(whole_plan);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 0xabc, 40);
  struct step_data *s = add_step(d, 2, STEP_MEASURED, 12288, 1, 0, 0); /* broken off */
  s->second = xcalloc(1, sizeof *s->second);
  s->second[0].second = 57;
  s->nsecond = 1;
  cr_assert_eq(resume_new(&r, d, &c), 0, "%s", c.text);
  cr_assert_eq(resume_whole(r), 1);
  cr_assert_eq(resume_missing(r), 3);
  cr_assert_eq(resume_digest(r), 0xabc);
  cr_assert_eq(resume_run_ns(r), 60 * NS_PER_S, "after all that the run tells of, on a whole second");
  struct plan p = plan_of();
  resume_plan(r, &p);
  cr_assert_eq(p.nstep, 4);
  cr_assert_eq(p.step[0].role, STEP_BURN_IN, "the cache is filled again, at the largest step");
  cr_assert_eq(p.step[1].index, 2);
  cr_assert_eq(p.step[3].role, STEP_DRIFT);
  cr_assert_eq(p.least_ns, 40);
  cr_assert_eq(p.most_ns, 80);
  plan_free(&p);
  resume_free(r);
}

Test(resume, only_the_first_step_again_is_missing) {
  struct resume *r;
  struct run_data *d = run_of(whole_plan);
  add_step(d, 3, STEP_MEASURED, 8192, 0, 7, 300);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 7, 100);
  add_step(d, 2, STEP_MEASURED, 12288, 0, 7, 200);
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_missing(r), 1);
  struct plan p = plan_of();
  resume_plan(r, &p);
  cr_assert_eq(p.nstep, 2);
  cr_assert_eq(p.step[1].role, STEP_DRIFT);
  plan_free(&p);
  resume_free(r);
}

static void add_note(struct step_data *s, const char *code) {
  s->note = xcalloc(1, sizeof *s->note);
  s->nnote = 1;
  s->note[0] = (struct run_note){xstrdup(code), xstrdup("a text")};
}

Test(resume, nothing_below_where_stop_above_has_ended_the_descent) {
  struct resume *r;
  struct run_data *d = run_of(whole_plan);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 7, 100);
  add_note(add_step(d, 2, STEP_MEASURED, 12288, 0, 7, 200), "stop-above");
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_missing(r), 1, "the drift step");
  struct plan p = plan_of();
  resume_plan(r, &p);
  cr_assert_eq(p.nstep, 2);
  cr_assert_eq(p.step[1].role, STEP_DRIFT);
  plan_free(&p);
  resume_free(r);
}

static const char two_passes[] = "{\"plan\": {\"steps_mib\": [16384, 8192], \"passes\": 2, \"drift\": true}}";

/* 16 GB, 8 GB, 16 GB, 8 GB, 16 GB */
static struct plan plan_of_two_passes(void) {
  struct plan p = {.step = xcalloc(6, sizeof *p.step), .nstep = 6, .passes = 2};
  for (int i = 0; i < 6; i++)
    p.step[i] = (struct plan_step){.index = i, .role = i == 0 ? STEP_BURN_IN : i == 5 ? STEP_DRIFT : STEP_MEASURED, .pass = i % 5 ? (i + 1) / 2 : 0,
                                   .mib = i == 0 || i % 2 ? 16384 : 8192, .fill = i == 0 || i == 3 || i == 5, .least_ns = 10, .most_ns = 20};
  return p;
}

Test(resume, each_visit_of_a_memory_counts) {
  struct resume *r;
  struct run_data *d = run_of(two_passes);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 7, 100);
  add_step(d, 2, STEP_MEASURED, 8192, 0, 7, 200);
  add_step(d, 3, STEP_MEASURED, 16384, 0, 7, 300);
  add_step(d, 4, STEP_MEASURED, 8192, 1, 0, 0); /* broken off in the second pass */
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_whole(r), 3);
  cr_assert_eq(resume_missing(r), 2);
  struct plan p = plan_of_two_passes();
  resume_plan(r, &p);
  cr_assert_eq(p.nstep, 3);
  cr_assert(p.step[1].index == 4 && p.step[1].mib == 8192 && p.step[1].pass == 2);
  cr_assert(p.step[2].role == STEP_DRIFT && p.step[2].index == 5);
  plan_free(&p);
  resume_free(r);
  /* One that is lost in the middle is the one that is measured again. */
  d = run_of(two_passes);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 7, 100);
  add_step(d, 3, STEP_MEASURED, 16384, 0, 7, 300);
  add_step(d, 4, STEP_MEASURED, 8192, 0, 7, 400);
  add_step(d, 5, STEP_DRIFT, 16384, 0, 7, 500);
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_missing(r), 1);
  p = plan_of_two_passes();
  resume_plan(r, &p);
  cr_assert(p.nstep == 2 && p.step[1].index == 2 && p.step[1].mib == 8192);
  plan_free(&p);
  resume_free(r);
}

Test(resume, later_passes_end_where_stop_above_has_ended_one) {
  struct resume *r;
  struct run_data *d = run_of(two_passes);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 7, 100);
  add_step(d, 2, STEP_MEASURED, 8192, 0, 7, 200);
  add_note(add_step(d, 3, STEP_MEASURED, 16384, 0, 7, 300), "stop-above");
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_missing(r), 1, "the drift step");
  cr_assert_eq(resume_stopped_mib(r), 16384);
  resume_free(r);
}

/* Steps that --refine has added keep their indexes; those to come get others. */
Test(resume, refining_goes_on) {
  struct resume *r;
  struct run_data *d = run_of("{\"plan\": {\"steps_mib\": [16384, 12288, 8192], \"drift\": true}, \"refine\": {\"state\": \"add\", \"added\": "
                              "[{\"index\": 4, \"mib\": 10240, \"why\": \"x\"}, {\"index\": 5, \"mib\": 9216, \"why\": \"y\"}]}}");
  const int64_t mib[] = {16384, 12288, 8192, 10240};
  for (int i = 0; i < 4; i++)
    add_step(d, i + 1, STEP_MEASURED, mib[i], 0, 7, 100 * (i + 1));
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_gt(resume_missing(r), 0);
  json_t *added;
  cr_assert_eq(resume_refined(r, &added), 0, "there is more to come");
  cr_assert_eq(json_array_size(added), 1, "the one that is there");
  json_decref(added);
  struct plan p = plan_of();
  resume_plan(r, &p);
  cr_assert_eq(p.nstep, 2);
  cr_assert_eq(p.step[1].index, 5);
  size_t at = plan_add_step(&p, 9216);
  cr_assert_eq(at, 1);
  cr_assert_eq(p.step[1].index, 5);
  cr_assert_eq(p.step[2].index, 6);
  plan_free(&p);
  resume_free(r);
}

/* From `begin_s` on, broken off when it was last heard of at `end_s`. */
static void broken_off(struct run_data *d, int index, int64_t mib, int64_t begin_s, int64_t end_s) {
  struct step_data *s = add_step(d, index, STEP_MEASURED, mib, 1, 0, 0);
  s->facts.begin_ns[PHASE_SETTLE] = begin_s * NS_PER_S;
  s->sample = xcalloc(2, sizeof *s->sample);
  s->nsample = 2;
  s->sample[0].at_ns = (begin_s + 1) * NS_PER_S;
  s->sample[1].at_ns = end_s * NS_PER_S;
}

/* What is left of 60 s after a run that has added two steps: one whole that took 12 s, one that was broken off after 7 s. */
static int64_t used_of_60(const char *refine) {
  struct resume *r;
  char *meta = xprintf("{\"plan\": {\"steps_mib\": [16384, 12288, 8192], \"drift\": true}, \"refine\": {%s \"state\": \"add\", \"added\": "
                       "[{\"index\": 4, \"mib\": 10240}, {\"index\": 5, \"mib\": 9216}]}}", refine);
  struct run_data *d = run_of(meta);
  free(meta);
  for (int i = 0; i < 3; i++)
    add_step(d, i + 1, STEP_MEASURED, (16 - 4 * i) * 1024, 0, 7, 100 * (i + 1));
  add_step(d, 4, STEP_MEASURED, 10240, 0, 7, 400)->facts.begin_ns[PHASE_SETTLE] = 388 * NS_PER_S;
  broken_off(d, 5, 9216, 401, 408);
  cr_assert_eq(resume_new(&r, d, &c), 0, "%s", c.text);
  struct plan p = plan_of();
  p.refine = 1;
  p.warm_ns = 2 * NS_PER_S;
  p.measure_ns = 8 * NS_PER_S;
  plan_budget(&p, 60 * NS_PER_S, 0);
  cr_assert_eq(p.added_most, 6);
  resume_plan(r, &p);
  int64_t used = p.budget_used_ns;
  cr_assert_eq(p.added_most, (size_t)((60 * NS_PER_S - used) / (10 * NS_PER_S)));
  cr_assert_eq(p.most_ns, 40 + 60 * NS_PER_S - used, "two steps of 20, and what is left of the budget");
  plan_free(&p);
  resume_free(r);
  return used / NS_PER_S;
}

Test(resume, the_budget_of_refining_is_one_for_all_sessions) {
  cr_assert_eq(used_of_60("\"used_s\": 14.0,"), 14 + 7, "what was known when the last step began, and that step");
  cr_assert_eq(used_of_60("\"used_s\": 0.0,"), 7);
  cr_assert_eq(used_of_60(""), 12 + 7, "a run of an older version");
  cr_assert_eq(used_of_60("\"used_s\": 58.0,"), 60, "no more than there is");
}

Test(resume, refining_that_has_ended_takes_no_time) {
  struct resume *r;
  struct run_data *d = run_of("{\"plan\": {\"steps_mib\": [16384, 12288, 8192], \"drift\": true}, \"refine\": {\"state\": \"done\", \"added\": []}}");
  for (int i = 0; i < 3; i++)
    add_step(d, i + 1, STEP_MEASURED, (16 - 4 * i) * 1024, 0, 7, 100 * (i + 1));
  cr_assert_eq(resume_new(&r, d, &c), 0, "%s", c.text);
  struct plan p = plan_of();
  p.refine = 1;
  plan_budget(&p, 60 * NS_PER_S, 0);
  resume_plan(r, &p);
  cr_assert(!p.refine && p.added_most == 0 && p.most_ns == 40);
  plan_free(&p);
  resume_free(r);
}

/* run.json tells the steps twice. */
static void contradicts(const char *plan, const char *options, const char *word) {
  struct resume *r = NULL;
  char *meta = xprintf("{\"plan\": {%s}, \"options\": {%s}}", plan, options);
  struct run_data *d = run_of(meta);
  cause_clear(&c);
  int rc = resume_new(&r, d, &c);
  cr_assert_eq(rc, word ? -1 : 0, "%s: %s", meta, c.text);
  cr_assert(!word || (strstr(c.text, word) && c.status == STATUS_SETUP && strstr(c.remedy, "damaged")), "%s: %s", meta, c.text);
  if (rc == 0)
    resume_free(r);
  free(meta);
}

Test(resume, a_plan_that_contradicts_the_options_is_refused) {
  static const char plan[] = "\"steps_mib\": [16384, 12288, 8192], \"drift\": true, \"passes\": 2";
  contradicts(plan, "\"steps_mib\": [16384, 12288, 8192], \"drift\": 1, \"passes\": 2", NULL);
  contradicts(plan, "\"steps_mib\": [16384, 12288], \"drift\": 1, \"passes\": 2", "has 'steps_mib' [16384, 12288, 8192], but");
  contradicts(plan, "\"steps_mib\": [16384, 12288, 8192], \"drift\": 0, \"passes\": 2", "'drift' true, but by the options beside it that is false");
  contradicts(plan, "\"steps_mib\": [16384, 12288, 8192], \"drift\": 1, \"passes\": 3", "'passes' 2, but by the options beside it that is 3");
  contradicts("\"steps_mib\": [16384, 8192], \"drift\": true, \"passes\": 1, \"stop_above\": \"p95 above 5 ms\"", "\"steps_mib\": [16384, 8192]", NULL);
}

Test(resume, a_plan_that_the_options_do_not_make_again_is_refused) {
  struct resume *r;
  struct run_data *d = run_of("{\"plan\": {\"steps_mib\": [16384, 12288, 8192], \"drift\": true, \"warm_s\": 2.0, \"budget_s\": 60.0}}");
  cr_assert_eq(resume_new(&r, d, &c), 0, "%s", c.text);
  struct plan p = plan_of();
  p.refine = 1;
  p.warm_ns = 2 * NS_PER_S;
  p.budget_ns = 60 * NS_PER_S;
  json_t *now = sweep_plan_json(&p);
  cr_assert_eq(resume_compare_plan(r, now, &c), 0, "an older run did not tell all of it: %s", c.text);
  json_decref(now);
  p.warm_ns = 3 * NS_PER_S;
  now = sweep_plan_json(&p);
  cr_assert_eq(resume_compare_plan(r, now, &c), -1);
  cr_assert(strstr(c.text, "the plan has 'warm_s' 2.0, but by the options beside it that is 3.0"), "%s", c.text);
  json_decref(now);
  plan_free(&p);
  resume_free(r);
}

Test(resume, a_whole_run_lacks_nothing) {
  struct resume *r;
  struct run_data *d = run_of(whole_plan);
  add_step(d, 1, STEP_MEASURED, 16384, 0, 7, 100);
  add_step(d, 2, STEP_MEASURED, 12288, 0, 7, 200);
  add_step(d, 3, STEP_MEASURED, 8192, 0, 7, 300);
  add_step(d, 4, STEP_DRIFT, 16384, 0, 7, 400);
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_missing(r), 0);
  cr_assert_eq(resume_whole(r), 4);
  resume_free(r);
}

Test(resume, nothing_measured_yet) {
  struct resume *r;
  struct run_data *d = run_of("{\"plan\": {\"steps_mib\": [16384, 8192], \"drift\": false}, \"sessions\": [{\"run_ns\": 4000000000}]}");
  cr_assert_eq(resume_new(&r, d, &c), 0);
  cr_assert_eq(resume_missing(r), 2);
  cr_assert_eq(resume_digest(r), 0);
  cr_assert_eq(resume_run_ns(r), 6 * NS_PER_S, "after the session before, although it left nothing");
  resume_free(r);
  cr_assert_eq(resume_new(&r, run_of("{}"), &c), -1);
  cr_assert(strstr(c.text, "a-run"));
}

/* ---- what differs ---- */

static int same(const char *was, const char *now) {
  static const char *const key[] = {"name", "physical_memory_mib", "density", NULL};
  json_t *a = json_loads(was, 0, NULL), *b = json_loads(now, 0, NULL);
  cause_clear(&c);
  int rc = resume_same(a, b, key, "the server's", &c);
  json_decref(a);
  json_decref(b);
  return rc;
}

Test(resume, a_difference_is_named) {
  static const char was[] = "{\"name\": \"DB1\", \"physical_memory_mib\": 262144, \"density\": 0.1, \"start_ticks\": 5}";
  cr_assert_eq(same(was, "{\"name\": \"DB1\", \"physical_memory_mib\": 262144, \"density\": 0.1000000000000001, \"start_ticks\": 6}"), 0, "%s", c.text);
  cr_assert_eq(same(was, "{\"name\": \"DB1\", \"physical_memory_mib\": 131072, \"density\": 0.1}"), -1);
  cr_assert(strstr(c.text, "physical memory mib was 262144 and is 131072 now"), "%s", c.text);
  cr_assert(strstr(c.remedy, "--like"));
  cr_assert_eq(c.status, STATUS_SETUP);
  cr_assert_eq(same(was, "{\"name\": \"DB2\", \"physical_memory_mib\": 262144, \"density\": 0.1}"), -1);
  cr_assert(strstr(c.text, "name was DB1 and is DB2 now"), "%s", c.text);
  cr_assert_eq(same(was, "{\"name\": \"DB1\", \"physical_memory_mib\": 262144}"), -1);
  cr_assert(strstr(c.text, "density was 0.1 and is not known now"), "%s", c.text);
}

/* ---- the options ---- */

Test(options, come_back) {
  struct sweep_options o, back;
  struct plan p = plan_of();
  sweep_options_init(&o);
  sweep_options_init(&back);
  o.target.name = xstrdup("db1,1433");
  o.target.user = xstrdup("planner");
  o.database = "ramknee_orders";
  o.drift = 0;
  o.put_back_max_ns = 90 * NS_PER_S;
  o.set_with = "change $1";
  o.floor_mib = 2048;
  cr_assert_eq(stop_add(&o.stop, "p95=50.5ms", &c), 0);
  o.steps_named = 1;
  p.settle_max_ns = 3 * NS_PER_S;
  p.warm_ns = 1500 * NS_PER_MS;
  p.warm_max_ns = 2 * NS_PER_S;
  p.measure_ns = 5 * NS_PER_S;
  p.passes = 2;
  struct work w = {.o = &o, .plan = p, .load = {.stationary = 1}};
  json_t *meta = json_pack("{s:o, s:{s:i, s:f, s:f, s:i}}", "options", sweep_options_json(&w), "demand", "users", 8, "think_s", 0.0123, "rate", 0.0,
                           "seed", 5);
  cr_assert_eq(sweep_options_take(&back, meta, &c), 0, "%s", c.text);
  cr_assert_eq(back.nstep, 3);
  cr_assert_eq(back.passes, 2);
  cr_assert_eq(back.step_mib[1], 12288);
  cr_assert_eq(back.steps_named, 1);
  cr_assert_eq(back.settle_max_ns, 3 * NS_PER_S);
  cr_assert_eq(back.warm_ns, 1500 * NS_PER_MS);
  cr_assert_eq(back.measure_ns, 5 * NS_PER_S);
  cr_assert_eq(back.put_back_max_ns, 90 * NS_PER_S);
  cr_assert_eq(back.drift, 0);
  cr_assert_eq(back.stationary, 1);
  cr_assert_eq(back.floor_mib, 2048);
  cr_assert_eq(back.stop.n, 1);
  cr_assert_float_eq(back.stop.rule[0].limit_ms, 50.5, 1e-6);
  cr_assert_str_eq(back.set_with, "change $1");
  cr_assert_eq(back.demand.users, 8);
  cr_assert_float_eq(back.demand.think_s, 0.0123, 1e-12);
  cr_assert_eq(back.demand.seed, 5);
  cr_assert_eq(back.demand_named, 1, "a probe is not repeated");
  struct options_target t = sweep_options_target(meta);
  cr_assert_str_eq(t.server, "db1,1433");
  cr_assert_str_eq(t.user, "planner");
  cr_assert_str_eq(t.encrypt, "require");
  char *text = sweep_options_text(&back);
  cr_assert(strstr(text, "16G,12G,8G in 2 passes;") && strstr(text, "8 users thinking 12.3 ms"), "%s", text);
  free(text);
  sweep_options_free(&o);
  sweep_options_free(&back);
  plan_free(&p);
  json_decref(meta);
}

/* A plan of several passes tells its steps once. */
Test(options, steps_of_several_passes_come_back_once) {
  struct sweep_options o, back;
  struct plan p = plan_of_two_passes();
  sweep_options_init(&o);
  p.measure_ns = 5 * NS_PER_S;
  sweep_options_init(&back);
  struct work w = {.o = &o, .plan = p};
  json_t *meta = json_pack("{s:o, s:{s:i, s:f, s:f, s:i}}", "options", sweep_options_json(&w), "demand", "users", 8, "think_s", 0.0, "rate", 0.0, "seed", 5);
  cr_assert_eq(sweep_options_take(&back, meta, &c), 0, "%s", c.text);
  cr_assert(back.nstep == 2 && back.step_mib[0] == 16384 && back.step_mib[1] == 8192 && back.passes == 2);
  sweep_options_free(&back);
  json_decref(meta);
  plan_free(&p);
}

Test(options, an_older_run_had_one_pass) {
  struct sweep_options o;
  sweep_options_init(&o);
  json_t *j = json_loads("{\"options\": {\"steps_mib\": [16384, 8192]}, \"demand\": {\"users\": 8, \"think_s\": 0.0, \"rate\": 0.0, \"seed\": 1}}", 0, NULL);
  cr_assert_eq(sweep_options_take(&o, j, &c), 0, "%s", c.text);
  cr_assert_eq(o.passes, 1);
  sweep_options_free(&o);
  json_decref(j);
}

static int taken(const char *meta) {
  struct sweep_options o;
  sweep_options_init(&o);
  json_t *j = json_loads(meta, 0, NULL);
  cr_assert(j);
  cause_clear(&c);
  int rc = sweep_options_take(&o, j, &c), named = o.demand_named;
  sweep_options_free(&o);
  json_decref(j);
  return rc != 0 ? -1 : named;
}

#define DEMAND "\"demand\": {\"users\": 8, \"think_s\": null, \"rate\": 0.0, \"seed\": 1}"

Test(options, what_no_sweep_can_have_had) {
  cr_assert_eq(taken("{\"options\": {\"steps_mib\": [16384, 8192]}, " DEMAND "}"), 0, "a demand that no probe has set is left to one: %s", c.text);
  static const char *const bad[] = {
    "{" DEMAND "}",
    "{\"options\": {}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384]}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 64]}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 8192], \"warm_s\": -3}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 8192], \"warm_s\": 1e99}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 8192], \"drift\": \"yes\"}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 8192], \"passes\": 21}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 8192], \"set_with\": \"a\\nb\"}, " DEMAND "}",
    "{\"options\": {\"steps_mib\": [16384, 8192]}, \"demand\": {\"users\": 0, \"seed\": 1}}",
    "{\"options\": {\"steps_mib\": [16384, 8192]}}",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cr_assert_eq(taken(bad[i]), -1, "taken: %s", bad[i]);
    cr_assert_eq(c.status, STATUS_SETUP);
    cr_assert(c.remedy[0], "%s", c.text);
  }
}
