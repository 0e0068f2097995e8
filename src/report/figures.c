#include "config.h"

#include "report/figures.h"
#include "report/moderate.h"
#include "report/pool.h"
#include "report/resample.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const latency_stat_name[MS_STATS] = {"mean", "p50", "p90", "p95", "p99", "p999", "max"};
const char *const row_kind_name[ROW_KINDS] = {"step", "again", "broken"};

double figure_of(int64_t v) {
  return v == ABSENT ? NAN : (double)v;
}

int double_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int figures_window(const struct step_data *st, int64_t *begin_ns, int64_t *end_ns) {
  int64_t b = st->facts.begin_ns[PHASE_MEASURE], e = st->facts.end_ns[PHASE_MEASURE];
  if (!st->facts.incomplete && b >= 0 && e > b) {
    *begin_ns = b;
    *end_ns = e;
    return 1;
  }
  /* Broken off: the seconds that were written say how far it came. */
  int any = 0;
  for (size_t i = 0; i < st->nsecond; i++) {
    const struct load_second *s = &st->second[i];
    if (s->phase != PHASE_MEASURE)
      continue;
    if (!any)
      *begin_ns = s->second * NS_PER_S;
    *end_ns = (s->second + 1) * NS_PER_S;
    any = 1;
  }
  return any;
}

int figures_measured(const struct step_data *st, const struct load_second *s) {
  int64_t begin_ns, end_ns;
  return s->phase == PHASE_MEASURE && figures_window(st, &begin_ns, &end_ns) && s->second * NS_PER_S >= begin_ns &&
         (s->second + 1) * NS_PER_S <= end_ns;
}

/* Median; sorts v. */
static double median(double *v, size_t n) {
  if (n == 0)
    return NAN;
  qsort(v, n, sizeof *v, double_order);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* ---- what the server said ---- */

/* The samples of the measured phase: those in the window and the last one before it, so that differences span it whole. */
struct span {
  const struct server_sample *from, *to;
  double seconds;
};

static struct span sample_span(const struct step_data *st, int64_t begin_ns, int64_t end_ns) {
  struct span sp = {0};
  /* Samples come at whole seconds, the window begins anywhere: take the nearest second on either side. */
  int64_t slack = NS_PER_S / 2;
  for (size_t i = 0; i < st->nsample; i++) {
    const struct server_sample *s = &st->sample[i];
    if (s->at_ns == ABSENT || s->at_ns < begin_ns - slack || s->at_ns > end_ns + slack)
      continue;
    if (!sp.from)
      sp.from = s;
    sp.to = s;
  }
  if (sp.from == sp.to)
    sp = (struct span){0};
  else
    sp.seconds = (double)(sp.to->at_ns - sp.from->at_ns) / 1e9;
  /* A restart begins all counts anew. */
  if (sp.from && sp.from->start_ticks != ABSENT && sp.to->start_ticks != ABSENT && sp.from->start_ticks != sp.to->start_ticks)
    sp = (struct span){0};
  return sp;
}

/* A count's growth over the span; NaN when it is not known or went back. */
static double growth(int64_t from, int64_t to) {
  return from == ABSENT || to == ABSENT || to < from ? NAN : (double)(to - from);
}

#define GROWTH(sp, field) ((sp)->from ? growth((sp)->from->field, (sp)->to->field) : NAN)

static double ratio(double a, double b) {
  return b > 0 ? a / b : NAN;
}

static void server_figures(struct figures *f, const struct step_data *st, int64_t begin_ns, int64_t end_ns) {
  struct span sp = sample_span(st, begin_ns, end_ns);
  double reads = GROWTH(&sp, data_reads), stall = GROWTH(&sp, data_read_stall_ms);
  f->read_mb_s.value = ratio(GROWTH(&sp, data_read_bytes), sp.seconds) / 1e6;
  f->reads_s = ratio(reads, sp.seconds);
  f->read_ms = ratio(stall, reads);
  f->reads_per_tx.value = ratio(f->reads_s, f->tx_s.value);
  f->read_stall_ms_per_tx = ratio(ratio(stall, sp.seconds), f->tx_s.value);
  f->write_mb_s = ratio(GROWTH(&sp, data_write_bytes), sp.seconds) / 1e6;
  f->log_write_mb_s = ratio(GROWTH(&sp, log_write_bytes), sp.seconds) / 1e6;
  f->hit_ratio = 1 - ratio(GROWTH(&sp, page_reads), GROWTH(&sp, page_lookups));
  double schedulers = sp.to ? figure_of(sp.to->schedulers) : NAN;
  f->cpu = ratio(GROWTH(&sp, cpu_ms) / 1e3, sp.seconds * schedulers);

  double *life = xcalloc(st->nsample + 1, sizeof *life), cache_kib = NAN;
  size_t n = 0;
  for (size_t i = 0; i < st->nsample; i++) {
    const struct server_sample *s = &st->sample[i];
    if (s->at_ns < begin_ns || s->at_ns > end_ns)
      continue;
    if (s->page_life_expectancy_s != ABSENT)
      life[n++] = (double)s->page_life_expectancy_s;
    if (s->database_cache_kb != ABSENT)
      cache_kib = (double)s->database_cache_kb;
    else if (s->database_pages != ABSENT)
      cache_kib = (double)s->database_pages * 8;
  }
  f->page_life_s = median(life, n);
  free(life);
  if (st->facts.cache_kib > 0)
    cache_kib = (double)st->facts.cache_kib;
  f->cache_gb = cache_kib / 1048576;
}

/* ---- what the users saw ---- */

static void load_figures(struct figures *f, const struct step_data *st) {
  f->done = f->rolled_back = f->deadlocks = f->failed = f->lost = f->overflow = 0;
  for (size_t i = 0; i < st->nsecond; i++) {
    const struct load_second *s = &st->second[i];
    if (!figures_measured(st, s))
      continue;
    f->nsecond++;
    f->done += s->done == ABSENT ? 0 : (double)s->done;
    f->rolled_back += s->rolled_back == ABSENT ? 0 : (double)s->rolled_back;
    f->deadlocks += s->deadlocks == ABSENT ? 0 : (double)s->deadlocks;
    f->failed += s->failed == ABSENT ? 0 : (double)s->failed;
    f->lost += s->lost == ABSENT ? 0 : (double)s->lost;
    f->overflow += s->ring_overflow == ABSENT ? 0 : (double)s->ring_overflow;
    if (s->host_idle_permille != ABSENT) {
      double idle = (double)(s->host_idle_permille + (s->host_iowait_permille == ABSENT ? 0 : s->host_iowait_permille)) / 1e3;
      f->host_idle = isnan(f->host_idle) || idle < f->host_idle ? idle : f->host_idle;
    }
  }
  if (f->nsecond == 0) /* nothing was sent: not known, and not zero */
    f->done = f->rolled_back = f->deadlocks = f->failed = f->lost = f->overflow = NAN;
  f->tx_s.value = ratio(f->done, (double)f->nsecond);
}

void seconds_index(struct seconds *x, const struct step_data *st) {
  *x = (struct seconds){0};
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (size_t i = 0; i < st->nsecond; i++) {
    if (!figures_measured(st, &st->second[i]))
      continue;
    lo = st->second[i].second < lo ? st->second[i].second : lo;
    hi = st->second[i].second > hi ? st->second[i].second : hi;
  }
  if (hi < lo || lo < 0 || hi > SECONDS_MAX)
    return;
  x->first = lo;
  x->span = (size_t)(hi - lo + 1);
  x->slot = xmalloc(x->span * sizeof *x->slot);
  for (size_t i = 0; i < x->span; i++)
    x->slot[i] = -1;
  for (size_t i = 0; i < st->nsecond; i++) {
    if (!figures_measured(st, &st->second[i]))
      continue;
    int32_t *slot = &x->slot[st->second[i].second - lo];
    if (*slot < 0)
      *slot = (int32_t)x->n++;
  }
}

int32_t seconds_slot(const struct seconds *x, int64_t second) {
  return second < x->first || second >= x->first + (int64_t)x->span ? -1 : x->slot[second - x->first];
}

void figures_hist(struct hist *h, const struct step_data *st, const struct seconds *x, enum hist_what what) {
  hist_clear(h);
  for (size_t i = 0; i < st->nhist; i++)
    if (st->hist[i].what == what && seconds_slot(x, st->hist[i].second) >= 0)
      hist_add(h, st->hist[i].e.bucket, st->hist[i].e.count);
}

static void latency_figures(struct figures *f, const struct step_data *st) {
  static const double share[MS_STATS] = {[MS_P50] = 0.5, [MS_P90] = 0.9, [MS_P95] = 0.95, [MS_P99] = 0.99, [MS_P999] = 0.999};
  struct hist *h = hist_new();
  struct seconds x;
  seconds_index(&x, st);
  figures_hist(h, st, &x, HIST_LATENESS);
  f->lateness_p99_ms = hist_quantile_ms(h, 0.99);
  figures_hist(h, st, &x, HIST_RESPONSE);
  free(x.slot);
  f->latencies = (double)h->total;
  for (int q = 0; q < MS_STATS; q++)
    f->ms[q].value = h->total == 0  ? NAN
                     : q == MS_MEAN ? hist_mean_ms(h)
                     : q == MS_MAX  ? hist_max_ms(h)
                     : stats_quantile_supported(h->total, share[q]) ? hist_quantile_ms(h, share[q])
                                                                    : NAN;
  free(h);
}

int figures_leave_out(const struct figures *row, const struct figures *visit) {
  return row->nleft_out > 0 && visit->marks & MARK_CLIENT_BOUND;
}

void figures_users(struct figures *f) {
  load_figures(f, f->step);
  latency_figures(f, f->step);
}

/* ---- rows ---- */

static unsigned marks_of(const struct step_facts *s) {
  return (s->saturated > 0 ? MARK_SATURATED : 0u) | (s->client_bound > 0 ? MARK_CLIENT_BOUND : 0u) |
         (s->steady == 0 && !s->incomplete ? MARK_NOT_STEADY : 0u) | (s->reached == 0 && !s->incomplete ? MARK_NOT_REACHED : 0u) |
         (s->incomplete ? MARK_BROKEN : 0u);
}

void figures_blank(struct figures *f) {
  *f = (struct figures){.reached_gb = NAN,
                        .cache_gb = NAN,
                        .begin_s = NAN,
                        .end_s = NAN,
                        .done = NAN,
                        .rolled_back = NAN,
                        .deadlocks = NAN,
                        .failed = NAN,
                        .lost = NAN,
                        .overflow = NAN,
                        .reads_s = NAN,
                        .read_ms = NAN,
                        .read_stall_ms_per_tx = NAN,
                        .write_mb_s = NAN,
                        .log_write_mb_s = NAN,
                        .hit_ratio = NAN,
                        .page_life_s = NAN,
                        .cpu = NAN,
                        .row_lock_ms_per_tx = NAN,
                        .grants_pending = NAN,
                        .lateness_p99_ms = NAN,
                        .host_idle = NAN};
  for (int k = 0; k < PRESSURES; k++)
    f->wait_ms_per_tx[k] = NAN;
  const struct estimate none = {NAN, NAN, NAN};
  f->tx_s = f->change = f->read_mb_s = f->reads_per_tx = none;
  for (int q = 0; q < MS_STATS; q++) {
    f->ms[q] = none;
    f->stat[q] = (struct stats_value){none, NAN, NAN};
  }
  f->tx_stat = f->read_stat = f->reads_stat = (struct stats_value){none, NAN, NAN};
}

static void step_figures(struct figures *f, const struct step_data *st, uint64_t seed) {
  figures_blank(f);
  f->step = st;
  f->kind = st->facts.incomplete ? ROW_BROKEN : st->facts.role == STEP_DRIFT ? ROW_AGAIN : ROW_STEP;
  f->marks = marks_of(&st->facts);
  f->memory_gb = st->facts.setting_mib > 0 ? (double)st->facts.setting_mib / 1024 : NAN;
  memory_name(st->facts.setting_mib, f->memory, sizeof f->memory);
  if (st->facts.reached_kib > 0)
    f->reached_gb = (double)st->facts.reached_kib / 1048576;
  int64_t begin, end;
  if (!figures_window(st, &begin, &end))
    return;
  f->begin_s = (double)begin / 1e9;
  f->end_s = (double)end / 1e9;
  figures_users(f);
  server_figures(f, st, begin, end);
  if (st->facts.row_lock_wait_ms != ABSENT && st->facts.row_lock_wait_ms >= 0)
    f->row_lock_ms_per_tx = ratio((double)st->facts.row_lock_wait_ms, f->done);
  figures_pressure(f);
  if (f->kind != ROW_BROKEN)
    resample(f, seed);
}

static int compare_rows(const void *a, const void *b) {
  const struct figures *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  const int64_t a_mib = x->step->facts.setting_mib, b_mib = y->step->facts.setting_mib;
  if (x->kind == ROW_STEP && a_mib != b_mib)
    return a_mib > b_mib ? -1 : 1;
  return (x->step > y->step) - (x->step < y->step); /* in the order they ran */
}

void figures_make(struct figures_list *l, const struct run_data *run, uint64_t seed) {
  *l = (struct figures_list){.row = xcalloc(run->nstep, sizeof *l->row)};
  for (size_t i = 0; i < run->nstep; i++)
    if (run->step[i].facts.role != STEP_BURN_IN && run->step[i].facts.setting_mib >= 0)
      step_figures(&l->row[l->n++], &run->step[i], seed);
  qsort(l->row, l->n, sizeof *l->row, compare_rows);
  moderate(l);
  pool_visits(l, seed);
  for (size_t i = 0; i < l->n; i++) {
    l->nstep += l->row[i].kind == ROW_STEP;
    /* From one lower bound to the next there is no change to tell. */
    if (i > 0 && l->row[i].kind == ROW_STEP && !(l->row[i - 1].marks & MARK_SATURATED))
      l->row[i].change = figures_change(&l->row[i - 1], &l->row[i], MS_P95);
  }
}

static void rows_free(struct figures *row, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (int q = 0; q < MS_STATS; q++)
      free(row[i].draw_ms[q]);
    free(row[i].draw_tx_s);
    free(row[i].draw_read_mb_s);
    free(row[i].draw_reads_per_tx);
  }
  free(row);
}

void figures_free(struct figures_list *l) {
  rows_free(l->row, l->n);
  rows_free(l->visit, l->nvisit);
  for (size_t i = 0; i < l->npooled; i++) {
    free(l->pooled[i].second);
    free(l->pooled[i].hist);
    free(l->pooled[i].wait);
  }
  free(l->pooled);
  *l = (struct figures_list){0};
}
