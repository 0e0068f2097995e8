#include "config.h"

#include "analysis/points.h"

#include "analysis/heading.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define POINTS_MAX 1000 /* as many as a verdict takes */

double points_unit_ms(const char *unit) {
  static const struct {
    const char *name;
    double ms;
  } units[] = {{"ms", 1},           {"msec", 1},    {"milliseconds", 1},    {"us", 1e-3}, {"\xc2\xb5s", 1e-3},
               {"\xce\xbcs", 1e-3}, {"usec", 1e-3}, {"microseconds", 1e-3}, {"ns", 1e-6}, {"s", 1e3},
               {"sec", 1e3},        {"secs", 1e3},  {"seconds", 1e3},     {"min", 6e4}, {"mins", 6e4},
               {"minutes", 6e4}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcasecmp(unit, units[i].name) == 0)
      return units[i].ms;
  return NAN;
}

char *points_memory_text(const struct points *p, double mem, char *buf, size_t size) {
  double unit = heading_unit_mib(p->memory_unit), v = mem / (isnan(unit) ? 1 : unit);
  /* Each field had a unit of its own, or the table's is too small to be read. */
  if (p->sized && (isnan(unit) || (unit < 0.9 && mem * 1024 >= 1)))
    return size_text(llround(fmin(mem * (double)MIB, 1e18)), buf, size);
  int places = fabs(v - round(v)) < 1e-6 * v || v >= 1000 ? 0 : v < 10 ? 2 : 1;
  snprintf(buf, size, "%.*f%s%.16s", places, fmin(v, 1e20), *p->memory_unit ? " " : "", p->memory_unit);
  return buf;
}

/* ---- columns ---- */

struct chosen {
  int memory, metric, error; /* error -1: none */
  int error_relative;        /* in percent */
};

static int column_named(const struct sheet *t, const char *name, const char *what, struct cause *c) {
  int i = sheet_column(t, name);
  if (i >= 0)
    return i;
  struct text all = {0};
  for (size_t k = 0; k < t->ncol; k++)
    text_addf(&all, "%s%s", k ? ", " : "", t->column[k]);
  cause_set(c, STATUS_SETUP, "the table has no column '%.60s' for %s", name, what);
  cause_remedy(c, "its columns are: %.300s", all.s);
  text_free(&all);
  return -1;
}

int points_column(const struct sheet *t, const char *name, const char *metric, struct cause *c) {
  int exact = sheet_column(t, name), found = -1, many = 0;
  struct heading h, want;
  heading_read(&want, name);
  for (size_t i = 0; i < t->ncol && exact < 0 && want.n == 1; i++) {
    heading_read(&h, t->column[i]);
    if (!heading_has(&h, want.word[0]))
      continue;
    if (metric && strcmp(t->column[i], metric) == 0)
      return (int)i;
    many += found >= 0;
    found = (int)i;
  }
  if (exact >= 0 || (found >= 0 && !many))
    return exact >= 0 ? exact : found;
  if (many) {
    cause_set(c, STATUS_SETUP, "more than one column of the table has '%.60s' in its name", name);
    return cause_remedy(c, "give the whole name of one");
  }
  return column_named(t, name, "a limit", c);
}

/* Does a column hold numbers: one row of two at least? */
static int is_numeric(const struct sheet *t, int col) {
  size_t numbers = 0;
  double v;
  const char *rest;
  for (size_t i = 0; i < t->nrow; i++)
    numbers += (size_t)col < t->row[i].n && sheet_number_at(t->row[i].field[col], &v, &rest) == 0;
  return 2 * numbers >= t->nrow;
}

static int find_memory(const struct sheet *t, const struct points_options *o, struct cause *c) {
  if (o->memory)
    return column_named(t, o->memory, "the memory", c);
  int best = -1, score = 0;
  for (size_t i = 0; i < t->ncol; i++) {
    struct heading h;
    heading_read(&h, t->column[i]);
    int s = heading_memory(&h);
    if (s > score) {
      score = s;
      best = (int)i;
    }
  }
  if (best < 0) {
    cause_set(c, STATUS_SETUP, "no column of the table is known to be the memory");
    cause_remedy(c, "name it with --memory, by its heading or its number");
  }
  return best;
}

static int find_metric(const struct sheet *t, const struct points_options *o, int memory, struct cause *c) {
  if (o->metric)
    return column_named(t, o->metric, "the metric", c);
  int best = -1, rank = 0;
  for (size_t i = 0; i < t->ncol; i++) {
    struct heading h;
    heading_read(&h, t->column[i]);
    int r = heading_rank(&h);
    if ((int)i == memory || r == 0 || !is_numeric(t, (int)i))
      continue;
    if (best < 0 || r < rank) {
      rank = r;
      best = (int)i;
    }
  }
  if (best < 0) {
    cause_set(c, STATUS_SETUP, "no column of the table is known to be a latency, a throughput or a count of reads");
    cause_remedy(c, "name it with --metric, and say --sense=less or --sense=more");
  }
  return best;
}

/* A column that only says "error" belongs to the metric at its left, or to the only metric there is. */
static int find_error(const struct sheet *t, const struct points_options *o, const struct chosen *ch) {
  struct heading metric, h;
  int best = -1, match = 0, metrics = 0;
  heading_read(&metric, t->column[ch->metric]);
  for (size_t i = 0; i < t->ncol; i++) {
    heading_read(&h, t->column[i]);
    metrics += (int)i != ch->memory && heading_rank(&h) > 0;
  }
  for (size_t i = 0; i < t->ncol && !o->error; i++) {
    heading_read(&h, t->column[i]);
    int m = (int)i == ch->metric || (int)i == ch->memory ? 0 : heading_error_of(&h, &metric);
    if (m == 1 && metrics > 1 && (int)i != ch->metric + 1)
      m = 0;
    if (m > match) {
      match = m;
      best = (int)i;
    }
  }
  return best;
}

static int choose(const struct sheet *t, const struct points_options *o, struct chosen *ch, struct cause *c) {
  if ((ch->memory = find_memory(t, o, c)) < 0 || (ch->metric = find_metric(t, o, ch->memory, c)) < 0)
    return -1;
  if (ch->memory == ch->metric) {
    cause_set(c, STATUS_SETUP, "'%.60s' cannot be both the memory and the metric", t->column[ch->memory]);
    return cause_remedy(c, "name two columns, with --memory and --metric");
  }
  ch->error = o->error ? column_named(t, o->error, "the standard error", c) : find_error(t, o, ch);
  if (o->error && ch->error < 0)
    return -1;
  if (o->error && (ch->error == ch->memory || ch->error == ch->metric)) {
    cause_set(c, STATUS_SETUP, "'%.60s' cannot be both the %s and its standard error", t->column[ch->error],
              ch->error == ch->metric ? "metric" : "memory");
    return cause_remedy(c, "name the column of the metric's standard error with --error, or leave that out");
  }
  if (ch->error >= 0) {
    struct heading h;
    heading_read(&h, t->column[ch->error]);
    ch->error_relative = heading_has(&h, "percent") || heading_has(&h, "pct");
  }
  return 0;
}

/* Units and sense, from the user or the heading. */
static int describe(struct points *p, const struct sheet *t, const struct chosen *ch, const struct points_options *o,
                    struct cause *c) {
  char unit[64];
  struct heading h;
  p->memory_name = xstrdup(t->column[ch->memory]);
  p->metric_name = xstrdup(t->column[ch->metric]);
  heading_memory_unit(p->memory_name, unit, sizeof unit);
  p->memory_unit = xstrdup(o->memory_unit ? o->memory_unit : unit);
  if (strcmp(p->memory_unit, "gb") == 0 || strcmp(p->memory_unit, "mb") == 0 || strcmp(p->memory_unit, "tb") == 0 ||
      strcmp(p->memory_unit, "kb") == 0)
    for (char *u = p->memory_unit; *u; u++)
      *u = (char)(*u - 'a' + 'A');
  p->sized = !isnan(heading_unit_mib(p->memory_unit));
  heading_read(&h, p->metric_name);
  p->quantity = heading_quantity(&h);
  if (o->unit && p->quantity == QUANTITY_THROUGHPUT) {
    cause_set(c, STATUS_SETUP, "'%.60s' is a throughput, so --unit %.20s cannot be its unit", p->metric_name, o->unit);
    return cause_remedy(c, "leave out --unit, or name a latency with --metric");
  }
  p->unit = xstrdup(o->unit ? o->unit : p->quantity == QUANTITY_LATENCY ? heading_time_unit(&h) : "");
  p->ms_per_unit = points_unit_ms(p->unit);
  p->has_error = ch->error >= 0;
  if (o->sense >= 0)
    p->sense = (enum verdict_sense)o->sense;
  else if (p->quantity == QUANTITY_OTHER) {
    cause_set(c, STATUS_SETUP, "nothing tells whether less or more of '%.60s' is better", p->metric_name);
    return cause_remedy(c, "say --sense=less (as for latency and reads) or --sense=more (as for throughput)");
  } else
    p->sense = p->quantity == QUANTITY_THROUGHPUT ? MORE_IS_BETTER : LESS_IS_BETTER;
  return 0;
}

/* ---- rows ---- */

static void __attribute__((format(printf, 3, 4))) note(struct points *p, size_t line, const char *fmt, ...) {
  struct text t = {0};
  char buf[200];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(buf, sizeof buf, fmt, ap);
  va_end(ap);
  text_addf(&t, "%s", buf);
  p->note = xrealloc(p->note, p->nnote + 1, sizeof *p->note);
  p->note[p->nnote++] = (struct points_note){line, t.s};
}

/* A memory field: a number in the column's unit, or a size with a unit of its own ("128G", "1,024 MB", "16 GB RAM"). */
static int memory_value(const struct points *p, const char *field, double *mem, int *own_unit) {
  const char *rest;
  char unit[16];
  double v;
  *own_unit = 0;
  if (sheet_number(field, mem) == 0) {
    double mib = heading_unit_mib(p->memory_unit);
    *mem *= isnan(mib) ? 1 : mib;
    return *mem > 0 && *mem < 1e15 ? 0 : -1;
  }
  if (sheet_number_at(field, &v, &rest) != 0)
    return -1;
  snprintf(unit, sizeof unit, "%.*s", (int)strcspn(rest, " "), rest);
  rest += strcspn(rest, " ");
  *mem = v * heading_unit_mib(unit);
  *own_unit = 1;
  return *mem > 0 && *mem < 1e15 && !strpbrk(rest, "0123456789") ? 0 : -1;
}

/* The letters behind a figure: a count's thousands ("12.3k"), or 1 where they are a unit ("tps"), or NaN. */
static double suffix_factor(const char *suffix) {
  static const struct {
    const char *name;
    double factor;
  } thousands[] = {{"k", 1e3}, {"m", 1e6}, {"mn", 1e6}, {"mio", 1e6}, {"b", 1e9}, {"g", 1e9}, {"bn", 1e9}};
  for (size_t i = 0; i < sizeof thousands / sizeof *thousands; i++)
    if (strcasecmp(suffix, thousands[i].name) == 0)
      return thousands[i].factor;
  for (const char *s = suffix; *s; s++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/%. \xc2\xb5\xce\xbc", *s))
      return NAN;
  return 1;
}

/* What stands in fields of the metric besides the figure. */
struct own {
  char suffix[24]; /* of the first one that has any */
  size_t times;    /* figures with a unit of time of their own */
};

/* "2.5 ms", "12.3k", "45.2 +/- 1.3", "441,767 NOPM": the value, and its error where one stands behind it (else NaN). */
static int metric_value(struct points *p, const char *field, struct own *own, double *y, double *e) {
  const char *rest, *second;
  *e = NAN;
  if (sheet_number_at(field, y, &rest) != 0)
    return -1;
  size_t mark = strncmp(rest, "\xc2\xb1", 2) == 0 ? 2 : strncmp(rest, "+/-", 3) == 0 ? 3 : strncmp(rest, "+-", 2) == 0 ? 2 : 0;
  if (mark) {
    if (sheet_number_at(rest + mark, e, &second) != 0 || *e < 0)
      return -1;
    rest = second;
  }
  double ms = points_unit_ms(rest), factor = 1;
  if (p->quantity == QUANTITY_LATENCY && !isnan(ms)) {
    if (isnan(p->ms_per_unit)) {
      free(p->unit);
      p->unit = xstrdup("ms");
      p->ms_per_unit = 1;
    }
    factor = ms / p->ms_per_unit;
    own->times++;
  } else if (*rest && strcmp(rest, "%") != 0) {
    factor = suffix_factor(rest);
    /* Units that differ from row to row are not to be compared; thousands are. */
    if (isnan(factor) || (factor == 1 && *own->suffix && strncmp(own->suffix, rest, sizeof own->suffix - 1) != 0))
      return -1;
    if (factor == 1)
      snprintf(own->suffix, sizeof own->suffix, "%s", rest);
  }
  *y *= factor;
  *e *= factor;
  return 0;
}

enum row_state { ROW_GOOD, ROW_BAD, ROW_MISSING };

/* The field of a row, or NULL with a note. */
static const char *field_of(struct points *p, const struct sheet *t, const struct sheet_row *r, int col, enum row_state *state) {
  if (r->n > t->ncol) {
    note(p, r->line, "it has %zu field%s, the heading has %zu", r->n, r->n == 1 ? "" : "s", t->ncol);
    *state = ROW_BAD;
    return NULL;
  }
  if ((size_t)col >= r->n) {
    note(p, r->line, "it has %zu field%s, and '%.60s' is column %d", r->n, r->n == 1 ? "" : "s", t->column[col], col + 1);
    *state = ROW_BAD;
    return NULL;
  }
  if (sheet_empty(r->field[col])) {
    note(p, r->line, "it has no value of '%.60s'", t->column[col]);
    *state = ROW_MISSING;
    return NULL;
  }
  return r->field[col];
}

static enum row_state take_row(struct points *p, const struct sheet *t, const struct sheet_row *r, const struct chosen *ch,
                               struct verdict_point *v, struct own *own, int *own_unit) {
  enum row_state state = ROW_GOOD;
  const char *mem = field_of(p, t, r, ch->memory, &state), *y = mem ? field_of(p, t, r, ch->metric, &state) : NULL;
  if (!y)
    return state;
  *v = (struct verdict_point){.se_log = NAN};
  if (memory_value(p, mem, &v->mem_mib, own_unit) != 0) {
    note(p, r->line, "'%.40s' is no memory above 0", mem);
    return ROW_BAD;
  }
  double e;
  int none_left = p->quantity == QUANTITY_READS && p->sense == LESS_IS_BETTER; /* reads may fall to 0 */
  if (metric_value(p, y, own, &v->y, &e) != 0 || !(v->y > 0 || (none_left && v->y == 0)) || v->y > 1e300) {
    note(p, r->line, "'%.40s' is no number above 0 for '%.60s'", y, t->column[ch->metric]);
    return ROW_BAD;
  }
  if (isfinite(e) && ch->error < 0) {
    v->se_log = e / v->y;
    p->has_error = 1;
  }
  if (ch->error < 0 || (size_t)ch->error >= r->n || sheet_empty(r->field[ch->error]))
    return ROW_GOOD;
  if (sheet_number(r->field[ch->error], &e) != 0 || e < 0) {
    note(p, r->line, "'%.40s' is no standard error", r->field[ch->error]);
    return ROW_BAD;
  }
  v->se_log = ch->error_relative ? e / 100 : e / v->y;
  return ROW_GOOD;
}

/* 0 has no logarithm: it is taken as half of the smallest value above it, as what lies below a limit of detection. */
static void lift_zeros(struct points *p) {
  double least = INFINITY;
  for (size_t i = 0; i < p->n; i++)
    if (p->point[i].y > 0)
      least = fmin(least, p->point[i].y);
  p->zero_as = least / 2;
  for (size_t i = 0; i < p->n; i++)
    if (!(p->point[i].y > 0)) {
      p->point[i].y = p->zero_as;
      p->point[i].se_log = NAN;
      p->zeros++;
    }
  if (!isfinite(least))
    p->n = 0;
}

static int by_memory(const void *a, const void *b) {
  double x = ((const struct verdict_point *)a)->mem_mib, y = ((const struct verdict_point *)b)->mem_mib;
  return (x > y) - (x < y);
}

/* Rows of the same memory become one: the geometric mean; k equal errors shrink by sqrt(k). */
static void merge(struct points *p) {
  size_t n = 0;
  qsort(p->point, p->n, sizeof *p->point, by_memory);
  for (size_t i = 0, k; i < p->n; i += k) {
    double sum = 0, var = 0, least = p->point[i].y, most = least;
    for (k = 0; i + k < p->n && p->point[i + k].mem_mib <= p->point[i].mem_mib * (1 + 1e-9); k++) {
      sum += log(p->point[i + k].y);
      var += p->point[i + k].se_log * p->point[i + k].se_log;
      least = fmin(least, p->point[i + k].y);
      most = fmax(most, p->point[i + k].y);
    }
    struct verdict_point v = p->point[i];
    if (k > 1) {
      v.y = exp(sum / (double)k);
      v.se_log = sqrt(var) / (double)k;
      p->merged += k - 1;
      p->merged_apart = fmax(p->merged_apart, most / least);
    }
    p->point[n++] = v;
  }
  p->n = n;
}

/* Whole mebibytes without a unit, as in innodb_buffer_pool_size: bytes. */
static void guess_bytes(struct points *p) {
  for (size_t i = 0; i < p->n; i++)
    if (*p->memory_unit || p->point[i].mem_mib < (double)MIB || fmod(p->point[i].mem_mib, (double)MIB) > 0)
      return;
  for (size_t i = 0; i < p->n; i++)
    p->point[i].mem_mib /= (double)MIB;
  p->sized = 1;
}

static int too_few(struct points *p, struct cause *c) {
  if (p->nnote > 0)
    cause_set(c, STATUS_SETUP, "the table gives %zu point%s of '%.60s', and three are needed; line %zu was left out: %.200s", p->n,
              p->n == 1 ? "" : "s", p->metric_name, p->note[0].line, p->note[0].text);
  else
    cause_set(c, STATUS_SETUP, "the table gives %zu point%s of '%.60s', and three are needed", p->n, p->n == 1 ? "" : "s",
              p->metric_name);
  return cause_remedy(c, "give a row for each memory setting: the memory and the value measured there, both above 0");
}

int points_take(struct points *p, const struct sheet *t, const struct points_options *o, struct cause *c) {
  struct chosen ch = {.error = -1};
  *p = (struct points){.ms_per_unit = NAN};
  if (choose(t, o, &ch, c) != 0 || describe(p, t, &ch, o, c) != 0)
    return -1;
  p->point = xcalloc(t->nrow, sizeof *p->point);
  size_t own = 0;
  struct own metric = {0};
  int named = !isnan(p->ms_per_unit);
  for (size_t i = 0; i < t->nrow; i++) {
    int own_unit = 0;
    enum row_state s = take_row(p, t, &t->row[i], &ch, &p->point[p->n], &metric, &own_unit);
    p->nbad += s == ROW_BAD;
    p->nmissing += s == ROW_MISSING;
    if (s != ROW_GOOD)
      continue;
    own += (size_t)own_unit;
    p->n++;
  }
  if (own > 0 && !p->sized && own < p->n) {
    cause_set(c, STATUS_SETUP, "some memories of '%.60s' have a unit and others have none", p->memory_name);
    return cause_remedy(c, "write one unit into the heading, such as memory_GB, or say --memory-unit=GB");
  }
  if (!named && metric.times > 0 && metric.times < p->n) {
    cause_set(c, STATUS_SETUP, "some values of '%.60s' have a unit and others have none", p->metric_name);
    return cause_remedy(c, "write one unit into the heading, such as latency_ms, or say --unit=ms");
  }
  if (own > 0)
    p->sized = 1;
  else
    guess_bytes(p);
  lift_zeros(p);
  merge(p);
  if (p->n < 3)
    return too_few(p, c);
  if (p->n > POINTS_MAX) {
    cause_set(c, STATUS_SETUP, "the table has %zu memory settings, and %d are the most", p->n, POINTS_MAX);
    return cause_remedy(c, "give one row a memory setting, not raw samples");
  }
  return 0;
}

void points_free(struct points *p) {
  for (size_t i = 0; i < p->nnote; i++)
    free(p->note[i].text);
  free(p->note);
  free(p->point);
  free(p->memory_name);
  free(p->metric_name);
  free(p->memory_unit);
  free(p->unit);
  *p = (struct points){0};
}
