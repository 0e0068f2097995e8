#include "config.h"

#include "analysis/bootstrap.h"
#include "analysis/stats.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

struct entry {
  uint32_t second, bucket, count;
};

struct seconds_hist {
  size_t n;
  struct hist *sum;
  struct entry *entry;
  size_t nentry, cap;
};

struct seconds_hist *seconds_hist_new(size_t n) {
  struct seconds_hist *h = xcalloc(1, sizeof *h);
  h->n = n;
  h->sum = hist_new();
  return h;
}

void seconds_hist_free(struct seconds_hist *h) {
  if (!h)
    return;
  free(h->sum);
  free(h->entry);
  free(h);
}

void seconds_hist_add(struct seconds_hist *h, size_t second, uint32_t bucket, uint32_t count) {
  if (second >= h->n)
    return;
  if (h->nentry == h->cap) {
    h->cap = h->cap ? 2 * h->cap : 1024;
    h->entry = xrealloc(h->entry, h->cap, sizeof *h->entry);
  }
  h->entry[h->nentry++] = (struct entry){(uint32_t)second, bucket < HIST_BUCKETS ? bucket : HIST_BUCKETS - 1, count};
  hist_add(h->sum, bucket, count);
}

const struct hist *seconds_hist_sum(const struct seconds_hist *h) {
  return h->sum;
}

/* ---- percentiles ---- */

static uint32_t quantile_bucket(const struct hist *h, double q) {
  uint64_t rank = hist_rank(h->total, q), sum = 0;
  for (uint32_t i = 0; i < HIST_BUCKETS; i++)
    if ((sum += h->count[i]) >= rank)
      return i;
  return HIST_BUCKETS - 1;
}

/* How each second moves the share of samples at or below a bucket, put into z. */
static void share_influence(const struct seconds_hist *h, uint32_t bucket, double *z) {
  double *below = xcalloc(h->n, sizeof(double)), *all = xcalloc(h->n, sizeof(double));
  for (size_t i = 0; i < h->nentry; i++) {
    const struct entry *e = &h->entry[i];
    all[e->second] += e->count;
    if (e->bucket <= bucket)
      below[e->second] += e->count;
  }
  stats_ratio_influence(below, all, h->n, z);
  free(below);
  free(all);
}

/* The error of the share below percentile q: at least that of independent samples, and as correlated as the share below the
 * median. */
static struct stats_error share_error(const struct seconds_hist *h, double q, double *z) {
  share_influence(h, quantile_bucket(h->sum, 0.5), z);
  struct stats_error e = stats_error(z, h->n, 0);
  share_influence(h, quantile_bucket(h->sum, q), z);
  e = stats_error(z, h->n, isnan(e.lag1) ? 0 : e.lag1);
  /* All samples in one bucket: there is nothing to be unsure of beyond the bucket. */
  if (e.se > 0)
    e.se = fmax(e.se, sqrt(q * (1 - q) / (double)h->sum->total));
  return e;
}

/* The share that lies `shift` from q, on the scale of log-odds. */
static double share_at(double q, double shift) {
  double odds = log(q / (1 - q)) + shift / (q * (1 - q));
  return 1 / (1 + exp(-odds));
}

struct stats_value seconds_hist_quantile(const struct seconds_hist *h, double q) {
  struct stats_value v = {{NAN, NAN, NAN}, NAN, NAN};
  if (h->sum->total == 0 || !(q > 0 && q < 1))
    return v;
  v.e.value = hist_quantile_ms(h->sum, q);
  double *z = xcalloc(h->n, sizeof(double));
  struct stats_error e = share_error(h, q, z);
  free(z);
  if (isnan(e.se))
    return v;
  double half = stats_t(0.975, e.df) * e.se, hi = share_at(q, half);
  v.e.lo = hist_quantile_ms(h->sum, share_at(q, -half));
  v.e.hi = e.se > 0 && hi * (double)h->sum->total > (double)h->sum->total - 1 ? INFINITY : hist_quantile_ms(h->sum, hi);
  v.se_log = log(hist_quantile_ms(h->sum, share_at(q, e.se)) / hist_quantile_ms(h->sum, share_at(q, -e.se))) / 2;
  v.df = e.df;
  return v;
}

/* The buckets that hold samples, with the number at or below each: a quick way from a share to a latency. */
struct ladder {
  size_t n;
  uint64_t *below;
  double *ms;
};

static struct ladder ladder_make(const struct hist *h) {
  struct ladder l = {0};
  for (uint32_t i = 0; i < HIST_BUCKETS; i++)
    l.n += h->count[i] > 0;
  l.below = xmalloc(l.n * sizeof *l.below);
  l.ms = xmalloc(l.n * sizeof *l.ms);
  uint64_t sum = 0;
  size_t k = 0;
  for (uint32_t i = 0; i < HIST_BUCKETS; i++)
    if (h->count[i]) {
      l.below[k] = sum += h->count[i];
      l.ms[k++] = (double)hist_middle_ns(i) / 1e6;
    }
  return l;
}

static double ladder_ms(const struct ladder *l, uint64_t rank) {
  size_t lo = 0, hi = l->n - 1;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (l->below[mid] >= rank)
      hi = mid;
    else
      lo = mid + 1;
  }
  return l->ms[lo];
}

void seconds_hist_quantile_draws(const struct seconds_hist *h, double q, uint64_t seed, double *draw, size_t ndraw) {
  if (h->sum->total == 0 || !(q > 0 && q < 1)) {
    for (size_t r = 0; r < ndraw; r++)
      draw[r] = NAN;
    return;
  }
  double *z = xcalloc(h->n, sizeof(double));
  struct stats_error e = share_error(h, q, z);
  struct ladder l = ladder_make(h->sum);
  bootstrap_deviations(z, h->n, &e, seed, draw, ndraw);
  for (size_t r = 0; r < ndraw; r++)
    draw[r] = ladder_ms(&l, hist_rank(h->sum->total, share_at(q, -draw[r]))); /* a greater share below means a smaller latency */
  free(l.below);
  free(l.ms);
  free(z);
}

/* ---- mean ---- */

static void sums(const struct seconds_hist *h, double *ms, double *count) {
  for (size_t i = 0; i < h->nentry; i++) {
    const struct entry *e = &h->entry[i];
    ms[e->second] += (double)e->count * (double)hist_middle_ns(e->bucket) / 1e6;
    count[e->second] += e->count;
  }
}

struct stats_value seconds_hist_mean(const struct seconds_hist *h) {
  double *ms = xcalloc(2 * h->n + 1, sizeof(double));
  sums(h, ms, ms + h->n);
  struct stats_value v = stats_ratio(ms, ms + h->n, h->n);
  free(ms);
  return v;
}

void seconds_hist_mean_draws(const struct seconds_hist *h, uint64_t seed, double *draw, size_t ndraw) {
  double *ms = xcalloc(2 * h->n + 1, sizeof(double));
  sums(h, ms, ms + h->n);
  stats_ratio_draws(ms, ms + h->n, h->n, seed, draw, ndraw);
  free(ms);
}
