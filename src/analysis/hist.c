#include "config.h"

#include "analysis/hist.h"

#include "base/text.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SUB_BUCKETS 2048 /* exact below; half as many for each doubling above */
#define HALF 1024
#define HALF_BITS 10

uint32_t hist_bucket(int64_t ns) {
  if (ns > HIST_MAX_NS)
    ns = HIST_MAX_NS;
  uint64_t us = ns < 1000 ? 1 : (uint64_t)ns / 1000;
  if (us < SUB_BUCKETS)
    return (uint32_t)us;
  uint32_t shift = (uint32_t)(63 - __builtin_clzll(us)) - HALF_BITS;
  return shift * HALF + (uint32_t)(us >> shift);
}

/* The smallest latency of a bucket and its width, in us. */
static uint64_t bucket_low_us(uint32_t bucket, uint64_t *width_us) {
  if (bucket >= HIST_BUCKETS)
    bucket = HIST_BUCKETS - 1;
  uint32_t shift = bucket < SUB_BUCKETS ? 0 : bucket / HALF - 1;
  *width_us = UINT64_C(1) << shift;
  return (uint64_t)(bucket - shift * HALF) << shift;
}

int64_t hist_middle_ns(uint32_t bucket) {
  uint64_t width, low = bucket_low_us(bucket, &width);
  return (int64_t)(low * 1000 + width * 500);
}

int64_t hist_upper_ns(uint32_t bucket) {
  uint64_t width, low = bucket_low_us(bucket, &width);
  return (int64_t)((low + width) * 1000 - 1);
}

struct hist *hist_new(void) {
  return xcalloc(1, sizeof(struct hist));
}

void hist_clear(struct hist *h) {
  memset(h, 0, sizeof *h);
}

void hist_record(struct hist *h, int64_t ns) {
  h->count[hist_bucket(ns)]++;
  h->total++;
}

void hist_add(struct hist *h, uint32_t bucket, uint64_t count) {
  h->count[bucket < HIST_BUCKETS ? bucket : HIST_BUCKETS - 1] += count;
  h->total += count;
}

void hist_merge(struct hist *into, const struct hist *from) {
  for (size_t i = 0; i < HIST_BUCKETS; i++)
    into->count[i] += from->count[i];
  into->total += from->total;
}

uint64_t hist_rank(uint64_t total, double q) {
  if (!(q > 0))
    return 1;
  if (q >= 1)
    return total;
  /* 0.07 * 100 is a hair above 7 in binary: take that hair off before rounding up. */
  double r = ceil(q * (double)total * (1 - 4 * DBL_EPSILON));
  return r < 1 ? 1 : r > (double)total ? total : (uint64_t)r;
}

double hist_quantile_ms(const struct hist *h, double q) {
  if (h->total == 0 || isnan(q))
    return NAN;
  uint64_t rank = hist_rank(h->total, q), sum = 0;
  uint32_t last = 0;
  for (uint32_t i = 0; i < HIST_BUCKETS; i++)
    if (h->count[i]) {
      last = i;
      if ((sum += h->count[i]) >= rank)
        break;
    }
  return (double)hist_middle_ns(last) / 1e6;
}

double hist_mean_ms(const struct hist *h) {
  if (h->total == 0)
    return NAN;
  double sum = 0;
  for (uint32_t i = 0; i < HIST_BUCKETS; i++)
    if (h->count[i])
      sum += (double)h->count[i] * (double)hist_middle_ns(i);
  return sum / (double)h->total / 1e6;
}

double hist_max_ms(const struct hist *h) {
  for (uint32_t i = HIST_BUCKETS; i-- > 0;)
    if (h->count[i])
      return (double)hist_upper_ns(i) / 1e6;
  return NAN;
}
