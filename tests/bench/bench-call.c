/* bench-call SERVER: client CPU of a procedure call through conn_call beside a bare db-lib loop of the same calls, 8 users, the front
 * door answering by itself.  The two take turns, so that what disturbs the machine disturbs both. */
#include "config.h"

#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "server/impl.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { USERS = 8, CALLS = 4000, ROUNDS = 9 };

static const struct proc_param params[] = {
  {"@w", P_INT, 0, 0}, {"@d", P_TINYINT, 0, 0}, {"@c", P_INT, 0, 0}, {"@lines", P_VARBINARY, 180, 0}, {"@name", P_VARCHAR, 16, 0},
};
static const struct proc null_call = {"dbo.rk_null", 5, params};

struct user {
  pthread_t thread;
  struct conn *conn;
  int failed;
};

static void *call_ours(void *arg) {
  struct user *u = arg;
  char lines[120] = {1};
  for (int i = 0; i < CALLS; i++) {
    const struct val v[] = {VAL_I(i), VAL_I(i % 10), VAL_I(i % 3000), VAL_B(lines, sizeof lines), VAL_T("BARBARBAR")};
    u->failed += conn_call(u->conn, &null_call, v, NULL) != DONE;
  }
  return NULL;
}

static void *call_bare(void *arg) {
  struct user *u = arg;
  DBPROCESS *db = u->conn->db;
  char lines[120] = {1}, name[] = "BARBARBAR";
  for (DBINT i = 0; i < CALLS; i++) {
    DBTINYINT d = (DBTINYINT)(i % 10);
    DBINT c = i % 3000;
    dbrpcinit(db, "dbo.rk_null", 0);
    dbrpcparam(db, "@w", 0, SYBINT4, -1, -1, (BYTE *)&i);
    dbrpcparam(db, "@d", 0, SYBINT1, -1, -1, (BYTE *)&d);
    dbrpcparam(db, "@c", 0, SYBINT4, -1, -1, (BYTE *)&c);
    dbrpcparam(db, "@lines", 0, SYBVARBINARY, -1, sizeof lines, (BYTE *)lines);
    dbrpcparam(db, "@name", 0, SYBVARCHAR, -1, sizeof name - 1, (BYTE *)name);
    dbrpcsend(db);
    dbsqlok(db);
    while (dbresults(db) == SUCCEED)
      while (dbnextrow(db) == REG_ROW)
        ;
    u->failed += !dbhasretstat(db) || dbretstatus(db) != 0;
  }
  return NULL;
}

static double cpu_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* CPU of one call in microseconds, user and kernel, of this process. */
static double round_us(struct user *u, void *(*loop)(void *)) {
  double begin = cpu_us();
  for (int i = 0; i < USERS; i++)
    pthread_create(&u[i].thread, NULL, loop, &u[i]);
  for (int i = 0; i < USERS; i++)
    pthread_join(u[i].thread, NULL);
  return (cpu_us() - begin) / (USERS * CALLS);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int run(const char *server, struct cause *c) {
  struct target t;
  struct user u[USERS] = {0};
  double ours[ROUNDS], bare[ROUNDS];
  if (target_parse(&t, server, c) != 0)
    return -1;
  t.user = xstrdup("sa");
  t.password = xstrdup("");
  if (server_init(&t, USERS, c) != 0)
    return -1;
  for (int i = 0; i < USERS; i++)
    if (conn_open(&u[i].conn, &t, c) != 0)
      return -1;
  for (int i = -1; i < ROUNDS; i++) { /* the first round warms up */
    double b = round_us(u, call_bare), o = round_us(u, call_ours);
    if (i >= 0) {
      bare[i] = b;
      ours[i] = o;
    }
  }
  int failed = 0;
  for (int i = 0; i < USERS; i++) {
    failed += u[i].failed;
    conn_close(u[i].conn);
  }
  server_done();
  target_free(&t);
  if (failed)
    return cause_set(c, STATUS_INCOMPLETE, "%d calls failed", failed);
  qsort(ours, ROUNDS, sizeof *ours, by_value);
  qsort(bare, ROUNDS, sizeof *bare, by_value);
  double o = ours[ROUNDS / 2], b = bare[ROUNDS / 2];
  printf("call: client CPU %.1f us with conn_call, %.1f us with bare db-lib, ratio %.2f (want 1.20 at most); %d users, median of %d rounds\n", o, b,
         o / b, USERS, ROUNDS);
  return 0;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  signal(SIGPIPE, SIG_IGN);
  log_name("bench-call");
  if (argc != 2)
    return 1;
  if (sqltext_init(&c) == 0 && run(argv[1], &c) == 0)
    return 0;
  say_cause(&c);
  return 1;
}
