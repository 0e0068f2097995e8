/* The recorder, its rings and the schedule under a virtual clock: no thread sleeps here. */
#include "config.h"

#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/recorder.h"
#include "drive/schedule.h"
#include "server/conn.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

TestSuite(ring, .timeout = 60);
TestSuite(recorder, .timeout = 60);
TestSuite(schedule, .timeout = 60);

static struct sample done(int64_t end_ns, int64_t response_ns, int64_t busy_ns) {
  return (struct sample){.intended_ns = end_ns - response_ns, .end_ns = end_ns, .busy_ns = busy_ns, .outcome = DONE};
}

static void merge(struct hist *h, const struct hist_record_row *row, size_t n, int what, int type) {
  for (size_t i = 0; i < n; i++)
    if (row[i].what == what && row[i].type == type)
      hist_add(h, row[i].e.bucket, row[i].e.count);
}

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* n latencies through the rings of 7 users, 1,000 a virtual second; then each percentile must be the bucket of the exact order
 * statistic. */
static void check_distribution(const char *name, int64_t (*draw)(struct rng *, int i)) {
  enum { N = 20000, USERS = 7 };
  static int64_t ns[N];
  struct recorder *r = recorder_new(USERS, 2);
  struct hist *response = hist_new(), *service = hist_new();
  struct rng rng = rng_at(1, 2, 3);
  int64_t all = 0;
  for (int second = 0, i = 0; second < N / 1000; second++) {
    for (int k = 0; k < 1000; k++, i++) {
      ns[i] = draw(&rng, i);
      struct sample s = done(second * NS_PER_S + k * NS_PER_MS, ns[i], ns[i] / 2);
      s.type = 1;
      ring_put(recorder_ring(r, i % USERS), &s);
    }
    struct load_second out;
    const struct hist_record_row *row;
    size_t nrow;
    recorder_second(r, second, &out, &row, &nrow);
    cr_assert_eq(out.done, 1000);
    cr_assert_eq(out.by_type[1], 1000);
    cr_assert_eq(out.ring_overflow, 0);
    merge(response, row, nrow, HIST_RESPONSE, 1);
    merge(service, row, nrow, HIST_SERVICE, 1);
    all += out.done;
  }
  cr_assert_eq(all, N);
  cr_assert_eq(response->total, N);
  cr_assert_eq(service->total, N);
  qsort(ns, N, sizeof *ns, by_size);
  static const double q[] = {0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};
  for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
    int64_t exact = ns[(size_t)(ceil(q[i] * N * (1 - 1e-12))) - 1];
    double want = (double)hist_middle_ns(hist_bucket(exact)) / 1e6;
    cr_expect_eq(hist_quantile_ms(response, q[i]), want, "%s: p%g is %g, not %g", name, 100 * q[i], hist_quantile_ms(response, q[i]),
                 want);
    want = (double)hist_middle_ns(hist_bucket(exact / 2)) / 1e6;
    cr_expect_eq(hist_quantile_ms(service, q[i]), want, "%s: service p%g", name, 100 * q[i]);
  }
  free(response);
  free(service);
  recorder_free(r);
}

static int64_t constant(struct rng *r, int i) {
  (void)r, (void)i;
  return 5 * NS_PER_MS;
}
static int64_t uniform(struct rng *r, int i) {
  (void)i;
  return rng_range(r, 2 * NS_PER_US, 100 * NS_PER_MS);
}
static int64_t bimodal(struct rng *r, int i) {
  return i % 20 ? rng_range(r, 900 * NS_PER_US, 1100 * NS_PER_US) : rng_range(r, 2 * NS_PER_S, 3 * NS_PER_S);
}
static int64_t heavy(struct rng *r, int i) {
  (void)i;
  return (int64_t)(2 * (double)NS_PER_MS * pow(1 - rng_unit(r), -1 / 1.1)); /* Pareto, alpha 1.1: no variance */
}

Test(recorder, percentiles_are_exact_to_the_bucket) {
  check_distribution("constant", constant);
  check_distribution("uniform", uniform);
  check_distribution("bimodal", bimodal);
  check_distribution("heavy tail", heavy);
}

Test(recorder, outcomes_are_counted_apart_and_only_done_has_a_latency) {
  struct recorder *r = recorder_new(1, 3);
  const struct {
    int outcome, deadlocks, type;
  } in[] = {{DONE, 0, 0}, {DONE, 2, 1}, {ROLLED_BACK, 1, 0}, {FAILED, 10, 0}, {LOST, 0, 2}, {DONE, 0, 1}};
  for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
    struct sample s = done(100 + (int64_t)i, 50, 20);
    s.outcome = (uint8_t)in[i].outcome;
    s.deadlocks = (uint16_t)in[i].deadlocks;
    s.type = (uint8_t)in[i].type;
    s.late_us = (uint32_t)(i + 1);
    ring_put(recorder_ring(r, 0), &s);
  }
  struct load_second out;
  const struct hist_record_row *row;
  size_t nrow;
  recorder_second(r, 0, &out, &row, &nrow);
  cr_assert_eq(out.done, 3);
  cr_assert_eq(out.rolled_back, 1);
  cr_assert_eq(out.failed, 1);
  cr_assert_eq(out.lost, 1);
  cr_assert_eq(out.deadlocks, 13);
  cr_assert_eq(out.by_type[0], 1);
  cr_assert_eq(out.by_type[1], 2);
  cr_assert_eq(out.by_type[2], 0);
  cr_assert_eq(out.late_count, 6);
  cr_assert_eq(out.lateness_p50_us, 3);
  cr_assert_eq(out.lateness_p99_us, 6);
  cr_assert_eq(out.lateness_max_us, 6);
  uint64_t n[HIST_WHATS] = {0};
  for (size_t i = 0; i < nrow; i++)
    n[row[i].what] += row[i].e.count;
  cr_assert_eq(n[HIST_RESPONSE], 3);
  cr_assert_eq(n[HIST_SERVICE], 3);
  cr_assert_eq(n[HIST_LATENESS], 6);
  recorder_second(r, 1, &out, &row, &nrow);
  cr_assert_eq(out.done, 0);
  cr_assert_eq(nrow, 0);
  cr_assert_eq(out.lateness_p99_us, ABSENT);
  cr_assert_eq(out.lateness_max_us, ABSENT);
  recorder_free(r);
}

Test(recorder, a_sample_is_in_the_second_it_ended_in_or_the_next_when_late) {
  struct recorder *r = recorder_new(1, 1);
  struct load_second out;
  const struct hist_record_row *row;
  size_t nrow;
  const int64_t end[] = {0, NS_PER_S - 1, NS_PER_S, 2 * NS_PER_S + 5};
  for (int i = 0; i < 4; i++) {
    struct sample s = done(end[i], 10, 10);
    ring_put(recorder_ring(r, 0), &s);
  }
  recorder_second(r, 0, &out, &row, &nrow);
  cr_assert_eq(out.done, 2);
  struct sample late = done(NS_PER_S - 2, 10, 10); /* put after its second was told; behind one that is to come */
  ring_put(recorder_ring(r, 0), &late);
  recorder_second(r, 1, &out, &row, &nrow);
  cr_assert_eq(out.done, 1);
  recorder_second(r, 2, &out, &row, &nrow);
  cr_assert_eq(out.done, 2);
  cr_assert_eq(row[0].second, 2);
  recorder_free(r);
}

Test(recorder, overflow_is_counted_and_told_once) {
  struct recorder *r = recorder_new(10000, 1);
  struct load_second out;
  const struct hist_record_row *row;
  size_t nrow;
  uint32_t room = recorder_capacity(r);
  cr_assert_eq(room, 128);
  for (uint32_t i = 0; i < room + 5; i++) {
    struct sample s = done(i, 1000 * (int64_t)(i + 1), 10);
    ring_put(recorder_ring(r, 9999), &s);
  }
  recorder_second(r, 0, &out, &row, &nrow);
  cr_assert_eq(out.done, room);
  cr_assert_eq(out.ring_overflow, 5);
  struct sample s = done(NS_PER_S, 10, 10);
  ring_put(recorder_ring(r, 9999), &s);
  recorder_second(r, 1, &out, &row, &nrow);
  cr_assert_eq(out.done, 1);
  cr_assert_eq(out.ring_overflow, 0);
  recorder_free(r);
}

Test(recorder, rings_of_a_thousand_users_fit_the_budget) {
  for (int users = 1; users <= 10000; users = users < 100 ? users + 1 : users + 100) {
    struct recorder *r = recorder_new(users, 1);
    uint64_t bytes = (uint64_t)users * recorder_capacity(r) * sizeof(struct sample);
    cr_assert(users > 4000 || bytes <= 16 * (uint64_t)MIB, "%d users: %llu bytes", users, (unsigned long long)bytes);
    cr_assert_leq(bytes, 40 * (uint64_t)MIB);
    cr_assert_geq(recorder_capacity(r), 128);
    recorder_free(r);
  }
}

/* One putter, one taker: nothing is lost but what is counted, and all comes in order. */
struct pipe {
  struct recorder *r;
  _Atomic int end;
};

static void *put_many(void *arg) {
  struct pipe *p = arg;
  for (int64_t i = 0; i < 2000000; i++) {
    struct sample s = done(i, 0, i * 3);
    ring_put(recorder_ring(p->r, 0), &s);
  }
  atomic_store(&p->end, 1);
  return NULL;
}

Test(ring, two_threads_lose_nothing_that_is_not_counted) {
  struct pipe p = {.r = recorder_new(1, 1)};
  struct ring *g = recorder_ring(p.r, 0);
  pthread_t t;
  pthread_create(&t, NULL, put_many, &p);
  int64_t taken = 0, last = -1, end;
  do {
    end = atomic_load(&p.end);
    uint32_t n = ring_ready(g);
    for (uint32_t i = 0; i < n; i++) {
      const struct sample *s = ring_at(g, i);
      cr_assert_gt(s->end_ns, last);
      cr_assert_eq(s->busy_ns, 3 * s->end_ns);
      last = s->end_ns;
    }
    ring_drop(g, n);
    taken += n;
  } while (!end || ring_ready(g));
  pthread_join(t, NULL);
  cr_assert_eq(taken + (int64_t)atomic_load(&g->overflow), 2000000);
  recorder_free(p.r);
}

/* 200 arrivals a second over 60 s on 8 users, 1 ms a request; from second 10 to 12 the server answers nobody.  An arrival at t in
 * the stall ends at 12 s: responses of those 400 are spread evenly over 0..2 s.  A client that waits with the sending would see 8
 * slow requests; the response time has to show all of them. */
Test(recorder, a_stall_gives_what_theory_gives) {
  enum { USERS = 8, SECONDS = 60 };
  const double rate = 200;
  const int64_t begin = 10 * NS_PER_S, end = 12 * NS_PER_S;
  struct recorder *r = recorder_new(USERS, 1);
  struct schedule sched;
  int64_t free_ns[USERS] = {0}, arrivals = 0;
  uint64_t i;
  schedule_start(&sched, 42, rate, 0);
  struct hist *response = hist_new(), *service = hist_new();
  int64_t t = schedule_next(&sched, &i);
  for (int second = 0; second < SECONDS; second++) {
    for (; t < (second + 1) * NS_PER_S; t = schedule_next(&sched, &i), arrivals++) {
      int u = 0;
      for (int k = 1; k < USERS; k++)
        u = free_ns[k] < free_ns[u] ? k : u;
      int64_t start = t > free_ns[u] ? t : free_ns[u];
      free_ns[u] = (start >= begin && start < end ? end : start) + NS_PER_MS;
      struct sample s = done(free_ns[u], free_ns[u] - t, free_ns[u] - start);
      ring_put(recorder_ring(r, u), &s);
    }
    struct load_second out;
    const struct hist_record_row *row;
    size_t nrow;
    recorder_second(r, second, &out, &row, &nrow);
    merge(response, row, nrow, HIST_RESPONSE, 0);
    merge(service, row, nrow, HIST_SERVICE, 0);
    cr_assert(second != 10 || out.done < 8); /* only what was under way when it began */
    cr_assert(second != 12 || out.done > 500); /* the backlog and its own */
  }
  cr_assert_float_eq((double)arrivals, rate * SECONDS, 4 * sqrt(rate * SECONDS));
  double slow_1s = 0, slow_service = 0;
  for (uint32_t b = 0; b < HIST_BUCKETS; b++) {
    slow_1s += hist_middle_ns(b) > NS_PER_S ? (double)response->count[b] : 0;
    slow_service += hist_middle_ns(b) > 10 * NS_PER_MS ? (double)service->count[b] : 0;
  }
  /* Response above 1 s: arrivals of the stall's first second, and those that the draining of the backlog (50 ms) adds. */
  cr_assert_float_eq(slow_1s, rate * 1.025, 4 * sqrt(rate), "%g", slow_1s);
  cr_assert_leq(slow_service, USERS);
  /* p99 of 12,000: the 120th arrival of the stall, 0.6 s after its beginning (standard deviation sqrt(120) / 200 s), has waited
     1.4 s, and for the 15 ms in which 8 users serve the 120 before it. */
  cr_assert_float_eq(hist_quantile_ms(response, 0.99), 1415, 4 * sqrt(120) / rate * 1000, "%g", hist_quantile_ms(response, 0.99));
  cr_assert_float_eq(hist_max_ms(response), 2000, 60);
  cr_assert_lt(hist_quantile_ms(service, 0.99), 1.1);
  free(response);
  free(service);
  recorder_free(r);
}

Test(schedule, is_a_pure_function_of_seed_rate_and_start) {
  struct schedule a, b, other, late;
  uint64_t i, k;
  schedule_start(&a, 7, 1000, 0);
  schedule_start(&b, 7, 1000, 0);
  schedule_start(&other, 8, 1000, 0);
  schedule_start(&late, 7, 1000, 5 * NS_PER_S);
  schedule_due(&b, 3 * NS_PER_S);
  uint64_t skipped = b.next;
  int differs = 0;
  for (uint64_t n = 0; n < 20000; n++) {
    int64_t t = schedule_next(&a, &i);
    cr_assert_eq(i, n);
    cr_assert_eq(schedule_next(&late, &k), t + 5 * NS_PER_S);
    differs += schedule_next(&other, &k) != t;
    if (n < skipped)
      cr_assert_leq(t, 3 * NS_PER_S);
    else {
      cr_assert_gt(t, 3 * NS_PER_S);
      cr_assert_eq(schedule_next(&b, &k), t); /* whoever asks, whenever */
      cr_assert_eq(k, n);
    }
  }
  cr_assert_gt(differs, 19990);
}

Test(schedule, gaps_are_exponential_and_counts_poisson) {
  enum { N = 100000 };
  struct schedule s;
  uint64_t i;
  int64_t last = 0, above = 0, above3 = 0;
  double var = 0;
  int count[N / 100 + 100] = {0}, seconds = N / 500 - 2;
  schedule_start(&s, 11, 500, 0);
  for (int n = 0; n < N; n++) {
    int64_t t = schedule_next(&s, &i);
    cr_assert_geq(t, last);
    above += t - last > 2 * NS_PER_MS;
    above3 += t - last > 6 * NS_PER_MS;
    count[t / NS_PER_S]++;
    last = t;
  }
  cr_assert_float_eq((double)last / 1e9, N / 500.0, 4 * sqrt(N) / 500);
  cr_assert_float_eq((double)above, N * exp(-1), 4 * sqrt(N * 0.24));
  cr_assert_float_eq((double)above3, N * exp(-3), 4 * sqrt(N * 0.05));
  for (int k = 0; k < seconds; k++)
    var += pow(count[k] - 500.0, 2) / seconds;
  cr_assert_float_eq(var / 500, 1, 4 * sqrt(2.0 / seconds)); /* variance = mean */
}

Test(schedule, due_counts_what_next_gives) {
  struct schedule a, b;
  uint64_t i, n = 0;
  schedule_start(&a, 3, 10000, 77);
  schedule_start(&b, 3, 10000, 77);
  cr_assert_eq(schedule_due(&a, 76), 0);
  int64_t t = schedule_next(&b, &i);
  for (int64_t now = 0; now < NS_PER_S; now += 3 * NS_PER_MS) {
    for (; t <= now; t = schedule_next(&b, &i))
      n++;
    cr_assert_eq(schedule_due(&a, now), n);
  }
}
