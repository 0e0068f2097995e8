#include "config.h"

#include "report/summary.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A numeric column shows all its figures with the same decimals: enough that the smallest keeps two digits. */
struct number_column {
  const char *head[2];
  size_t offset; /* of the double in struct figures */
  double factor;
  int digits;  /* significant ones for the smallest figure */
  int most;    /* decimals at most */
  int latency; /* a saturated step's is a lower bound */
  int outside; /* 1: only for a table of others, 2: what it calls so is its own affair */
};

#define F(field) offsetof(struct figures, field)
static const struct number_column columns[] = {
    {{"cache", "GB"}, F(cache_gb), 1, 2, 3, 0, 0},
    {{"", "tx/s"}, F(tx_s.value), 1, 3, 1, 0, 2},
    {{"mean", "ms"}, F(ms[MS_MEAN].value), 1, 3, 3, 1, 1},
    {{"p50", "ms"}, F(ms[MS_P50].value), 1, 3, 3, 1, 0},
    {{"p90", "ms"}, F(ms[MS_P90].value), 1, 3, 3, 1, 1},
    {{"p95", "ms"}, F(ms[MS_P95].value), 1, 3, 3, 1, 0},
    {{"p99.9", "ms"}, F(ms[MS_P999].value), 1, 3, 3, 1, 1},
    {{"p99", "ms"}, F(ms[MS_P99].value), 1, 3, 3, 1, 0},
    {{"max", "ms"}, F(ms[MS_MAX].value), 1, 3, 3, 1, 1},
    {{"read", "MB/s"}, F(read_mb_s.value), 1, 2, 2, 0, 2},
    {{"reads", "per tx"}, F(reads_per_tx.value), 1, 2, 3, 0, 0},
    {{"hit", "%"}, F(hit_ratio), 100, 3, 1, 0, 0},
    {{"page", "life s"}, F(page_life_s), 1, 3, 0, 0, 0},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static double number(const struct figures *f, const struct number_column *c) {
  double v;
  memcpy(&v, (const char *)f + c->offset, sizeof v);
  return v * c->factor;
}

static int decimals(const struct account *f, const struct number_column *c) {
  double least = INFINITY;
  for (size_t i = 0; i < f->rows.n; i++) {
    double v = fabs(number(&f->rows.row[i], c));
    if (isfinite(v) && v > 0)
      least = fmin(least, v);
  }
  int d = 0;
  for (double edge = pow(10, c->digits - 1) * 0.9995; isfinite(least) && d < c->most && least < edge; edge /= 10)
    d++;
  return d;
}

static char *number_cell(const struct figures *f, const struct number_column *c, int d) {
  double v = number(f, c);
  char buf[48];
  if (!isfinite(v))
    return xstrdup("-");
  if (d == 0 && fabs(v) < 1e15)
    count_text(llround(v), buf, sizeof buf);
  else
    snprintf(buf, sizeof buf, fabs(v) < 1e15 ? "%.*f" : "%.*e", d, v);
  return xprintf("%s%s", c->latency && f->marks & MARK_SATURATED ? ">" : "", buf);
}

#define UNKNOWN "unknown" /* the interval of a change whose ends say nothing */
#define KNOWN 4 /* times */

/* "+1.3", "-12" */
static char *end_text(double r, char *buf, size_t size) {
  double p = 100 * r;
  snprintf(buf, size, fabs(p) < 9.95 ? "%+.1f" : "%+.0f", fabs(p) < 0.05 ? 0.0 : p);
  return buf;
}

/* A lower bound has no interval; one that reaches beyond four times the value says no more than that nothing is known. */
static const char *no_interval(const struct figures *f) {
  const struct estimate *e = &f->change;
  if (isnan(e->lo) || isnan(e->hi) || f->marks & MARK_SATURATED)
    return "-";
  return 1 + e->hi > KNOWN * (1 + e->value) || isinf(e->lo) ? UNKNOWN : NULL;
}

static char *interval_cell(const struct figures *f) {
  const char *none = no_interval(f);
  char lo[16], hi[16];
  if (none)
    return xstrdup(none);
  return xprintf("%s..%s", end_text(f->change.lo, lo, sizeof lo), end_text(f->change.hi, hi, sizeof hi));
}

static char *change_cell(const struct figures *f) {
  char buf[48];
  percent_text(f->change.value, buf, sizeof buf);
  return xprintf("%s%s", f->marks & MARK_SATURATED && isfinite(f->change.value) ? ">" : "", buf);
}

static const struct {
  unsigned bit;
  const char *sign, *meaning;
} marks[] = {
    {MARK_SATURATED, "S", "saturated: the wanted rate was not held; the latency is a lower bound"},
    {MARK_CLIENT_BOUND, "C", "client-bound: part of the latency is the client's own"},
    {MARK_NOT_STEADY, "U", "not steady while it was measured"},
    {MARK_NOT_REACHED, "R", "the server had not come to its setting"},
    {MARK_BROKEN, "B", "broken off, or fewer requests than can be compared: not judged"},
};

static char *marks_cell(unsigned m) {
  char buf[COUNT(marks) + 1];
  size_t n = 0;
  for (size_t k = 0; k < COUNT(marks); k++)
    if (m & marks[k].bit)
      buf[n++] = marks[k].sign[0];
  buf[n] = '\0';
  return xstrdup(buf);
}

/* A column of cells; an optional one is taken only when one of them says something. */
static void column_add(struct table *t, const char *head0, const char *head1, int optional, char **cell) {
  int any = !optional;
  for (size_t i = 0; i < t->nrow; i++)
    any |= strcmp(cell[i], "-") != 0 && *cell[i];
  for (size_t i = 0; i < t->nrow; i++) {
    if (any)
      t->cell[i * TABLE_COLUMNS + t->ncol] = cell[i];
    else
      free(cell[i]);
  }
  if (any) {
    t->head[t->ncol][0] = head0;
    t->head[t->ncol++][1] = head1;
  }
}

static void legend_make(struct table *t, const struct account *f) {
  unsigned all = 0;
  int change = 0, interval = 0, unknown = 0;
  for (size_t i = 0; i < f->rows.n; i++) {
    all |= f->rows.row[i].marks;
    change |= isfinite(f->rows.row[i].change.value);
    interval |= isfinite(f->rows.row[i].change.lo);
    const char *none = no_interval(&f->rows.row[i]);
    unknown |= none && strcmp(none, UNKNOWN) == 0;
  }
  if (change)
    sentence_add(&t->legend, interval ? "of p95 against the row above, with its 95 % interval" : "of p95 against the row above",
                 "change");
  if (unknown)
    sentence_add(&t->legend,
                 "the seconds of these steps scatter too much, or are too few, to bound the change; measure longer", UNKNOWN);
  for (size_t k = 0; k < COUNT(marks); k++)
    if (all & marks[k].bit)
      sentence_add(&t->legend, marks[k].meaning, "%s", marks[k].sign);
}

/* What a table of others calls a column. */
static void own_head(const struct account *f, const struct number_column *c, const char *head[2]) {
  head[0] = c->head[0];
  head[1] = c->head[1];
  if (!f->subject.outside)
    return;
  if (c->outside == 2) {
    head[0] = "";
    head[1] = c->offset == F(tx_s.value) ? f->subject.tx : f->subject.reads;
  } else if (c->latency && f->subject.latency_unit)
    head[1] = f->subject.latency_unit;
}

static void change_columns(struct table *t, const struct account *f, char **cell) {
  for (size_t i = 0; i < t->nrow; i++)
    cell[i] = change_cell(&f->rows.row[i]);
  column_add(t, "", "change", f->subject.outside, cell);
  for (size_t i = 0; i < t->nrow; i++)
    cell[i] = interval_cell(&f->rows.row[i]);
  column_add(t, "interval", "%", 1, cell);
}

void table_make(struct table *t, const struct account *f) {
  *t = (struct table){.nrow = f->rows.n};
  t->cell = xcalloc(t->nrow * TABLE_COLUMNS, sizeof *t->cell);
  char **cell = xcalloc(t->nrow, sizeof *cell);
  const struct figures *row = f->rows.row;
  for (size_t i = 0; i < t->nrow; i++)
    cell[i] = xstrdup(row[i].memory);
  column_add(t, "", "memory", 0, cell);
  for (size_t c = 0; c < COUNT(columns); c++) {
    if (columns[c].outside == 1 && !f->subject.outside)
      continue;
    int d = decimals(f, &columns[c]);
    const char *head[2];
    own_head(f, &columns[c], head);
    for (size_t i = 0; i < t->nrow; i++)
      cell[i] = number_cell(&row[i], &columns[c], d);
    column_add(t, head[0], head[1], f->subject.outside, cell);
    if (columns[c].offset == F(ms[MS_P99].value))
      change_columns(t, f, cell);
  }
  for (size_t i = 0; i < t->nrow; i++)
    cell[i] = marks_cell(row[i].marks);
  column_add(t, "", "", 1, cell);
  free(cell);
  legend_make(t, f);
}

void table_free(struct table *t) {
  for (size_t i = 0; i < t->nrow; i++)
    for (size_t c = 0; c < t->ncol; c++)
      free(t->cell[i * TABLE_COLUMNS + c]);
  free(t->cell);
  sentences_free(&t->legend);
}
