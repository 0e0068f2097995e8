#include "config.h"

#include "sweep/pulse.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "knob/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_RUN_S = 180, RUN_MOST = 200 };
static const int64_t beat_most_ns = 30 * NS_PER_S;

/* ---- the child's side ---- */

int pulse_check(const struct work *w, struct cause *c) {
  const int64_t after = w->o->dead_man_ns, least = w->facts.scale > 1 ? PULSE_LEAST_SANDBOX_NS : PULSE_LEAST_NS;
  char given[40], most[40];
  if (after == 0)
    return 0;
  if (after < least) {
    cause_set(c, STATUS_SETUP, "--dead-man-after %s is too short", duration_text(after, given, sizeof given));
    return cause_remedy(c, "give at least %s: the job is run once a minute, and a pause of the network must not end the sweep",
                        duration_text(least, most, sizeof most));
  }
  int rc = dead_man_possible(w->db, w->facts.seen.engine_edition, c);
  if (rc > 0) {
    warn_cause(c);
    cause_clear(c);
  }
  return rc < 0 ? -1 : 0;
}

static char *run_name(const char *folder) {
  const char *slash = strrchr(folder, '/');
  size_t n = strlen(slash ? slash + 1 : folder);
  return xprintf("%.*s", (int)(n < RUN_MOST ? n : RUN_MOST), n ? (slash ? slash + 1 : folder) : "here");
}

char *pulse_job(const struct work *w) {
  if (w->o->dead_man_ns == 0)
    return NULL;
  char *run = run_name(w->folder), *job = dead_man_job(w->journal.state.server, run);
  free(run);
  return job;
}

int pulse_arm(const struct work *w, struct cause *c) {
  if (!w->journal.dead_man)
    return 0;
  char *run = run_name(w->folder);
  int rc = dead_man_arm(w->db, &w->journal, run, w->o->dead_man_ns / NS_PER_S, c);
  free(run);
  if (rc == 0)
    say("the server's Agent has the job \"%s\"", w->journal.dead_man);
  return rc;
}

/* ---- the parent's side ---- */

/* Thrice within the limit at least, so that one lost beat is no death. */
static int64_t beat_every(int64_t after_ns) {
  return after_ns / 4 < beat_most_ns ? after_ns / 4 : beat_most_ns;
}

static int beat(struct pulse *p, const struct target *t, struct dead_man_life *life, struct cause *c) {
  if (p->conn && conn_lost(p->conn)) {
    conn_close(p->conn);
    p->conn = NULL;
  }
  if (!p->conn && conn_open(&p->conn, t, c) != 0) {
    p->conn = NULL;
    return -1;
  }
  return dead_man_beat(p->conn, life, c);
}

void pulse_beat(struct pulse *p, const struct sweep_options *o, const struct sweep_shared *shared) {
  struct dead_man_life life;
  struct cause c = {0};
  if (!shared->armed || mono_ns() - p->at_ns < beat_every(o->dead_man_ns))
    return;
  int rc = beat(p, &o->target, &life, &c);
  p->at_ns = mono_ns();
  if (rc != 0) {
    if (!p->told_lost++) {
      cause_prefix(&c, "the dead-man's job cannot be told that this sweep is alive, and will put the setting back");
      warn_cause(&c);
    }
    return;
  }
  p->told_lost = 0;
  if (!life.armed && !p->told_dead++)
    warn("the dead-man's job has taken this sweep for dead and has put the setting back: the server had not heard of it for too long");
  if (life.armed && life.ran_s < 0 && life.armed_s > NOT_RUN_S && !p->told_idle++)
    warn("SQL Server Agent has not run the dead-man's job in %" PRId64 " s: does it run? as it is, nothing on the server would put the setting back",
         life.armed_s);
}

void pulse_stop(struct pulse *p) {
  conn_close(p->conn);
  p->conn = NULL;
}

/* ---- afterwards ---- */

/* 1: the job has done something, and it was told. */
static int tell(const struct dead_man *d) {
  char value[40];
  if (strcmp(d->state, "restored") == 0)
    say("the dead-man's job put max server memory of %s back to %s at %s (UTC): run %s had not been heard of for %" PRId64 " s", d->server,
        knob_value_text(d->max_mib, value, sizeof value), d->ended_at, d->run, d->after_s);
  else if (strcmp(d->state, "left") == 0)
    say("the dead-man's job came to put max server memory of %s back at %s (UTC), after run %s, but somebody else had set it to %s: left as it is",
        d->server, d->ended_at, d->run, knob_value_text(d->found_mib, value, sizeof value));
  else
    return 0;
  return 1;
}

void pulse_end(struct conn *conn, const struct target *t, const char *database) {
  struct dead_man d;
  struct cause c = {0};
  int rc = dead_man_read(conn, &d, &c);
  if (rc > 0)
    return;
  if (rc == 0) {
    tell(&d);
    rc = dead_man_remove(conn, &c);
  }
  if (rc == 0)
    return;
  cause_prefix(&c, "the setting is back, but the dead-man's job%s%s%s may still be there", d.job[0] ? " \"" : "", d.job, d.job[0] ? "\"" : "");
  cause_remedy(&c, "it does no harm and deletes itself when it runs next; 'ramknee restore -S %s -d %s' takes it away", t->name, database);
  warn_cause(&c);
}

/* Of that sweep's own state: 1 when there is nothing left to put back. */
static int is_over(const struct journal *j, const struct knob_state *now) {
  enum memory_back b = memory_plan_back(&j->state, now).what;
  return b == BACK_NOTHING || b == BACK_LEAVE;
}

static void clear_left(struct conn *conn, const char *path, const struct dead_man *d, const struct knob_state *now) {
  struct journal file = {0}, row = {0};
  struct cause c = {0};
  int have_file = journal_read(&file, path, &c) == 0 && file.dead_man && strcmp(file.dead_man, d->job) == 0;
  int have_row = journal_row_read(conn, &row, &c) == 0 && row.dead_man && strcmp(row.dead_man, d->job) == 0;
  if ((have_file && !is_over(&file, now)) || (have_row && !is_over(&row, now)))
    goto out; /* restore has to look at it */
  tell(d);
  cause_clear(&c);
  if ((have_row && journal_row_clear(conn, &c) != 0) || dead_man_remove(conn, &c) != 0 || (have_file && journal_remove(&file, &c) != 0))
    warn_cause(&c);
out:
  journal_free(&file);
  journal_free(&row);
}

void pulse_told(const struct sweep_options *o, const char *path, const struct knob_state *now) {
  struct conn *conn = NULL;
  struct dead_man d;
  struct cause c;
  if (conn_open(&conn, &o->target, &c) != 0)
    return; /* whoever needs the database says what is wrong with it */
  if (dead_man_read(conn, &d, &c) == 0 && (strcmp(d.state, "restored") == 0 || strcmp(d.state, "left") == 0))
    clear_left(conn, path, &d, now);
  conn_close(conn);
}
