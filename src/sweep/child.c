#include "config.h"

#include "sweep/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "mix/load.h"
#include "knob/command.h"
#include "sweep/pulse.h"
#include "sweep/put_back.h"
#include "sweep/resume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN_CONNECTIONS = 8 }; /* control, database, sampler, pre-warm, and some to come and go */

/* Growth above this share of the data makes the mix run stationary. */
static const double growth_most = 0.02;

/* ---- looking ---- */

static int connect_both(struct work *w, struct cause *c) {
  if (server_init(&w->o->target, w->o->demand.users + OWN_CONNECTIONS, c) != 0 || open_in_master(&w->master, &w->o->target, c) != 0)
    return -1;
  return conn_open(&w->db, &w->o->target, c);
}

/* The command of --set-with may take so long at each step. */
static void plan_add(struct plan *p, int64_t most_ns) {
  for (size_t i = 0; i < p->nstep; i++) {
    p->step[i].most_ns += most_ns;
    p->most_ns += most_ns;
  }
}

/* What a run that is gone on with has already. */
static void look_again(struct work *w) {
  const struct resume *r = w->o->resume;
  resume_plan(r, &w->plan);
  w->first_digest = resume_digest(r);
  w->stopped_mib = resume_stopped_mib(r);
  w->refined = resume_refined(r, &w->added);
  say("going on with %s: %zu of its %zu steps are there", w->folder, resume_whole(r), resume_whole(r) + resume_missing(r));
  if (resume_restarted(r, &w->facts))
    warn("the server was restarted since this run was broken off; its steps are from before and after that");
}

static int same_plan(const struct work *w, struct cause *c) {
  json_t *now = sweep_plan_json(&w->plan);
  int rc = resume_compare_plan(w->o->resume, now, c);
  json_decref(now);
  return rc;
}

static int look(struct work *w, struct cause *c) {
  const struct sweep_options *o = w->o;
  struct check_plan check = {.purpose = CHECK_SWEEP, .target = &o->target, .database = o->database, .step_mib = o->step_mib,
                             .nstep = o->nstep, .steps_named = o->steps_named, .set_by_command = o->set_with != NULL};
  if (o->nstep == 0)
    check.step_mib = plan_default_steps(&check.nstep);
  if (connect_both(w, c) != 0 || facts_read(&w->facts, w->master, w->db, &check, c) != 0)
    return -1;
  if (o->set_with)
    command_use(&w->facts.before, o->set_with, o->set_with_max_ns);
  if (o->resume && resume_compare(o->resume, &w->facts, o->database, c) != 0)
    return -1;
  w->mix = mix_find(w->facts.load.mix);
  if (!w->mix) {
    cause_set(c, STATUS_SETUP, "the database %s was loaded with a mix '%s' that this version does not know", o->database, w->facts.load.mix);
    return cause_remedy(c, "load it again with 'ramknee load'");
  }
  w->load = w->facts.load;
  w->demand = o->demand;
  struct plan_facts f = facts_for_plan(&w->facts);
  if (plan_make(&w->plan, o, &f, c) != 0 || (o->resume && same_plan(w, c) != 0))
    return -1;
  if (o->set_with)
    plan_add(&w->plan, o->set_with_max_ns);
  if (o->resume)
    look_again(w);
  return 0;
}

/* How much the data would grow over the sweep, as a share of them; infinite when the rate is not known. */
static double growth(const struct work *w) {
  const struct demand *d = &w->demand;
  double per_s = d->rate > 0 ? d->rate : w->o->demand_named && d->think_s > 0 ? (double)d->users / d->think_s : INFINITY;
  double bytes = (double)w->plan.most_ns / (double)NS_PER_S * per_s * w->mix->growth(&w->load);
  return w->facts.data_bytes > 0 ? bytes / ((double)w->facts.data_bytes / (double)w->facts.scale) : INFINITY;
}

void child_choose_stationary(struct work *w) {
  w->load.stationary = w->o->stationary >= 0 ? w->o->stationary : w->facts.scale > 1 || growth(w) > growth_most;
  say("the mix runs %s", w->load.stationary ? "stationary: the data keep their size" : "as it is: the data grow a little");
}

/* ---- before the first change ---- */

static int make_run(struct work *w, struct cause *c) {
  json_t *meta = sweep_meta(w);
  if (!meta)
    return cause_set(c, STATUS_SETUP, "the run's facts cannot be written down: a name among them is not UTF-8");
  int rc = run_create(&w->run, w->folder, meta, c);
  json_decref(meta);
  if (rc == 0)
    log_tee(run_log_fd(w->run));
  return rc;
}

static void fill_journal(struct work *w) {
  struct journal *j = &w->journal;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  j->target = xstrdup(w->o->target.name);
  j->user = w->o->target.user ? xstrdup(w->o->target.user) : NULL;
  j->database = xstrdup(w->o->database);
  char *absolute = realpath(w->folder, NULL);
  j->run = absolute ? absolute : xstrdup(w->folder);
  j->client = xstrdup(host);
  j->pid = getpid();
  j->written_wall_ns = wall_ns();
  j->state = w->facts.before;
  j->dead_man = pulse_job(w);
  w->shared->start_ticks = w->facts.start_ticks;
}

static int open_run(struct work *w, struct cause *c) {
  const struct sweep_options *o = w->o;
  json_t *session = resume_session(o->resume, &w->facts, &w->plan, o->argc, o->argv);
  if (!session)
    return cause_set(c, STATUS_SETUP, "this session's facts cannot be written down: a word on the command line is not UTF-8");
  int rc = run_resume(&w->run, resume_run(o->resume), session, c);
  json_decref(session);
  if (rc == 0)
    log_tee(run_log_fd(w->run));
  return rc;
}

/* The journal, the job of --dead-man, the row: whatever of them cannot be, what was made goes away again. */
static int make_journal(struct work *w, struct cause *c) {
  fill_journal(w);
  if (journal_write(&w->journal, c) != 0)
    return -1;
  if (pulse_arm(w, c) == 0) {
    if (journal_row_write(w->db, &w->journal, c) == 0) {
      w->shared->armed = w->journal.dead_man != NULL;
      return 0;
    }
    cause_prefix(c, "nothing was changed, since the record on the server cannot be written");
    if (w->journal.dead_man)
      dead_man_remove(w->db, NULL);
  }
  journal_remove(&w->journal, NULL);
  if (conn_lost(w->db)) /* it may have been written all the same */
    put_back_clear_row(&w->o->target, &w->journal);
  return -1;
}

/* The folder of a run that is gone on with comes last: nothing in it may change before all else stands. */
static int record_again(struct work *w, struct cause *c) {
  if (make_journal(w, c) != 0)
    return -1;
  if (open_run(w, c) == 0)
    return 0;
  w->shared->armed = 0;
  if (w->journal.dead_man)
    dead_man_remove(w->db, NULL);
  put_back_clear_row(&w->o->target, &w->journal);
  journal_remove(&w->journal, NULL);
  return -1;
}

/* The folder, then the records; where they cannot be, nothing is changed, and the folder goes away again. */
static int make_records(struct work *w, struct cause *c) {
  int existed = access(w->folder, F_OK) == 0;
  if (make_run(w, c) == 0 && make_journal(w, c) == 0)
    return 0;
  log_tee(-1);
  run_close(w->run);
  w->run = NULL;
  if (!existed)
    folder_remove(w->folder, NULL);
  return -1;
}

static int prepare(struct work *w, struct cause *c) {
  if (look(w, c) != 0 || pulse_check(w, c) != 0)
    return -1;
  w->journal.path = journal_path(w->facts.before.server, c);
  if (!w->journal.path || sweep_confirm(w, c) != 0)
    return -1;
  child_choose_stationary(w);
  return w->o->resume ? record_again(w, c) : make_records(w, c);
}

/* ---- the work ---- */

int child_measure_all(struct work *w, struct cause *c) {
  w->feed = feed_new();
  int rc = sampler_start(&w->sampler, &w->o->target, w->o->database, w->run_start_ns, feed_sample, w->feed, c);
  if (rc == 0)
    rc = sweep_steps(w, c);
  progress(1, "%s", "");
  feed_count(w->feed, NULL, NULL);
  drive_close(w->drive);
  sampler_stop(w->sampler);
  feed_free(w->feed);
  w->drive = NULL;
  w->sampler = NULL;
  w->feed = NULL;
  return rc;
}

int child_ended_early(struct work *w, const struct cause *c) {
  snprintf(w->shared->why, sizeof w->shared->why, "%s", c->text);
  say_cause(c);
  return STATUS_INCOMPLETE;
}

int sweep_child(struct work *w) {
  struct cause c = {0};
  if (prepare(w, &c) != 0) {
    say_cause(&c);
    free(w->journal.path);
    w->journal.path = NULL;
    return STATUS_SETUP;
  }
  w->run_start_ns = mono_ns() - (w->o->resume ? resume_run_ns(w->o->resume) : 0);
  int status = child_measure_all(w, &c) != 0 ? child_ended_early(w, &c) : w->incomplete ? STATUS_INCOMPLETE : STATUS_DONE;
  log_tee(-1);
  run_close(w->run);
  conn_close(w->db);
  plan_free(&w->plan);
  return status;
}

int sweep_dry_run(struct work *w) {
  struct cause c = {0};
  int rc = look(w, &c) != 0 || pulse_check(w, &c) != 0 || (!w->o->resume && run_could_be(w->folder, &c) != 0) ? -1 : 0;
  if (rc == 0)
    plan_print(&w->plan, stdout);
  else
    say_cause(&c);
  json_decref(w->added);
  w->added = NULL;
  plan_free(&w->plan);
  conn_close(w->db);
  conn_close(w->master);
  server_done();
  return rc == 0 ? STATUS_DONE : STATUS_SETUP;
}
