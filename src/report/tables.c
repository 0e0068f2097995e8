#include "config.h"

#include "report/tables.h"
#include "report/meta.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void tsv_number(struct text *t, double v, int decimals) {
  if (!isfinite(v))
    return;
  char buf[64];
  int n = snprintf(buf, sizeof buf, fabs(v) < 1e18 ? "%.*f" : "%.*e", decimals, v);
  if (strchr(buf, '.')) {
    /* 12.5000 says no more than 12.5 */
    while (buf[n - 1] == '0')
      n--;
    n -= buf[n - 1] == '.';
    buf[n] = '\0';
  }
  text_add(t, strcmp(buf, "-0") == 0 ? "0" : buf);
}

/* A column of a table of structs: where its double stands, and how it is shown. */
struct column {
  const char *name;
  size_t offset;
  double factor;
  int decimals;
};

static void header(struct text *t, const struct column *col, size_t n) {
  for (size_t i = 0; i < n; i++)
    text_addf(t, "\t%s", col[i].name);
}

static void cells(struct text *t, const struct column *col, size_t n, const void *row) {
  for (size_t i = 0; i < n; i++) {
    double v;
    memcpy(&v, (const char *)row + col[i].offset, sizeof v);
    text_add(t, "\t");
    tsv_number(t, v * col[i].factor, col[i].decimals);
  }
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void line_end(struct text *t, const char *label) {
  text_add(t, "\t");
  text_visible(t, label ? label : "");
  text_add(t, "\n");
}

/* ---- steps.tsv ---- */

#define F(name, field, factor, decimals)                                                                                         \
  { name, offsetof(struct figures, field), factor, decimals }
#define ESTIMATE(name, field, factor, decimals)                                                                                  \
  F(name, field.value, factor, decimals), F(name "_lo", field.lo, factor, decimals), F(name "_hi", field.hi, factor, decimals)

static const struct column step_columns[] = {
    F("reached_gb", reached_gb, 1, 4),
    F("cache_gb", cache_gb, 1, 4),
    F("begin_s", begin_s, 1, 3),
    F("end_s", end_s, 1, 3),
    F("done", done, 1, 0),
    F("rolled_back", rolled_back, 1, 0),
    F("deadlocks", deadlocks, 1, 0),
    F("failed", failed, 1, 0),
    F("lost", lost, 1, 0),
    F("latencies", latencies, 1, 0),
    ESTIMATE("tx_s", tx_s, 1, 3),
    ESTIMATE("mean_ms", ms[MS_MEAN], 1, 4),
    ESTIMATE("p50_ms", ms[MS_P50], 1, 4),
    ESTIMATE("p90_ms", ms[MS_P90], 1, 4),
    ESTIMATE("p95_ms", ms[MS_P95], 1, 4),
    ESTIMATE("p99_ms", ms[MS_P99], 1, 4),
    ESTIMATE("p999_ms", ms[MS_P999], 1, 4),
    ESTIMATE("max_ms", ms[MS_MAX], 1, 4),
    ESTIMATE("p95_change_percent", change, 100, 2),
    ESTIMATE("read_mb_s", read_mb_s, 1, 4),
    F("reads_s", reads_s, 1, 2),
    ESTIMATE("reads_per_tx", reads_per_tx, 1, 5),
    F("read_ms", read_ms, 1, 4),
    F("read_stall_ms_per_tx", read_stall_ms_per_tx, 1, 4),
    F("write_mb_s", write_mb_s, 1, 4),
    F("log_write_mb_s", log_write_mb_s, 1, 4),
    F("hit_percent", hit_ratio, 100, 4),
    F("page_life_s", page_life_s, 1, 1),
    F("server_cpu_percent", cpu, 100, 2),
    F("row_lock_ms_per_tx", row_lock_ms_per_tx, 1, 4),
    F("wait_reads_ms_per_tx", wait_ms_per_tx[PRESSURE_READS], 1, 4),
    F("wait_memory_grants_ms_per_tx", wait_ms_per_tx[PRESSURE_GRANTS], 1, 4),
    F("wait_cpu_ms_per_tx", wait_ms_per_tx[PRESSURE_CPU], 1, 4),
    F("wait_log_ms_per_tx", wait_ms_per_tx[PRESSURE_LOG], 1, 4),
    F("wait_locks_ms_per_tx", wait_ms_per_tx[PRESSURE_LOCKS], 1, 4),
    F("wait_latches_ms_per_tx", wait_ms_per_tx[PRESSURE_LATCHES], 1, 4),
    F("wait_threads_ms_per_tx", wait_ms_per_tx[PRESSURE_THREADS], 1, 4),
    F("wait_client_ms_per_tx", wait_ms_per_tx[PRESSURE_CLIENT], 1, 4),
    F("grants_pending_max", grants_pending, 1, 0),
    F("lateness_p99_ms", lateness_p99_ms, 1, 4),
    F("host_idle_min_percent", host_idle, 100, 1),
};

static const struct {
  const char *name;
  unsigned bit;
} mark_columns[] = {{"saturated", MARK_SATURATED},
                    {"client_bound", MARK_CLIENT_BOUND},
                    {"not_steady", MARK_NOT_STEADY},
                    {"not_reached", MARK_NOT_REACHED}};

const char *table_latency_suffix(const struct account *f) {
  return f->subject.latency_unit && !*f->subject.latency_unit ? "" : "_ms";
}

/* The names of the columns, without "_ms" where nobody knows the unit. */
static void step_header(struct text *t, const struct account *f) {
  for (size_t i = 0; i < COUNT(step_columns); i++) {
    const char *name = step_columns[i].name, *ms = strstr(name, "_ms");
    size_t head = ms ? (size_t)(ms - name) : 0;
    if (*table_latency_suffix(f) || !ms)
      text_addf(t, "\t%s", name);
    else
      text_addf(t, "\t%.*s%s", (int)head, name, ms + 3);
  }
}

static void step_line(struct text *t, const struct account *f, const struct figures *r, const char *kind) {
  double per_gb = f->subject.memory_unit ? 1024 : 1, wanted = r->step->facts.rate_wanted;
  text_visible(t, r->step->name);
  text_addf(t, "\t%s\t", kind);
  tsv_number(t, r->memory_gb * per_gb, 6);
  cells(t, step_columns, COUNT(step_columns), r);
  for (size_t m = 0; m < COUNT(mark_columns); m++)
    text_addf(t, "\t%d", (r->marks & mark_columns[m].bit) != 0);
  text_add(t, "\t");
  tsv_number(t, wanted > 0 ? wanted : NAN, 3);
  text_add(t, "\t");
  tsv_number(t, wanted > 0 ? r->step->facts.rate_reached : NAN, 3);
  line_end(t, f->label);
}

void table_steps(struct text *t, const struct account *f) {
  text_addf(t, "step\trow\t%s", f->subject.memory_unit ? "memory" : "memory_gb");
  step_header(t, f);
  for (size_t m = 0; m < COUNT(mark_columns); m++)
    text_addf(t, "\t%s", mark_columns[m].name);
  text_add(t, "\trate_wanted\trate_reached\tlabel\n");
  for (size_t i = 0; i < f->rows.n; i++)
    step_line(t, f, &f->rows.row[i], row_kind_name[f->rows.row[i].kind]);
  for (size_t i = 0; i < f->rows.nvisit; i++)
    step_line(t, f, &f->rows.visit[i], "visit");
}

/* ---- samples.tsv ---- */

struct second_row {
  int64_t second;
  int64_t phase; /* -1: only the server was heard */
  double tx_s, failed, deadlocks, mean_ms, p50_ms, p95_ms, p99_ms, lateness_ms, client_cpu, host_idle;
  double total_gb, cache_gb, read_mb_s, reads_s, read_ms, write_mb_s, log_write_mb_s, hit_ratio, page_life_s, cpu;
};

#define S(name, field, factor, decimals)                                                                                         \
  { name, offsetof(struct second_row, field), factor, decimals }
static const struct column second_columns[] = {
    S("total_memory_gb", total_gb, 1, 4),
    S("cache_gb", cache_gb, 1, 4),
    S("tx_s", tx_s, 1, 0),
    S("failed_s", failed, 1, 0),
    S("deadlocks_s", deadlocks, 1, 0),
    S("mean_ms", mean_ms, 1, 4),
    S("p50_ms", p50_ms, 1, 4),
    S("p95_ms", p95_ms, 1, 4),
    S("p99_ms", p99_ms, 1, 4),
    S("read_mb_s", read_mb_s, 1, 4),
    S("reads_s", reads_s, 1, 2),
    S("read_ms", read_ms, 1, 4),
    S("write_mb_s", write_mb_s, 1, 4),
    S("log_write_mb_s", log_write_mb_s, 1, 4),
    S("hit_percent", hit_ratio, 100, 4),
    S("page_life_s", page_life_s, 1, 0),
    S("server_cpu_percent", cpu, 100, 2),
    S("lateness_p99_ms", lateness_ms, 1, 4),
    S("client_cpu_percent", client_cpu, 100, 1),
    S("host_idle_percent", host_idle, 100, 1),
};

static void second_blank(struct second_row *r, int64_t second) {
  *r = (struct second_row){.second = second, .phase = -1};
  for (size_t i = 0; i < COUNT(second_columns); i++) {
    double nan = NAN;
    memcpy((char *)r + second_columns[i].offset, &nan, sizeof nan);
  }
}

static void second_load(struct second_row *r, const struct load_second *s) {
  r->phase = s->phase;
  r->tx_s = figure_of(s->done);
  r->failed = figure_of(s->failed);
  r->deadlocks = figure_of(s->deadlocks);
  r->lateness_ms = figure_of(s->lateness_p99_us) / 1e3;
  r->client_cpu = figure_of(s->client_cpu_ms) / 1e3;
  r->host_idle =
      (figure_of(s->host_idle_permille) + (s->host_iowait_permille == ABSENT ? 0 : (double)s->host_iowait_permille)) / 1e3;
}

/* The latencies of one second; `at` goes on from call to call. */
static void second_latency(struct second_row *r, const struct step_data *st, struct hist *h, size_t *at) {
  while (*at < st->nhist && st->hist[*at].second < r->second)
    ++*at;
  if (*at == st->nhist || st->hist[*at].second != r->second)
    return;
  hist_clear(h);
  for (; *at < st->nhist && st->hist[*at].second == r->second; ++*at)
    if (st->hist[*at].what == HIST_RESPONSE)
      hist_add(h, st->hist[*at].e.bucket, st->hist[*at].e.count);
  r->mean_ms = h->total ? hist_mean_ms(h) : NAN;
  r->p50_ms = hist_quantile_ms(h, 0.5);
  r->p95_ms = hist_quantile_ms(h, 0.95);
  r->p99_ms = hist_quantile_ms(h, 0.99);
}

static double rise(int64_t a, int64_t b) {
  return a == ABSENT || b == ABSENT || b < a ? NAN : (double)(b - a);
}

static double over(double a, double b) {
  return b > 0 ? a / b : NAN;
}

static void second_server(struct second_row *r, const struct server_sample *a, const struct server_sample *b) {
  double s = (double)(b->at_ns - a->at_ns) / 1e9, reads = rise(a->data_reads, b->data_reads);
  r->total_gb = figure_of(b->total_memory_kb) / 1048576;
  r->cache_gb = (b->database_cache_kb != ABSENT ? (double)b->database_cache_kb : figure_of(b->database_pages) * 8) / 1048576;
  r->read_mb_s = rise(a->data_read_bytes, b->data_read_bytes) / s / 1e6;
  r->reads_s = reads / s;
  r->read_ms = over(rise(a->data_read_stall_ms, b->data_read_stall_ms), reads);
  r->write_mb_s = rise(a->data_write_bytes, b->data_write_bytes) / s / 1e6;
  r->log_write_mb_s = rise(a->log_write_bytes, b->log_write_bytes) / s / 1e6;
  r->hit_ratio = 1 - over(rise(a->page_reads, b->page_reads), rise(a->page_lookups, b->page_lookups));
  r->page_life_s = figure_of(b->page_life_expectancy_s);
  r->cpu = over(rise(a->cpu_ms, b->cpu_ms) / 1e3, s * figure_of(b->schedulers));
}

static int compare_seconds(const void *a, const void *b) {
  const struct second_row *x = a, *y = b;
  return x->second != y->second ? (x->second > y->second) - (x->second < y->second)
                                : (x->phase > y->phase) - (x->phase < y->phase);
}

/* Put what the server said into the row of its second, or into a row of its own; returns how many rows there are. */
static size_t add_server(struct second_row *row, size_t nload, const struct step_data *st, const struct server_sample *before) {
  size_t n = nload, at = 0;
  for (size_t i = 0; i < st->nsample; before = &st->sample[i++]) {
    const struct server_sample *b = &st->sample[i];
    if (!before || before->at_ns == ABSENT || b->at_ns == ABSENT || b->at_ns <= before->at_ns ||
        b->at_ns - before->at_ns > 5 * NS_PER_S)
      continue;
    int64_t second = (before->at_ns / 2 + b->at_ns / 2) / NS_PER_S;
    while (at < nload && row[at].second < second)
      at++;
    struct second_row *r = at < nload && row[at].second == second ? &row[at] : &row[n];
    if (r == &row[n]) {
      second_blank(r, second);
      n++;
    }
    second_server(r, before, b);
  }
  return n;
}

static void step_samples(struct text *t, const struct step_data *st, const struct server_sample *before, const char *label,
                         struct hist *h) {
  static const char *const role_name[] = {"burn-in", "step", "again"};
  struct second_row *row = xcalloc(st->nsecond + st->nsample + 1, sizeof *row);
  for (size_t i = 0; i < st->nsecond; i++) {
    second_blank(&row[i], st->second[i].second);
    second_load(&row[i], &st->second[i]);
  }
  qsort(row, st->nsecond, sizeof *row, compare_seconds);
  size_t at = 0;
  for (size_t i = 0; i < st->nsecond; i++)
    second_latency(&row[i], st, h, &at);
  size_t n = add_server(row, st->nsecond, st, before);
  qsort(row, n, sizeof *row, compare_seconds);
  for (size_t i = 0; i < n; i++) {
    text_addf(t, "%" PRId64 "\t", row[i].second);
    text_visible(t, st->name);
    text_addf(t, "\t%s\t%s\t", role_name[st->facts.role > STEP_DRIFT ? STEP_MEASURED : st->facts.role],
              row[i].phase >= 0 && row[i].phase < PHASES ? phase_name((enum phase)row[i].phase) : "");
    tsv_number(t, st->facts.setting_mib > 0 ? (double)st->facts.setting_mib / 1024 : NAN, 6);
    cells(t, second_columns, COUNT(second_columns), &row[i]);
    line_end(t, label);
  }
  free(row);
}

/* A line without values parts two stretches of time: no curve goes across. */
static void gap_line(struct text *t, int64_t second, const char *label) {
  struct second_row blank;
  second_blank(&blank, second);
  text_addf(t, "%" PRId64 "\t\t\t\t", second);
  cells(t, second_columns, COUNT(second_columns), &blank);
  line_end(t, label);
}

/* Between two steps: where the run was broken off and gone on with, and where its points were joined. */
static void session_gap(struct text *t, const struct run_data *run, const struct step_data *a, const struct step_data *b, const char *label) {
  const json_t *all = json_object_get(run->meta, "sessions");
  if (a->facts.begin_ns[0] == ABSENT || b->facts.begin_ns[0] == ABSENT)
    return;
  if (meta_is_joined(run->meta) && a->nsecond > 0) {
    gap_line(t, a->second[a->nsecond - 1].second + 1, label);
    return;
  }
  for (size_t i = 0; i < json_array_size(all); i++) {
    int64_t began = json_integer_value(json_object_get(json_array_get(all, i), "run_ns"));
    if (a->facts.begin_ns[0] >= began || b->facts.begin_ns[0] < began)
      continue;
    gap_line(t, began / NS_PER_S, label);
    return;
  }
}

void table_samples(struct text *t, const struct run_data *run, const char *label) {
  text_add(t, "second\tstep\trow\tphase\tmemory_gb");
  header(t, second_columns, COUNT(second_columns));
  text_add(t, "\tlabel\n");
  struct hist *h = hist_new();
  const struct server_sample *before = NULL;
  for (size_t i = 0; i < run->nstep; i++) {
    const struct step_data *st = &run->step[i];
    if (i > 0)
      session_gap(t, run, st - 1, st, label);
    step_samples(t, st, before, label, h);
    if (st->nsample > 0)
      before = &st->sample[st->nsample - 1];
  }
  free(h);
}

/* ---- latency.tsv ---- */

static void latency_line(struct text *t, const struct figures *f, const char *type, int what, const char *label,
                         const struct hist *h) {
  static const double share[] = {0.5, 0.9, 0.95, 0.99, 0.999};
  text_visible(t, f->step->name);
  text_addf(t, "\t%s\t", row_kind_name[f->kind]);
  tsv_number(t, f->memory_gb, 6);
  text_add(t, "\t");
  text_visible(t, type);
  text_addf(t, "\t%s\t%" PRIu64 "\t", what == HIST_RESPONSE ? "response" : "service", h->total);
  if (h->total)
    tsv_number(t, hist_mean_ms(h), 4);
  for (size_t q = 0; q < COUNT(share); q++) {
    text_add(t, "\t");
    if (stats_quantile_supported(h->total, share[q]))
      tsv_number(t, hist_quantile_ms(h, share[q]), 4);
  }
  text_add(t, "\t");
  if (h->total)
    tsv_number(t, hist_max_ms(h), 4);
  line_end(t, label);
}

/* One step, one kind of time: all types together, then each. */
static void latency_step(struct text *t, const struct run_data *run, const struct figures *f, int what, const char *label,
                         struct hist **h) {
  struct seconds x;
  seconds_index(&x, f->step);
  int ntype = run->ntype < RECORD_TYPES_MAX ? run->ntype : RECORD_TYPES_MAX;
  for (int k = 0; k <= ntype; k++)
    hist_clear(h[k]);
  for (size_t i = 0; i < f->step->nhist; i++) {
    const struct hist_record_row *r = &f->step->hist[i];
    if (r->what != what || seconds_slot(&x, r->second) < 0)
      continue;
    hist_add(h[0], r->e.bucket, r->e.count);
    if (r->type < ntype)
      hist_add(h[r->type + 1], r->e.bucket, r->e.count);
  }
  free(x.slot);
  if (h[0]->total == 0)
    return;
  for (int k = 0; k <= ntype; k++)
    latency_line(t, f, k == 0 ? "all" : run->type_name[k - 1], what, label, h[k]);
}

void table_latency(struct text *t, const struct run_data *run, const struct figures_list *l, const char *label) {
  text_add(t, "step\trow\tmemory_gb\ttype\ttime\tcount\tmean_ms\tp50_ms\tp90_ms\tp95_ms\tp99_ms\tp999_ms\tmax_ms\tlabel\n");
  struct hist *h[RECORD_TYPES_MAX + 1];
  for (size_t k = 0; k < COUNT(h); k++)
    h[k] = hist_new();
  for (size_t i = 0; i < l->n; i++) {
    latency_step(t, run, &l->row[i], HIST_RESPONSE, label, h);
    latency_step(t, run, &l->row[i], HIST_SERVICE, label, h);
  }
  for (size_t k = 0; k < COUNT(h); k++)
    free(h[k]);
}
