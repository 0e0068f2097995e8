#include "config.h"

#include "report/account.h"
#include "report/resample.h"
#include "report/words.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const judged_name[JUDGED] = {"p95_ms", "p50_ms", "mean_ms", "p99_ms", "reads_per_tx", "tx_s"};
const double within_more[WITHIN] = {0.1, 0.25, 1};

/* ---- texts ---- */

void sentence_add(struct sentences *s, const char *remedy, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *text;
  if (vasprintf(&text, fmt, ap) < 0)
    text = xstrdup("?");
  va_end(ap);
  s->item = xrealloc(s->item, s->n + 1, sizeof *s->item);
  s->item[s->n] = (struct sentence){text, remedy && *remedy ? xstrdup(remedy) : NULL};
  /* Texts of the server and of notes end up on a terminal. */
  for (char *p = text; *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      *p = ' ';
  for (char *p = s->item[s->n].remedy; p && *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      *p = ' ';
  s->n++;
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

/* ---- judging ---- */

static const double *judged_draw(const struct figures *f, enum judged j, double *y) {
  static const enum latency_stat stat[] = {
      [JUDGED_P95] = MS_P95, [JUDGED_P50] = MS_P50, [JUDGED_MEAN] = MS_MEAN, [JUDGED_P99] = MS_P99};
  switch (j) {
  case JUDGED_READS: *y = f->reads_per_tx.value; return f->draw_reads_per_tx;
  case JUDGED_TX: *y = f->tx_s.value; return f->draw_tx_s;
  default: *y = f->ms[stat[j]].value; return f->draw_ms[stat[j]];
  }
}

/* The points of what is judged: one a memory.  Fewer than three, or one that is not above 0: 0 points. */
static size_t points(const struct figures_list *l, enum judged j, struct verdict_point *p) {
  size_t n = 0;
  for (size_t i = 0; i < l->nstep; i++) {
    const struct figures *f = &l->row[i];
    double y;
    const double *draw = judged_draw(f, j, &y);
    if (n > 0 && p[n - 1].mem_mib == f->memory_gb * 1024)
      continue;
    if (!isfinite(y) || y <= 0)
      return 0;
    p[n] =
        (struct verdict_point){.mem_mib = f->memory_gb * 1024, .y = y, .se_log = NAN, .draw = draw, .ndraw = draw ? f->ndraw : 0};
    for (size_t d = 0; d < p[n].ndraw; d++)
      if (!isfinite(draw[d]) || draw[d] <= 0)
        p[n].ndraw = 0;
    if (p[n].ndraw == 0)
      p[n].draw = NULL;
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

static void judge(struct account *f) {
  struct verdict_point *p = xcalloc(f->rows.nstep + 1, sizeof *p);
  struct verdict_options o = VERDICT_DEFAULTS;
  o.tolerance = f->options.tolerance;
  o.draws = RESAMPLE_DRAWS; /* more would only repeat them */
  o.seed = f->options.seed;
  f->level_mib = o.level_mib = level_from(&f->rows);
  for (int w = 0; w < WITHIN; w++)
    f->within[w] = (struct slo_answer){NAN, NAN, NAN, NAN, NAN};
  for (int j = 0; j < JUDGED; j++) {
    size_t n = points(&f->rows, (enum judged)j, p);
    o.sense = j == JUDGED_TX ? MORE_IS_BETTER : LESS_IS_BETTER;
    struct verdict *v = &f->verdict[j];
    if (n == 0 || verdict_find(p, n, &o, v) != 0)
      v->ok = 0;
    for (int w = 0; j == JUDGED_P95 && v->ok && w < WITHIN; w++)
      f->within[w] = verdict_slo(p, n, &o, (1 + within_more[w]) * v->plateau_y);
  }
  free(p);
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
  int proved = isnan(f->drift.lo) || f->drift.lo > 0 || f->drift.hi < 0;
  f->drifting = proved && fabs(f->drift.value) > f->options.tolerance;
}

void account_make(struct account *f, const struct run_data *run, const struct report_options *o) {
  *f = (struct account){.run = run, .options = *o};
  figures_make(&f->rows, run, o->seed);
  judge(f);
  find_drift(f);
  words_label(f);
  words_facts(f);
  words_verdicts(f);
  words_stopped(f);
  words_noted(f);
  words_warnings(f);
}

void account_free(struct account *f) {
  figures_free(&f->rows);
  free(f->label);
  sentences_free(&f->facts);
  sentences_free(&f->verdicts);
  sentences_free(&f->warnings);
  sentences_free(&f->noted);
}
