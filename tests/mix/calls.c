/* calls HOST:PORT DATABASE USERS CALLS SEED [growing]: users that call the orders mix at once, then the consistency conditions.
 * Prints one line: calls, outcomes, "consistent" or why not.  A helper of the shell tests and benches; exit status 0 or 1. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "mix/load.h"
#include "mix/orders.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
  const struct target *target;
  const struct mix_load *load;
  uint64_t seed, number;
  int64_t calls, outcome[LOST + 1], type[ORDERS_TYPES], ns[ORDERS_TYPES];
  struct cause cause;
};

static void *act(void *arg) {
  struct user *u = arg;
  const struct mix *m = mix_find("orders");
  struct conn *conn;
  struct request r;
  if (conn_open(&conn, u->target, &u->cause) != 0) {
    u->outcome[LOST]++;
    return NULL;
  }
  for (int64_t i = 0; i < u->calls; i++) {
    m->draw(u->load, u->seed, u->number, (uint64_t)i, &r);
    int64_t begun = mono_ns();
    enum outcome o = m->run(conn, &r, &u->cause);
    u->outcome[o]++;
    u->type[r.type] += o == DONE;
    u->ns[r.type] += mono_ns() - begun;
    if (o == FAILED || o == LOST)
      break;
    if (o == DEADLOCK)
      i--; /* again, with the same draws */
  }
  conn_close(conn);
  return NULL;
}

static int64_t number(const char *text, const char *what, int64_t max) {
  struct cause c;
  int64_t n;
  if (int_parse(text, what, 0, max, &n, &c) == 0)
    return n;
  say_cause(&c);
  exit(1);
}

int main(int argc, char **argv) {
  struct cause c = {0};
  struct target t = {0};
  struct mix_load load;
  struct conn *conn = NULL;
  struct user sum = {0};
  if (argc < 6 || sqltext_init(&c) != 0 || target_parse(&t, argv[1], &c) != 0)
    return 1;
  t.encrypt = ENCRYPT_OFF;
  t.user = xstrdup("sa");
  t.password = xstrdup("x");
  t.database = xstrdup(argv[2]);
  int users = (int)number(argv[3], "users", 64);
  struct user *u = xcalloc((size_t)users, sizeof *u);
  pthread_t *thread = xcalloc((size_t)users, sizeof *thread);
  int ok = server_init(&t, users + 1, &c) == 0 && conn_open(&conn, &t, &c) == 0 && load_read(conn, &load, &c) == 0;
  if (!ok) {
    say_cause(&c);
    return 1;
  }
  load.stationary = argc < 7;
  int64_t begun = mono_ns();
  for (int i = 0; i < users; i++) {
    u[i] = (struct user){.target = &t,
                         .load = &load,
                         .seed = (uint64_t)number(argv[5], "seed", INT64_MAX),
                         .number = (uint64_t)i,
                         .calls = number(argv[4], "calls", 100000000) / users};
    if (pthread_create(&thread[i], NULL, act, &u[i]) != 0)
      return 1;
  }
  for (int i = 0; i < users; i++) {
    pthread_join(thread[i], NULL);
    for (int o = 0; o <= LOST; o++)
      sum.outcome[o] += u[i].outcome[o];
    for (int k = 0; k < ORDERS_TYPES; k++) {
      sum.type[k] += u[i].type[k];
      sum.ns[k] += u[i].ns[k];
    }
    if (u[i].outcome[FAILED] + u[i].outcome[LOST] > 0)
      say_cause(&u[i].cause);
  }
  double s = (double)(mono_ns() - begun) / (double)NS_PER_S;
  int good = orders_conditions(conn, &load, &c) == 0;
  printf("done %lld rolled_back %lld deadlock %lld failed %lld lost %lld %s\n", (long long)sum.outcome[DONE],
         (long long)sum.outcome[ROLLED_BACK], (long long)sum.outcome[DEADLOCK], (long long)sum.outcome[FAILED],
         (long long)sum.outcome[LOST], good ? "consistent" : c.text);
  fprintf(stderr, "# %.0f calls/s; mean ms:", (double)(sum.outcome[DONE] + sum.outcome[ROLLED_BACK]) / s);
  for (int k = 0; k < ORDERS_TYPES; k++)
    fprintf(stderr, " %s %.2f", orders_procs[k].name + strlen("dbo.rk_"),
            sum.type[k] ? (double)sum.ns[k] / 1e6 / (double)sum.type[k] : 0);
  fprintf(stderr, "\n");
  conn_close(conn);
  server_done();
  target_free(&t);
  free(u);
  free(thread);
  return good && sum.outcome[FAILED] + sum.outcome[LOST] == 0 ? 0 : 1;
}
