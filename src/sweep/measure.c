#include "config.h"

#include "sweep/measure.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/child.h"
#include "sweep/here.h"
#include "sweep/observe.h"
#include "sweep/options.h"
#include "sweep/put_back.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_CONNECTIONS = 8 }; /* control, lock, sampler, pre-warm, and some to come and go */

struct point {
  struct observed observed;
  const struct sweep_options *o;
  int64_t given_mib;
  struct work work;
  struct conn *lock;
};

/* ---- before it begins ---- */

/* A courtesy: no sweep begins while a point is measured, and no point is measured during a sweep.  Where the lock cannot be had, on a
 * managed service or without access to master, there is none. */
static int keep_off(struct point *p, struct cause *c) {
  struct cause why = {0};
  if (open_in_master(&p->lock, &p->o->target, &why) != 0) {
    p->lock = NULL;
    return 0;
  }
  int rc = lock_take(p->lock, &why);
  if (rc == 0)
    return 0;
  conn_close(p->lock);
  p->lock = NULL;
  if (rc < 0)
    return 0;
  *c = why;
  c->status = STATUS_SETUP;
  return -1;
}

static int look(struct point *p, struct cause *c) {
  struct work *w = &p->work;
  const struct sweep_options *o = p->o;
  struct check_plan check = {.purpose = CHECK_MEASURE, .target = &o->target, .database = o->database};
  struct sample_scope scope = {.database = o->database};
  if (server_init(&o->target, o->demand.users + OWN_CONNECTIONS, c) != 0 || conn_open(&w->master, &o->target, c) != 0 || keep_off(p, c) != 0 ||
      facts_read(&w->facts, w->master, w->master, &check, c) != 0)
    return -1;
  w->mix = mix_find(w->facts.load.mix);
  if (!w->mix) {
    cause_set(c, STATUS_SETUP, "the database %s was loaded with a mix '%s' that this version does not know", o->database, w->facts.load.mix);
    return cause_remedy(c, "load it again with 'ramknee load'");
  }
  if (here_read(&w->here, w->master, &scope, &w->facts.seen, p->given_mib, c) != 0)
    return -1;
  if (w->facts.start_ticks == 0 && w->here.first.start_ticks != ABSENT)
    w->facts.start_ticks = w->here.first.start_ticks;
  w->load = w->facts.load;
  w->demand = o->demand;
  struct plan_facts f = facts_for_plan(&w->facts);
  plan_point(&w->plan, o, &f, w->here.memory_mib);
  return 0;
}

static void tell_plan(const struct work *w) {
  char size[32], least[40], most[40];
  here_say(&w->here);
  if (w->here.memory_mib > 0)
    say("one point at %s (%s); no setting is changed", memory_name(w->here.memory_mib, size, sizeof size), w->here.memory_from);
  else
    warn("the server does not tell its memory; --memory SIZE says it for this point, which otherwise cannot be joined with others");
  say("it takes at least %s and at most %s", duration_text(w->plan.least_ns, least, sizeof least),
      duration_text(w->plan.most_ns, most, sizeof most));
}

static int make_run(struct point *p, struct cause *c) {
  struct work *w = &p->work;
  json_t *meta = sweep_meta(w);
  if (!meta)
    return cause_set(c, STATUS_SETUP, "the run's facts cannot be written down: a name among them is not UTF-8");
  json_object_set_new(meta, "kind", json_string("measure"));
  json_object_set_new(meta, "memory", here_json(&w->here));
  if (!w->facts.before.server[0])
    json_object_set_new(meta, "before", json_null());
  int rc = run_create(&w->run, w->folder, meta, c);
  json_decref(meta);
  if (rc == 0)
    log_tee(run_log_fd(w->run));
  return rc;
}

/* ---- inside a step ---- */

void measure_standing(struct work *w, struct step_facts *f) {
  f->reached = -1;
  if (w->here.first.total_memory_kb != ABSENT)
    f->reached_kib = w->here.first.total_memory_kb;
  for (int i = 0; i < HERE_GROUPS && f->role == STEP_MEASURED; i++)
    if (w->here.group[i].absent)
      run_step_note(w->step, "absent", "%s could not be sampled: %s%s%s", here_group_name(i), w->here.group[i].why,
                    w->here.group[i].remedy[0] ? "; " : "", w->here.group[i].remedy);
}

int measure_unchanged(struct work *w, struct cause *c) {
  struct cause why = {0};
  struct knob_state now;
  if (!w->facts.before.server[0])
    return 0;
  if (knob_memory.read(w->master, &now, &why) != 0) {
    if (!conn_lost(w->master))
      return 0;
    *c = why;
    return -1;
  }
  if (now.max_in_use_mib == w->facts.before.max_in_use_mib)
    return 0;
  return cause_set(c, STATUS_INCOMPLETE, "somebody has changed max server memory from %" PRId64 " to %" PRId64 " MB meanwhile",
                   w->facts.before.max_in_use_mib, now.max_in_use_mib);
}

/* ---- the work ---- */

static void close_all(struct point *p) {
  struct work *w = &p->work;
  log_tee(-1);
  run_close(w->run);
  conn_close(w->master);
  conn_close(p->lock);
  plan_free(&w->plan);
  server_done();
}

static int work(struct observed *observed) {
  struct point *p = (struct point *)observed; /* its first member */
  struct work *w = &p->work;
  struct cause c = {0};
  w->shared = observed->shared;
  w->as_it_is = 1;
  int status = STATUS_SETUP;
  if (look(p, &c) == 0) {
    child_choose_stationary(w);
    if (make_run(p, &c) == 0)
      status = STATUS_DONE;
  }
  if (status == STATUS_DONE) {
    tell_plan(w);
    w->run_start_ns = mono_ns();
    if (child_measure_all(w, &c) != 0)
      status = child_ended_early(w, &c);
    else if (w->incomplete)
      status = STATUS_INCOMPLETE;
  } else {
    say_cause(&c);
  }
  close_all(p);
  return status;
}

int measure_run(const struct sweep_options *given, int64_t memory_mib, char **run_folder) {
  struct sweep_options o = *given;
  target_copy(&o.target, &given->target);
  free(o.target.database);
  o.target.database = xstrdup(o.database);
  char *folder = o.run_folder ? xstrdup(o.run_folder) : sweep_default_folder("measure-", o.target.name);
  struct point p = {.observed = {.folder = folder, .work = work}, .o = &o, .given_mib = memory_mib, .work = {.o = &o, .folder = folder}};
  int status = observe(&p.observed, run_folder);
  free(folder);
  target_free(&o.target);
  return status;
}

int measure_like(struct sweep_options *o, const char *run, struct cause *c) {
  struct run_data *d;
  if (run_read(&d, run, c) != 0)
    return -1;
  const json_t *stationary = json_object_get(json_object_get(d->meta, "database"), "stationary");
  const char *kind = json_string_value(json_object_get(d->meta, "kind"));
  int is_day = kind && strcmp(kind, "day") == 0;
  int rc = is_day ? sweep_options_of_sweep(d->meta, run, c) : sweep_options_demand(o, json_object_get(d->meta, "demand"), c);
  if (rc == 0 && !o->demand_named) {
    cause_set(c, STATUS_SETUP, "the demand of %s is not known: its probe was broken off", run);
    rc = cause_remedy(c, "name another run, or give --users with --think or --rate");
  }
  if (json_is_boolean(stationary))
    o->stationary = json_is_true(stationary);
  run_data_free(d);
  return rc;
}
