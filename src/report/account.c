#include "config.h"

#include "report/account.h"
#include "report/meta.h"
#include "report/resample.h"
#include "report/words.h"
#include "analysis/verdict_words.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const judged_name[JUDGED] = {"p95_ms", "p50_ms", "mean_ms", "p99_ms", "reads_per_tx", "tx_s"};
const double within_more[WITHIN] = {0.1, 0.25, 1};

/* ---- texts ---- */

static char *shown(const char *s) {
  struct text t = {0};
  text_visible(&t, s);
  return t.s;
}

/* Texts of the server and of notes end up on a terminal. */
void sentence_add(struct sentences *s, const char *remedy, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *text;
  if (vasprintf(&text, fmt, ap) < 0)
    text = xstrdup("?");
  va_end(ap);
  s->item = xrealloc(s->item, s->n + 1, sizeof *s->item);
  s->item[s->n++] = (struct sentence){shown(text), remedy && *remedy ? shown(remedy) : NULL};
  free(text);
}

void sentences_add_lines(struct sentences *s, const struct text *t) {
  for (const char *p = t->s; p && *p; p += strcspn(p, "\n") + 1) {
    sentence_add(s, NULL, "%.*s", (int)strcspn(p, "\n"), p);
    if (!p[strcspn(p, "\n")])
      break;
  }
}

void sentences_free(struct sentences *s) {
  for (size_t i = 0; i < s->n; i++) {
    free(s->item[i].text);
    free(s->item[i].remedy);
  }
  free(s->item);
  *s = (struct sentences){0};
}

char *memory_text(double mib, char *buf, size_t size) {
  if (!isfinite(mib) || mib < 0 || mib > 1e12)
    snprintf(buf, size, "-");
  else
    memory_name(llround(mib), buf, size);
  return buf;
}

char *figure_text(double v, char *buf, size_t size) {
  double a = fabs(v);
  if (!isfinite(v))
    snprintf(buf, size, "-");
  else if (a >= 999.5 && a < 1e15)
    count_text(llround(v), buf, size);
  else
    snprintf(buf, size, "%.*f", a >= 99.95 ? 0 : a >= 9.995 ? 1 : a >= 0.0995 || a == 0 ? 2 : a >= 0.00995 ? 3 : 4, v);
  return buf;
}

char *percent_text(double r, char *buf, size_t size) {
  double p = 100 * r;
  if (!isfinite(p))
    snprintf(buf, size, "-");
  else {
    char digits[32];
    if (fabs(p) < 9.95)
      snprintf(digits, sizeof digits, "%.1f", fabs(p));
    else
      count_text(llround(fmin(fabs(p), 1e15)), digits, sizeof digits);
    snprintf(buf, size, "%s%s %%", p < 0 ? "-" : "+", digits);
  }
  return buf;
}

char *account_memory(const void *account, double mib, char *buf, size_t size) {
  const struct account *f = account;
  if (!f->subject.memory_unit)
    return memory_text(mib, buf, size);
  char figure[32];
  if (mib >= 999.5 && mib < 1e15)
    count_text(llround(mib), figure, sizeof figure);
  else
    snprintf(figure, sizeof figure, "%.4g", mib);
  snprintf(buf, size, "%s%s%.16s", figure, *f->subject.memory_unit ? " " : "", f->subject.memory_unit);
  return buf;
}

void account_subject(struct verdict_subject *v, const struct account *f, const char *metric) {
  *v = (struct verdict_subject){.metric = metric ? metric : f->subject.metric,
                                .sense = f->subject.sense,
                                .tolerance = f->options.tolerance,
                                .noise = f->options.noise,
                                .memory = account_memory,
                                .memory_arg = f};
}

const struct figures *account_row(const struct account *f, double mib) {
  for (size_t i = 0; i < f->rows.nstep; i++)
    if (fabs(f->rows.row[i].memory_gb * 1024 - mib) < 0.5)
      return &f->rows.row[i];
  return NULL;
}

/* ---- judging ---- */

static const double *judged_draw(const struct figures *f, enum judged j, double *y) {
  static const enum latency_stat stat[] = {
      [JUDGED_MAIN] = MS_P95, [JUDGED_P50] = MS_P50, [JUDGED_MEAN] = MS_MEAN, [JUDGED_P99] = MS_P99};
  switch (j) {
  case JUDGED_READS: *y = f->reads_per_tx.value; return f->draw_reads_per_tx;
  case JUDGED_TX: *y = f->tx_s.value; return f->draw_tx_s;
  default: *y = f->ms[stat[j]].value; return f->draw_ms[stat[j]];
  }
}

/* A point of a step; 0 when its figure or its memory is not known, or not above 0. */
static int point_of(struct verdict_point *p, const struct figures *f, double y, const double *draw) {
  if (!isfinite(y) || y <= 0 || !isfinite(f->memory_gb))
    return 0;
  *p = (struct verdict_point){.mem_mib = f->memory_gb * 1024, .y = y, .se_log = NAN, .draw = draw, .ndraw = draw ? f->ndraw : 0};
  for (size_t d = 0; d < p->ndraw; d++)
    if (!isfinite(draw[d]) || draw[d] <= 0)
      p->ndraw = 0;
  if (p->ndraw == 0)
    p->draw = NULL;
  return 1;
}

/* A busy client is part of every latency that it measured, and of its throughput; what the server read is the server's.  Such steps are no
 * points of a verdict where three others are left.  How many there are. */
static size_t busy_clients(const struct figures_list *l, int *left_out) {
  size_t busy = 0, others = 0;
  for (size_t i = 0; i < l->nstep; i++) {
    busy += (l->row[i].marks & MARK_CLIENT_BOUND) != 0;
    others += !(l->row[i].marks & MARK_CLIENT_BOUND);
  }
  *left_out = busy > 0 && others >= 3;
  return busy;
}

/* The points of what is judged: one a memory.  Fewer than three, or one that is not above 0: 0 points. */
static size_t points(const struct figures_list *l, enum judged j, int idle_clients_only, struct verdict_point *p) {
  size_t n = 0;
  for (size_t i = 0; i < l->nstep; i++) {
    double y;
    const double *draw = judged_draw(&l->row[i], j, &y);
    if (idle_clients_only && j != JUDGED_READS && l->row[i].marks & MARK_CLIENT_BOUND)
      continue;
    if (!point_of(&p[n], &l->row[i], y, draw))
      return 0;
    n++;
  }
  return n < 3 ? 0 : n;
}

/* So few reads a transaction that they cannot show in the p95: at most one transaction in 200 can have met one, a tenth of those
 * above it. */
static const double no_reads_per_tx = 0.005;

/* The smallest memory from which on no step reads: more memory saves reads and nothing else.  0: there is none, or it is not known. */
static double level_from(const struct figures_list *l) {
  double mib = 0;
  for (size_t i = 0; i < l->nstep && l->row[i].reads_per_tx.value <= no_reads_per_tx; i++)
    mib = l->row[i].memory_gb * 1024;
  return mib;
}

static struct verdict_options verdict_options_of(const struct account *f) {
  struct verdict_options o = VERDICT_DEFAULTS;
  o.tolerance = f->options.tolerance;
  o.noise = f->options.noise;
  o.draws = RESAMPLE_DRAWS; /* more would only repeat them */
  o.seed = f->options.seed;
  return o;
}

static void judge(struct account *f) {
  struct verdict_point *p = xcalloc(f->rows.nstep + 1, sizeof *p);
  struct verdict_options o = verdict_options_of(f);
  f->level_mib = level_from(&f->rows);
  f->busy_clients = busy_clients(&f->rows, &f->busy_left_out);
  for (int w = 0; w < WITHIN; w++)
    f->within[w] = (struct slo_answer){NAN, NAN, NAN, NAN, NAN};
  for (int j = 0; j < JUDGED; j++) {
    /* Half of those few may be above the p99, and of reads themselves it says nothing. */
    o.level_mib = j == JUDGED_P99 || j == JUDGED_READS ? 0 : f->level_mib;
    size_t n = points(&f->rows, (enum judged)j, f->busy_left_out, p);
    o.sense = j == JUDGED_TX ? MORE_IS_BETTER : LESS_IS_BETTER;
    struct verdict *v = &f->verdict[j];
    if (n == 0 || verdict_find(p, n, &o, v) != 0)
      v->ok = 0;
    if (j != JUDGED_MAIN)
      continue;
    f->npoint = n;
    f->point = xcalloc(n + 1, sizeof *f->point);
    memcpy(f->point, p, n * sizeof *p);
    for (int w = 0; v->ok && w < WITHIN; w++)
      f->within[w] = verdict_slo(p, n, &o, (1 + within_more[w]) * v->plateau_y);
  }
  free(p);
}

int account_leaves_out(const struct account *f, const struct figures *row) {
  return f->busy_left_out && row->marks & MARK_CLIENT_BOUND;
}

/* ---- limits ---- */

/* The limit is looked for among the steps that have that percentile, but for those whose client was busy where the verdict leaves them out.
 * A step that did not hold its rate keeps no limit, whatever latency it showed. */
static struct slo_answer answer_of(const struct account *f, const struct report_slo *slo) {
  struct verdict_point *p = xcalloc(f->rows.nstep + 1, sizeof *p);
  struct verdict_options o = verdict_options_of(f);
  size_t n = 0;
  for (size_t i = 0; i < f->rows.nstep; i++) {
    const struct figures *r = &f->rows.row[i];
    if (account_leaves_out(f, r) ||
        !point_of(&p[n], r, r->ms[slo->stat].value, r->draw_ms[slo->stat]))
      continue;
    if (!p[n].draw)
      p[n].se_log = r->stat[slo->stat].se_log;
    if (r->marks & MARK_SATURATED && p[n].y <= 2 * slo->limit_ms)
      p[n] = (struct verdict_point){.mem_mib = p[n].mem_mib, .y = 2 * slo->limit_ms, .se_log = NAN};
    n++;
  }
  struct slo_answer a = verdict_slo(p, n, &o, slo->limit_ms);
  free(p);
  return a;
}

static void find_limits(struct account *f) {
  f->limit = xcalloc(f->options.nslo + 1, sizeof *f->limit);
  for (size_t i = 0; i < f->options.nslo; i++) {
    const struct report_slo *s = &f->options.slo[i];
    const char *name = s->stat == MS_P999 ? "p99.9" : latency_stat_name[s->stat];
    f->limit[f->nlimit++] = (struct account_limit){.metric = xprintf("the %s latency", name),
                                                   .words = xprintf("at or below %.6g ms", s->limit_ms),
                                                   .stat = (int)s->stat,
                                                   .limit = s->limit_ms,
                                                   .answer = answer_of(f, s)};
  }
}

/* ---- drift ---- */

int account_drifts(const struct account *f, const struct estimate *e) {
  int proved = isnan(e->lo) || e->lo > 0 || e->hi < 0;
  return proved && fabs(e->value) > f->options.tolerance;
}

static void find_drift(struct account *f) {
  f->drift = (struct estimate){NAN, NAN, NAN};
  const struct figures_list *l = &f->rows;
  for (size_t i = l->nstep; i < l->n; i++)
    for (size_t k = 0; k < l->nstep && l->row[i].kind == ROW_AGAIN; k++)
      if (l->row[k].memory_gb == l->row[i].memory_gb) {
        f->drift = l->row[i].change = figures_change(&l->row[k], &l->row[i], MS_P95);
        break;
      }
  f->drifting = account_drifts(f, &f->drift);
}

/* p99 is drawn where a step at least has enough transactions for it. */
static void subject_make(struct account *f) {
  const char *server = meta_text(f->run->meta, "server.name"), *kind = meta_text(f->run->meta, "kind");
  int p99 = 0;
  for (size_t i = 0; i < f->rows.n; i++)
    p99 |= isfinite(f->rows.row[i].ms[MS_P99].value);
  f->subject = (struct subject){.title = xprintf("%s of %s", !kind ? "Memory sweep" : meta_is_joined(f->run->meta) ? "Joined measurements" : "Measurement",
                                                  server ? server : "a server"),
                                .source = xstrdup(server ? server : ""),
                                .metric = xstrdup("the p95 latency"),
                                .brief = xstrdup("p95"),
                                .sense = LESS_IS_BETTER,
                                .main = MS_P95,
                                .upper = p99 ? MS_P99 : -1,
                                .lower = MS_P50,
                                .memory = xstrdup("max server memory"),
                                .latency = xstrdup("response time"),
                                .tx = xstrdup("transactions a second"),
                                .reads = xstrdup("reads from data files (MB/s)")};
}

void account_make(struct account *f, const struct run_data *run, const struct report_options *o) {
  *f = (struct account){.run = run, .options = *o};
  figures_make(&f->rows, run, o->seed);
  subject_make(f);
  judge(f);
  find_limits(f);
  find_drift(f);
  words_label(f);
  words_facts(f);
  words_sessions(f);
  words_verdicts(f);
  words_stopped(f);
  words_noted(f);
  words_warnings(f);
}

static void subject_free(struct subject *s) {
  char *const text[] = {s->title,       s->source,  s->metric,       s->brief, s->memory,
                        s->memory_unit, s->latency, s->latency_unit, s->tx,    s->reads};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    free(text[i]);
}

void account_free(struct account *f) {
  figures_free(&f->rows);
  subject_free(&f->subject);
  for (size_t i = 0; i < f->nlimit; i++) {
    free(f->limit[i].metric);
    free(f->limit[i].words);
  }
  free(f->limit);
  free(f->point);
  free(f->label);
  sentences_free(&f->facts);
  sentences_free(&f->verdicts);
  sentences_free(&f->warnings);
  sentences_free(&f->noted);
}
