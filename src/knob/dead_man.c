#include "config.h"

#include "knob/dead_man.h"
#include "base/sqltext.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPRESS = 4, RUNNING = 4, PIECES = 3, PIECE_MOST = 4000 };

/* ---- before ---- */

static int take_agent(void *arg, int result, const struct val *col, int ncol) {
  int64_t *v = arg;
  (void)result;
  for (int i = 0; i < ncol && i < 4; i++)
    v[i] = col[i].type == VAL_INT ? col[i].i : -1;
  return 0;
}

static int not_running(struct cause *c) {
  cause_set(c, STATUS_SETUP, "SQL Server Agent does not run here, so nobody would run the dead-man's job");
  return cause_remedy(c, "start the service (on Linux: mssql-conf set sqlagent.enabled true), or leave --dead-man out");
}

int dead_man_possible(struct conn *conn, int64_t engine_edition, struct cause *c) {
  int64_t v[4] = {-1, -1, -1, -1};
  if (engine_edition == EXPRESS) {
    cause_set(c, STATUS_SETUP, "the Express edition has no SQL Server Agent that could run the dead-man's job");
    return cause_remedy(c, "leave --dead-man out; the journal and 'ramknee restore' remain");
  }
  if (conn_query(conn, "server/agent", NULL, 0, take_agent, v, c) != 0)
    return cause_prefix(c, "--dead-man");
  const int64_t xps = v[0], service = v[1], sessions = v[2], may_add = v[3];
  if (may_add == 0) {
    cause_set(c, STATUS_SETUP, "the login may not make a job of SQL Server Agent");
    return cause_remedy(c, "have a DBA add it to SQLAgentUserRole in msdb ('ramknee sql grant' has it), or leave --dead-man out");
  }
  if (sessions > 0 || service == RUNNING)
    return 0;
  if (xps == 0 || service >= 0)
    return not_running(c);
  cause_set(c, STATUS_SETUP, "whether SQL Server Agent runs cannot be seen with this login's rights: the dead-man's job is made, but may "
            "never be run");
  cause_remedy(c, "the sweep warns when the job has not run after three minutes; VIEW SERVER SECURITY STATE (before 2022: VIEW SERVER "
               "STATE) would tell");
  return 1;
}

/* The Agent would look into a name for its tokens, and refuses '%': only plain signs are kept. */
static void add_plain(struct text *t, const char *s, size_t most) {
  for (size_t n = 0; *s && n < most; s++) {
    if (((unsigned char)*s & 0xC0) == 0x80)
      continue; /* of a character that has been replaced already */
    int plain = isalnum((unsigned char)*s) || strchr("-._\\", *s);
    text_addn(t, plain ? s : "_", 1);
    n++;
  }
}

char *dead_man_job(const char *server, const char *run) {
  struct text t = {0};
  text_add(&t, "ramknee puts the memory of ");
  add_plain(&t, server, 38);
  text_add(&t, " back when run ");
  add_plain(&t, run, 38);
  text_add(&t, " is dead");
  return t.s;
}

/* ---- the job ---- */

static int write_row(struct conn *conn, const struct journal *j, const char *run, int64_t after_s, struct cause *c) {
  const struct knob_state *s = &j->state;
  const struct val v[] = {VAL_T(j->dead_man), VAL_T(run),        VAL_T(s->server),  VAL_I(after_s),
                          VAL_I(s->max_mib),  VAL_I(s->min_mib), VAL_I(s->advanced)};
  return conn_query(conn, "server/dead_man_write", v, 7, NULL, NULL, c);
}

/* Cut at the ends of lines; a parameter takes no more than PIECE_MOST bytes. */
static int cut(const struct sqltext *t, struct val piece[PIECES]) {
  const char *p = t->text, *end = t->text + t->size;
  for (int i = 0; i < PIECES; i++) {
    size_t left = (size_t)(end - p), n = left / (size_t)(PIECES - i);
    const char *line = i == PIECES - 1 ? NULL : memchr(p + n, '\n', left - n);
    n = line ? (size_t)(line + 1 - p) : left;
    if (n == 0 || n > PIECE_MOST)
      return -1;
    piece[i] = VAL_B(p, (int)n);
    piece[i].type = VAL_TEXT;
    p += n;
  }
  return 0;
}

static int make_job(struct conn *conn, const struct journal *j, int64_t after_s, struct cause *c) {
  const struct sqltext *step = sqltext_find("server/dead_man");
  struct val v[2 + PIECES];
  if (!step || cut(step, v + 2) != 0)
    return cause_set(c, STATUS_SETUP, "the text of the dead-man's job cannot be sent");
  char *about = xprintf("Made by 'ramknee sweep --dead-man' on %.80s. Each minute: when the sweep has not been heard of for %lld s, max "
                        "server memory goes back to what it was, and this job deletes itself. 'ramknee restore' does the same at once. "
                        "Should the database %.100s be gone, look at the setting, then delete this job.",
                        j->client ? j->client : "a client", (long long)after_s, j->database ? j->database : "");
  v[0] = VAL_T(j->dead_man);
  v[1] = VAL_T(about);
  int rc = conn_query(conn, "server/dead_man_make", v, 2 + PIECES, NULL, NULL, c);
  free(about);
  return rc;
}

int dead_man_arm(struct conn *conn, const struct journal *j, const char *run, int64_t after_s, struct cause *c) {
  int rc = dead_man_remove(conn, c); /* one of a run that ended long ago */
  if (rc == 0)
    rc = write_row(conn, j, run, after_s, c);
  if (rc == 0 && (rc = make_job(conn, j, after_s, c)) != 0)
    dead_man_remove(conn, NULL);
  if (rc != 0) {
    cause_prefix(c, "the dead-man's job cannot be made, so nothing was changed");
    if (c && !c->remedy[0])
      cause_remedy(c, "have a DBA look at it ('ramknee sql dead-man' prints it), or leave --dead-man out");
  }
  return rc;
}

int dead_man_next(struct conn *conn, const struct knob_state *s, struct cause *c) {
  const struct val v[] = {VAL_I(s->last_mib), VAL_I(s->last_min_mib), VAL_I(s->next_mib), VAL_I(s->next_min_mib)};
  return conn_query(conn, "server/dead_man_next", v, 4, NULL, NULL, c);
}

/* ---- life ---- */

static int take_life(void *arg, int result, const struct val *col, int ncol) {
  struct dead_man_life *l = arg;
  (void)result;
  (void)ncol;
  l->armed = strcmp(col[0].p, "armed") == 0;
  l->armed_s = col[1].i;
  l->ran_s = col[2].type == VAL_INT ? col[2].i : -1;
  return 0;
}

int dead_man_beat(struct conn *conn, struct dead_man_life *l, struct cause *c) {
  *l = (struct dead_man_life){.ran_s = -1};
  return conn_query(conn, "server/dead_man_beat", NULL, 0, take_life, l, c);
}

static int take_row(void *arg, int result, const struct val *col, int ncol) {
  struct dead_man *d = arg;
  (void)result;
  (void)ncol;
  snprintf(d->job, sizeof d->job, "%s", col[0].p);
  snprintf(d->run, sizeof d->run, "%s", col[1].p);
  snprintf(d->server, sizeof d->server, "%s", col[2].p);
  snprintf(d->state, sizeof d->state, "%s", col[3].p);
  d->after_s = col[4].i;
  d->max_mib = col[5].i;
  d->found_mib = col[6].type == VAL_INT ? col[6].i : 0;
  snprintf(d->ended_at, sizeof d->ended_at, "%s", col[7].type == VAL_TEXT ? col[7].p : "");
  return 0;
}

int dead_man_read(struct conn *conn, struct dead_man *d, struct cause *c) {
  memset(d, 0, sizeof *d);
  if (conn_query(conn, "server/dead_man_read", NULL, 0, take_row, d, c) != 0)
    return -1;
  return d->job[0] ? 0 : 1;
}

int dead_man_remove(struct conn *conn, struct cause *c) {
  return conn_query(conn, "server/dead_man_remove", NULL, 0, NULL, NULL, c);
}
