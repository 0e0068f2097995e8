#include "config.h"

#include "report/outside.h"
#include "report/account.h"
#include "report/write.h"
#include "analysis/heading.h"
#include "analysis/verdict_words.h"
#include "base/file.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TWO_SIDED 1.959963984540054

/* ---- verdict ---- */

/* How much worse y is than best, in logs: 0 or more where it is. */
static double worse(const struct outside *a, double y, double best) {
  return a->points.sense == MORE_IS_BETTER ? log(best / y) : log(y / best);
}

static size_t best_point(const struct outside *a) {
  size_t best = 0;
  for (size_t i = 1; i < a->points.n; i++)
    if (worse(a, a->points.point[i].y, a->points.point[best].y) <= 0)
      best = i;
  return best;
}

#define CLEARLY 3.3 /* standard errors: 1 in 1,000 */

int outside_judge(struct outside *a) {
  const struct points *p = &a->points;
  a->judged = p->n;
  if (verdict_find(p->point, p->n, &a->options, &a->verdict) != 0)
    return -1;
  size_t best = best_point(a), n = best + 1;
  double fall = worse(a, p->point[p->n - 1].y, p->point[best].y);
  while (n < p->n && worse(a, p->point[n].y, p->point[best].y) <= log1p(a->options.tolerance))
    n++;
  struct verdict below;
  if (n < 3 || n == p->n || fall <= 2 * a->options.tolerance || verdict_find(p->point, n, &a->options, &below) != 0)
    return 0;
  double se_best = p->point[best].se_log, se_last = p->point[p->n - 1].se_log, noise = isfinite(below.noise) ? below.noise : 0;
  se_best = se_best > 0 ? se_best : noise;
  se_last = se_last > 0 ? se_last : noise;
  if (fall > CLEARLY * hypot(se_best, se_last)) {
    a->judged = n;
    a->verdict = below;
  }
  return 0;
}

/* ---- words ---- */

static char *memory_of(const void *points, double mem, char *buf, size_t size) {
  return points_memory_text(points, mem, buf, size);
}

static struct verdict_subject subject_of(const struct outside *a, const struct points *p) {
  return (struct verdict_subject){.metric = p->metric_name,
                                  .sense = p->sense,
                                  .tolerance = a->options.tolerance,
                                  .noise = a->options.noise,
                                  .memory = memory_of,
                                  .memory_arg = p};
}

#define APART 1.25 /* the largest of the values of one memory / the smallest: more than runs of the same thing mostly differ by */

/* How rows were read that do not stand for themselves, and what a hit ratio hides. */
static void reading_words(struct text *t, const struct points *p) {
  struct heading h;
  char zero[40];
  heading_read(&h, p->metric_name);
  if (heading_is_hits(&h) && p->sense == MORE_IS_BETTER && heading_has(&h, "life") == 0)
    text_add(t, "A hit ratio hides what misses cost: from 99 down to 98 % the reads double. Where the table has misses, reads or "
                "latency, judge those (--metric).\n");
  if (p->zeros) {
    snprintf(zero, sizeof zero, "%.3g", p->zero_as);
    text_addf(t, "%zu row%s 0, which has no logarithm: %s, half of the smallest value above it, stands there.\n", p->zeros,
              p->zeros == 1 ? " has" : "s have", zero);
  }
  if (!p->merged)
    return;
  text_addf(t, "%zu row%s a memory that is there already: the geometric mean stands for them", p->merged,
            p->merged == 1 ? " repeats" : "s repeat");
  if (p->merged_apart > APART)
    text_addf(t, ". Of one memory the largest is %.3g times the smallest: if these rows tell of different things, choose one with "
                 "--where COLUMN=VALUE", p->merged_apart);
  text_add(t, ".\n");
}

void outside_words(struct text *t, const struct outside *a) {
  struct verdict_subject s = subject_of(a, &a->points);
  if (a->judged < a->points.n) {
    const struct verdict_point *first = &a->points.point[a->judged], *last = &a->points.point[a->judged - 1];
    char m[40], l[40], much[24];
    text_addf(t,
              "At %s and more %s is worse than with less memory (%s against %s): as where a machine has no more to give, and swaps. The "
              "verdict is about the memories up to %s.\n",
              points_memory_text(&a->points, first->mem_mib, m, sizeof m), a->points.metric_name,
              verdict_percent(first->y / last->y - 1, much, sizeof much), points_memory_text(&a->points, last->mem_mib, l, sizeof l), l);
  }
  verdict_words(t, &a->verdict, a->points.point, a->judged, &s);
  for (size_t i = 0; i < a->nlimit; i++) {
    struct verdict_subject l = subject_of(a, &a->limit[i].points);
    verdict_limit_words(t, &a->limit[i].answer, a->limit[i].words, &l);
  }
  if (!*a->points.memory_unit && !a->points.sized)
    text_add(t, "The table names no unit of memory: memories are given in its own (--memory-unit).\n");
  reading_words(t, &a->points);
  verdict_scope_words(t);
}

/* ---- the table as an account ---- */

/* Which figure of a step a column is: an enum latency_stat, or one of these. */
enum { SLOT_NONE = -1, SLOT_TX = MS_STATS, SLOT_READS, SLOTS };

static int slot_of(const struct points *p) {
  struct heading h;
  heading_read(&h, p->metric_name);
  switch (p->quantity) {
  case QUANTITY_THROUGHPUT: return SLOT_TX;
  case QUANTITY_READS: return SLOT_READS;
  case QUANTITY_LATENCY:
    for (int q = MS_P50; q < MS_MAX; q++)
      if (heading_has(&h, q == MS_P999 ? "p99.9" : latency_stat_name[q]) || heading_has(&h, latency_stat_name[q]))
        return q;
    if (heading_has(&h, "median"))
      return MS_P50;
    return heading_has(&h, "max") || heading_has(&h, "maximum") || heading_has(&h, "worst") ? MS_MAX : MS_MEAN;
  default: return p->sense == MORE_IS_BETTER ? SLOT_TX : MS_MEAN;
  }
}

/* The account, and what its pointers point to. */
struct stage {
  struct account f;
  struct run_data run;
  int taken[SLOTS]; /* a column has the slot */
  int has_unit;     /* the latencies are in a unit of time */
};

static struct figures *row_at(struct account *f, double mem) {
  for (size_t i = 0; i < f->rows.n; i++)
    if (fabs(f->rows.row[i].memory_gb * 1024 / mem - 1) < 1e-9)
      return &f->rows.row[i];
  return NULL;
}

static struct estimate *estimate_of(struct figures *r, int slot) {
  return slot == SLOT_TX ? &r->tx_s : slot == SLOT_READS ? &r->read_mb_s : &r->ms[slot];
}

/* Put a column into its slot; `noise` is the error of points without one of their own, NaN: they get no interval. */
static void place(struct stage *g, const struct points *p, int slot, double noise) {
  double scale = slot < MS_STATS && g->has_unit ? p->ms_per_unit : 1;
  for (size_t i = 0; i < p->n; i++) {
    struct figures *r = row_at(&g->f, p->point[i].mem_mib);
    double y = p->point[i].y * scale, se = p->point[i].se_log > 0 ? p->point[i].se_log : noise;
    if (r)
      *estimate_of(r, slot) = (struct estimate){y, y * exp(-TWO_SIDED * se), y * exp(TWO_SIDED * se)};
  }
  g->taken[slot] = 1;
}

static void make_rows(struct stage *g, const struct points *p) {
  g->run.step = xcalloc(p->n, sizeof *g->run.step);
  g->run.nstep = p->n;
  g->f.rows = (struct figures_list){.row = xcalloc(p->n, sizeof *g->f.rows.row), .n = p->n, .nstep = p->n};
  for (size_t i = 0; i < p->n; i++) {
    /* Largest first, as a sweep goes. */
    struct figures *r = &g->f.rows.row[i];
    double mem = p->point[p->n - 1 - i].mem_mib;
    figures_blank(r);
    r->step = &g->run.step[i];
    r->memory_gb = mem / 1024;
    points_memory_text(p, mem, r->memory, sizeof r->memory);
    g->run.step[i].name = xprintf("%02zu", i + 1);
  }
}

/* Other columns of the table, best known first, each in its own slot. */
static void place_others(struct stage *g, const struct outside *a, const struct sheet *t, const struct points_options *o) {
  for (int rank = 1; rank <= HEADING_RANKS; rank++)
    for (size_t c = 0; c < t->ncol; c++) {
      struct heading h;
      struct points p;
      heading_read(&h, t->column[c]);
      if (heading_rank(&h) != rank || strcmp(t->column[c], a->points.metric_name) == 0 ||
          strcmp(t->column[c], a->points.memory_name) == 0)
        continue;
      struct points_options other = {.memory = o->memory, .memory_unit = o->memory_unit, .metric = t->column[c], .sense = -1};
      if (points_take(&p, t, &other, NULL) == 0) {
        int slot = slot_of(&p), latency = slot < MS_STATS, hits = heading_is_hits(&h);
        if (!g->taken[slot] && !hits && (!latency || isfinite(p.ms_per_unit) == g->has_unit)) {
          place(g, &p, slot, NAN);
          char **label = slot == SLOT_TX ? &g->f.subject.tx : slot == SLOT_READS ? &g->f.subject.reads : NULL;
          if (label && !*label)
            *label = xstrdup(p.metric_name);
        }
      }
      points_free(&p);
    }
}

/* The percentiles to draw: the judged one, or the best known; one above it and one below. */
static void choose_series(struct stage *g, int judged) {
  static const int best[] = {MS_P95, MS_P99, MS_P90, MS_P50, MS_MEAN, MS_P999, MS_MAX};
  static const int above[] = {MS_P99, MS_P999, MS_P95, MS_P90}, below[] = {MS_P50, MS_MEAN, MS_P90, MS_P95};
  struct subject *s = &g->f.subject;
  s->main = judged < MS_STATS ? judged : -1;
  s->upper = s->lower = -1;
  for (size_t i = 0; i < sizeof best / sizeof *best && s->main < 0; i++)
    if (g->taken[best[i]])
      s->main = best[i];
  if (s->main < 0 || s->main == MS_MAX)
    return;
  /* enum latency_stat rises with the share; the mean counts as below all but the median. */
  for (size_t i = 0; i < 4; i++) {
    if (s->upper < 0 && g->taken[above[i]] && above[i] > s->main)
      s->upper = above[i];
    if (s->lower < 0 && g->taken[below[i]] && below[i] != s->main && (below[i] < s->main || s->main == MS_MEAN) && below[i] != s->upper)
      s->lower = below[i];
  }
  if (s->main == MS_MEAN && s->lower > MS_P50)
    s->lower = -1;
}

static const char *brief_of(int slot, const struct points *p) {
  struct heading h;
  heading_read(&h, p->metric_name);
  if (slot == SLOT_TX)
    return heading_is_hits(&h) ? "hit ratio" : p->quantity == QUANTITY_THROUGHPUT ? "throughput" : p->metric_name;
  if (slot == SLOT_READS)
    return "reads";
  if (p->quantity != QUANTITY_LATENCY)
    return p->metric_name;
  return slot == MS_MEAN ? "latency" : slot == MS_P999 ? "p99.9" : latency_stat_name[slot];
}

static void make_subject(struct stage *g, const struct outside *a, int slot) {
  const struct points *p = &a->points;
  struct subject *s = &g->f.subject;
  const char *base = strrchr(a->name, '/');
  base = base && base[1] ? base + 1 : a->name;
  *s = (struct subject){.outside = 1,
                        .title = xprintf("Measurements of others: %s", base),
                        .source = xstrdup(base),
                        .metric = xstrdup(p->metric_name),
                        .brief = xstrdup(brief_of(slot, p)),
                        .sense = p->sense,
                        .memory = xstrdup(p->sized ? "memory" : p->memory_name),
                        .memory_unit = p->sized ? NULL : xstrdup(p->memory_unit),
                        .latency = xstrdup(slot < MS_STATS && p->quantity != QUANTITY_LATENCY ? p->metric_name : "latency"),
                        .latency_unit = g->has_unit ? NULL : xstrdup(""),
                        .tx = slot == SLOT_TX ? xstrdup(p->metric_name) : NULL,
                        .reads = slot == SLOT_READS ? xstrdup(p->metric_name) : NULL};
}

/* What the bars in the pictures are. */
static const char *bars(const struct outside *a, char *buf, size_t size) {
  if (!a->verdict.noise_assumed)
    return "; bars: 95 % by the standard errors";
  snprintf(buf, size, "; bars: 95 %% by an assumed noise of %.2g %%", 100 * a->verdict.noise);
  return buf;
}

static void make_facts(struct account *f, const struct outside *a) {
  char noise[80];
  sentence_add(&f->facts, a->name, "Table");
  char *judged = xprintf("%s against %s, %zu points, %s is better%s", a->points.metric_name, a->points.memory_name, a->points.n,
                         a->points.sense == MORE_IS_BETTER ? "more" : "less", bars(a, noise, sizeof noise));
  sentence_add(&f->facts, judged, "Judged");
  free(judged);
}

static void make_limits(struct account *f, const struct outside *a) {
  f->limit = xcalloc(a->nlimit + 1, sizeof *f->limit);
  for (size_t i = 0; i < a->nlimit; i++) {
    const struct outside_limit *l = &a->limit[i];
    int slot = slot_of(&l->points), drawn = slot < MS_STATS && l->points.quantity == QUANTITY_LATENCY;
    double scale = drawn && isfinite(l->points.ms_per_unit) ? l->points.ms_per_unit : 1;
    f->limit[f->nlimit++] = (struct account_limit){.metric = xstrdup(l->points.metric_name),
                                                   .words = xstrdup(l->words),
                                                   .stat = drawn ? slot : -1,
                                                   .limit = l->limit * scale,
                                                   .answer = l->answer};
  }
}

static void make_warnings(struct account *f, const struct outside *a) {
  for (size_t i = 0; i < a->points.nnote; i++)
    sentence_add(&f->warnings, NULL, "line %zu of the table was left out: %s", a->points.note[i].line, a->points.note[i].text);
  f->incomplete = a->points.nbad > 0;
}

static void stage_make(struct stage *g, const struct outside *a, const struct sheet *t, const struct points_options *o, int pictures) {
  *g = (struct stage){.has_unit = 1};
  int slot = slot_of(&a->points);
  struct account *f = &g->f;
  if (slot < MS_STATS)
    g->has_unit = isfinite(a->points.ms_per_unit);
  f->run = &g->run;
  f->options = REPORT_DEFAULTS;
  f->options.tolerance = a->options.tolerance;
  f->options.noise = a->options.noise;
  f->options.seed = a->options.seed;
  f->options.pictures = pictures;
  f->verdict[JUDGED_MAIN] = a->verdict;
  make_subject(g, a, slot);
  make_rows(g, &a->points);
  place(g, &a->points, slot, isfinite(a->verdict.noise) ? a->verdict.noise : a->options.noise);
  place_others(g, a, t, o);
  choose_series(g, slot);
  struct subject *s = &f->subject;
  s->tx = s->tx ? s->tx : xstrdup("throughput");
  s->reads = s->reads ? s->reads : xstrdup("reads");
  make_facts(f, a);
  make_limits(f, a);
  make_warnings(f, a);
  struct text words = {0};
  outside_words(&words, a);
  sentences_add_lines(&f->verdicts, &words);
  text_free(&words);
}

static void stage_free(struct stage *g) {
  account_free(&g->f);
  for (size_t i = 0; i < g->run.nstep; i++)
    free(g->run.step[i].name);
  free(g->run.step);
}

int outside_report(const char *folder, const struct outside *a, const struct sheet *t, const struct points_options *o, int pictures,
                   const struct text *summary, int *drawn, struct cause *c) {
  char *run = xprintf("%s/run.json", folder);
  int is_run = access(run, F_OK) == 0;
  free(run);
  *drawn = 0;
  if (is_run) {
    cause_set(c, STATUS_SETUP, "%s is a run folder, whose report must not be lost", folder);
    return cause_remedy(c, "name another folder with --to");
  }
  if (folder_make(folder, c) != 0)
    return -1;
  struct stage g;
  stage_make(&g, a, t, o, pictures);
  int rc = report_write(&g.f, folder, summary, drawn, c);
  stage_free(&g);
  return rc;
}
