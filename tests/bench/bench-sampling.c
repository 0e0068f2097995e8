/* bench-sampling SERVER: what sampling costs: transactions a second of 8 users that never wait, on a small database that fits in memory,
 * with the sampler and without it, in pairs of turns whose order changes so that a drift cancels out. */
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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USERS = 8, PAIRS = 6, TURN_S = 4 };

static void on_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t n) {
  (void)arg, (void)s, (void)row, (void)n;
}

static void on_sample(void *arg, const struct server_sample *s) {
  (void)arg, (void)s;
}

/* Transactions a second over one turn. */
static int turn(struct drive *d, const struct target *t, int sampled, double *rate, struct cause *c) {
  struct sampler *s = NULL;
  struct drive_totals a, b;
  if (sampled && sampler_start(&s, t, t->database, mono_ns(), on_sample, NULL, c) != 0)
    return -1;
  drive_totals(d, &a);
  int64_t begin = mono_ns();
  sleep_until_ns(begin + TURN_S * NS_PER_S);
  drive_totals(d, &b);
  *rate = (double)(b.done - a.done) / ((double)(mono_ns() - begin) / 1e9);
  sampler_stop(s);
  if (b.failed + b.lost > 0) {
    *c = b.first_error;
    return -1;
  }
  return 0;
}

static int sample_ms(const struct target *t, double *ms, struct cause *c) {
  enum { N = 20 };
  struct conn *conn;
  struct server_sample s;
  if (conn_open(&conn, t, c) != 0)
    return -1;
  int rc = sample_take(conn, t->database, 0, &s, c);
  int64_t begin = mono_ns();
  for (int i = 0; rc == 0 && i < N; i++)
    rc = sample_take(conn, t->database, 0, &s, c);
  *ms = (double)(mono_ns() - begin) / 1e6 / N;
  conn_close(conn);
  return rc;
}

static int run(const struct target *t, struct cause *c) {
  const struct mix *mix = mix_find("orders");
  const struct load_options o = {.database = t->database, .mix = mix, .scale = 8, .density = 0.02, .seed = 1, .streams = 2};
  const struct demand demand = {.users = USERS, .seed = 1};
  struct mix_load load = {0};
  struct drive *d = NULL;
  double with, without, cost[PAIRS], mean = 0, var = 0, sum_with = 0, sum_without = 0, ms = NAN;
  if (server_init(t, USERS + 8, c) != 0 || load_run(t, &o, &load, c) != 0)
    return -1;
  load.stationary = 1;
  if (drive_open(&d, t, mix, &load, &demand, mono_ns(), on_second, NULL, c) != 0)
    return -1;
  drive_phase(d, PHASE_WARM, 1);
  sleep_until_ns(mono_ns() + 5 * NS_PER_S);
  int rc = 0;
  for (int i = 0; rc == 0 && i < PAIRS; i++) {
    double *first = i % 2 ? &with : &without, *second = i % 2 ? &without : &with;
    rc = turn(d, t, i % 2, first, c) != 0 || turn(d, t, !(i % 2), second, c) != 0 ? -1 : 0;
    cost[i] = 1 - with / without;
    sum_with += with / PAIRS;
    sum_without += without / PAIRS;
    mean += cost[i] / PAIRS;
  }
  if (rc == 0)
    rc = sample_ms(t, &ms, c);
  drive_close(d);
  for (int i = 0; i < PAIRS; i++)
    var += pow(cost[i] - mean, 2) / (PAIRS - 1);
  if (rc == 0)
    printf("sampling: %.0f tx/s without, %.0f with one sample a second: it costs %.1f %% +- %.1f (standard error of %d pairs); one sample "
           "takes %.1f ms under this load\n", sum_without, sum_with, 100 * mean, 100 * sqrt(var / PAIRS), PAIRS, ms);
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
