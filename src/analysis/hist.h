/* hist: log-linear histograms of latencies, 3 significant decimal digits from 1 us to 1 h.
 *
 * Layout as HdrHistogram's with a unit of 1 us and 2,048 sub-buckets: exact below 2.048 ms, then to 1 part in 1,024.
 * Values below 1 us count as 1 us (bucket 1), above 1 h as 1 h.  Pure functions; a hist is plain memory (about 184 KiB). */
#ifndef RK_ANALYSIS_HIST_H
#define RK_ANALYSIS_HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_BUCKETS 23552
#define HIST_MAX_NS INT64_C(3600000000000)

struct hist {
  uint64_t total;
  uint64_t count[HIST_BUCKETS];
};

/* Sparse form: what is kept a second and type. */
struct hist_entry {
  uint32_t bucket;
  uint32_t count;
};

/* The bucket of a latency, 1 <= result < HIST_BUCKETS; fractions of a microsecond are cut off, as HdrHistogram does with its
 * unit. */
uint32_t hist_bucket(int64_t ns);
/* The middle of a bucket and its largest value, in ns; a bucket beyond the last is taken as the last. */
int64_t hist_middle_ns(uint32_t bucket);
int64_t hist_upper_ns(uint32_t bucket);

/* New, empty, on the heap (free() it). */
struct hist *hist_new(void);
void hist_clear(struct hist *);
void hist_record(struct hist *, int64_t ns);
void hist_add(struct hist *, uint32_t bucket, uint64_t count);
void hist_merge(struct hist *into, const struct hist *from);

/* The sample, counted from 1, that stands for the share q of `total` > 0 samples: ceil(q * total), from 1 to total. */
uint64_t hist_rank(uint64_t total, double q);

/* The value below which a share q (0..1) of the samples lies: the middle of the bucket that holds sample ceil(q * total), at
 * least the first.  NaN when empty.  Result in ms. */
double hist_quantile_ms(const struct hist *, double q);
/* The mean of the samples, each taken as the middle of its bucket; the upper end of the largest one's bucket.  NaN when empty. */
double hist_mean_ms(const struct hist *);
double hist_max_ms(const struct hist *);

#endif
