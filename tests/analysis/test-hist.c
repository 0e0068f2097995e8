#include "config.h"

#include "analysis/hist.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

Test(hist, each_bucket_holds_its_middle_and_its_ends) {
  for (uint32_t b = 1; b < HIST_BUCKETS; b++) {
    if (hist_upper_ns(b) > HIST_MAX_NS)
      break;
    cr_assert_eq(hist_bucket(hist_middle_ns(b)), b);
    cr_assert_eq(hist_bucket(hist_upper_ns(b)), b);
    cr_assert_eq(hist_bucket(hist_upper_ns(b) + 1), b + 1);
    double width = (double)(hist_upper_ns(b) + 1 - hist_upper_ns(b - 1) - 1);
    cr_assert(b < 2048 ? width == 1000 : width / (double)hist_upper_ns(b) <= 1.0 / 1024, "bucket %u is too wide", b);
  }
}

Test(hist, ends_of_the_range) {
  int64_t low[] = {INT64_MIN, -1, 0, 1, 999, 1000, 1999};
  for (size_t i = 0; i < sizeof low / sizeof *low; i++)
    cr_assert_eq(hist_bucket(low[i]), 1);
  uint32_t last = hist_bucket(HIST_MAX_NS);
  cr_assert_lt(last, HIST_BUCKETS);
  cr_assert_eq(hist_bucket(INT64_MAX), last);
  struct hist *h = hist_new();
  hist_add(h, UINT32_MAX, 1); /* never outside the array */
  cr_assert_eq(h->count[HIST_BUCKETS - 1], 1);
  free(h);
}

Test(hist, empty_has_no_values) {
  struct hist *h = hist_new();
  cr_assert(isnan(hist_quantile_ms(h, 0.5)));
  cr_assert(isnan(hist_mean_ms(h)));
  cr_assert(isnan(hist_max_ms(h)));
  free(h);
}

Test(hist, rank_rounds_up_but_not_by_a_binary_hair) {
  for (uint64_t n = 1; n <= 1000; n++)
    for (uint64_t k = 1; k <= n; k++)
      cr_assert_eq(hist_rank(n, (double)k / (double)n), k);
  cr_assert_eq(hist_rank(100, 0.07), 7);
  cr_assert_eq(hist_rank(100, 0.951), 96);
  cr_assert_eq(hist_rank(10, 0), 1);
  cr_assert_eq(hist_rank(10, 1), 10);
}

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Constant, uniform, two peaks, heavy tail: the quantile is the bucket of the very sample that a sort finds. */
Test(hist, quantiles_are_exact_to_the_bucket) {
  enum { N = 20000 };
  static int64_t v[N];
  for (int kind = 0; kind < 4; kind++) {
    struct rng r = rng_at(1, (uint64_t)kind, 0);
    struct hist *h = hist_new();
    double sum = 0;
    for (int i = 0; i < N; i++) {
      v[i] = kind == 0   ? 2500000
             : kind == 1 ? rng_range(&r, 1000, 100000000)
             : kind == 2 ? rng_range(&r, 0, 9) < 8 ? rng_range(&r, 900000, 1100000) : rng_range(&r, 9000000, 11000000)
                         : (int64_t)fmin(1e6 * pow(1 - rng_unit(&r), -1 / 1.2), 3.5e12);
      hist_record(h, v[i]);
      sum += (double)v[i];
    }
    qsort(v, N, sizeof *v, by_size);
    double q[] = {0, 0.001, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
      int64_t want = hist_middle_ns(hist_bucket(v[hist_rank(N, q[i]) - 1]));
      cr_assert_float_eq(hist_quantile_ms(h, q[i]), (double)want / 1e6, 1e-9);
    }
    cr_assert_float_eq(hist_mean_ms(h), sum / N / 1e6, sum / N / 1e6 / 1000);
    cr_assert_float_eq(hist_max_ms(h), (double)hist_upper_ns(hist_bucket(v[N - 1])) / 1e6, 1e-9);
    free(h);
  }
}

Test(hist, a_merge_is_the_same_as_recording_in_one) {
  struct hist *a = hist_new(), *b = hist_new(), *both = hist_new();
  struct rng r = rng_at(2, 0, 0);
  for (int i = 0; i < 5000; i++) {
    int64_t ns = (int64_t)rng_exp(&r, 3e6);
    hist_record(i % 3 ? a : b, ns);
    hist_record(both, ns);
  }
  hist_merge(a, b);
  cr_assert_eq(a->total, both->total);
  cr_assert_arr_eq(a->count, both->count, sizeof a->count);
  hist_clear(a);
  cr_assert_eq(a->total, 0);
  free(a);
  free(b);
  free(both);
}
