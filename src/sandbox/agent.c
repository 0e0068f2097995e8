#include "config.h"

#include "sandbox/agent.h"
#include "sandbox/quote.h"
#include "sandbox/session_private.h"
#include "sandbox/tds_out.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { AGENT_SPID = 40 }; /* as one of the server's own: clients begin with 51 */

struct job {
  char *database, *command;
};

struct agent {
  struct server *server;
  pthread_t thread;
  pthread_cond_t wake;
  pthread_mutex_t lock; /* guards stop and fd */
  int stop;
  int fd;               /* the far end of the session at work, or -1 */
  int64_t version;      /* server.jobs_version that the list was read at */
  struct job *job;
  size_t n;
};

/* ---- the list ---- */

static void forget_jobs(struct agent *a) {
  for (size_t i = 0; i < a->n; i++) {
    free(a->job[i].database);
    free(a->job[i].command);
  }
  free(a->job);
  a->job = NULL;
  a->n = 0;
}

/* Read again after a change only: a look that costs the engine nothing can disturb no measurement. */
static void read_jobs(struct agent *a) {
  static const char sql[] = "SELECT database_name, command FROM msdb.sysjobs ORDER BY name";
  int64_t version = a->server->jobs_version;
  if (version == a->version)
    return;
  struct engine_conn *k = engine_take(a->server->engine, NULL);
  if (!k)
    return;
  MYSQL_RES *res = mysql_real_query(k->my, sql, sizeof sql - 1) == 0 ? mysql_store_result(k->my) : NULL;
  if (res) {
    forget_jobs(a);
    for (MYSQL_ROW row; (row = mysql_fetch_row(res));) {
      a->job = xrealloc(a->job, a->n + 1, sizeof *a->job);
      a->job[a->n++] = (struct job){.database = xstrdup(row[0]), .command = xstrdup(row[1])};
    }
    mysql_free_result(res);
    a->version = version;
  } else
    k->bad = 1;
  engine_give(a->server->engine, k);
}

/* ---- one run ---- */

/* 0: it is to end. */
static int note_fd(struct agent *a, int fd) {
  pthread_mutex_lock(&a->lock);
  int go = !a->stop;
  a->fd = fd;
  pthread_mutex_unlock(&a->lock);
  return go;
}

/* What the server answers goes into a socket that nobody reads: an Agent looks at success alone, and that is in the tables. */
static void run_step(struct agent *a, const struct job *j, int near) {
  struct packet_in in;
  struct packet_out out;
  struct reply r;
  struct login l = {.user = "sa", .app = "SQLAgent - TSQL JobStep", .host = "localhost", .spid = AGENT_SPID};
  snprintf(l.database, sizeof l.database, "%s", j->database);
  snprintf(l.password, sizeof l.password, "%s", a->server->password ? a->server->password : "");
  packet_in_open(&in, near);
  packet_out_open(&out, near);
  reply_open(&r, &in, &out, a->server->name);
  reply_start(&r, REPLY_LOGIN);
  struct session *s = session_new(a->server, &l, &r);
  if (s) {
    reply_start(&r, REPLY_BATCH);
    session_batch(s, j->command, strlen(j->command), &r);
  }
  session_free(s);
  reply_close(&r);
  packet_out_close(&out);
  packet_in_close(&in);
  wipe(&l, sizeof l);
}

static void run_job(struct agent *a, const struct job *j) {
  int fd[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
    return; /* the next round tries again */
  if (note_fd(a, fd[1]))
    run_step(a, j, fd[0]);
  note_fd(a, -1);
  close(fd[0]);
  close(fd[1]);
}

static void *agent_main(void *arg) {
  struct agent *a = arg;
  for (;;) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += AGENT_EVERY_S;
    pthread_mutex_lock(&a->lock);
    while (!a->stop && pthread_cond_timedwait(&a->wake, &a->lock, &t) == 0)
      ;
    int stop = a->stop;
    pthread_mutex_unlock(&a->lock);
    if (stop)
      return NULL;
    if (engine_dead(a->server->engine))
      continue;
    read_jobs(a);
    for (size_t i = 0; i < a->n; i++)
      run_job(a, &a->job[i]);
  }
}

struct agent *agent_start(struct server *v, struct cause *c) {
  struct agent *a = xcalloc(1, sizeof *a);
  pthread_condattr_t attr;
  a->server = v;
  a->fd = -1;
  a->version = -1;
  pthread_mutex_init(&a->lock, NULL);
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&a->wake, &attr);
  pthread_condattr_destroy(&attr);
  int err = pthread_create(&a->thread, NULL, agent_main, a);
  if (err == 0)
    return a;
  cause_errno(c, STATUS_SETUP, err, "cannot start a thread");
  pthread_cond_destroy(&a->wake);
  pthread_mutex_destroy(&a->lock);
  free(a);
  return NULL;
}

void agent_stop(struct agent *a) {
  if (!a)
    return;
  pthread_mutex_lock(&a->lock);
  a->stop = 1;
  if (a->fd >= 0)
    shutdown(a->fd, SHUT_RDWR); /* what waits for its client then ends */
  pthread_cond_signal(&a->wake);
  pthread_mutex_unlock(&a->lock);
  pthread_join(a->thread, NULL);
  forget_jobs(a);
  pthread_cond_destroy(&a->wake);
  pthread_mutex_destroy(&a->lock);
  free(a);
}

/* ---- server/agent ---- */

void native_agent(struct session *s, const struct field *p, struct reply *r) {
  (void)p;
  static const struct column col[] = {{.name = "agent_xps", .type = W_INT}, {.name = "service", .type = W_INT},
                                      {.name = "sessions", .type = W_INT}, {.name = "may_add", .type = W_INT}};
  int runs = !s->server->persona->no_agent;
  struct field f[4] = {{.type = F_INT, .i = runs}, {.type = F_INT, .i = runs ? 4 : 1}, {.type = F_INT}, {.type = F_INT, .i = 1}};
  reply_columns(r, col, 4);
  reply_row(r, f, 4);
  reply_done(r, -1);
}

/* ---- server/dead_man: the step of the one job that there is ---- */

/* The columns in the order of the query. */
enum { JOB, SERVER, STATE, AGE, AFTER, MAX, MIN, ADVANCED, LAST_MAX, LAST_MIN, NEXT_MAX, NEXT_MIN, COLUMNS };

struct row {
  int found;
  char job[130], server[132], state[16];
  int64_t v[COLUMNS]; /* from AGE on */
};

static int ask_row(struct session *s, struct row *row, struct reply *r) {
  static const char sql[] = "SELECT job, server_name, state, TIMESTAMPDIFF(SECOND, beat_at, UTC_TIMESTAMP(3)), after_s, max_mb, min_mb, "
                            "advanced, last_max_mb, last_min_mb, next_max_mb, next_min_mb FROM ramknee_dead_man WHERE id = 1";
  struct engine_conn *k = session_take(s, r);
  memset(row, 0, sizeof *row);
  if (!k)
    return -1;
  MYSQL_RES *res = mysql_real_query(k->my, sql, sizeof sql - 1) == 0 ? mysql_store_result(k->my) : NULL;
  MYSQL_ROW got = res ? mysql_fetch_row(res) : NULL;
  int rc = res ? 0 : engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
  if (got) {
    row->found = 1;
    snprintf(row->job, sizeof row->job, "%s", got[JOB]);
    snprintf(row->server, sizeof row->server, "%s", got[SERVER]);
    snprintf(row->state, sizeof row->state, "%s", got[STATE]);
    for (int i = AGE; i < COLUMNS; i++)
      row->v[i] = strtoll(got[i], NULL, 10);
  }
  mysql_free_result(res);
  session_give(s, k);
  return rc;
}

static int tell_engine(struct session *s, const char *sql, struct reply *r) {
  struct engine_conn *k = session_take(s, r);
  if (!k)
    return -1;
  int rc = engine_run(k, sql, NULL) == 0 ? 0 : engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
  session_give(s, k);
  return rc;
}

/* The lock is one of master; the session goes on in its database. */
static int take_lock(struct session *s) {
  struct database *own = s->db;
  s->db = server_database(s->server, "master");
  int got = applock_take(s, "ramknee");
  s->db = own;
  return got;
}

static int64_t limit(int64_t max) {
  return max == 0 ? SET_UNLIMITED : max;
}

/* What to set: 1, and to[] is max and min; 0: nothing there is the sweep's. */
static int decide(const struct row *w, int64_t now_max, int64_t now_min, int64_t to[2], const char **end) {
  const int64_t *v = w->v;
  int max_ours = now_max == limit(v[MAX]) || now_max == v[LAST_MAX] || now_max == v[NEXT_MAX];
  int min_moved = (v[LAST_MAX] && now_min == v[LAST_MIN]) || (v[NEXT_MAX] && now_min == v[NEXT_MIN]);
  *end = "left";
  to[0] = limit(v[MAX]);
  to[1] = v[MIN];
  if (max_ours && (min_moved || now_min == v[MIN])) {
    *end = "restored";
    return 1;
  }
  to[0] = now_max;
  return min_moved && now_min != v[MIN] && v[MIN] <= now_max;
}

/* 0: as wanted, and read back. */
static int put_back(struct session *s, const struct row *w, int64_t stored_max, int64_t now_min, const int64_t to[2], int restored,
                    struct reply *r) {
  struct settings *o = s->server->settings;
  struct field server = {.type = F_TEXT, .p = w->server, .len = strlen(w->server)};
  struct field set[5] = {server, {.type = F_INT, .i = stored_max}, {.type = F_INT, .i = now_min}, {.type = F_INT, .i = to[0]},
                         {.type = F_INT, .i = to[1]}};
  native_run(s, "set", set, 5, r);
  if (settings_get(o, SET_MAX_MEMORY).in_use != to[0] || settings_get(o, SET_MIN_MEMORY).value != to[1])
    return -1;
  struct field advanced[2] = {server, {.type = F_INT, .i = w->v[ADVANCED]}};
  if (restored && settings_get(o, SET_ADVANCED).value != w->v[ADVANCED])
    native_run(s, "set_advanced", advanced, 2, r);
  return !restored || settings_get(o, SET_ADVANCED).value == w->v[ADVANCED] ? 0 : -1;
}

static int come_to_help(struct session *s, const struct row *w, struct reply *r) {
  struct settings *o = s->server->settings;
  int64_t stored_max = settings_get(o, SET_MAX_MEMORY).value, now_min = settings_get(o, SET_MIN_MEMORY).value, to[2];
  const char *end = "left";
  char sql[300];
  if (strcmp(w->server, s->server->name) == 0 && decide(w, limit(stored_max), now_min, to, &end) &&
      put_back(s, w, stored_max, now_min, to, strcmp(end, "restored") == 0, r) != 0)
    return -1;
  snprintf(sql, sizeof sql,
           "UPDATE ramknee_dead_man SET state = '%s', found_max_mb = %lld, ended_at = UTC_TIMESTAMP(3) WHERE id = 1 AND state = 'armed'", end,
           (long long)stored_max);
  return tell_engine(s, sql, r);
}

static void delete_job(struct session *s, const char *name, struct reply *r) {
  struct text t = {0};
  text_add(&t, "DELETE FROM msdb.sysjobs WHERE name = ");
  quote_text(&t, name, strlen(name));
  tell_engine(s, t.s, r);
  text_free(&t);
  s->server->jobs_version++;
}

void native_dead_man(struct session *s, const struct field *p, struct reply *r) {
  struct row w;
  (void)p;
  if (tell_engine(s, "UPDATE ramknee_dead_man SET ran_at = UTC_TIMESTAMP(3) WHERE id = 1", r) != 0 || ask_row(s, &w, r) != 0)
    return;
  int armed = strcmp(w.state, "armed") == 0;
  if (armed && w.v[AGE] < w.v[AFTER])
    return;
  int got = take_lock(s);
  if (ask_row(s, &w, r) != 0)
    return;
  if (!w.found) {
    reply_error(r, 50007, 1, 16, "", 1,
                "ramknee: nobody knows any more what to put back; look at max server memory by hand, then delete this job");
    return;
  }
  armed = strcmp(w.state, "armed") == 0;
  if (armed && (w.v[AGE] < w.v[AFTER] || (got < 0 && w.v[AGE] / 3 < w.v[AFTER])))
    return;
  if (armed ? come_to_help(s, &w, r) != 0 : tell_engine(s, "DELETE FROM ramknee_dead_man WHERE id = 1 AND state = 'over'", r) != 0)
    return;
  delete_job(s, w.job, r);
}
