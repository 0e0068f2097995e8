#include "config.h"

#include "sweep/resume.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct resume {
  struct run_data *run;
  struct whole {
    int index;
    int64_t mib;
  } *whole; /* the measured steps that are there */
  size_t nwhole;
  int drift_whole, drift_wanted;
  size_t nwanted; /* measured steps of the run's plan, in each of its passes */
  size_t missing;
  int refining, refined; /* steps were being added; or that had ended */
  int64_t refine_used_ns;
  int64_t stopped_mib;   /* --stop-above has ended the descent there: nothing below it is wanted any more; 0: it has not */
  int last_index;        /* of the measured steps that are there */
  uint64_t digest;
  int64_t run_ns;
};

/* ---- what run.json tells twice ---- */

static int same_value(const json_t *a, const json_t *b) {
  if (!json_is_number(a) || !json_is_number(b))
    return json_equal(a, b);
  double x = json_number_value(a), y = json_number_value(b);
  return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

static char *value_text(const json_t *v) {
  char *s = v && !json_is_string(v) ? json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)) : NULL, *copy;
  copy = xstrdup(json_is_string(v) ? json_string_value(v) : s ? s : "not known");
  free(s);
  return copy;
}

/* run.json tells the steps as options and as the plan that was made by them.  `was`: the plan's; NULL in a run of an older version. */
static int same_key(const char *key, const json_t *was, const json_t *by_options, struct cause *c) {
  if (!was || same_value(was, by_options))
    return 0;
  char *x = value_text(was), *y = value_text(by_options);
  cause_set(c, STATUS_SETUP, "the run cannot be gone on with: in its run.json the plan has '%s' %s, but by the options beside it that is %s", key, x, y);
  free(x);
  free(y);
  return cause_remedy(c, "the file was changed or damaged, or the server is named in another way than then: mend that; 'ramknee sweep --like' makes a "
                         "new run by the options");
}

/* What decides which steps are missing; the rest is looked at when a plan has been made again (resume_compare_plan). */
static int same_steps(const json_t *plan, const json_t *options, struct cause *c) {
  const json_t *steps = json_object_get(options, "steps_mib"), *passes = json_object_get(options, "passes"), *drift = json_object_get(options, "drift");
  if ((steps && same_key("steps_mib", json_object_get(plan, "steps_mib"), steps, c) != 0) ||
      (passes && same_key("passes", json_object_get(plan, "passes"), passes, c) != 0))
    return -1;
  json_t *wanted = json_boolean(json_integer_value(drift));
  int rc = json_is_integer(drift) ? same_key("drift", json_object_get(plan, "drift"), wanted, c) : 0;
  json_decref(wanted);
  return rc;
}

/* ---- what there is ---- */

/* Measured, or not wanted.  In several passes the same memory is measured several times: the index tells the visits apart, and the same
 * options give a step the same index. */
static int has(const struct resume *r, int64_t index, int64_t mib) {
  if (mib < r->stopped_mib)
    return 1;
  for (size_t i = 0; i < r->nwhole; i++)
    if (r->whole[i].index == index && r->whole[i].mib == mib)
      return 1;
  return 0;
}

static void later(int64_t *last, int64_t ns) {
  if (ns != ABSENT && ns > *last && ns < INT64_MAX / 2)
    *last = ns;
}

/* The last instant that anything in the run tells of, broken-off steps included. */
static int64_t last_ns(const struct run_data *d) {
  int64_t last = 0;
  for (size_t i = 0; i < d->nstep; i++) {
    const struct step_data *s = &d->step[i];
    for (int p = 0; p < PHASES; p++)
      later(&last, s->facts.end_ns[p]);
    for (size_t k = 0; k < s->nsample; k++)
      later(&last, s->sample[k].at_ns);
    for (size_t k = 0; k < s->nsecond; k++)
      if (s->second[k].second != ABSENT && s->second[k].second >= 0 && s->second[k].second < INT64_MAX / NS_PER_S - 1)
        later(&last, (s->second[k].second + 1) * NS_PER_S);
  }
  /* A burn-in is not read back, but a session that did not get further than that has begun. */
  const json_t *sessions = json_object_get(d->meta, "sessions"), *begun;
  size_t n = json_array_size(sessions);
  begun = n > 0 ? json_object_get(json_array_get(sessions, n - 1), "run_ns") : NULL;
  if (json_is_integer(begun))
    later(&last, json_integer_value(begun));
  return last;
}

static void span(int64_t *first, int64_t *last, int64_t ns) {
  later(last, ns);
  if (ns != ABSENT && ns >= 0 && ns < *first)
    *first = ns;
}

/* How long a step was at work, as far as it tells; it may have been broken off. */
static int64_t took_ns(const struct step_data *s) {
  int64_t first = INT64_MAX, last = 0;
  for (int p = 0; p < PHASES; p++) {
    span(&first, &last, s->facts.begin_ns[p]);
    span(&first, &last, s->facts.end_ns[p]);
  }
  for (size_t k = 0; k < s->nsample; k++)
    span(&first, &last, s->sample[k].at_ns);
  return last > first ? last - first : 0;
}

/* What --refine has used of its budget.  refine.json tells it as of the time when the last of its steps was to begin; that step's own time
 * comes on top.  A file of an older version does not tell, and all that it has added is counted. */
static int64_t refine_used_ns(const struct run_data *d) {
  const json_t *refine = json_object_get(d->meta, "refine"), *added = json_object_get(refine, "added"), *used = json_object_get(refine, "used_s");
  double used_s = json_number_value(used);
  int64_t ns = used_s > 0 && used_s < 1e8 ? (int64_t)(used_s * (double)NS_PER_S) : 0;
  size_t n = json_array_size(added);
  for (size_t i = used && n > 0 ? n - 1 : 0; i < n; i++)
    for (size_t k = 0; k < d->nstep; k++)
      if (d->step[k].facts.index == json_integer_value(json_object_get(json_array_get(added, i), "index")))
        ns += took_ns(&d->step[k]);
  return ns;
}

static void take_steps(struct resume *r) {
  const struct run_data *d = r->run;
  int first = 0;
  r->whole = xcalloc(d->nstep + 1, sizeof *r->whole);
  for (size_t i = 0; i < d->nstep; i++) {
    const struct step_facts *f = &d->step[i].facts;
    if (f->incomplete)
      continue;
    if (f->role == STEP_DRIFT)
      r->drift_whole = 1;
    else if (f->role == STEP_MEASURED)
      r->whole[r->nwhole++] = (struct whole){f->index, f->setting_mib};
    if (f->role == STEP_MEASURED && f->index > r->last_index)
      r->last_index = f->index;
    if (f->digest != 0 && (first == 0 || f->index < first)) {
      first = f->index;
      r->digest = f->digest;
    }
  }
  r->run_ns = (last_ns(d) / NS_PER_S + 2) * NS_PER_S;
}

/* A run of an older version has one pass and does not say so. */
static size_t passes_of(const json_t *plan) {
  json_int_t n = json_integer_value(json_object_get(plan, "passes"));
  return n < 1 ? 1 : n > PASSES_MAX ? PASSES_MAX : (size_t)n;
}

int resume_new(struct resume **out, struct run_data *d, struct cause *c) {
  struct resume *r = xcalloc(1, sizeof *r);
  const json_t *plan = json_object_get(d->meta, "plan"), *steps = json_object_get(plan, "steps_mib");
  const char *state = json_string_value(json_object_get(json_object_get(d->meta, "refine"), "state"));
  r->run = d;
  r->nwanted = json_array_size(steps);
  r->drift_wanted = json_is_true(json_object_get(plan, "drift"));
  r->refining = state && strcmp(state, "add") == 0;
  r->refined = state && !r->refining;
  r->refine_used_ns = refine_used_ns(d);
  r->stopped_mib = run_stopped_mib(d, NULL);
  take_steps(r);
  for (size_t i = 0; i < r->nwanted * passes_of(plan); i++)
    r->missing += !has(r, (int64_t)i + 1, json_integer_value(json_array_get(steps, i % r->nwanted)));
  r->missing += r->drift_wanted && !r->drift_whole;
  r->missing += r->refining; /* one at least */
  run_data_drop_steps(d);
  if (r->nwanted < 2)
    cause_set(c, STATUS_SETUP, "%s is no run of a sweep: it has no plan of steps", d->folder);
  else if (same_steps(plan, json_object_get(d->meta, "options"), c) == 0) {
    *out = r;
    return 0;
  }
  resume_free(r);
  return -1;
}

void resume_free(struct resume *r) {
  if (!r)
    return;
  run_data_free(r->run);
  free(r->whole);
  free(r);
}

const struct run_data *resume_run(const struct resume *r) {
  return r->run;
}

size_t resume_whole(const struct resume *r) {
  return r->nwhole + (size_t)r->drift_whole;
}

size_t resume_missing(const struct resume *r) {
  return r->missing;
}

int64_t resume_stopped_mib(const struct resume *r) {
  return r->stopped_mib;
}

uint64_t resume_digest(const struct resume *r) {
  return r->digest;
}

int64_t resume_run_ns(const struct resume *r) {
  return r->run_ns;
}

/* ---- the same server? ---- */

int resume_same(const json_t *was, const json_t *now, const char *const *key, const char *whose, struct cause *c) {
  for (; *key; key++) {
    const json_t *a = json_object_get(was, *key), *b = json_object_get(now, *key);
    if (a && b && same_value(a, b))
      continue;
    char name[64], *x = value_text(a), *y = value_text(b);
    snprintf(name, sizeof name, "%s", *key);
    for (char *p = name; *p; p++)
      *p = *p == '_' ? ' ' : *p;
    cause_set(c, STATUS_SETUP, "the run cannot be gone on with: %s %s was %s and is %s now", whose, name, x, y);
    free(x);
    free(y);
    return cause_remedy(c, "its steps could not be compared; 'ramknee sweep --like' makes a new run with the same options");
  }
  return 0;
}

int resume_compare(const struct resume *r, const struct facts *f, const char *database, struct cause *c) {
  static const char *const server_key[] = {"name", "version", "edition", "platform", "node", "physical_memory_mib", "cpus", "scale", NULL};
  static const char *const database_key[] = {"name", "mix", "scale", "density", "seed", "loaded_at", NULL};
  json_t *server = facts_server_json(f), *loaded = facts_database_json(f, database, &f->load);
  int rc = resume_same(json_object_get(r->run->meta, "server"), server, server_key, "the server's", c);
  if (rc == 0)
    rc = resume_same(json_object_get(r->run->meta, "database"), loaded, database_key, "the database's", c);
  json_decref(server);
  json_decref(loaded);
  return rc;
}

int resume_compare_plan(const struct resume *r, const json_t *now, struct cause *c) {
  static const char *const key[] = {"steps_mib", "passes", "settle_s", "warm_s", "warm_max_s", "measure_s", "measure_max_s", "precision",
                                    "burn_in_s", "refine", "budget_s", "drift", NULL};
  const json_t *was = json_object_get(r->run->meta, "plan");
  for (const char *const *k = key; *k; k++)
    if (same_key(*k, json_object_get(was, *k), json_object_get(now, *k), c) != 0)
      return -1;
  return 0;
}

int resume_restarted(const struct resume *r, const struct facts *f) {
  const json_t *sessions = json_object_get(r->run->meta, "sessions");
  size_t n = json_array_size(sessions);
  const json_t *last = n > 0 ? json_array_get(sessions, n - 1) : json_object_get(r->run->meta, "server");
  return json_integer_value(json_object_get(last, "start_ticks")) != f->start_ticks;
}

/* ---- this session ---- */

int resume_refined(const struct resume *r, json_t **added) {
  const json_t *before = json_object_get(json_object_get(r->run->meta, "refine"), "added");
  *added = json_array();
  for (size_t i = 0; i < json_array_size(before); i++) {
    json_t *one = json_array_get(before, i);
    if (has(r, json_integer_value(json_object_get(one, "index")), json_integer_value(json_object_get(one, "mib"))))
      json_array_append(*added, one);
  }
  return r->refined;
}

static int is_there(const void *arg, const struct plan_step *s) {
  const struct resume *r = arg;
  return s->role == STEP_MEASURED ? has(r, s->index, s->mib) : s->role == STEP_DRIFT && r->drift_whole;
}

void resume_plan(const struct resume *r, struct plan *p) {
  p->taken = r->last_index;
  if (r->refined)
    p->refine = 0;
  plan_budget(p, p->refine ? p->budget_ns : 0, r->refine_used_ns);
  plan_take_out(p, is_there, r);
  struct plan_step *last = &p->step[p->nstep - 1]; /* the burn-in stays */
  if (last->role == STEP_DRIFT && last->index <= r->last_index)
    last->index = r->last_index + 1;
}

json_t *resume_session(const struct resume *r, const struct facts *f, const struct plan *p, int argc, char **argv) {
  char started[32];
  json_t *command = json_array(), *steps = json_array();
  for (int i = 0; i < argc; i++)
    json_array_append_new(command, json_string(argv[i]));
  for (size_t i = 0; i < p->nstep; i++)
    if (p->step[i].role != STEP_BURN_IN)
      json_array_append_new(steps, json_integer(p->step[i].index));
  return json_pack("{s:s, s:s, s:o, s:I, s:I, s:b, s:o, s:{s:I, s:I}}", "program", PACKAGE_VERSION, "started",
                   wall_text(wall_ns(), started, sizeof started), "command", command, "run_ns", (json_int_t)r->run_ns, "start_ticks",
                   (json_int_t)f->start_ticks, "server_restarted", resume_restarted(r, f), "steps", steps, "setting", "max_mib",
                   (json_int_t)f->before.max_mib, "min_mib", (json_int_t)f->before.min_mib);
}
