/* What a phase is worth: the judge's rules, and the sums and series that it judges by. */
#include "config.h"

#include "base/units.h"
#include "sweep/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

Test(judge, client_bound) {
  cr_assert(!judge_client_bound(1, 10, 500, 0));
  cr_assert(judge_client_bound(5.1, 10, 500, 0), "late by more than half of the response");
  cr_assert(!judge_client_bound(5, 10, 500, 0));
  cr_assert(judge_client_bound(0, 10, 99, 0), "less than 10 %% idle");
  cr_assert(!judge_client_bound(0, 10, 100, 0));
  cr_assert(judge_client_bound(0, 10, 500, 101), "more than 10 %% stolen");
  cr_assert(!judge_client_bound(0, 10, 500, 100));
  cr_assert(!judge_client_bound(NAN, NAN, NAN, NAN), "what is not known proves nothing");
}

Test(judge, saturated) {
  cr_assert(!judge_saturated(0, 5, 10), "closed users are never saturated");
  cr_assert(!judge_saturated(100, 6000, 60));
  cr_assert(!judge_saturated(100, 5950, 60), "within chance");
  cr_assert(judge_saturated(100, 5700, 60));
  cr_assert(!judge_saturated(10, 80, 10), "2.4 standard deviations below are no proof");
  cr_assert(!judge_saturated(10000, 5.951e6, 600), "and within 1 %% is near enough, however many there are");
}

Test(judge, digests) {
  cr_assert_eq(judge_digest(0, 7), DIGEST_SAME, "the first one");
  cr_assert_eq(judge_digest(7, 7), DIGEST_SAME);
  cr_assert_eq(judge_digest(7, 8), DIGEST_DIFFERS);
  cr_assert_eq(judge_digest(0, 0), DIGEST_SHORT);
  cr_assert_eq(judge_digest(7, 0), DIGEST_SHORT);
}

Test(judge, demand) {
  /* X = n / (Z + R) */
  cr_assert_float_eq(judge_think_s(64, 400, 0.010), 0.150, 1e-12);
  cr_assert_float_eq(judge_think_s(1, 1000, 1), 0, 1e-12, "never negative");
  cr_assert_float_eq(judge_target_per_s(1000, 0.5, 100e-6, 8), 500, 1e-9);
  cr_assert_float_eq(judge_target_per_s(100000, 0.5, 100e-6, 2), 10000, 1e-6, "the client at half of two processors");
  cr_assert_float_eq(judge_target_per_s(1000, 0.5, 0, 8), 500, 1e-9);
  cr_assert_float_eq(judge_target_per_s(900, 1.0 / 3, 0, 8), 300, 1e-9);
}

Test(judge, spread) {
  cr_assert_float_eq(judge_spread(&(struct estimate){10, 9.6, 10.5}), 0.05, 1e-12, "the farther end");
  cr_assert_float_eq(judge_spread(&(struct estimate){10, 9, 10.5}), 0.1, 1e-12);
  cr_assert(isinf(judge_spread(&(struct estimate){10, NAN, NAN})), "an interval that is not known is no narrow one");
  cr_assert(isinf(judge_spread(&(struct estimate){10, 9, INFINITY})));
  cr_assert(isinf(judge_spread(&(struct estimate){NAN, NAN, NAN})));
}

Test(judge, looks_get_rarer) {
  cr_assert_eq(judge_next_look_ns(20 * NS_PER_S), 25 * NS_PER_S);
  cr_assert_eq(judge_next_look_ns(120 * NS_PER_S), 132 * NS_PER_S);
  cr_assert_eq(judge_next_look_ns(137 * NS_PER_S), 150 * NS_PER_S, "whole seconds");
}

/* Response times, 50 a second, around a level that wanders from second to second (AR(1)); drawn as they are needed. */
enum { A_SECOND = 50, SECONDS = 900 };
struct series {
  struct rng rng;
  double phi, wander;
  size_t n;
  uint32_t bucket[SECONDS * A_SECOND];
};

static struct estimate p95_of(struct series *s, size_t n) {
  for (; s->n < n; s->n++) {
    s->wander = s->phi * s->wander + sqrt(1 - s->phi * s->phi) * 0.1 * stats_normal(&s->rng);
    for (size_t i = 0; i < A_SECOND; i++)
      s->bucket[s->n * A_SECOND + i] = hist_bucket(llround(5e6 * exp(s->wander + 0.4 * stats_normal(&s->rng))));
  }
  struct seconds_hist *h = seconds_hist_new(n);
  for (size_t i = 0; i < n * A_SECOND; i++)
    seconds_hist_add(h, i / A_SECOND, s->bucket[i], 1);
  struct estimate e = seconds_hist_quantile(h, 0.95).e;
  seconds_hist_free(h);
  return e;
}

/* Measuring until the interval is narrow stops by preference when it looks narrower than it is.  The looks are few and the least is
 * long enough that what is printed then still covers the truth nearly as often as it says. */
static double coverage(double phi, int64_t least_s, double precision, double *mean_s) {
  enum { SERIES = 200 };
  /* Level and times around it are log-normal: the truth is a quantile of both together. */
  double truth = 5 * exp(sqrt(0.1 * 0.1 + 0.4 * 0.4) * 1.6448536269514722);
  struct series *s = malloc(sizeof *s);
  int covered = 0;
  *mean_s = 0;
  for (int k = 0; k < SERIES; k++) {
    *s = (struct series){.rng = rng_at(7, (uint64_t)(phi * 10), (uint64_t)k), .phi = phi};
    s->wander = 0.1 * stats_normal(&s->rng);
    int64_t n = least_s;
    struct estimate e = p95_of(s, (size_t)n);
    while (n < SECONDS && judge_spread(&e) > precision) {
      n = judge_next_look_ns(n * NS_PER_S) / NS_PER_S;
      n = n < SECONDS ? n : SECONDS;
      e = p95_of(s, (size_t)n);
    }
    covered += e.lo <= truth && truth <= e.hi;
    *mean_s += (double)n / SERIES;
  }
  free(s);
  return (double)covered / SERIES;
}

Test(judge, intervals_still_cover_when_they_decide_the_length) {
  const double phi[] = {0, 0.6, 0.8};
  for (int i = 0; i < 3; i++) {
    double mean_s, share = coverage(phi[i], 120, 0.05, &mean_s);
    cr_log_info("phi %g: %.1f %% covered, %.0f s measured on average", phi[i], 100 * share, mean_s);
    cr_expect_geq(share, 0.89, "phi %g: %.1f %% covered, %.0f s measured on average", phi[i], 100 * share, mean_s);
  }
}

/* n seconds of throughput, latency and reads, each as mean + slope * i / n with a little scatter. */
static struct feed_series series_of(size_t n, double slope) {
  struct feed_series s = {.n = n};
  double **v[] = {&s.done, &s.mean_ms, &s.read_bytes};
  for (int k = 0; k < 3; k++) {
    *v[k] = malloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++)
      (*v[k])[i] = (100 + (k == 1 ? slope * (double)i / (double)n : 0)) * (1 + ((i * 7 + (size_t)k * 3) % 11 - 5.0) / 500);
  }
  return s;
}

Test(judge, steadiness) {
  struct feed_series s = series_of(120, 0);
  cr_assert_eq(judge_steady(&s), 1);
  for (size_t i = 0; i < s.n; i++)
    s.read_bytes[i] = NAN; /* the server cannot be sampled */
  s.mean_ms[0] = s.mean_ms[60] = NAN;
  cr_assert_eq(judge_steady(&s), 1, "gaps are bridged, a series without values is left out");
  feed_series_free(&s);
  s = series_of(120, 60);
  cr_assert_eq(judge_steady(&s), 0, "latency still rises");
  feed_series_free(&s);
  s = series_of(10, 0);
  cr_assert_eq(judge_steady(&s), -1, "too short");
  feed_series_free(&s);
}

/* ---- feed ---- */

static struct load_second second(int64_t at, enum phase phase, int64_t done) {
  return (struct load_second){.second = at, .phase = phase, .done = done, .rolled_back = 1, .waiting = 2, .host_idle_permille = 300,
                              .host_iowait_permille = 100};
}

static void put(struct feed *f, int64_t at, enum phase phase, int64_t done, int64_t ns) {
  struct load_second s = second(at, phase, done);
  struct hist_record_row row[] = {{(int32_t)at, 0, HIST_RESPONSE, {hist_bucket(ns), (uint32_t)done}},
                                  {(int32_t)at, 0, HIST_SERVICE, {hist_bucket(NS_PER_S), (uint32_t)done}},
                                  {(int32_t)at, 0, HIST_LATENESS, {hist_bucket(NS_PER_MS / 2), (uint32_t)done}}};
  feed_second(f, &s, row, 3);
}

static void sample(struct feed *f, int64_t at_s, int64_t bytes) {
  struct server_sample s = {.at_ns = at_s * NS_PER_S, .data_read_bytes = bytes, .database_cache_kb = 1000 + at_s};
  feed_sample(f, &s);
}

Test(feed, counts_whole_seconds_of_its_phase_alone) {
  struct feed *f = feed_new();
  struct feed_sums s;
  put(f, 1, PHASE_MEASURE, 100, NS_PER_MS);
  feed_phase(f, PHASE_MEASURE, 3 * NS_PER_S / 2);
  put(f, 1, PHASE_MEASURE, 100, NS_PER_MS); /* begins before the phase does */
  put(f, 2, PHASE_WARM, 100, NS_PER_MS);    /* another phase's */
  put(f, 2, PHASE_MEASURE, 10, NS_PER_MS);
  put(f, 3, PHASE_MEASURE, 30, 3 * NS_PER_MS);
  feed_phase_end(f, 9 * NS_PER_S / 2);
  put(f, 4, PHASE_MEASURE, 100, NS_PER_MS); /* ends after the phase does */
  feed_sums(f, &s);
  cr_assert_eq(s.seconds, 2);
  cr_assert_eq(s.done, 40);
  cr_assert_eq(s.rolled_back, 2);
  cr_assert_eq(s.waiting_last, 2);
  cr_assert_float_eq(s.p99_ms, 3, 0.01);
  cr_assert_float_eq(s.late_p99_ms, 0.5, 0.001);
  cr_assert_float_eq(s.idle_permille, 400, 1e-9);
  struct feed_series series;
  feed_series(f, &series);
  cr_assert_eq(series.n, 2);
  cr_assert_eq(series.done[1], 30);
  cr_assert_float_eq(series.mean_ms[0], 1, 0.01);
  cr_assert_float_eq(series.mean_ms[1], 3, 0.01);
  cr_assert(isnan(series.read_bytes[0]), "never sampled");
  feed_series_free(&series);
  feed_phase(f, PHASE_WARM, 6 * NS_PER_S);
  feed_sums(f, &s);
  cr_assert_eq(s.seconds, 0);
  cr_assert(isnan(s.p99_ms) && isnan(s.idle_permille));
  feed_free(f);
}

Test(feed, latencies_are_kept_by_the_second_when_asked_for) {
  struct feed *f = feed_new();
  feed_phase(f, PHASE_MEASURE, 0);
  put(f, 0, PHASE_MEASURE, 10, NS_PER_MS);
  struct seconds_hist *h = feed_latency(f);
  cr_assert_eq(seconds_hist_sum(h)->total, 0, "nobody asked");
  seconds_hist_free(h);
  feed_keep(f);
  feed_phase(f, PHASE_WARM, 0);
  put(f, 0, PHASE_WARM, 10, NS_PER_MS);
  feed_phase(f, PHASE_MEASURE, NS_PER_S);
  for (int i = 0; i < 20; i++) /* the first one begins before the phase */
    put(f, i, PHASE_MEASURE, 100, (2 + i % 2) * NS_PER_MS);
  h = feed_latency(f);
  cr_assert_eq(seconds_hist_sum(h)->total, 1900);
  struct stats_value v = seconds_hist_quantile(h, 0.25);
  cr_assert_float_eq(v.e.value, 2, 0.01);
  cr_assert(isfinite(v.e.lo), "the seconds are told apart");
  seconds_hist_free(h);
  feed_phase(f, PHASE_MEASURE, 30 * NS_PER_S);
  h = feed_latency(f);
  cr_assert_eq(seconds_hist_sum(h)->total, 0, "a new phase");
  seconds_hist_free(h);
  feed_free(f);
}

Test(feed, reads_are_differences) {
  struct feed *f = feed_new();
  struct feed_series series;
  struct server_sample latest;
  struct feed_now now;
  sample(f, 1, 1000000);
  feed_phase(f, PHASE_MEASURE, 2 * NS_PER_S);
  sample(f, 2, 5000000); /* of the second before the phase */
  for (int i = 2; i < 5; i++)
    put(f, i, PHASE_MEASURE, 10, NS_PER_MS);
  sample(f, 3, 6000000);
  sample(f, 5, 10000000); /* one was missed: the rate stays right */
  feed_series(f, &series);
  cr_assert_eq(series.n, 2);
  cr_assert_float_eq(series.read_bytes[0], 1e6, 1);
  cr_assert_float_eq(series.read_bytes[1], 2e6, 1);
  feed_series_free(&series);
  feed_now(f, &now);
  cr_assert_float_eq(now.read_mb_s, 2, 1e-9);
  cr_assert_float_eq(now.done_per_s, 10, 1e-9);
  feed_latest(f, &latest);
  cr_assert_eq(latest.database_cache_kb, 1005);
  feed_free(f);
}
