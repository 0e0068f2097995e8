#include "config.h"

#include "sweep/put_back.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/pulse.h"
#include "sweep/supervisor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES_ALIVE = 4, SIGNALS_TO_GIVE_UP = 2 };
static const int64_t pause_first_ns = NS_PER_S / 2, pause_most_ns = 30 * NS_PER_S;

static int open_in(struct conn **conn, const struct target *t, const char *database, struct cause *c) {
  struct target there;
  target_copy(&there, t);
  free(there.database);
  there.database = xstrdup(database);
  int rc = conn_open(conn, &there, c);
  target_free(&there);
  return rc;
}

int open_in_master(struct conn **conn, const struct target *t, struct cause *c) {
  return open_in(conn, t, "master", c);
}

static int take_got(void *arg, int result, const struct val *col, int ncol) {
  (void)result;
  (void)ncol;
  *(int64_t *)arg = col[0].i;
  return 0;
}

int lock_take(struct conn *in_master, struct cause *c) {
  int64_t got = -1;
  if (conn_query(in_master, "server/lock", NULL, 0, take_got, &got, c) != 0)
    return -1;
  if (got >= 0)
    return 0;
  cause_set(c, STATUS_SETUP, "another ramknee is at work on this server: a sweep, load, drop or restore holds the application lock 'ramknee' in master");
  cause_remedy(c, "wait until it has ended; SELECT * FROM sys.dm_exec_sessions WHERE program_name = 'ramknee' shows whose it is");
  return 1;
}

static int take_start(void *arg, int result, const struct val *col, int ncol) {
  enum { START_TICKS = 3 };
  (void)result;
  (void)ncol;
  *(int64_t *)arg = col[START_TICKS].i;
  return 0;
}

int put_back_restarted(struct conn *conn, int64_t start_ticks) {
  struct cause own;
  int64_t now = 0;
  return start_ticks != 0 && conn_query(conn, "server/cpu", NULL, 0, take_start, &now, &own) == 0 && now != 0 && now != start_ticks;
}

/* ---- putting back ---- */

struct attempt {
  const struct put_back *p;
  const struct journal *j;
  int alive; /* failures that the server itself answered */
};

/* One try: 0 done, 1 left alone, -1 failed; *final: another try makes no sense. */
static int try_once(struct attempt *a, int *final, struct cause *c) {
  struct conn **conn = a->p->conn;
  *final = 0;
  if (*conn && conn_lost(*conn)) {
    conn_close(*conn);
    *conn = NULL;
  }
  if (!*conn && open_in_master(conn, a->p->target, c) != 0) {
    *conn = NULL;
    return -1;
  }
  const struct knob *knob = knob_of(&a->j->state);
  int rc = knob->put_back(*conn, &a->j->state, c);
  if (rc < 0 && !conn_lost(*conn))
    *final = c->number == KNOB_OTHER_SERVER || c->number == KNOB_BY_COMMAND || ++a->alive >= TRIES_ALIVE;
  return rc;
}

static void say_waiting(const struct cause *c, int64_t left_ns) {
  char left[40];
  warn("the setting is not back yet: %s; trying again for %s", c->text, duration_text(left_ns, left, sizeof left));
}

/* Until it is done, makes no sense, takes too long or nobody wants to wait: the last result of try_once. */
static int try_long(struct attempt *a, struct cause *c) {
  int64_t end = mono_ns() + a->p->max_ns, pause = pause_first_ns;
  for (int said = 0;; said = 1) {
    int final, rc = try_once(a, &final, c);
    int64_t now = mono_ns();
    if (rc >= 0 || final || now >= end)
      return rc;
    if (!said || pause >= pause_most_ns)
      say_waiting(c, end - now);
    for (int64_t until = now + pause < end ? now + pause : end; mono_ns() < until;)
      if (supervised_wait(until) >= SIGNALS_TO_GIVE_UP)
        return rc;
    pause = pause * 2 < pause_most_ns ? pause * 2 : pause_most_ns;
  }
}

void put_back_clear_row(const struct target *t, const struct journal *j) {
  struct cause c;
  struct conn *conn = NULL;
  if (!j->database)
    return;
  if (open_in(&conn, t, j->database, &c) == 0 && journal_row_clear(conn, &c) == 0) {
    cause_clear(&c);
    pulse_end(conn, t, j->database);
  }
  conn_close(conn);
  if (c.text[0]) {
    cause_prefix(&c, "the row dbo.ramknee_journal in %s could not be taken away", j->database);
    cause_remedy(&c, "'ramknee restore -S %s -d %s' takes it away", t->name, j->database);
    warn_cause(&c);
  }
}

int put_back_refuse_loss(const struct target *t, const char *database, struct cause *c) {
  struct conn *conn = NULL;
  struct journal j = {0};
  if (open_in(&conn, t, database, NULL) != 0)
    return 0;
  int found = journal_row_read(conn, &j, NULL) == 0;
  conn_close(conn);
  if (!found)
    return 0;
  cause_set(c, STATUS_SETUP, "the database '%s' holds the record of a sweep that was broken off before it put the setting of %s back", database,
            j.state.server);
  journal_free(&j);
  return cause_remedy(c, "'ramknee restore -S %s -d %s' first", t->name, database);
}

enum put_back_result put_back_state(const struct put_back *p, const struct journal *j, struct cause *c) {
  char value[40];
  struct attempt a = {.p = p, .j = j};
  int rc = try_long(&a, c);
  if (rc < 0) {
    if (j->state.command[0] && c->number != KNOB_OTHER_SERVER && c->number != KNOB_BY_COMMAND)
      cause_remedy(c, "run 'ramknee restore' when the command can do its work, or the line below in a shell");
    else if (c->number != KNOB_OTHER_SERVER && c->number != KNOB_BY_COMMAND)
      cause_remedy(c, "run 'ramknee restore' when the server can be reached, or the statement below on it");
    c->status = STATUS_NOT_PUT_BACK;
    if (j->dead_man)
      say("the job \"%s\" of the server's Agent goes on trying", j->dead_man);
    return PUT_BACK_FAILED;
  }
  if (rc == 0)
    say("max server memory of %s is %s again", j->state.server, knob_value_text(j->state.max_mib, value, sizeof value));
  else
    warn_cause(c);
  put_back_clear_row(p->target, j);
  return rc == 0 ? PUT_BACK_DONE : PUT_BACK_LEFT;
}

/* The file that was written is not there any more, or not whole; what it said is still known here. */
static void journal_again(const struct put_back *p, struct journal *j) {
  j->path = xstrdup(p->journal_path);
  j->target = xstrdup(p->target->name);
  j->user = p->target->user ? xstrdup(p->target->user) : NULL;
  j->database = p->database ? xstrdup(p->database) : NULL;
  j->pid = getpid();
  j->written_wall_ns = wall_ns();
  j->state = *p->known;
}

/* The journal, or what it must have said; written again in the second case, for a `restore` that may have to come after us. */
static int find_journal(const struct put_back *p, struct journal *j, struct cause *c) {
  struct cause own;
  int rc = journal_read(j, p->journal_path, c);
  if (rc == 0 || !p->known)
    return rc;
  if (rc == 1)
    warn("the journal %s has been removed meanwhile; the setting goes back as this process knows it", p->journal_path);
  else
    warn("%s; the setting goes back as this process knows it", c->text);
  cause_clear(c);
  journal_again(p, j);
  if (journal_write(j, &own) != 0)
    warn("%s", own.text);
  return 0;
}

enum put_back_result put_back(const struct put_back *p, struct journal *j, struct cause *c) {
  struct cause own;
  memset(j, 0, sizeof *j);
  int rc = find_journal(p, j, c);
  if (rc == 1)
    return PUT_BACK_NOTHING;
  if (rc < 0) {
    c->status = STATUS_NOT_PUT_BACK;
    return PUT_BACK_FAILED;
  }
  enum put_back_result r = put_back_state(p, j, c);
  if (r != PUT_BACK_FAILED && journal_remove(j, &own) != 0) {
    cause_remedy(&own, "remove it by hand: the setting is back");
    warn_cause(&own);
  }
  return r;
}
