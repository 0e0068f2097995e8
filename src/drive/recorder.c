#include "config.h"

#include "drive/recorder.h"
#include "base/text.h"
#include "base/units.h"
#include "server/conn.h"

#include <stdlib.h>
#include <string.h>

/* A histogram and the range of buckets that are not zero, so that a second costs what is in it. */
struct bins {
  struct hist h;
  uint32_t lo, hi;
};

struct recorder {
  int users, ntype;
  uint32_t capacity;
  struct ring *ring;
  struct sample *slots;
  struct bins *bins[HIST_WHATS]; /* response and service: ntype of them; lateness: one */
  uint64_t overflow_before;
  struct hist_record_row *row;
  size_t nrow, cap;
};

#define SLOTS_ALL (512 * 1024)

static uint32_t capacity_for(int users) {
  uint32_t each = 32768;
  while (each > 128 && each * (uint64_t)users > SLOTS_ALL)
    each /= 2;
  return each;
}

static void *aligned(size_t n, size_t size) {
  void *p;
  if (posix_memalign(&p, CACHE_LINE, n * size) != 0)
    return xmalloc(SIZE_MAX); /* says so and ends */
  return p;
}

static void bins_clear(struct bins *b) {
  if (b->lo <= b->hi)
    memset(b->h.count + b->lo, 0, (b->hi - b->lo + 1) * sizeof *b->h.count);
  b->h.total = 0;
  b->lo = HIST_BUCKETS;
  b->hi = 0;
}

static void bins_add(struct bins *b, int64_t ns) {
  uint32_t bucket = hist_bucket(ns);
  hist_add(&b->h, bucket, 1);
  if (bucket < b->lo)
    b->lo = bucket;
  if (bucket > b->hi)
    b->hi = bucket;
}

static int bins_of(const struct recorder *r, int what) {
  return what == HIST_LATENESS ? 1 : r->ntype;
}

struct recorder *recorder_new(int users, int ntype) {
  struct recorder *r = xcalloc(1, sizeof *r);
  r->users = users;
  r->ntype = ntype;
  r->capacity = capacity_for(users);
  r->ring = aligned((size_t)users, sizeof *r->ring);
  memset(r->ring, 0, (size_t)users * sizeof *r->ring);
  /* Not touched here: a page comes into memory when a user first reaches it. */
  r->slots = aligned((size_t)users * r->capacity, sizeof *r->slots);
  for (int u = 0; u < users; u++) {
    r->ring[u].mask = r->capacity - 1;
    r->ring[u].slot = r->slots + (size_t)u * r->capacity;
  }
  for (int w = 0; w < HIST_WHATS; w++) {
    r->bins[w] = xcalloc((size_t)bins_of(r, w), sizeof *r->bins[w]);
    for (int t = 0; t < bins_of(r, w); t++)
      bins_clear(&r->bins[w][t]);
  }
  return r;
}

void recorder_free(struct recorder *r) {
  if (!r)
    return;
  for (int w = 0; w < HIST_WHATS; w++)
    free(r->bins[w]);
  free(r->slots);
  free(r->ring);
  free(r->row);
  free(r);
}

struct ring *recorder_ring(struct recorder *r, int user) {
  return &r->ring[user];
}

uint32_t recorder_capacity(const struct recorder *r) {
  return r->capacity;
}

static void take(struct recorder *r, const struct sample *s, struct load_second *out) {
  int type = s->type < r->ntype ? s->type : r->ntype - 1;
  out->deadlocks += s->deadlocks;
  out->late_count++;
  if (s->late_us > out->lateness_max_us)
    out->lateness_max_us = s->late_us;
  bins_add(&r->bins[HIST_LATENESS][0], (int64_t)s->late_us * NS_PER_US);
  switch ((enum outcome)s->outcome) {
  case DONE:
    out->done++;
    out->by_type[type]++;
    bins_add(&r->bins[HIST_RESPONSE][type], s->end_ns - s->intended_ns);
    bins_add(&r->bins[HIST_SERVICE][type], s->busy_ns);
    break;
  case ROLLED_BACK:
    out->rolled_back++;
    break;
  case LOST:
    out->lost++;
    break;
  default:
    out->failed++;
  }
}

static void add_rows(struct recorder *r, int64_t second, int what, int type) {
  const struct bins *b = &r->bins[what][type];
  for (uint32_t i = b->lo; i <= b->hi && i < HIST_BUCKETS; i++) {
    if (!b->h.count[i])
      continue;
    if (r->nrow == r->cap) {
      r->cap = r->cap ? 2 * r->cap : 4096;
      r->row = xrealloc(r->row, r->cap, sizeof *r->row);
    }
    r->row[r->nrow++] = (struct hist_record_row){
        .second = (int32_t)second, .type = (uint8_t)type, .what = (uint8_t)what, .e = {i, (uint32_t)b->h.count[i]}};
  }
}

void recorder_second(struct recorder *r, int64_t second, struct load_second *out, const struct hist_record_row **row, size_t *nrow) {
  const int64_t end_ns = (second + 1) * NS_PER_S;
  uint64_t overflow = 0;
  out->second = second;
  out->done = out->rolled_back = out->deadlocks = out->failed = out->lost = out->late_count = out->lateness_max_us = 0;
  memset(out->by_type, 0, sizeof out->by_type);
  for (int u = 0; u < r->users; u++) {
    struct ring *g = &r->ring[u];
    uint32_t n = ring_ready(g), i = 0;
    while (i < n && ring_at(g, i)->end_ns < end_ns)
      take(r, ring_at(g, i++), out);
    ring_drop(g, i);
    overflow += atomic_load_explicit(&g->overflow, memory_order_relaxed);
  }
  out->ring_overflow = (int64_t)(overflow - r->overflow_before);
  r->overflow_before = overflow;
  const struct hist *late = &r->bins[HIST_LATENESS][0].h;
  out->lateness_p50_us = late->total ? (int64_t)(1000 * hist_quantile_ms(late, 0.5)) : ABSENT;
  out->lateness_p99_us = late->total ? (int64_t)(1000 * hist_quantile_ms(late, 0.99)) : ABSENT;
  if (!late->total)
    out->lateness_max_us = ABSENT;
  r->nrow = 0;
  for (int w = 0; w < HIST_WHATS; w++)
    for (int t = 0; t < bins_of(r, w); t++) {
      add_rows(r, second, w, t);
      bins_clear(&r->bins[w][t]);
    }
  *row = r->row;
  *nrow = r->nrow;
}
