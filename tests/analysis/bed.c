#include "config.h"

#include "bed.h"

#include "analysis/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOP_GB 128.0

const char *const bed_name[BED_KINDS] = {"hinge",      "smooth",        "cache reads", "cache latency", "cache throughput",
                                         "saturating", "two shoulders", "power law",   "concave",       "flat"};

static double between(struct rng *r, double a, double b) {
  return a + (b - a) * rng_unit(r);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- steps ---- */

static size_t make_grid(struct rng *r, double *m) {
  static const double default_steps[] = {8, 16, 32, 64, 96, 128};
  size_t n = 0, k;
  double from;
  switch (rng_range(r, 0, 5)) {
  case 0: memcpy(m, default_steps, sizeof default_steps); return 6;
  case 1: /* halvings */
    k = (size_t)rng_range(r, 5, 8);
    for (size_t i = 0; i < k; i++)
      m[n++] = TOP_GB / exp2((double)(k - 1 - i));
    return n;
  case 2: /* 5, 15, 25, ... */
    k = (size_t)rng_range(r, 6, 13);
    for (size_t i = 0; i < k; i++)
      m[n++] = TOP_GB * (0.5 + (double)i) / ((double)k - 0.5);
    return n;
  case 3: /* fine */
    k = (size_t)rng_range(r, 12, 25);
    from = between(r, 0.05, 0.2);
    for (size_t i = 0; i < k; i++)
      m[n++] = TOP_GB * (from + (1 - from) * (double)i / (double)(k - 1));
    return n;
  case 4: { /* anywhere */
    double v[16];
    k = (size_t)rng_range(r, 7, 14);
    v[0] = TOP_GB / between(r, 10, 40);
    v[1] = TOP_GB;
    for (size_t i = 2; i < k; i++)
      v[i] = exp(between(r, log(v[0]), log(TOP_GB)));
    qsort(v, k, sizeof *v, by_size);
    for (size_t i = 0; i < k; i++)
      if (n == 0 || v[i] > m[n - 1] * 1.04)
        m[n++] = v[i];
    return n;
  }
  default: /* 10, 30, 50, ... */
    k = (size_t)rng_range(r, 5, 7);
    for (size_t i = 0; i < k; i++)
      m[n++] = TOP_GB * (1 + 2 * (double)i) / (2 * (double)k - 1);
    return n;
  }
}

/* ---- a machine with a cache ---- */

#define CLASSES 4

struct machine {
  size_t n;
  double pages[CLASSES], rate[CLASSES]; /* GB of pages; share of references, evenly over them */
  double compulsory, pages_a_tx, cpu_ms, disk_ms, think_ms;
  int users;
  enum bed_kind kind;
};

/* Che's approximation: the characteristic time t fills the cache, sum of (1 - exp(-rate t)) over all pages. */
static double miss_ratio(const struct machine *s, double cache_gb) {
  double all = 0, lo = -30, hi = 60, miss = 0, rate = 0;
  for (size_t i = 0; i < s->n; i++)
    all += s->pages[i];
  if (cache_gb >= all)
    return 0;
  for (int it = 0; it < 100; it++) {
    double t = exp((lo + hi) / 2), filled = 0;
    for (size_t i = 0; i < s->n; i++)
      filled += s->pages[i] * -expm1(-s->rate[i] / s->pages[i] * t);
    if (filled > cache_gb)
      hi = (lo + hi) / 2;
    else
      lo = (lo + hi) / 2;
  }
  for (size_t i = 0; i < s->n; i++) {
    miss += s->rate[i] * exp(-s->rate[i] / s->pages[i] * exp(lo));
    rate += s->rate[i];
  }
  return miss / rate;
}

/* Exact mean value analysis of processors, disk and think time. */
static double machine_y(const struct machine *s, double gb) {
  double reads = (miss_ratio(s, gb) + s->compulsory) * s->pages_a_tx, disk = reads * s->disk_ms, q_cpu = 0, q_disk = 0, x = 0,
         r = 0;
  if (s->kind == BED_READS)
    return reads;
  for (int n = 1; n <= s->users; n++) {
    double r_cpu = s->cpu_ms * (1 + q_cpu), r_disk = disk * (1 + q_disk);
    r = r_cpu + r_disk;
    x = n / (s->think_ms + r);
    q_cpu = x * r_cpu;
    q_disk = x * r_disk;
  }
  return s->kind == BED_LATENCY ? r : x;
}

static void make_machine(struct machine *s, enum bed_kind kind, double working_set_gb, struct rng *r) {
  *s = (struct machine){.kind = kind, .n = (size_t)rng_range(r, 2, CLASSES)};
  double left = working_set_gb;
  for (size_t i = 0; i < s->n; i++) {
    s->pages[i] = i + 1 == s->n ? left : left * between(r, 0.2, 0.6);
    left -= s->pages[i];
    s->rate[i] = between(r, 0.3, 1) * pow(s->pages[i] / working_set_gb, between(r, 0.1, 0.7));
  }
  s->compulsory = exp(between(r, log(2e-4), log(0.02)));
  s->pages_a_tx = between(r, 20, 60);
  s->cpu_ms = between(r, 0.5, 2);
  s->disk_ms = between(r, 0.1, 0.5);
  s->users = (int)rng_range(r, 4, 64);
  s->think_ms = between(r, 0, 1.5) * s->users * s->cpu_ms;
}

/* The knee's region on the machine's own curve: where ln y turns most over a quarter to a whole octave, and for latency and
 * throughput where 4 to 15 % are lost.  0: hardly anything is lost on the way down. */
static int machine_region(const struct machine *s, double low, double *from, double *to) {
  double sign = s->kind == BED_THROUGHPUT ? -1 : 1;
  *from = INFINITY;
  *to = 0;
  for (double h = 0.25; h <= 1; h += 0.25) {
    double best = -1, at = 0;
    for (double x = log2(low) + h; x <= log2(1.5 * TOP_GB) - h / 2; x += 0.04) {
      double turn = sign * (log(machine_y(s, exp2(x - h))) - 2 * log(machine_y(s, exp2(x))) + log(machine_y(s, exp2(x + h))));
      if (turn > best) {
        best = turn;
        at = exp2(x);
      }
    }
    *from = fmin(*from, at);
    *to = fmax(*to, at);
  }
  double top = machine_y(s, TOP_GB), gb = TOP_GB;
  if (s->kind == BED_READS)
    return 1;
  if (sign * (machine_y(s, low) / top - 1) < 0.12)
    return 0;
  while (gb > low && sign * (machine_y(s, gb) / top - 1) <= 0.04)
    gb *= 0.99;
  *to = fmax(*to, gb);
  while (gb > low && sign * (machine_y(s, gb) / top - 1) <= 0.15)
    gb *= 0.99;
  *from = fmin(*from, gb);
  return 1;
}

/* ---- the kinds ---- */

static void fill(struct bed_curve *b, double level, double (*worse)(double gb, const double *p), const double *p) {
  for (size_t i = 0; i < b->n; i++)
    b->y[i] = level * exp((b->sense == MORE_IS_BETTER ? -1 : 1) * worse(b->mem_gb[i], p));
}

static double hinge(double gb, const double *p) { /* knee, slope */
  return fmax(0, p[1] * log2(p[0] / gb));
}

static double smooth(double gb, const double *p) { /* knee, slope, sharpness */
  return p[1] / p[2] * log2(1 + exp2(p[2] * log2(p[0] / gb)));
}

static double line(double gb, const double *p) {
  return -p[0] * log(gb);
}

static double concave(double gb, const double *p) { /* from, slope, bend */
  double x = log2(gb / p[0]);
  return -(p[1] * x + p[2] * x * x / 2);
}

static double shoulder(double gb, double knee, double height) {
  double octaves = log2(knee / gb);
  return octaves > 0 ? height * -expm1(-2 * octaves) : 0;
}

static double shoulders(double gb, const double *p) { /* lower knee and height, upper knee and height */
  return shoulder(gb, p[0], p[1]) + shoulder(gb, p[2], p[3]);
}

static double nothing(double gb, const double *p) {
  (void)gb;
  (void)p;
  return 0;
}

static void make_bend(struct bed_curve *b, struct rng *r, double low, double octaves) {
  double p[3] = {fmin(low * exp2(between(r, 0.6, octaves - 0.7)), 0.98 * b->mem_gb[b->n - 2]), between(r, 0.4, 2),
                 between(r, 2, 6)};
  fill(b, 100, b->kind == BED_HINGE ? hinge : smooth, p);
  b->from_gb = b->kind == BED_HINGE ? p[0] : p[0] / 1.15;
  b->to_gb = b->kind == BED_HINGE ? p[0] : p[0] * 1.15;
}

static void make_cached(struct bed_curve *b, struct rng *r, double low, double octaves) {
  struct machine s;
  do
    make_machine(&s, b->kind, fmin(low * exp2(between(r, 0.8, octaves - 0.8)), 0.9 * b->mem_gb[b->n - 2]), r);
  while (!machine_region(&s, low, &b->from_gb, &b->to_gb));
  b->sense = b->kind == BED_THROUGHPUT ? MORE_IS_BETTER : LESS_IS_BETTER;
  for (size_t i = 0; i < b->n; i++)
    b->y[i] = machine_y(&s, b->mem_gb[i]);
}

static void make_saturating(struct bed_curve *b, struct rng *r) {
  double scale = TOP_GB * between(r, 0.08, 0.25);
  b->sense = MORE_IS_BETTER;
  for (size_t i = 0; i < b->n; i++)
    b->y[i] = -1000 * expm1(-b->mem_gb[i] / scale);
  b->from_gb = 1.9 * scale; /* 15 % short */
  b->to_gb = 3.3 * scale;   /* 4 % short */
}

static void make_two(struct bed_curve *b, struct rng *r, double low, double octaves) {
  double lower = low * exp2(between(r, 0.5, 0.3 * octaves));
  double p[4] = {lower, between(r, 0.7, 1.5), lower * exp2(between(r, 0.45, 0.55) * octaves), between(r, 0.7, 1.5)};
  fill(b, 100, shoulders, p);
  b->from_gb = b->to_gb = p[2];
  b->lower_gb = p[0];
}

void bed_make(struct bed_curve *b, enum bed_kind kind, double noise, struct rng *r) {
  *b = (struct bed_curve){.kind = kind};
  b->n = make_grid(r, b->mem_gb);
  b->sense = rng_range(r, 0, 1) ? MORE_IS_BETTER : LESS_IS_BETTER;
  double low = b->mem_gb[0], octaves = log2(b->mem_gb[b->n - 1] / low), p[3];
  switch (kind) {
  case BED_HINGE:
  case BED_SMOOTH: make_bend(b, r, low, octaves); break;
  case BED_READS:
  case BED_LATENCY:
  case BED_THROUGHPUT: make_cached(b, r, low, octaves); break;
  case BED_SATURATING: make_saturating(b, r); break;
  case BED_TWO: make_two(b, r, low, octaves); break;
  case BED_POWER:
    p[0] = between(r, 0.3, 1.5);
    fill(b, 100, line, p);
    break;
  case BED_CONCAVE:
    p[0] = low;
    p[1] = between(r, 0.2, 0.6);
    p[2] = between(r, 0.1, 0.3);
    fill(b, 100, concave, p);
    break;
  default: fill(b, 5, nothing, NULL); break;
  }
  for (size_t i = 0; i < b->n; i++)
    b->y[i] *= exp(noise * stats_normal(r));
}

void bed_expected(const struct bed_curve *b, double from, double to, double *lo, double *hi) {
  *lo = 0;
  *hi = INFINITY;
  for (size_t i = 0; i < b->n; i++) {
    if (b->mem_gb[i] <= from * 1.0001)
      *lo = b->mem_gb[i];
    if (b->mem_gb[i] >= to * 0.9999 && isinf(*hi))
      *hi = b->mem_gb[i];
  }
}
