#include "config.h"

#include "report/resample.h"
#include "base/random.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* One step, second by second. */
struct series {
  size_t n;
  struct seconds_hist *latency;
  double *done, *one;
  /* What the server's samples say of each second: */
  double *span_s, *read_mb, *reads;
  int have_bytes, have_reads;
};

/* The growth of the server's counts between two samples belongs to the second in which most of the time between them lies. */
static void series_reads(struct series *s, const struct step_data *st, const struct seconds *x) {
  s->have_bytes = s->have_reads = st->nsample > 1;
  for (size_t i = 1; i < st->nsample; i++) {
    const struct server_sample *a = &st->sample[i - 1], *b = &st->sample[i];
    if (a->at_ns == ABSENT || b->at_ns == ABSENT || b->at_ns <= a->at_ns)
      continue;
    int32_t slot = seconds_slot(x, (a->at_ns / 2 + b->at_ns / 2) / 1000000000);
    if (slot < 0)
      continue;
    s->span_s[slot] += (double)(b->at_ns - a->at_ns) / 1e9;
    if (a->data_read_bytes == ABSENT || b->data_read_bytes < a->data_read_bytes)
      s->have_bytes = 0;
    else
      s->read_mb[slot] += (double)(b->data_read_bytes - a->data_read_bytes) / 1e6;
    if (a->data_reads == ABSENT || b->data_reads < a->data_reads)
      s->have_reads = 0;
    else
      s->reads[slot] += (double)(b->data_reads - a->data_reads);
  }
}

static void series_make(struct series *s, const struct step_data *st, const struct seconds *x) {
  *s = (struct series){.n = x->n, .latency = seconds_hist_new(x->n)};
  double **column[] = {&s->done, &s->one, &s->span_s, &s->read_mb, &s->reads};
  for (size_t i = 0; i < sizeof column / sizeof *column; i++)
    *column[i] = xcalloc(s->n, sizeof(double));
  for (size_t i = 0; i < st->nsecond; i++) {
    int32_t slot = figures_measured(st, &st->second[i]) ? seconds_slot(x, st->second[i].second) : -1;
    if (slot < 0)
      continue;
    s->one[slot] = 1;
    s->done[slot] += st->second[i].done == ABSENT ? 0 : (double)st->second[i].done;
  }
  for (size_t i = 0; i < st->nhist; i++) {
    int32_t slot = st->hist[i].what == HIST_RESPONSE ? seconds_slot(x, st->hist[i].second) : -1;
    if (slot >= 0)
      seconds_hist_add(s->latency, (size_t)slot, st->hist[i].e.bucket, st->hist[i].e.count);
  }
  series_reads(s, st, x);
}

static void series_free(struct series *s) {
  seconds_hist_free(s->latency);
  free(s->done);
  free(s->one);
  free(s->span_s);
  free(s->read_mb);
  free(s->reads);
}

/* No percentile is better known than to the bucket that it lies in. */
static void add_bucket(struct stats_value *v) {
  if (!(v->e.value > 0) || !isfinite(v->se_log))
    return;
  uint32_t bucket = hist_bucket(llround(v->e.value * 1e6));
  double half = (double)(hist_upper_ns(bucket) - hist_middle_ns(bucket)) / 1e6;
  if (v->se_log == 0)
    v->df = INFINITY;
  v->se_log = hypot(v->se_log, half / v->e.value / sqrt(3));
  v->e.lo = fmin(v->e.lo, v->e.value - half);
  v->e.hi = fmax(v->e.hi, v->e.value + half);
}

static void latencies(struct figures *f, const struct series *s, uint64_t seed) {
  static const struct {
    enum latency_stat stat;
    double share;
    int judged; /* a verdict asks for replicates */
  } quantile[] = {{MS_P50, 0.5, 1}, {MS_P90, 0.9, 0}, {MS_P95, 0.95, 1}, {MS_P99, 0.99, 1}, {MS_P999, 0.999, 0}};
  for (size_t i = 0; i < sizeof quantile / sizeof *quantile; i++) {
    enum latency_stat q = quantile[i].stat;
    if (isnan(f->ms[q].value))
      continue; /* too few transactions for it */
    f->stat[q] = seconds_hist_quantile(s->latency, quantile[i].share);
    add_bucket(&f->stat[q]);
    f->ms[q] = f->stat[q].e;
    if (!quantile[i].judged)
      continue;
    f->draw_ms[q] = xcalloc(f->ndraw, sizeof(double));
    seconds_hist_quantile_draws(s->latency, quantile[i].share, seed, f->draw_ms[q], f->ndraw);
  }
  f->stat[MS_MEAN] = seconds_hist_mean(s->latency);
  f->draw_ms[MS_MEAN] = xcalloc(f->ndraw, sizeof(double));
  seconds_hist_mean_draws(s->latency, seed, f->draw_ms[MS_MEAN], f->ndraw);
  f->ms[MS_MEAN].lo = f->stat[MS_MEAN].e.lo;
  f->ms[MS_MEAN].hi = f->stat[MS_MEAN].e.hi;
}

/* The interval and replicates of num / den for an estimate whose value is known, and may be of a slightly other span of time. */
static double *ratio(struct estimate *e, struct stats_value *stat, const double *num, const double *den, size_t n, uint64_t seed,
                     size_t ndraw) {
  struct stats_value v = stats_ratio(num, den, n);
  double *draw = xcalloc(ndraw, sizeof(double));
  stats_ratio_draws(num, den, n, seed, draw, ndraw);
  if (!(v.e.value > 0) || !isfinite(e->value)) {
    free(draw);
    return NULL;
  }
  double scale = e->value / v.e.value;
  e->lo = v.e.lo * scale;
  e->hi = v.e.hi * scale;
  *stat = (struct stats_value){*e, v.se_log, v.df};
  for (size_t d = 0; d < ndraw; d++)
    draw[d] *= scale;
  return draw;
}

void resample(struct figures *f, uint64_t seed) {
  struct seconds x;
  struct series s;
  seconds_index(&x, f->step);
  if (x.n >= STATS_MIN) {
    series_make(&s, f->step, &x);
    /* Each step has its own draws; within a step, latencies, transactions and reads of one second are drawn together. */
    seed = mix64(seed ^ mix64((uint64_t)f->step->facts.index));
    f->ndraw = RESAMPLE_DRAWS;
    latencies(f, &s, seed);
    f->draw_tx_s = ratio(&f->tx_s, &f->tx_stat, s.done, s.one, s.n, seed, f->ndraw);
    if (s.have_bytes)
      f->draw_read_mb_s = ratio(&f->read_mb_s, &f->read_stat, s.read_mb, s.span_s, s.n, seed, f->ndraw);
    if (s.have_reads)
      f->draw_reads_per_tx = ratio(&f->reads_per_tx, &f->reads_stat, s.reads, s.done, s.n, seed, f->ndraw);
    series_free(&s);
  }
  free(x.slot);
}

struct estimate figures_change(const struct figures *a, const struct figures *b, enum latency_stat q) {
  if (isfinite(a->stat[q].se_log) && isfinite(b->stat[q].se_log))
    return stats_change(&a->stat[q], &b->stat[q]);
  return (struct estimate){a->ms[q].value > 0 ? b->ms[q].value / a->ms[q].value - 1 : NAN, NAN, NAN};
}
