#include "config.h"

#include "report/resample.h"
#include "base/random.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX                                                                                                               \
  240 /* a longer phase is drawn in groups of seconds: bounds time and memory, and makes the blocks longer, too */

/* One step's seconds, in groups. */
struct groups {
  size_t n;         /* groups */
  size_t nbucket;   /* distinct buckets of latencies */
  uint32_t *bucket; /* their numbers, ascending */
  uint32_t *count;  /* n x nbucket */
  double *seconds, *done;
  double *span_s, *read_bytes, *reads; /* of the server's samples */
  int have_bytes, have_reads;
};

static void groups_latencies(struct groups *g, const struct step_data *st, const struct seconds *x, size_t width) {
  int32_t *dense = xmalloc(HIST_BUCKETS * sizeof *dense);
  memset(dense, 0, HIST_BUCKETS * sizeof *dense);
  for (size_t i = 0; i < st->nhist; i++)
    if (st->hist[i].what == HIST_RESPONSE && st->hist[i].e.bucket < HIST_BUCKETS && seconds_slot(x, st->hist[i].second) >= 0)
      dense[st->hist[i].e.bucket] = 1;
  g->bucket = xmalloc(HIST_BUCKETS * sizeof *g->bucket);
  for (uint32_t b = 0; b < HIST_BUCKETS; b++) {
    if (dense[b])
      g->bucket[g->nbucket] = b;
    dense[b] = dense[b] ? (int32_t)g->nbucket++ : -1;
  }
  g->count = xcalloc(g->n * g->nbucket, sizeof *g->count);
  for (size_t i = 0; i < st->nhist; i++) {
    const struct hist_record_row *r = &st->hist[i];
    int32_t slot = seconds_slot(x, r->second);
    if (r->what == HIST_RESPONSE && r->e.bucket < HIST_BUCKETS && slot >= 0)
      g->count[(size_t)slot / width * g->nbucket + (size_t)dense[r->e.bucket]] += r->e.count;
  }
  free(dense);
}

static void groups_reads(struct groups *g, const struct step_data *st, const struct seconds *x, size_t width) {
  g->have_bytes = g->have_reads = 1;
  for (size_t i = 1; i < st->nsample; i++) {
    const struct server_sample *a = &st->sample[i - 1], *b = &st->sample[i];
    if (a->at_ns == ABSENT || b->at_ns == ABSENT || b->at_ns <= a->at_ns)
      continue;
    /* The second in which most of the time between the two samples lies. */
    int32_t slot = seconds_slot(x, (a->at_ns / 2 + b->at_ns / 2) / 1000000000);
    if (slot < 0)
      continue;
    size_t k = (size_t)slot / width;
    g->span_s[k] += (double)(b->at_ns - a->at_ns) / 1e9;
    if (a->data_read_bytes == ABSENT || b->data_read_bytes < a->data_read_bytes)
      g->have_bytes = 0;
    else
      g->read_bytes[k] += (double)(b->data_read_bytes - a->data_read_bytes);
    if (a->data_reads == ABSENT || b->data_reads < a->data_reads)
      g->have_reads = 0;
    else
      g->reads[k] += (double)(b->data_reads - a->data_reads);
  }
}

static void groups_make(struct groups *g, const struct step_data *st, const struct seconds *x) {
  size_t width = (x->n + GROUPS_MAX - 1) / GROUPS_MAX;
  *g = (struct groups){.n = (x->n + width - 1) / width};
  g->seconds = xcalloc(g->n, sizeof(double));
  g->done = xcalloc(g->n, sizeof(double));
  g->span_s = xcalloc(g->n, sizeof(double));
  g->read_bytes = xcalloc(g->n, sizeof(double));
  g->reads = xcalloc(g->n, sizeof(double));
  for (size_t i = 0; i < x->span; i++)
    if (x->slot[i] >= 0)
      g->seconds[(size_t)x->slot[i] / width]++;
  for (size_t i = 0; i < st->nsecond; i++) {
    int32_t slot = st->second[i].phase == PHASE_MEASURE ? seconds_slot(x, st->second[i].second) : -1;
    if (slot >= 0 && st->second[i].done != ABSENT)
      g->done[(size_t)slot / width] += (double)st->second[i].done;
  }
  groups_latencies(g, st, x, width);
  groups_reads(g, st, x, width);
}

static void groups_free(struct groups *g) {
  free(g->bucket);
  free(g->count);
  free(g->seconds);
  free(g->done);
  free(g->span_s);
  free(g->read_bytes);
  free(g->reads);
}

/* How often each group stands in replicate `draw`: circular blocks until n are drawn. */
static void weights(uint32_t *w, size_t n, size_t block, uint64_t seed, uint64_t stream, uint64_t draw) {
  struct rng r = rng_at(seed, stream, draw);
  memset(w, 0, n * sizeof *w);
  for (size_t got = 0; got < n;) {
    size_t at = (size_t)rng_range(&r, 0, (int64_t)n - 1);
    for (size_t i = 0; i < block && got < n; i++, got++)
      w[(at + i) % n]++;
  }
}

static void draw_latencies(struct figures *f, const struct groups *g, const uint32_t *w, uint64_t *sum, size_t draw) {
  static const struct {
    enum latency_stat stat;
    double share;
  } want[] = {{MS_P50, 0.5}, {MS_P95, 0.95}, {MS_P99, 0.99}};
  uint64_t total = 0;
  double mean = 0;
  memset(sum, 0, g->nbucket * sizeof *sum);
  for (size_t k = 0; k < g->n; k++) {
    const uint32_t *count = g->count + k * g->nbucket;
    for (size_t b = 0; w[k] && b < g->nbucket; b++)
      sum[b] += (uint64_t)w[k] * count[b];
  }
  for (size_t b = 0; b < g->nbucket; b++) {
    total += sum[b];
    mean += (double)sum[b] * (double)hist_middle_ns(g->bucket[b]);
  }
  f->draw_ms[MS_MEAN][draw] = total ? mean / (double)total / 1e6 : NAN;
  uint64_t below = 0;
  size_t q = 0, nwant = sizeof want / sizeof *want;
  for (size_t b = 0; b < g->nbucket && q < nwant; b++) {
    below += sum[b];
    for (; q < nwant && total && below >= hist_rank(total, want[q].share); q++)
      f->draw_ms[want[q].stat][draw] = (double)hist_middle_ns(g->bucket[b]) / 1e6;
  }
  for (; q < nwant; q++)
    f->draw_ms[want[q].stat][draw] = NAN;
}

static void draw_rates(struct figures *f, const struct groups *g, const uint32_t *w, size_t draw) {
  double seconds = 0, done = 0, span = 0, bytes = 0, reads = 0;
  for (size_t k = 0; k < g->n; k++) {
    seconds += w[k] * g->seconds[k];
    done += w[k] * g->done[k];
    span += w[k] * g->span_s[k];
    bytes += w[k] * g->read_bytes[k];
    reads += w[k] * g->reads[k];
  }
  double tx_s = seconds > 0 ? done / seconds : NAN;
  f->draw_tx_s[draw] = tx_s;
  f->draw_read_mb_s[draw] = g->have_bytes && span > 0 ? bytes / span / 1e6 : NAN;
  f->draw_reads_per_tx[draw] = g->have_reads && span > 0 && tx_s > 0 ? reads / span / tx_s : NAN;
}

void resample_interval(const double *draw, size_t n, struct estimate *e) {
  e->lo = e->hi = NAN;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(draw[i]))
      return;
  if (n < 2 || !draw)
    return;
  double *v = xmalloc(n * sizeof *v);
  memcpy(v, draw, n * sizeof *v);
  qsort(v, n, sizeof *v, double_order);
  e->lo = v[(size_t)(0.025 * (double)(n - 1) + 0.5)];
  e->hi = v[(size_t)(0.975 * (double)(n - 1) + 0.5)];
  free(v);
}

void resample(struct figures *f, uint64_t seed) {
  static const enum latency_stat stats[] = {MS_MEAN, MS_P50, MS_P95, MS_P99};
  struct seconds x;
  seconds_index(&x, f->step, PHASE_MEASURE);
  if (x.n < RESAMPLE_SECONDS_MIN) {
    free(x.slot);
    return;
  }
  struct groups g;
  groups_make(&g, f->step, &x);
  free(x.slot);
  f->ndraw = RESAMPLE_DRAWS;
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
    f->draw_ms[stats[i]] = xcalloc(f->ndraw, sizeof(double));
  f->draw_tx_s = xcalloc(f->ndraw, sizeof(double));
  f->draw_read_mb_s = xcalloc(f->ndraw, sizeof(double));
  f->draw_reads_per_tx = xcalloc(f->ndraw, sizeof(double));
  uint32_t *w = xcalloc(g.n, sizeof *w);
  uint64_t *sum = xcalloc(g.nbucket, sizeof *sum);
  size_t block = (size_t)ceil(cbrt((double)g.n));
  for (size_t d = 0; d < f->ndraw; d++) {
    weights(w, g.n, block, seed, (uint64_t)f->step->facts.index, d);
    draw_latencies(f, &g, w, sum, d);
    draw_rates(f, &g, w, d);
  }
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
    resample_interval(f->draw_ms[stats[i]], f->ndraw, &f->ms[stats[i]]);
  resample_interval(f->draw_tx_s, f->ndraw, &f->tx_s);
  resample_interval(f->draw_read_mb_s, f->ndraw, &f->read_mb_s);
  resample_interval(f->draw_reads_per_tx, f->ndraw, &f->reads_per_tx);
  free(w);
  free(sum);
  groups_free(&g);
}

struct estimate figures_change(const struct figures *a, const struct figures *b, enum latency_stat q) {
  struct estimate e = {a->ms[q].value > 0 ? b->ms[q].value / a->ms[q].value - 1 : NAN, NAN, NAN};
  if (!a->draw_ms[q] || !b->draw_ms[q] || a->ndraw != b->ndraw)
    return e;
  double *v = xmalloc(a->ndraw * sizeof *v);
  for (size_t i = 0; i < a->ndraw; i++)
    v[i] = b->draw_ms[q][i] / a->draw_ms[q][i] - 1;
  resample_interval(v, a->ndraw, &e);
  free(v);
  return e;
}
