/* bench-sampling SERVER: what sampling costs: transactions a second of 8 users that never wait, on a small database that fits in memory,
 * without samples, with one a second as a sweep takes them, and with 20 a second: what one costs is far below what the machine's own
 * unrest does to a turn, so its share is taken from the 20.  The turns of a round change their order, so that a drift cancels out.
 * Beside it: what one sample is (statements, rows, time), on the quiet sandbox and under that load. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/drive.h"
#include "mix/load.h"
#include "sample/sample.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USERS = 8, ROUNDS = 6, TURN_S = 3, MANY = 20 };
enum turn { WITHOUT, ONE, MANY_A_SECOND, TURNS };

static void on_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t n) {
  (void)arg, (void)s, (void)row, (void)n;
}

static void on_sample(void *arg, const struct server_sample *s) {
  (void)arg, (void)s;
}

/* ---- more samples than the sampler takes ---- */

struct eager {
  const struct target *target;
  pthread_t thread;
  _Atomic int stop;
  int64_t taken;
  int rc;
  struct cause cause;
};

static void *take_many(void *arg) {
  struct eager *e = arg;
  struct conn *conn = NULL;
  struct server_sample s;
  e->rc = conn_open(&conn, e->target, &e->cause);
  for (int64_t due = mono_ns(); e->rc == 0 && !atomic_load(&e->stop); due += NS_PER_S / MANY) {
    sleep_until_ns(due);
    e->rc = sample_take(conn, e->target->database, 0, &s, &e->cause);
    e->taken++;
  }
  conn_close(conn);
  return NULL;
}

/* ---- turns ---- */

/* Transactions a second over one turn; *samples a second that were taken. */
static int turn(struct drive *d, const struct target *t, enum turn kind, double *rate, double *samples, struct cause *c) {
  struct sampler *s = NULL;
  struct eager e = {.target = t};
  struct drive_totals a, b;
  if (kind == ONE && sampler_start(&s, t, t->database, mono_ns(), on_sample, NULL, c) != 0)
    return -1;
  if (kind == MANY_A_SECOND && pthread_create(&e.thread, NULL, take_many, &e) != 0)
    return cause_set(c, STATUS_SETUP, "cannot start a thread");
  drive_totals(d, &a);
  int64_t begin = mono_ns();
  sleep_until_ns(begin + TURN_S * NS_PER_S);
  drive_totals(d, &b);
  const double seconds = (double)(mono_ns() - begin) / 1e9;
  *rate = (double)(b.done - a.done) / seconds;
  *samples = kind == ONE;
  sampler_stop(s);
  if (kind == MANY_A_SECOND) {
    atomic_store(&e.stop, 1);
    pthread_join(e.thread, NULL);
    *samples = (double)e.taken / seconds;
    if (e.rc != 0)
      *c = e.cause;
  }
  if (b.failed + b.lost > 0) {
    *c = b.first_error;
    return -1;
  }
  return e.rc;
}

/* What one sample is. */
struct one {
  double ms;      /* mean of some */
  int64_t calls;
};

static int one_sample(const struct target *t, struct one *o, struct cause *c) {
  enum { N = 20 };
  struct conn *conn;
  struct server_sample s;
  if (conn_open(&conn, t, c) != 0)
    return -1;
  int rc = sample_take(conn, t->database, 0, &s, c);
  int64_t begin = mono_ns(), calls = conn_calls(conn);
  for (int i = 0; rc == 0 && i < N; i++)
    rc = sample_take(conn, t->database, 0, &s, c);
  o->ms = (double)(mono_ns() - begin) / 1e6 / N;
  o->calls = (conn_calls(conn) - calls) / N;
  conn_close(conn);
  return rc;
}

static int count_row(void *arg, int result, const struct val *col, int ncol) {
  int64_t *n = arg; /* rows, bytes of their texts and numbers */
  (void)result;
  n[0]++;
  for (int i = 0; i < ncol; i++)
    n[1] += col[i].type == VAL_TEXT ? 2 * col[i].len : 8;
  return 0;
}

static int rows_of_sample(const struct target *t, int64_t n[2], struct cause *c) {
  const struct val db = VAL_T(t->database);
  struct conn *conn;
  if (conn_open(&conn, t, c) != 0)
    return -1;
  n[0] = n[1] = 0;
  int rc = conn_query(conn, "server/files", NULL, 0, count_row, n, c) != 0 || conn_query(conn, "server/counters", &db, 1, count_row, n, c) != 0 ||
                   conn_query(conn, "server/cpu", NULL, 0, count_row, n, c) != 0
               ? -1
               : 0;
  conn_close(conn);
  return rc;
}

/* Mean and standard error. */
struct spread {
  double mean, error;
};

static struct spread spread_of(const double *v, int n) {
  struct spread s = {0};
  for (int i = 0; i < n; i++)
    s.mean += v[i] / n;
  for (int i = 0; i < n; i++)
    s.error += pow(v[i] - s.mean, 2) / (n - 1) / n;
  s.error = sqrt(s.error);
  return s;
}

static int rounds(struct drive *d, const struct target *t, struct cause *c) {
  double rate[TURNS], samples[TURNS], share[ROUNDS], share_many[ROUNDS], one[ROUNDS], sum[TURNS] = {0}, many = 0;
  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < TURNS; k++) {
      enum turn kind = (enum turn)((i % 2 ? TURNS - 1 - k : k) + i / 2) % TURNS;
      if (turn(d, t, kind, &rate[kind], &samples[kind], c) != 0)
        return -1;
      sum[kind] += rate[kind] / ROUNDS;
    }
    one[i] = 100 * (1 - rate[ONE] / rate[WITHOUT]);
    share_many[i] = 100 * (1 - rate[MANY_A_SECOND] / rate[WITHOUT]);
    share[i] = share_many[i] / samples[MANY_A_SECOND];
    many += samples[MANY_A_SECOND] / ROUNDS;
  }
  const struct spread a = spread_of(one, ROUNDS), b = spread_of(share_many, ROUNDS), s = spread_of(share, ROUNDS);
  printf("sampling: %.0f tx/s without, %.0f with one sample a second (ratio %.3f, costs %.1f %% +- %.1f), %.0f with %.1f a second (%.1f %% +- %.1f)\n",
         sum[WITHOUT], sum[ONE], sum[ONE] / sum[WITHOUT], a.mean, a.error, sum[MANY_A_SECOND], many, b.mean, b.error);
  printf("sampling: so one sample a second costs %.2f %% +- %.2f of the throughput (standard error of %d rounds; 8 users that never wait)\n", s.mean,
         s.error, ROUNDS);
  return 0;
}

static int run(const struct target *t, struct cause *c) {
  const struct mix *mix = mix_find("orders");
  const struct load_options o = {.database = t->database, .mix = mix, .scale = 8, .density = 0.02, .seed = 1, .streams = 2};
  const struct demand demand = {.users = USERS, .seed = 1};
  struct mix_load load = {0};
  struct drive *d = NULL;
  struct one quiet, busy;
  int64_t size[2];
  if (server_init(t, USERS + 8, c) != 0 || load_run(t, &o, &load, c) != 0 || one_sample(t, &quiet, c) != 0 || rows_of_sample(t, size, c) != 0)
    return -1;
  load.stationary = 1;
  if (drive_open(&d, t, mix, &load, &demand, mono_ns(), on_second, NULL, c) != 0)
    return -1;
  drive_phase(d, PHASE_WARM, 1);
  sleep_until_ns(mono_ns() + 5 * NS_PER_S);
  int rc = rounds(d, t, c);
  if (rc == 0)
    rc = one_sample(t, &busy, c);
  drive_close(d);
  if (rc == 0)
    printf("sampling: one sample is %lld statements, %lld rows, some %.1f kB; it takes %.1f ms on the quiet sandbox, %.1f ms under this load\n",
           (long long)quiet.calls, (long long)size[0], (double)size[1] / 1e3, quiet.ms, busy.ms);
  return rc;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  struct target t = {0};
  signal(SIGPIPE, SIG_IGN);
  log_name("bench-sampling");
  log_quiet(1);
  if (argc != 2)
    return 1;
  int rc = sqltext_init(&c) != 0 || target_parse(&t, argv[1], &c) != 0 ? -1 : 0;
  if (rc == 0) {
    t.user = xstrdup("sa");
    t.password = xstrdup("");
    t.database = xstrdup("bench_sampling");
    rc = run(&t, &c);
    server_done();
  }
  target_free(&t);
  if (rc != 0)
    say_cause(&c);
  return rc != 0;
}
