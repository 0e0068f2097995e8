/* What a phase is worth: the judge's rules, and the sums and series that it judges by. */
#include "config.h"

#include "base/units.h"
#include "sweep/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

Test(judge, client_bound) {
  cr_assert(!judge_client_bound(1, 10, 500));
  cr_assert(judge_client_bound(5.1, 10, 500), "late by more than half of the response");
  cr_assert(!judge_client_bound(5, 10, 500));
  cr_assert(judge_client_bound(0, 10, 99), "less than 10 %% idle");
  cr_assert(!judge_client_bound(0, 10, 100));
  cr_assert(!judge_client_bound(NAN, NAN, NAN), "what is not known proves nothing");
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
