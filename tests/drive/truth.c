/* truth SERVER: what the whole load path (users, connection, server, rings, collector, histograms) says of delays that are known: the
 * sandbox's front door answers dbo.rk_delay after the time that the call asks for.  Speaks TAP; the figures stand beside each judgement.
 *
 * Four types of request go at once, so that the delays are judged beside a null call of the same seconds:
 *   p50 of a delay: what was programmed, and 5 % + 200 us at most
 *   p99 of a delay: the same, and twice what the null call's p99 shows (a delay wakes up once more than a null call)
 * closed and under a rate.  Then the server answers nobody for 2 s at 200 arrivals a second: the response times must be what the
 * arrivals make of it, by queueing alone, and the service times must not show it.
 *
 * A busy machine is late by itself: each judgement may be tried again in a phase of its own, and a sleeper that does nothing else tells
 * whether the machine was quiet meanwhile.  A judgement fails when it was never good though the machine was quiet in two tries; when it
 * was not, there was nothing to judge by, and it is skipped. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/inside.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { NULL_CALL, CONSTANT, UNIFORM, BIMODAL, TYPES };
static const char *const types[TYPES] = {"null", "constant", "uniform", "bimodal"};
enum { TRIES = 5, QUIET_TRIES = 2 };

/* ---- the server's side of it ---- */

/* What was programmed for the requests that were done, by bucket of the histograms. */
static _Atomic uint64_t programmed[TYPES][HIST_BUCKETS];
/* While the monotonic clock is in it the server answers nobody. */
static _Atomic int64_t stall_from_ns, stall_to_ns;

static int64_t draw_us(int type, struct rng *r) {
  switch (type) {
  case CONSTANT: return 5000;
  case UNIFORM: return rng_range(r, 2000, 10000);
  case BIMODAL: return rng_range(r, 0, 9) ? 3000 : 20000;
  default: return 0;
  }
}

static void draw(const struct mix_load *load, uint64_t seed, uint64_t user, uint64_t seq, struct request *q) {
  struct rng r = rng_at(seed, user, seq);
  (void)load;
  q->type = (uint8_t)rng_range(&r, 0, TYPES - 1);
  q->narg = 1;
  q->arg[0] = VAL_I(draw_us(q->type, &r));
}

static enum outcome ask(struct conn *conn, const char *name, const struct val *us, struct cause *c) {
  static const struct proc_param p[] = {{"@us", P_BIGINT, 0, 0}};
  const struct proc proc = {name, 1, p};
  return conn_call(conn, &proc, us, c);
}

static enum outcome run_delays(struct conn *conn, const struct request *q, struct cause *c) {
  enum outcome o = ask(conn, q->type == NULL_CALL ? "dbo.rk_null" : "dbo.rk_delay", &q->arg[0], c);
  if (o == DONE)
    atomic_fetch_add_explicit(&programmed[q->type][hist_bucket(q->arg[0].i * NS_PER_US)], 1, memory_order_relaxed);
  return o;
}

static enum outcome run_stall(struct conn *conn, const struct request *q, struct cause *c) {
  const int64_t now = mono_ns(), to = atomic_load(&stall_to_ns);
  (void)q;
  if (now < atomic_load(&stall_from_ns) || now >= to)
    return ask(conn, "dbo.rk_null", &VAL_I(0), c);
  return ask(conn, "dbo.rk_delay", &VAL_I((to - now) / NS_PER_US), c);
}

static const struct mix delays = {.name = "delays", .ntype = TYPES, .type_name = types, .draw = draw, .run = run_delays};
static const struct mix stalled = {.name = "stall", .ntype = TYPES, .type_name = types, .draw = draw, .run = run_stall};

/* ---- what the collector says ---- */

struct seen {
  struct hist *response[TYPES], *service[TYPES];
  int64_t done, waiting_most, overflow;
};

static void on_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t n) {
  struct seen *w = arg;
  w->done += s->done;
  w->overflow += s->ring_overflow;
  w->waiting_most = s->waiting > w->waiting_most ? s->waiting : w->waiting_most;
  for (size_t i = 0; i < n; i++)
    if (row[i].what != HIST_LATENESS)
      hist_add(row[i].what == HIST_RESPONSE ? w->response[row[i].type] : w->service[row[i].type], row[i].e.bucket, row[i].e.count);
}

static void seen_clear(struct seen *w) {
  for (int t = 0; t < TYPES; t++) {
    hist_clear(w->response[t]);
    hist_clear(w->service[t]);
  }
  w->done = w->waiting_most = w->overflow = 0;
}

/* ---- TAP ---- */

static int tests, bad;

static void ok(int good, const char *what) {
  printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
  bad += !good;
}

static void ok_if_quiet(int good, int quiet, const char *what) {
  if (good || quiet >= QUIET_TRIES)
    ok(good, what);
  else
    printf("ok %d - %s # SKIP the machine was too busy in %d of %d tries\n", ++tests, what, TRIES - quiet, TRIES);
}

/* ---- how late this machine is by itself ---- */

static struct hist *oversleep;
static atomic_int watching;

static void *watch(void *arg) {
  while (atomic_load(&watching)) {
    int64_t until = mono_ns() + NS_PER_MS;
    sleep_until_ns(until);
    hist_record(oversleep, mono_ns() - until);
  }
  return arg;
}

/* Quiet as an idle machine is: 0.25 ms, and never away for long. */
static int was_quiet(void) {
  const double p99 = hist_quantile_ms(oversleep, 0.99), most = hist_quantile_ms(oversleep, 1);
  printf("# a sleeper woke up late by %.3f ms at p99, %.3f ms at most\n", p99, most);
  return p99 <= 1 && most <= 20;
}

/* ---- delays ---- */

static struct hist *programmed_hist(int type) {
  struct hist *h = hist_new();
  for (uint32_t b = 0; b < HIST_BUCKETS; b++)
    hist_add(h, b, atomic_load(&programmed[type][b]));
  return h;
}

/* What a share of the samples is below, against what was programmed; `more_ms` is allowed besides. */
static int within(const struct hist *got, const struct hist *want, double q, double more_ms) {
  const double g = hist_quantile_ms(got, q), w = hist_quantile_ms(want, q);
  return g >= w * (1 - 1.0 / 1024) && g <= 1.05 * w + 0.2 + more_ms;
}

/* One phase is over: every request is in the histograms.  good[] is kept where an earlier try was good. */
static void judge_delays(const struct seen *w, int64_t done, int try, int *whole, int good[TYPES][2]) {
  const double null_p99 = hist_quantile_ms(w->response[NULL_CALL], 0.99);
  uint64_t all = 0;
  for (int t = 0; t < TYPES; t++) {
    struct hist *want = programmed_hist(t);
    const struct hist *got = w->response[t];
    all += got->total;
    *whole &= got->total == want->total && w->service[t]->total == want->total;
    printf("# try %d: %-8s %6" PRIu64 " calls  p50 %7.3f ms, programmed %7.3f  p99 %7.3f ms, programmed %7.3f  service p50 %7.3f\n", try,
           types[t], got->total, hist_quantile_ms(got, 0.5), hist_quantile_ms(want, 0.5), hist_quantile_ms(got, 0.99),
           hist_quantile_ms(want, 0.99), hist_quantile_ms(w->service[t], 0.5));
    if (t != NULL_CALL && got->total >= 200) {
      good[t][0] |= within(got, want, 0.5, 0);
      good[t][1] |= within(got, want, 0.99, 2 * null_p99);
    }
    free(want);
  }
  *whole &= all == (uint64_t)done && w->done == done && w->overflow == 0;
}

static int all_good(int good[TYPES][2]) {
  int n = 0;
  for (int t = CONSTANT; t < TYPES; t++)
    n += good[t][0] + good[t][1];
  return n == 2 * (TYPES - 1);
}

/* So many nanoseconds of a phase, from its beginning to the end of the last request. */
static int one_phase(struct drive *d, struct seen *w, int64_t ns, uint64_t key, struct drive_totals *all, int *quiet, struct cause *c) {
  pthread_t watcher;
  for (int t = 0; t < TYPES; t++)
    for (uint32_t b = 0; b < HIST_BUCKETS; b++)
      atomic_store_explicit(&programmed[t][b], 0, memory_order_relaxed);
  seen_clear(w);
  int64_t from = drive_phase(d, PHASE_MEASURE, key);
  atomic_store(&stall_from_ns, d->run_start_ns + from + NS_PER_S / 2);
  atomic_store(&stall_to_ns, d->run_start_ns + from + 5 * NS_PER_S / 2);
  sleep_until_ns(d->run_start_ns + from);
  hist_clear(oversleep);
  atomic_store(&watching, 1);
  thread_start(&watcher, 0, "watch", watch, NULL);
  sleep_until_ns(d->run_start_ns + from + ns);
  atomic_store(&watching, 0);
  pthread_join(watcher, NULL);
  *quiet += was_quiet();
  int rc = drive_pause(d, c);
  drive_totals(d, all);
  if (rc == 0 && all->failed + all->lost > 0) {
    *c = all->first_error;
    rc = -1;
  }
  return rc;
}

static int judge_demand(const struct target *t, const char *how, const struct demand *m, struct seen *w, struct cause *c) {
  static const struct mix_load load = {.mix = "delays"};
  struct drive *d = NULL;
  struct drive_totals all;
  int good[TYPES][2] = {{0}}, whole = 1, quiet = 0;
  char what[120];
  if (drive_open(&d, t, &delays, &load, m, mono_ns(), on_second, w, c) != 0)
    return -1;
  int rc = 0;
  for (int try = 1; try <= TRIES && rc == 0 && !all_good(good); try++) {
    rc = one_phase(d, w, 2 * NS_PER_S, (uint64_t)try, &all, &quiet, c);
    if (rc == 0)
      judge_delays(w, all.done, try, &whole, good);
  }
  drive_close(d);
  if (rc != 0)
    return -1;
  snprintf(what, sizeof what, "%s: every call that was answered is in the histograms, once", how);
  ok(whole, what);
  for (int type = CONSTANT; type < TYPES; type++) {
    snprintf(what, sizeof what, "%s, %s: p50 is what was programmed, within 5 %% + 200 us", how, types[type]);
    ok_if_quiet(good[type][0], quiet, what);
    snprintf(what, sizeof what, "%s, %s: p99 too, and what the null call's shows", how, types[type]);
    ok_if_quiet(good[type][1], quiet, what);
  }
  return 0;
}

/* ---- the stall ---- */

enum { STALL_USERS = 8, STALL_RATE = 200 };
static const double stall_share[] = {0.75, 0.9, 0.99};
enum { SHARES = sizeof stall_share / sizeof *stall_share };

/* What arrivals must see when the server answers nobody in the stall and takes no time otherwise. */
struct theory {
  struct hist *response;
  int64_t slow;    /* that wait for longer than a second */
  int64_t waiting; /* at the whole second in the stall with most of them */
};

static void theory_of(const struct drive *d, int64_t arrivals, struct theory *y) {
  struct schedule s;
  uint64_t i;
  const int64_t from = d->order.from_ns, b = from + NS_PER_S / 2, e = from + 5 * NS_PER_S / 2;
  y->slow = y->waiting = 0;
  hist_clear(y->response);
  schedule_start(&s, d->order.seed, STALL_RATE, from);
  for (int64_t n = 0; n < arrivals; n++) {
    int64_t t = schedule_next(&s, &i), wait = t >= b && t < e ? e - t : 0;
    hist_record(y->response, wait);
    y->slow += wait > NS_PER_S;
    y->waiting += t >= b && t < from + 2 * NS_PER_S;
  }
  y->waiting -= STALL_USERS;
}

static int64_t above(const struct hist *h, int64_t ns) {
  int64_t n = 0;
  for (uint32_t b = 0; b < HIST_BUCKETS; b++)
    n += hist_middle_ns(b) > ns ? (int64_t)h->count[b] : 0;
  return n;
}

/* good[]: the percentiles; the count above a second; the gauge of those that wait; the service times. */
static void judge_stall(struct seen *w, const struct theory *y, int try, int good[SHARES + 3]) {
  for (int t = 1; t < TYPES; t++) {
    hist_merge(w->response[0], w->response[t]);
    hist_merge(w->service[0], w->service[t]);
  }
  const struct hist *r = w->response[0];
  for (int i = 0; i < SHARES; i++) {
    good[i] |= within(r, y->response, stall_share[i], 0);
    printf("# try %d: stall p%g %.1f ms, by theory %.1f\n", try, 100 * stall_share[i], hist_quantile_ms(r, stall_share[i]),
           hist_quantile_ms(y->response, stall_share[i]));
  }
  const int64_t slow = above(r, NS_PER_S), in_service = above(w->service[0], NS_PER_S / 10);
  good[SHARES] |= slow >= y->slow && (double)slow <= 1.1 * (double)y->slow;
  good[SHARES + 1] |= fabs((double)(w->waiting_most - y->waiting)) <= 0.05 * (double)y->waiting + 1;
  good[SHARES + 2] |= in_service <= STALL_USERS;
  printf("# try %d: above 1 s %" PRId64 ", by theory %" PRId64 "; waiting at most %" PRId64 ", by theory %" PRId64 "; service above 0.1 s %" PRId64
         " (%d users)\n", try, slow, y->slow, w->waiting_most, y->waiting, in_service, STALL_USERS);
}

static int stall(const struct target *t, struct seen *w, struct cause *c) {
  static const struct mix_load load = {.mix = "stall"};
  static const char *const what[SHARES + 3] = {
      "a stall of 2 s at 200 arrivals a second: p75 is what the arrivals make of it", "... p90", "... p99",
      "... so many responses above a second", "... so many wait for a user", "... the service time shows those under way alone"};
  const struct demand m = {.users = STALL_USERS, .rate = STALL_RATE, .seed = 7};
  struct drive *d = NULL;
  struct drive_totals all;
  struct theory y = {.response = hist_new()};
  int good[SHARES + 3] = {0}, sum = 0, quiet = 0, rc = drive_open(&d, t, &stalled, &load, &m, mono_ns(), on_second, w, c);
  for (int try = 1; try <= TRIES && rc == 0 && sum < SHARES + 3; try++) {
    rc = one_phase(d, w, 7 * NS_PER_S / 2, (uint64_t)try, &all, &quiet, c);
    if (rc != 0)
      break;
    theory_of(d, all.sent, &y);
    judge_stall(w, &y, try, good);
    sum = 0;
    for (int i = 0; i < SHARES + 3; i++)
      sum += good[i];
  }
  drive_close(d);
  free(y.response);
  for (int i = 0; i < SHARES + 3 && rc == 0; i++)
    ok_if_quiet(good[i], quiet, what[i]);
  return rc;
}

static int all_parts(const char *server, struct cause *c) {
  struct target t;
  struct seen w = {0};
  if (target_parse(&t, server, c) != 0)
    return -1;
  t.user = xstrdup("sa");
  t.password = xstrdup("");
  for (int i = 0; i < TYPES; i++) {
    w.response[i] = hist_new();
    w.service[i] = hist_new();
  }
  oversleep = hist_new();
  const struct demand closed = {.users = 12, .think_s = 0.002, .seed = 7}, open = {.users = 40, .rate = 1200, .seed = 7};
  int rc = server_init(&t, 48, c);
  if (rc == 0)
    rc = judge_demand(&t, "closed", &closed, &w, c);
  if (rc == 0)
    rc = judge_demand(&t, "under a rate", &open, &w, c);
  if (rc == 0)
    rc = stall(&t, &w, c);
  server_done();
  free(oversleep);
  for (int i = 0; i < TYPES; i++) {
    free(w.response[i]);
    free(w.service[i]);
  }
  target_free(&t);
  return rc;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  signal(SIGPIPE, SIG_IGN);
  log_name("truth");
  if (argc != 2)
    return 99;
  if (sqltext_init(&c) != 0 || all_parts(argv[1], &c) != 0) {
    printf("Bail out! %s\n", c.text);
    return 1;
  }
  printf("1..%d\n", tests);
  return bad != 0;
}
