#include "config.h"

#include "report/axes.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOG_ABOVE 25 /* a range of more than this ratio gets a logarithmic axis */
#define LOG_BELOW 1.25 /* room around the values, as a factor */
#define LOG_AIR 1.35
#define LINEAR_AIR 1.12

/* ---- memory ---- */

double axes_memory(const struct account *f, double gb) {
  return f->subject.memory_unit ? gb * 1024 : gb;
}

void axes_memory_range(const struct account *f, double *lo, double *hi) {
  double a = INFINITY, b = 0;
  for (size_t i = 0; i < f->rows.n; i++) {
    a = fmin(a, axes_memory(f, f->rows.row[i].memory_gb));
    b = fmax(b, axes_memory(f, f->rows.row[i].memory_gb));
  }
  if (!(b > 0))
    a = b = 1;
  /* Room beside the outer points; twice around a single one. */
  double pad = b > a ? pow(b / a, 0.04) : 2;
  *lo = a / pad;
  *hi = b * pad;
}

double axes_memory_at(const struct account *f, double gb) {
  double lo, hi;
  axes_memory_range(f, &lo, &hi);
  return log(axes_memory(f, gb) / lo) / log(hi / lo);
}

const char *axes_memory_unit(const struct account *f) {
  double hi = 0;
  if (f->subject.memory_unit)
    return f->subject.memory_unit;
  for (size_t i = 0; i < f->rows.n; i++)
    hi = fmax(hi, f->rows.row[i].memory_gb);
  return hi > 0 && hi < 1 ? "MB" : "GB";
}

/* A label's place on the axis: half of its width on either side of `at`. */
struct span {
  double lo, hi;
};

static struct span label_span(const struct account *f, double gb, char *text, size_t size) {
  double v = f->subject.memory_unit || strcmp(axes_memory_unit(f), "MB") == 0 ? gb * 1024 : gb;
  if (v >= 9999.5 && v < 1e15)
    count_text(llround(v), text, size);
  else
    snprintf(text, size, "%.4g", v);
  double half = (double)strlen(text) * 0.0055 + 0.004, at = axes_memory_at(f, gb);
  return (struct span){at - half, at + half};
}

/* Each memory is a tic; its label is left out where it would run into that of the tic before, or into the last one's. */
void axes_memory_tics(struct text *t, const struct account *f, int labels) {
  double *gb = xcalloc(f->rows.n + 1, sizeof *gb);
  size_t n = 0;
  for (size_t i = 0; i < f->rows.n; i++) {
    size_t k = 0;
    while (k < n && gb[k] != f->rows.row[i].memory_gb)
      k++;
    if (k == n && isfinite(f->rows.row[i].memory_gb))
      gb[n++] = f->rows.row[i].memory_gb;
  }
  qsort(gb, n, sizeof *gb, double_order);
  char text[32];
  double end = -INFINITY;
  struct span last = n ? label_span(f, gb[n - 1], text, sizeof text) : (struct span){0, 0};
  for (size_t i = 0; i < n; i++) {
    struct span s = label_span(f, gb[i], text, sizeof text);
    int room = i == n - 1 || (s.lo > end && s.hi < last.lo);
    text_addf(t, "%s\"%s\" %.9g%s", i ? ", " : "", room && labels ? text : "", axes_memory(f, gb[i]), room ? "" : " 1");
    if (room)
      end = s.hi;
  }
  if (n == 0)
    text_add(t, "\"\" 1");
  free(gb);
}

/* ---- values ---- */

/* `per`: how many units of the data make one of the labels. */
static void tick(struct text *t, int first, double v, double per, int decimals) {
  char buf[48];
  if (decimals == 0 && v / per < 1e15)
    count_text(llround(v / per), buf, sizeof buf);
  else
    snprintf(buf, sizeof buf, "%.*f", decimals, v / per);
  text_addf(t, "%s\"%s\" %.9g", first ? "" : ", ", buf, v);
}

/* Ticks at 1, 2, 5 a decade (1 only over many decades), and the range around them. */
static void log_axis(struct text *t, double lo, double hi, double per) {
  static const double part[] = {1, 2, 5};
  lo /= LOG_BELOW;
  hi *= LOG_AIR;
  int parts = hi / lo <= 1000 ? 3 : 1, n = 0;
  text_addf(t, "set logscale y 10\nset yrange [%.6g:%.6g]\nset ytics (", lo, hi);
  for (int d = (int)floor(log10(lo)); d <= (int)ceil(log10(hi)); d++)
    for (int k = 0; k < parts; k++) {
      double v = part[k] * pow(10, d);
      int decimals = (int)ceil(-log10(pow(10, d) / per) - 1e-9);
      if (v >= lo && v <= hi)
        tick(t, n++ == 0, v, per, decimals > 0 ? decimals : 0);
    }
  text_add(t, ")\n");
}

/* From 0, with some air above. */
static void linear_axis(struct text *t, double hi, double per) {
  if (!(hi > 0) || !isfinite(hi))
    hi = per;
  hi *= LINEAR_AIR;
  double step = pow(10, floor(log10(hi / 4)));
  step *= hi / step > 40 ? 10 : hi / step > 16 ? 5 : hi / step > 8 ? 2 : 1;
  int decimals = (int)ceil(-log10(step / per) - 1e-9), n = 0;
  text_addf(t, "unset logscale y\nset yrange [0:%.6g]\nset ytics (", hi);
  for (double v = 0; v <= hi && n < 50; v = step * n)
    tick(t, n++ == 0, v, per, decimals > 0 ? decimals : 0);
  text_add(t, ")\n");
}

/* Latency from 100 s on is told in seconds: figures of six digits are hard to read. */
static double latency_per(const struct account *f, double hi) {
  return isfinite(hi) && hi >= 1e5 && !f->subject.latency_unit ? 1000 : 1;
}

static int is_log(double lo, double hi) {
  return lo > 0 && isfinite(hi) && hi / lo > LOG_ABOVE;
}

static const char *latency_axis(struct text *t, const struct account *f, double lo, double hi) {
  double per = latency_per(f, hi);
  if (is_log(lo, hi))
    log_axis(t, lo, hi, per);
  else
    linear_axis(t, hi, per);
  return f->subject.latency_unit ? f->subject.latency_unit : per > 1 ? "s" : "ms";
}

/* Counts of many digits are told in thousands, millions or billions. */
static const char *count_axis(struct text *t, double hi) {
  static const struct {
    double from, per;
    const char *name;
  } unit[] = {{1e10, 1e9, "billions"}, {1e7, 1e6, "millions"}, {1e6, 1e3, "thousands"}};
  size_t i = 0, n = sizeof unit / sizeof *unit;
  while (i < n && !(hi >= unit[i].from && isfinite(hi)))
    i++;
  linear_axis(t, hi, i < n ? unit[i].per : 1);
  return i < n ? unit[i].name : "";
}

static void widen(double *lo, double *hi, double v) {
  if (isfinite(v) && v > 0)
    *lo = fmin(*lo, v);
  if (isfinite(v))
    *hi = fmax(*hi, v);
}

static void latency_range(const struct account *f, double *from, double *end) {
  double lo = INFINITY, hi = 0;
  const int drawn[] = {f->subject.main, f->subject.upper, f->subject.lower};
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    if (r->kind == ROW_BROKEN)
      continue;
    double most = 0;
    for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++)
      if (drawn[k] >= 0) {
        widen(&lo, &hi, r->ms[drawn[k]].value);
        most = fmax(most, r->ms[drawn[k]].value);
      }
    /* An interval without end may leave the picture. */
    if (f->subject.main < 0)
      continue;
    widen(&lo, &hi, fmin(r->ms[f->subject.main].hi, 2 * most));
    for (size_t v = 0; v < r->nvisit; v++)
      widen(&lo, &hi, r->visit[v].ms[f->subject.main].value);
  }
  /* A limit that lies far above everything would squeeze the rest. */
  for (size_t i = 0; i < f->nlimit; i++)
    if (f->limit[i].stat >= 0 && f->limit[i].limit <= 2 * hi)
      widen(&lo, &hi, f->limit[i].limit);
  *from = lo;
  *end = hi;
}

const char *axes_latency(struct text *t, const struct account *f, double *end) {
  double lo;
  latency_range(f, &lo, end);
  return latency_axis(t, f, lo, *end);
}

double axes_latency_at(const struct account *f, double v) {
  double lo, hi;
  latency_range(f, &lo, &hi);
  if (is_log(lo, hi))
    return log(v * LOG_BELOW / lo) / log(hi * LOG_AIR * LOG_BELOW / lo);
  return v / (hi > 0 ? hi * LINEAR_AIR : LINEAR_AIR);
}

const char *axes_reads(struct text *t, const struct account *f) {
  double lo = INFINITY, hi = 0;
  for (size_t i = 0; i < f->rows.n; i++) {
    if (f->rows.row[i].kind == ROW_BROKEN)
      continue;
    widen(&lo, &hi, f->rows.row[i].read_mb_s.value);
    widen(&lo, &hi, f->rows.row[i].read_mb_s.hi);
  }
  /* What storage must deliver is asked in MB/s: from 0, so that areas compare. */
  return count_axis(t, hi);
}

const char *axes_throughput(struct text *t, const struct account *f) {
  double lo = INFINITY, hi = 0;
  for (size_t i = 0; i < f->rows.n; i++) {
    if (f->rows.row[i].kind == ROW_BROKEN)
      continue;
    widen(&lo, &hi, f->rows.row[i].tx_s.value);
    widen(&lo, &hi, f->rows.row[i].tx_s.hi);
    widen(&lo, &hi, f->rows.row[i].step->facts.rate_wanted);
  }
  return count_axis(t, hi);
}

/* ---- time ---- */

static void time_range(const struct run_data *run, double *lo, double *hi) {
  *lo = INFINITY;
  *hi = -INFINITY;
  for (size_t i = 0; i < run->nstep; i++) {
    const struct step_data *st = &run->step[i];
    for (size_t k = 0; k < st->nsecond; k++) {
      *lo = fmin(*lo, (double)st->second[k].second);
      *hi = fmax(*hi, (double)st->second[k].second + 1);
    }
    for (size_t k = 0; k < st->nsample; k++) {
      if (st->sample[k].at_ns == ABSENT)
        continue;
      *lo = fmin(*lo, (double)st->sample[k].at_ns / 1e9);
      *hi = fmax(*hi, (double)st->sample[k].at_ns / 1e9);
    }
  }
  if (!(*hi > *lo)) {
    *lo = 0;
    *hi = 60;
  }
}

const char *axes_time_tics(struct text *t, const struct account *f, int labels) {
  static const int widths[] = {5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400};
  double lo, hi;
  time_range(f->run, &lo, &hi);
  size_t w = 0;
  while (w + 1 < sizeof widths / sizeof *widths && (hi - lo) / widths[w] > 13)
    w++;
  int hours = hi >= 3 * 3600, base = hours ? 3600 : 60, n = 0;
  for (double v = ceil(lo / widths[w]) * widths[w]; v <= hi && n < 100; v += widths[w]) {
    int64_t s = llround(v);
    text_addf(t, "%s\"", n++ ? ", " : "");
    if (labels)
      text_addf(t, "%" PRId64 ":%02" PRId64, s / base, s % base / (base / 60));
    text_addf(t, "\" %" PRId64, s);
  }
  if (n == 0)
    text_add(t, "\"\" 0");
  return hours ? "h:min" : "min:s";
}

/* The names of the steps above the timeline, each in the middle of its measured phase. */
struct named {
  double from, to, at, half; /* seconds of the run; parts of the axis */
  char name[24];
  int shown;
};

#define NAME_HALF 0.0053 /* of a character, with some air */

/* One row of names; returns how many found no room. */
static size_t fit_names(struct named *n, size_t count, const struct account *f, int with_unit) {
  size_t left = 0;
  double last = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    char *unit = strchr(n[i].name, ' ');
    if (!with_unit && unit && strcmp(unit + 1, axes_memory_unit(f)) == 0)
      *unit = '\0'; /* the axis names it */
    n[i].half = (double)strlen(n[i].name) * NAME_HALF;
    n[i].shown = n[i].at - n[i].half >= last;
    if (n[i].shown)
      last = n[i].at + n[i].half;
    else
      left++;
  }
  return left;
}

void axes_time(struct text *t, const struct account *f) {
  double lo, hi;
  struct named *name = xcalloc(f->run->nstep + 1, sizeof *name);
  size_t n = 0;
  time_range(f->run, &lo, &hi);
  text_addf(t, "set xrange [%.9g:%.9g]\n", lo, hi);
  for (size_t i = 0; i < f->run->nstep; i++) {
    const struct step_data *st = &f->run->step[i];
    int64_t b, e;
    if (st->facts.role == STEP_BURN_IN || !figures_window(st, &b, &e))
      continue;
    struct named *k = &name[n++];
    k->from = (double)b / 1e9;
    k->to = (double)e / 1e9;
    k->at = ((k->from + k->to) / 2 - lo) / (hi - lo);
    memory_text((double)st->facts.setting_mib, k->name, sizeof k->name);
  }
  if (fit_names(name, n, f, 1) > 0)
    fit_names(name, n, f, 0);
  for (size_t i = 0; i < n; i++) {
    const struct named *k = &name[i];
    text_addf(t, "set object %zu rectangle from %.3f, graph 0 to %.3f, graph 1 behind ", 101 + i, k->from, k->to);
    text_add(t, "fillcolor rgb \"#eeeeee\" fillstyle solid noborder\n");
    if (k->shown)
      text_addf(t, "set label %zu \"%s\" at %.3f, graph 1.09 center noenhanced font \",16\"\n", 101 + i, k->name, (k->from + k->to) / 2);
  }
  free(name);
}

/* The highest second of what is drawn, warm-ups included. */
void axes_time_throughput(struct text *t, const struct account *f) {
  double lo = INFINITY, hi = 0;
  for (size_t i = 0; i < f->run->nstep; i++)
    for (size_t k = 0; k < f->run->step[i].nsecond; k++)
      widen(&lo, &hi, figure_of(f->run->step[i].second[k].done));
  linear_axis(t, hi, 1);
}

/* The p95 of each second that has one: as samples.tsv has it, so that none leaves the picture. */
static void widen_seconds(const struct step_data *st, struct hist *h, double *lo, double *hi) {
  for (size_t k = 0; k < st->nhist;) {
    int32_t second = st->hist[k].second;
    hist_clear(h);
    for (; k < st->nhist && st->hist[k].second == second; k++)
      if (st->hist[k].what == HIST_RESPONSE)
        hist_add(h, st->hist[k].e.bucket, st->hist[k].e.count);
    if (h->total)
      widen(lo, hi, hist_quantile_ms(h, 0.95));
  }
}

const char *axes_time_latency(struct text *t, const struct account *f) {
  double lo = INFINITY, hi = 0;
  struct hist *h = hist_new();
  for (size_t i = 0; i < f->run->nstep; i++)
    widen_seconds(&f->run->step[i], h, &lo, &hi);
  free(h);
  return latency_axis(t, f, lo, hi);
}

/* Between two steps too, as samples.tsv has it, but not across a gap. */
void axes_time_reads(struct text *t, const struct account *f) {
  double lo = INFINITY, hi = 0;
  const struct server_sample *a = NULL;
  for (size_t i = 0; i < f->run->nstep; i++)
    for (size_t k = 0; k < f->run->step[i].nsample; k++) {
      const struct server_sample *b = &f->run->step[i].sample[k];
      if (a && a->data_read_bytes != ABSENT && b->data_read_bytes > a->data_read_bytes && a->at_ns != ABSENT && b->at_ns > a->at_ns &&
          b->at_ns - a->at_ns <= 5 * NS_PER_S)
        widen(&lo, &hi, (double)(b->data_read_bytes - a->data_read_bytes) * 1e3 / (double)(b->at_ns - a->at_ns));
      a = b;
    }
  linear_axis(t, hi, 1);
}

#define EMPTY 8 /* a cache this many times smaller than the smallest setting may leave the picture below */

/* The settings and the cache: it is above them before it has come down, and may dip while it does. */
void axes_time_memory(struct text *t, const struct account *f) {
  double lo = INFINITY, hi = 0, least = INFINITY;
  for (size_t i = 0; i < f->run->nstep; i++) {
    const struct step_data *st = &f->run->step[i];
    widen(&lo, &hi, (double)st->facts.setting_mib / 1024);
    for (size_t k = 0; k < st->nsample; k++) {
      const struct server_sample *s = &st->sample[k];
      widen(&least, &hi, (s->database_cache_kb != ABSENT ? (double)s->database_cache_kb : figure_of(s->database_pages) * 8) / 1048576);
    }
  }
  if (!(hi > 0))
    hi = 1;
  lo = fmin(lo, hi);
  lo = fmin(lo, fmax(least, lo / EMPTY)) / 1.4;
  text_addf(t, "set logscale y 2\nset yrange [%.6g:%.6g]\nset ytics (", lo, hi * 1.4);
  int n = 0;
  for (int e = (int)ceil(log2(lo)); e <= (int)floor(log2(hi * 1.4)); e++)
    if ((e - (int)ceil(log2(lo))) % (hi / lo > 300 ? 2 : 1) == 0)
      text_addf(t, "%s\"%.4g\" %.9g", n++ ? ", " : "", exp2(e) * (strcmp(axes_memory_unit(f), "MB") == 0 ? 1024 : 1), exp2(e));
  text_add(t, ")\n");
}
