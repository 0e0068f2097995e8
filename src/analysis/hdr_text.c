#include "config.h"

#include "analysis/hdr_text.h"

#include <inttypes.h>
#include <math.h>

#define TICKS 5
#define BUCKET_GROUPS 22 /* as HdrHistogram counts them: one for each doubling of the range */
#define SUB_BUCKETS 2048

static double deviation_ms(const struct hist *h, double mean) {
  double sum = 0;
  for (uint32_t i = 0; i < HIST_BUCKETS; i++)
    if (h->count[i]) {
      double d = (double)hist_middle_ns(i) / 1e6 - mean;
      sum += (double)h->count[i] * d * d;
    }
  return sqrt(sum / (double)h->total);
}

/* The share that the next line stands for: the distance to 1 is halved after every TICKS lines. */
static double next_level(double level) {
  double halvings = floor(log2(1 / (1 - level)) + 1e-9) + 1;
  return level + 1 / (TICKS * exp2(halvings));
}

void hdr_text(struct text *t, const struct hist *h) {
  text_addf(t, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
  uint64_t sum = 0;
  uint32_t bucket = 0;
  for (double level = 0; sum < h->total;) {
    uint64_t rank = hist_rank(h->total, level);
    while (sum < rank)
      sum += h->count[bucket++];
    double ms = (double)hist_upper_ns(bucket - 1) / 1e6;
    if (sum == h->total)
      level = 1; /* the last value: of all samples */
    text_addf(t, "%12.3f %2.12f %10" PRIu64, ms, level, sum);
    text_addf(t, level < 1 ? " %14.2f\n" : "\n", 1 / (1 - level));
    level = next_level(level);
  }
  double mean = h->total ? hist_mean_ms(h) : 0;
  text_addf(t, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", mean, h->total ? deviation_ms(h, mean) : 0);
  text_addf(t, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n", h->total ? hist_max_ms(h) : 0, h->total);
  text_addf(t, "#[Buckets = %12d, SubBuckets     = %12d]\n", BUCKET_GROUPS, SUB_BUCKETS);
}
