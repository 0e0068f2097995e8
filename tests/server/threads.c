/* A hundred connections in as many threads, each with errors that only it may hear.  A plain program, so that it runs under the thread
 * sanitizer, too. */
#include "config.h"

#include "stand-in.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 100, CALLS = 20 };

static void *user(void *arg) {
  static const struct proc_param p[2] = {{"@a", P_INT, 0, 0}, {"@b", P_VARCHAR, 20, 0}};
  static const struct proc deadlock = {"dbo.rk_deadlock", 2, p}, rows = {"dbo.rk_rows", 2, p};
  const struct val v[2] = {VAL_I(1), VAL_T("x")};
  atomic_int *done = arg;
  struct conn *conn = NULL;
  struct cause c = {0};
  int good = 0;
  if (conn_open(&conn, &stand_in_target, &c) != 0) {
    fprintf(stderr, "# %s\n", c.text);
    return NULL;
  }
  for (int i = 0; i < CALLS; i++) {
    c.number = 0;
    good += conn_call(conn, &rows, v, &c) == DONE && c.number == 0;
    good += conn_call(conn, &deadlock, v, &c) == DEADLOCK && c.number == 1205;
  }
  good += conn_calls(conn) == 1 + 2 * CALLS;
  conn_close(conn);
  atomic_fetch_add(done, good == 2 * CALLS + 1);
  return NULL;
}

/* A call that never ends, ended from here while its own thread waits in it. */
static void *waiter(void *arg) {
  static const struct proc silent = {"dbo.rk_silent", 0, NULL};
  return conn_call(arg, &silent, NULL, NULL) == LOST ? arg : NULL;
}

static int interrupt_while_it_waits(void) {
  struct conn *conn = stand_in_conn();
  pthread_t t;
  void *lost = NULL;
  pthread_create(&t, NULL, waiter, conn);
  while (conn_calls(conn) < 2)
    usleep(1000);
  usleep(100 * 1000);
  conn_interrupt(conn, 1);
  pthread_join(t, &lost);
  conn_close(conn);
  return lost != NULL;
}

int main(void) {
  pthread_t t[THREADS];
  atomic_int done = 0;
  alarm(300); /* never hang */
  printf("1..2\n");
  stand_in_start(THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&t[i], NULL, user, &done) != 0)
      return 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  printf("%s 1 - %d of %d connections in threads heard their own answers\n", done == THREADS ? "ok" : "not ok", done, THREADS);
  int interrupted = interrupt_while_it_waits();
  printf("%s 2 - a hard interrupt ends another thread's call\n", interrupted ? "ok" : "not ok");
  stand_in_stop();
  return 0;
}
