#include "config.h"

#include "sweep/options.h"
#include "base/text.h"
#include "base/units.h"
#include "knob/command.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX_S (366 * 86400.0)
#define USERS_MAX 10000

enum kind { SECONDS, LONG, WHOLE, REAL };

/* A member whose value is negative (NULL in the file) is one that was not given and has no default of its own. */
static const struct field {
  const char *name;
  enum kind kind;
  size_t offset;
  double max, min; /* as on the command line */
} fields[] = {
#define SECONDS_OF(name, min) {#name "_s", SECONDS, offsetof(struct sweep_options, name##_ns), TIME_MAX_S, min}
  SECONDS_OF(settle_max, 0), SECONDS_OF(warm, 0), SECONDS_OF(warm_max, 0), SECONDS_OF(measure, 1), SECONDS_OF(burn_in, 0),
  SECONDS_OF(put_back_max, 0), SECONDS_OF(set_with_max, 1), SECONDS_OF(measure_max, 1), SECONDS_OF(budget, 1),
  SECONDS_OF(dead_man, 0), /* 0: none */
#undef SECONDS_OF
  {"floor_mib", LONG, offsetof(struct sweep_options, floor_mib), (double)MEMORY_NO_LIMIT_MIB, MEMORY_LEAST_MIB},
  {"precision", REAL, offsetof(struct sweep_options, precision), 0.5, 0.001},
  {"refine", WHOLE, offsetof(struct sweep_options, refine), 1, 0},
  {"drift", WHOLE, offsetof(struct sweep_options, drift), 1, 0},
  {"stationary", WHOLE, offsetof(struct sweep_options, stationary), 1, 0},
  {"passes", WHOLE, offsetof(struct sweep_options, passes), PASSES_MAX, 1},
  {"steps_named", WHOLE, offsetof(struct sweep_options, steps_named), 1, 0},
};
enum { NFIELD = sizeof fields / sizeof *fields };

/* ---- writing ---- */

static json_t *value_json(const struct sweep_options *o, const struct field *f) {
  const char *at = (const char *)o + f->offset;
  int64_t ns;
  int whole;
  double real;
  switch (f->kind) {
  case SECONDS:
    memcpy(&ns, at, sizeof ns);
    return ns < 0 ? json_null() : json_real((double)ns / (double)NS_PER_S);
  case LONG:
    memcpy(&ns, at, sizeof ns);
    return ns < 0 ? json_null() : json_integer(ns);
  case WHOLE:
    memcpy(&whole, at, sizeof whole);
    return whole < 0 ? json_null() : json_integer(whole);
  default:
    memcpy(&real, at, sizeof real);
    return real < 0 || !isfinite(real) ? json_null() : json_real(real);
  }
}

static json_t *text_or_null(const char *s) {
  return s ? json_string(s) : json_null();
}

static json_t *stop_json(const struct stop_rules *s) {
  json_t *all = json_array();
  for (size_t i = 0; i < s->n; i++) {
    char *text = xprintf("%s=%.6fms", s->rule[i].name, s->rule[i].limit_ms);
    json_array_append_new(all, json_string(text));
    free(text);
  }
  return all;
}

/* The options as the plan has filled them in. */
static struct sweep_options effective(const struct work *w) {
  struct sweep_options o = *w->o;
  o.settle_max_ns = w->plan.settle_max_ns;
  o.warm_ns = w->plan.warm_ns;
  o.warm_max_ns = w->plan.warm_max_ns;
  if (w->plan.precision > 0) { /* else one of the two would contradict the other */
    o.precision = w->plan.precision;
    o.measure_max_ns = w->plan.measure_max_ns;
  } else {
    o.measure_ns = w->plan.measure_ns;
  }
  if (o.refine)
    o.budget_ns = w->plan.budget_ns;
  o.burn_in_ns = w->plan.burn_in_ns;
  o.passes = w->plan.passes;
  o.stationary = w->load.stationary;
  return o;
}

json_t *sweep_options_json(const struct work *w) {
  static const char *const encrypt[] = {[ENCRYPT_REQUIRE] = "require", [ENCRYPT_REQUEST] = "request", [ENCRYPT_OFF] = "off"};
  const struct sweep_options o = effective(w);
  const struct target *t = &o.target;
  json_t *j = json_object(), *steps = json_array();
  for (size_t i = 0; i < w->plan.nstep; i++)
    if (w->plan.step[i].role == STEP_MEASURED && w->plan.step[i].pass <= 1) /* the other passes have the same */
      json_array_append_new(steps, json_integer(w->plan.step[i].mib));
  json_object_set_new(j, "server", text_or_null(t->name));
  json_object_set_new(j, "user", text_or_null(t->user));
  json_object_set_new(j, "database", text_or_null(o.database));
  json_object_set_new(j, "encrypt", t->is_sandbox ? json_null() : json_string(encrypt[t->encrypt]));
  json_object_set_new(j, "ca_file", text_or_null(t->ca_file));
  json_object_set_new(j, "steps_mib", steps);
  for (size_t i = 0; i < NFIELD; i++)
    json_object_set_new(j, fields[i].name, value_json(&o, &fields[i]));
  json_object_set_new(j, "stop_above", stop_json(&o.stop));
  json_object_set_new(j, "set_with", text_or_null(o.set_with));
  json_object_set_new(j, "like", text_or_null(o.like));
  return j;
}

/* ---- reading ---- */

static int refuse(const char *what, struct cause *c) {
  cause_set(c, STATUS_SETUP, "the options of that run cannot be taken over: its run.json %s", what);
  return cause_remedy(c, "give the options anew, for a new sweep");
}

static int __attribute__((format(printf, 2, 3))) refuse_value(struct cause *c, const char *fmt, ...) {
  char what[200];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  return refuse(what, c);
}

static int take_value(struct sweep_options *o, const struct field *f, const json_t *v, struct cause *c) {
  char *at = (char *)o + f->offset;
  double x = json_number_value(v);
  if (!v || json_is_null(v))
    return 0; /* as it is: the default */
  if (json_is_boolean(v))
    x = json_is_true(v);
  else if (!json_is_number(v))
    x = NAN;
  int whole_only = f->kind == WHOLE || f->kind == LONG;
  if (!(x >= f->min && x <= f->max) || (whole_only && x != floor(x)))
    return refuse_value(c, "holds a wrong '%s': it is no %snumber of %.10g to %.10g", f->name, whole_only ? "whole " : "", f->min, f->max);
  int64_t ns = (int64_t)llround(f->kind == SECONDS ? x * (double)NS_PER_S : x);
  int whole = (int)x;
  if (f->kind == SECONDS || f->kind == LONG)
    memcpy(at, &ns, sizeof ns);
  else if (f->kind == WHOLE)
    memcpy(at, &whole, sizeof whole);
  else
    memcpy(at, &x, sizeof x);
  return 0;
}

static int take_steps(struct sweep_options *o, const json_t *steps, struct cause *c) {
  size_t n = json_array_size(steps);
  struct text t = {0};
  int rc = -1;
  for (size_t i = 0; i < n && i < 100; i++)
    text_addf(&t, "%s%lldM", i ? "," : "", (long long)json_integer_value(json_array_get(steps, i)));
  if (n >= 2) {
    free(o->step_mib);
    o->step_mib = NULL;
    rc = steps_parse(t.s, &o->step_mib, &o->nstep, NULL);
  }
  text_free(&t);
  return rc == 0 ? 0 : refuse("does not tell the steps", c);
}

static int take_stop(struct sweep_options *o, const json_t *all, struct cause *c) {
  o->stop.n = 0;
  if (all && !json_is_array(all))
    return refuse("holds a wrong 'stop_above'", c);
  for (size_t i = 0; i < json_array_size(all); i++) {
    const char *text = json_string_value(json_array_get(all, i));
    if (!text || stop_add(&o->stop, text, NULL) != 0)
      return refuse("holds a wrong 'stop_above'", c);
  }
  return 0;
}

/* One that only a probe can set, and none has, is left to a probe. */
int sweep_options_demand(struct sweep_options *o, const json_t *d, struct cause *c) {
  const json_t *think = json_object_get(d, "think_s"), *seed = json_object_get(d, "seed");
  double users = json_number_value(json_object_get(d, "users")), rate = json_number_value(json_object_get(d, "rate"));
  double think_s = json_number_value(think);
  if (!(users >= 1 && users <= USERS_MAX) || users != floor(users) || (rate != 0 && !(rate >= 0.001 && rate <= 1e6)) ||
      !(think_s >= 0 && think_s <= TIME_MAX_S) || !json_is_integer(seed) || json_integer_value(seed) < 0)
    return refuse("does not tell a demand that a sweep can have had", c);
  o->demand = (struct demand){.users = (int)users, .think_s = think_s, .rate = rate, .seed = (uint64_t)json_integer_value(seed)};
  o->demand_named = rate > 0 || json_is_number(think);
  return 0;
}

/* Each may be right by itself. */
static int refuse_pairs(const struct sweep_options *o, struct cause *c) {
  if (o->measure_ns >= 0 && (o->precision >= 0 || o->measure_max_ns >= 0))
    return refuse("holds 'measure_s' and 'precision' or 'measure_max_s'", c);
  if (o->budget_ns >= 0 && !o->refine)
    return refuse("holds 'budget_s' without 'refine'", c);
  if (o->dead_man_ns > 0 && o->set_with)
    return refuse("holds 'dead_man_s' and 'set_with'", c);
  return 0;
}

static int take_text(const json_t *j, const char *name, struct cause *c) {
  const json_t *v = json_object_get(j, name);
  if (!v || json_is_null(v) || (json_is_string(v) && json_string_length(v) > 0))
    return 0;
  return refuse_value(c, "holds a wrong '%s': it is no text", name);
}

/* Those that sweep_options_target gives out. */
static int check_target(const json_t *j, struct cause *c) {
  static const char *const name[] = {"server", "user", "database", "encrypt", "ca_file", "set_with"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    if (take_text(j, name[i], c) != 0)
      return -1;
  const char *encrypt = json_string_value(json_object_get(j, "encrypt"));
  if (encrypt && strcmp(encrypt, "require") != 0 && strcmp(encrypt, "request") != 0 && strcmp(encrypt, "off") != 0)
    return refuse("holds a wrong 'encrypt': it is not require, request or off", c);
  return 0;
}

int sweep_options_of_sweep(const json_t *meta, const char *folder, struct cause *c) {
  const char *kind = json_string_value(json_object_get(meta, "kind"));
  if (!kind)
    return 0;
  if (strcmp(kind, "day") == 0) {
    cause_set(c, STATUS_SETUP, "%s is a day that 'ramknee measure --no-load' has sampled: it has neither steps nor a demand", folder);
    return cause_remedy(c, "name the folder of a sweep");
  }
  if (strcmp(kind, "joined") == 0) {
    cause_set(c, STATUS_SETUP, "%s holds the points of several runs that 'ramknee report' has joined: it is no run of a sweep", folder);
    return cause_remedy(c, "name one of these runs; its run.json has their names as \"sources\"");
  }
  cause_set(c, STATUS_SETUP, "%s is one point of 'ramknee measure', and no run of a sweep: it has no steps", folder);
  return cause_remedy(c, "name the folder of a sweep; 'ramknee measure --like %s' takes the demand of this one", folder);
}

int sweep_options_take(struct sweep_options *o, const json_t *meta, struct cause *c) {
  const json_t *j = json_object_get(meta, "options");
  if (!json_is_object(j))
    return refuse("does not have them (another version of ramknee wrote it)", c);
  if (check_target(j, c) != 0)
    return -1;
  for (size_t i = 0; i < NFIELD; i++)
    if (take_value(o, &fields[i], json_object_get(j, fields[i].name), c) != 0)
      return -1;
  if (!json_object_get(j, "passes"))
    o->passes = 1; /* an older version had no other number */
  o->set_with = json_string_value(json_object_get(j, "set_with"));
  if (o->set_with && command_check(o->set_with, c) != 0)
    return -1;
  if (take_steps(o, json_object_get(j, "steps_mib"), c) != 0 || take_stop(o, json_object_get(j, "stop_above"), c) != 0 ||
      refuse_pairs(o, c) != 0)
    return -1;
  return sweep_options_demand(o, json_object_get(meta, "demand"), c);
}

struct options_target sweep_options_target(const json_t *meta) {
  const json_t *j = json_object_get(meta, "options");
  return (struct options_target){
    .server = json_string_value(json_object_get(j, "server")),
    .user = json_string_value(json_object_get(j, "user")),
    .database = json_string_value(json_object_get(j, "database")),
    .encrypt = json_string_value(json_object_get(j, "encrypt")),
    .ca_file = json_string_value(json_object_get(j, "ca_file")),
  };
}

/* ---- telling ---- */

char *sweep_options_text(const struct sweep_options *o) {
  struct text t = {0};
  char a[40], b[40], c[40];
  text_add(&t, "steps ");
  for (size_t i = 0; i < o->nstep; i++)
    text_addf(&t, "%s%s", i ? "," : "", size_key(o->step_mib[i] * MIB, a, sizeof a));
  if (o->passes > 1)
    text_addf(&t, " in %d passes", o->passes);
  if (!o->demand_named)
    text_addf(&t, "; a probe sets the demand of %d users", o->demand.users);
  else if (o->demand.rate > 0)
    text_addf(&t, "; %.6g arrivals a second on %d users", o->demand.rate, o->demand.users);
  else
    text_addf(&t, "; %d users thinking %.1f ms", o->demand.users, o->demand.think_s * 1e3);
  text_addf(&t, ", seed %llu", (unsigned long long)o->demand.seed);
  if (o->warm_ns >= 0 && o->warm_max_ns >= 0)
    text_addf(&t, o->warm_max_ns > o->warm_ns ? "; warm for %s to %s" : "; warm for %s", duration_text(o->warm_ns, a, sizeof a),
              duration_text(o->warm_max_ns, b, sizeof b));
  if (o->measure_ns >= 0)
    text_addf(&t, "; measure for %s", duration_text(o->measure_ns, c, sizeof c));
  else if (o->precision >= 0 && o->measure_max_ns >= 0)
    text_addf(&t, "; measure until p95 is known to %.3g %%, for %s at most", 100 * o->precision, duration_text(o->measure_max_ns, c, sizeof c));
  if (!o->drift)
    text_add(&t, "; no drift step");
  char *stop = stop_text(&o->stop);
  if (stop)
    text_addf(&t, "; end at %s", stop);
  free(stop);
  if (o->floor_mib >= 0)
    text_addf(&t, "; floor %s", size_key(o->floor_mib * MIB, a, sizeof a));
  if (o->refine)
    text_addf(&t, o->budget_ns >= 0 ? "; refine for %s at most" : "; refine", duration_text(o->budget_ns, a, sizeof a));
  if (o->dead_man_ns > 0)
    text_addf(&t, "; a dead-man's job after %s", duration_text(o->dead_man_ns, a, sizeof a));
  if (o->set_with)
    text_addf(&t, "; set with '%s'", o->set_with);
  return t.s;
}
