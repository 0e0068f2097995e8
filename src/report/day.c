#include "config.h"

#include "report/day.h"
#include "report/meta.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int day_is(const struct run_data *run) {
  const char *kind = meta_text(run->meta, "kind");
  return kind && strcmp(kind, "day") == 0;
}

static double rise(int64_t a, int64_t b) {
  return a == ABSENT || b == ABSENT || b < a ? NAN : (double)(b - a);
}

static double over(double a, double b) {
  return b > 0 ? a / b : NAN;
}

static double gb_of_kb(int64_t kb) {
  return figure_of(kb) / 1048576;
}

static struct day_second between(const struct server_sample *a, const struct server_sample *b) {
  double s = (double)(b->at_ns - a->at_ns) / 1e9;
  return (struct day_second){
    .at_s = ((double)a->at_ns + (double)b->at_ns) / 2e9,
    .span_s = s,
    .read_mb = rise(a->data_read_bytes, b->data_read_bytes) / 1e6,
    .reads = rise(a->data_reads, b->data_reads),
    .read_stall_ms = rise(a->data_read_stall_ms, b->data_read_stall_ms),
    .write_mb = rise(a->data_write_bytes, b->data_write_bytes) / 1e6,
    .log_mb = rise(a->log_write_bytes, b->log_write_bytes) / 1e6,
    .batches = rise(a->batch_requests, b->batch_requests),
    .page_reads = rise(a->page_reads, b->page_reads),
    .page_lookups = rise(a->page_lookups, b->page_lookups),
    .page_life_s = figure_of(b->page_life_expectancy_s),
    .cache_gb = b->database_cache_kb != ABSENT ? gb_of_kb(b->database_cache_kb) : figure_of(b->database_pages) * 8 / 1048576,
    .total_gb = gb_of_kb(b->total_memory_kb),
    .target_gb = gb_of_kb(b->target_memory_kb),
    .cpu_ms = rise(a->cpu_ms, b->cpu_ms),
    .processor_ms = s * 1e3 * figure_of(b->schedulers),
  };
}

static void add_gap(struct day *d, double s) {
  d->gaps++;
  d->gap_s += s;
  d->longest_gap_s = fmax(d->longest_gap_s, s);
}

static void take_step(struct day *d, const struct step_data *st) {
  const struct server_sample *before = NULL;
  for (size_t i = 0; i < st->nsample; i++) {
    const struct server_sample *s = &st->sample[i];
    if (s->at_ns == ABSENT || (before && s->at_ns <= before->at_ns))
      continue;
    if (isnan(d->first_s))
      d->first_s = (double)s->at_ns / 1e9;
    d->last_s = (double)s->at_ns / 1e9;
    int restarted = before && before->start_ticks != ABSENT && s->start_ticks != ABSENT && before->start_ticks != s->start_ticks;
    d->restarts += restarted;
    if (before && s->at_ns - before->at_ns > DAY_GAP_NS)
      add_gap(d, (double)(s->at_ns - before->at_ns) / 1e9);
    else if (before && !restarted)
      d->second[d->n++] = between(before, s);
    before = s;
  }
}

/* ---- sums ---- */

static double quantile(double *v, size_t n, double q) {
  if (n == 0)
    return NAN;
  qsort(v, n, sizeof *v, double_order);
  double at = q * (double)(n - 1);
  size_t i = (size_t)at;
  return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[i];
}

/* Sum of what is known, and the time that it is known for. */
struct sum {
  double sum, span_s, max;
};

static void add(struct sum *s, double v, double span_s) {
  if (isnan(v))
    return;
  s->sum += v;
  s->span_s += span_s;
  s->max = fmax(s->max, v / span_s);
}

static double per_s(const struct sum *s) {
  return over(s->sum, s->span_s);
}

static size_t first_from(const struct day *d, double s) {
  size_t lo = 0, hi = d->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (d->second[mid].at_s < s)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

void day_sum(struct day_row *r, const struct day *d, double from_s, double to_s) {
  struct sum read = {0}, write = {0}, log = {0}, batches = {0}, reads = {0}, cache = {0}, total = {0}, target = {0};
  double stall_ms = 0, stalled_reads = 0, page_reads = 0, lookups = 0, cpu = 0, processors = 0, sampled = 0;
  size_t i = first_from(d, from_s), end = first_from(d, to_s), nread = 0, nlife = 0;
  double *mb_s = xcalloc(end - i + 1, sizeof *mb_s), *life = xcalloc(end - i + 1, sizeof *life);
  for (; i < end; i++) {
    const struct day_second *s = &d->second[i];
    sampled += s->span_s;
    add(&read, s->read_mb, s->span_s);
    add(&reads, s->reads, s->span_s);
    add(&write, s->write_mb, s->span_s);
    add(&log, s->log_mb, s->span_s);
    add(&batches, s->batches, s->span_s);
    add(&cache, s->cache_gb * s->span_s, s->span_s);
    add(&total, s->total_gb * s->span_s, s->span_s);
    add(&target, s->target_gb * s->span_s, s->span_s);
    if (isfinite(s->read_mb))
      mb_s[nread++] = s->read_mb / s->span_s;
    if (isfinite(s->page_life_s))
      life[nlife++] = s->page_life_s;
    if (isfinite(s->read_stall_ms) && isfinite(s->reads)) {
      stall_ms += s->read_stall_ms;
      stalled_reads += s->reads;
    }
    if (isfinite(s->page_reads) && isfinite(s->page_lookups)) {
      page_reads += s->page_reads;
      lookups += s->page_lookups;
    }
    if (isfinite(s->cpu_ms) && isfinite(s->processor_ms)) {
      cpu += s->cpu_ms;
      processors += s->processor_ms;
    }
  }
  double middle = quantile(life, nlife, 0.5); /* sorts */
  *r = (struct day_row){
    .from_s = from_s, .to_s = to_s, .sampled_s = sampled,
    .read_mb_s = per_s(&read), .read_mb_s_p95 = quantile(mb_s, nread, 0.95), .read_mb_s_max = nread ? mb_s[nread - 1] : NAN,
    .reads_s = per_s(&reads), .read_ms = over(stall_ms, stalled_reads), .write_mb_s = per_s(&write), .log_mb_s = per_s(&log),
    .batches_s = per_s(&batches), .batches_s_max = batches.span_s > 0 ? batches.max : NAN, .hit_ratio = 1 - over(page_reads, lookups),
    .page_life_s = middle, .page_life_min_s = nlife ? life[0] : NAN,
    .cache_gb = per_s(&cache), .total_gb = per_s(&total), .target_gb = per_s(&target), .cpu = over(cpu, processors),
  };
  free(mb_s);
  free(life);
}

/* ---- the whole ---- */

/* "2026-11-30T15:04:05Z" as seconds since 1970; NaN when it is none. */
static double wall_of(const char *text) {
  struct tm tm = {0};
  const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;
  return end && !*end ? (double)timegm(&tm) : NAN;
}

/* Hours; for a short day less, for several days more. */
static double width_of(double span_s) {
  return span_s > 26 * 3600 ? 4 * 3600 : span_s > 2 * 3600 ? 3600 : span_s > 1200 ? 600 : 60;
}

static void make_parts(struct day *d) {
  if (d->n == 0)
    return;
  d->part_s = width_of(d->last_s - d->first_s);
  double from = floor((d->clock0_s + d->first_s) / d->part_s) * d->part_s - d->clock0_s;
  d->npart = (size_t)ceil((d->last_s - from) / d->part_s);
  d->part = xcalloc(d->npart ? d->npart : 1, sizeof *d->part);
  for (size_t i = 0; i < d->npart; i++)
    day_sum(&d->part[i], d, from + (double)i * d->part_s, from + (double)(i + 1) * d->part_s);
}

void day_make(struct day *d, const struct run_data *run) {
  size_t n = 0;
  for (size_t i = 0; i < run->nstep; i++)
    n += run->step[i].nsample;
  *d = (struct day){.first_s = NAN, .last_s = NAN, .second = xcalloc(n ? n : 1, sizeof *d->second)};
  d->planned_s = meta_number(run->meta, "plan.for_s");
  double wall = wall_of(meta_text(run->meta, "started")), offset = meta_number(run->meta, "local_offset_s");
  d->clock0_s = isnan(wall) ? 0 : wall + (isnan(offset) ? 0 : offset);
  for (size_t i = 0; i < run->nstep; i++)
    take_step(d, &run->step[i]);
  day_sum(&d->whole, d, -INFINITY, INFINITY);
  make_parts(d);
}

void day_free(struct day *d) {
  free(d->second);
  free(d->part);
  *d = (struct day){0};
}
