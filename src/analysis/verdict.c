#include "config.h"

#include "analysis/verdict.h"

#include "analysis/curve.h"
#include "analysis/knee.h"
#include "analysis/stats.h"
#include "base/random.h"
#include "base/text.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define POINTS_MAX 1000
#define NULL_DRAWS 400 /* enough for a 95 % point */
#define TWO_SIDED 1.959963984540054
#define FLAT_WITHIN 2.5 /* standard errors: a spread that is no trend is noise */

/* The points in order of memory, as a curve, with its monotone fit, and room for replicates. */
struct work {
  const struct verdict_point **point;
  struct curve c, rep;
  double *fit, *rep_fit;
  double sign;       /* f = sign * ln y */
  size_t level_from; /* the steps from here on make the level of the plateau: the last one alone, mostly */
  int level_known;   /* they do, by verdict_options.level_mib */
  int assumed;
};

static int by_memory(const void *a, const void *b) {
  double x = (*(const struct verdict_point *const *)a)->mem_mib, y = (*(const struct verdict_point *const *)b)->mem_mib;
  return (x > y) - (x < y);
}

static void work_end(struct work *w) {
  curve_free(&w->c);
  curve_free(&w->rep);
  free(w->fit);
  free(w->point);
}

/* The mean of the points from `from` on, weighted by their errors. */
static double level_mean(const struct curve *c, size_t from) {
  double sum = 0, weight = 0;
  for (size_t i = from; i < c->n; i++) {
    sum += c->f[i] / (c->se[i] * c->se[i]);
    weight += 1 / (c->se[i] * c->se[i]);
  }
  return sum / weight;
}

/* Standard error of ln y: given, from the replicates, or the noise assumed. */
static double point_se(const struct verdict_point *p, const struct verdict_options *o, int *assumed) {
  if (p->se_log > 0 && isfinite(p->se_log))
    return p->se_log;
  if (p->draw && p->ndraw > 1) {
    double sum = 0, sum2 = 0;
    for (size_t i = 0; i < p->ndraw; i++) {
      double d = log(p->draw[i] / p->y);
      sum += d;
      sum2 += d * d;
    }
    double n = (double)p->ndraw, var = (sum2 - sum * sum / n) / (n - 1);
    if (isfinite(var) && var > 1e-12)
      return sqrt(var);
  }
  *assumed = 1;
  return o->noise;
}

static int work_begin(struct work *w, const struct verdict_point *p, size_t n, size_t least, const struct verdict_options *o) {
  *w = (struct work){.sign = o->sense == MORE_IS_BETTER ? -1 : 1};
  if (n < least || n > POINTS_MAX)
    return -1;
  for (size_t i = 0; i < n; i++)
    if (!(p[i].mem_mib > 0 && isfinite(p[i].mem_mib) && p[i].y > 0 && isfinite(p[i].y)))
      return -1;
  w->point = xmalloc(n * sizeof *w->point);
  for (size_t i = 0; i < n; i++)
    w->point[i] = p + i;
  qsort(w->point, n, sizeof *w->point, by_memory);
  curve_new(&w->c, n);
  curve_new(&w->rep, n);
  w->fit = xmalloc(2 * n * sizeof(double));
  w->rep_fit = w->fit + n;
  for (size_t i = 0; i < n; i++) {
    const struct verdict_point *q = w->point[i];
    w->c.x[i] = log2(q->mem_mib);
    w->c.f[i] = w->sign * log(q->y);
    w->c.se[i] = point_se(q, o, &w->assumed);
    if (i > 0 && !(w->c.x[i] > w->c.x[i - 1])) {
      work_end(w);
      return -1;
    }
  }
  w->level_from = n - 1;
  curve_copy(&w->rep, &w->c);
  curve_monotone(&w->c, w->fit);
  return 0;
}

/* Steps that are known to be level are one level, measured several times. */
static void pool_level(struct work *w, double from_mib) {
  struct curve *c = &w->c;
  w->level_known = from_mib > 0 && w->point[c->n - 1]->mem_mib >= from_mib;
  while (w->level_known && w->level_from > 0 && w->point[w->level_from - 1]->mem_mib >= from_mib)
    w->level_from--;
  double level = level_mean(c, w->level_from);
  for (size_t i = w->level_from; w->level_known && i < c->n; i++)
    c->f[i] = level;
  curve_monotone(c, w->fit);
}

/* Replicate number r: the centre (the fit, or a straight line when nothing else is to be there) with each point's error added. */
static void replicate(struct work *w, const double *centre, uint64_t seed, uint64_t stream, uint64_t r) {
  struct rng rng = rng_at(seed, stream, r);
  for (size_t i = 0; i < w->c.n; i++) {
    const struct verdict_point *p = w->point[i];
    double normal = stats_normal(&rng), error = w->c.se[i] * normal;
    if (p->draw && p->ndraw > 1)
      error = w->sign * log(p->draw[r % p->ndraw] / p->y);
    w->rep.f[i] = centre[i] + (isfinite(error) ? error : 0);
  }
  curve_monotone(&w->rep, w->rep_fit);
}

/* ---- plateau ---- */

/* How far above the largest step, in ln y, still counts as the same. */
static double margin(const struct verdict_options *o) {
  return o->sense == MORE_IS_BETTER ? -log1p(-o->tolerance) : log1p(o->tolerance);
}

/* The level of the plateau, in ln y: of the largest step as measured or as fitted, whichever is worse (where steps are pooled the
 * fit is a little too good at its end).  Where a single step is less sure than the tolerance, the mean of the level ones at the
 * top, from `from` on. */
static double level_of(const struct work *w, const struct curve *c, const double *fit) {
  size_t last = c->n - 1;
  if (w->level_from == last)
    return fmax(c->f[last], fit[last]);
  return level_mean(c, w->level_from);
}

/* Index of b; 0: all steps are within the tolerance. */
static size_t edge_index(const struct work *w, const struct curve *c, const double *fit, double within) {
  double level = level_of(w, c, fit);
  size_t b = w->level_known ? w->level_from : c->n - 1;
  while (b > 0 && fit[b - 1] - level <= within)
    b--;
  return b;
}

/* How well points must lie on one line to speak for each other at the top.  Far above what noise alone would ask for: a plateau whose
 * edge is near the top bends a line a little, and "more memory would help" may not rest on the steps below that edge. */
#define STRAIGHT 0.3

/* The line at the top: through as many of the largest steps, within one octave, as lie on a straight line given their errors; at
 * least two. */
static struct line top_line(const struct curve *c, size_t *from) {
  size_t last = c->n - 1, first = last - 1;
  while (first > 0 && c->x[last] - c->x[first - 1] <= 1 + 1e-9)
    first--;
  for (; first + 1 < last; first++) {
    struct line l = curve_line(c, first, last);
    if (gsl_cdf_chisq_Q(l.chisq, (double)(last - first - 1)) >= STRAIGHT)
      break;
  }
  *from = first;
  return curve_line(c, first, last);
}

/* Relative gain by a doubling where ln y falls by `fall` for it: latency or reads saved, throughput won. */
static double gain(const struct verdict_options *o, double fall) {
  return o->sense == MORE_IS_BETTER ? expm1(fall) : -expm1(-fall);
}

static double squares_about(const struct curve *c, const double *fit, double level) {
  double sum = 0;
  for (size_t i = 0; i < c->n; i++) {
    double d = (c->f[i] - (fit ? fit[i] : level)) / c->se[i];
    sum += d * d;
  }
  return sum;
}

/* What a monotone trend explains beyond a constant: large when there is a trend. */
static double trend(const struct curve *c, const double *fit) {
  return squares_about(c, NULL, level_mean(c, 0)) - squares_about(c, fit, 0);
}

/* Is there no trend beyond noise?  Against the trends that noise alone shows. */
static int no_trend(struct work *w, uint64_t seed) {
  double seen = trend(&w->c, w->fit);
  double *level = xcalloc(w->c.n, sizeof(double));
  int as_large = 0;
  for (uint64_t r = 0; r < NULL_DRAWS; r++) {
    replicate(w, level, seed, 3, r);
    as_large += trend(&w->rep, w->rep_fit) >= seen;
  }
  free(level);
  return as_large >= NULL_DRAWS / 20;
}

static double memory_at(const struct work *w, size_t i) {
  return w->point[i]->mem_mib;
}

/* Points without errors may scatter more than was assumed: as far as they do about the monotone fit, beyond chance (1 in 100),
 * the errors are widened.  Returns the noise that is then reckoned with. */
static double widen(struct work *w, const struct verdict_options *o) {
  size_t blocks = 1;
  for (size_t i = 1; i < w->c.n; i++)
    blocks += w->fit[i] != w->fit[i - 1];
  double free_points = (double)(w->c.n - blocks), chisq = squares_about(&w->c, w->fit, 0);
  if (free_points < 2 || gsl_cdf_chisq_Q(chisq, free_points) >= 0.01)
    return o->noise;
  double factor = sqrt(chisq / free_points);
  for (size_t i = 0; i < w->c.n; i++)
    w->c.se[i] *= factor;
  return o->noise * factor;
}

/* The gain by a doubling along a line, which begins at point `from`. */
static void set_gain(const struct work *w, const struct verdict_options *o, const struct line *l, size_t from,
                     struct verdict *v) {
  double half = TWO_SIDED * l->slope_se;
  v->top_gain = gain(o, -l->slope);
  v->top_gain_lo = gain(o, -l->slope - half);
  v->top_gain_hi = gain(o, -l->slope + half);
  v->top_from_mib = memory_at(w, from);
}

/* Known to be level: no gain. */
static void set_no_gain(const struct work *w, struct verdict *v) {
  v->top_gain = v->top_gain_lo = v->top_gain_hi = 0;
  v->top_from_mib = memory_at(w, w->level_from);
}

static void find_plateau(struct work *w, const struct verdict_options *o, struct verdict *v) {
  const struct curve *c = &w->c;
  size_t from, last = c->n - 1;
  struct line top = top_line(c, &from);
  set_gain(w, o, &top, from, v);
  if (!w->level_known && c->se[last] > margin(o) && fabs(top.slope) < TWO_SIDED * top.slope_se)
    w->level_from = from;
  double level = level_of(w, c, w->fit), spread = w->fit[0] - level, small = fmax(2 * margin(o), FLAT_WITHIN * c->se[0]);
  size_t b = edge_index(w, c, w->fit, margin(o));
  if (w->level_known)
    set_no_gain(w, v);
  v->plateau_y = exp(w->sign * level);
  v->range = exp(w->sign * spread);
  if (b == 0 || (spread <= small && no_trend(w, o->seed)))
    v->plateau = PLATEAU_FLAT;
  else if (w->level_known) {
    v->plateau = PLATEAU_EDGE;
    v->edge = (struct bracket){1, memory_at(w, b - 1), memory_at(w, b), 0, 0, NAN, NAN};
  } else if (v->top_gain_lo > 2 * o->tolerance)
    v->plateau = PLATEAU_NOT_REACHED;
  else if (b == last)
    v->plateau = PLATEAU_UNSURE;
  else {
    /* Are the steps within the tolerance level, or did the curve only not have room to rise more? */
    struct line plateau = curve_line(c, b, last);
    set_gain(w, o, &plateau, b, v);
    v->plateau = v->top_gain > 2 * o->tolerance ? PLATEAU_UNSURE : PLATEAU_EDGE;
    v->edge = (struct bracket){1, memory_at(w, b - 1), memory_at(w, b), 0, 0, NAN, NAN};
  }
}

/* ---- knee ---- */

/* The loss by a halving that counts: more than twice the tolerance. */
static double least_loss(const struct verdict_options *o) {
  return o->sense == MORE_IS_BETTER ? -log1p(-2 * fmin(o->tolerance, 0.49)) : log1p(2 * o->tolerance);
}

static double significance(const struct corner *k) {
  return k->b ? k->turn / k->turn_se : 0;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The significance that noise on the best straight line reaches in 1 of 20 cases.  The line may not rise with memory. */
static double noise_reaches(struct work *w, const struct verdict_options *o) {
  struct line l = curve_line(&w->c, 0, w->c.n - 1);
  double *line = xmalloc(w->c.n * sizeof(double)), *reached = xmalloc(NULL_DRAWS * sizeof(double));
  for (size_t i = 0; i < w->c.n; i++)
    line[i] = fmin(l.slope, 0) * w->c.x[i];
  for (uint64_t r = 0; r < NULL_DRAWS; r++) {
    struct corner first, second;
    replicate(w, line, o->seed, 2, r);
    knee_find(&w->rep, w->rep_fit, least_loss(o), &first, &second);
    reached[r] = significance(&first);
  }
  qsort(reached, NULL_DRAWS, sizeof(double), by_value);
  double level = reached[NULL_DRAWS * 19 / 20];
  free(line);
  free(reached);
  return level;
}

static struct bracket knee_bracket(const struct work *w, const struct verdict_options *o, const struct corner *k) {
  if (!k->b)
    return (struct bracket){0, NAN, NAN, NAN, NAN, NAN, NAN};
  double more = o->sense == MORE_IS_BETTER ? -1 : 1;
  return (struct bracket){1, memory_at(w, k->b - 1),        memory_at(w, k->b),           0,
                          0, more * expm1(more * k->above), more * expm1(more * k->below)};
}

/* ---- confidence ---- */

struct votes {
  size_t index; /* of b; 0: none */
  int same, near;
};

static void vote(struct votes *v, size_t b) {
  if (!v->index || !b)
    return;
  v->same += b == v->index;
  v->near += b + 1 >= v->index && b <= v->index + 1;
}

static void settle(struct bracket *b, const struct votes *v, int draws) {
  if (!b->found)
    return;
  b->confidence = (double)v->same / draws;
  b->near = (double)v->near / draws;
}

/* The second of two knees may come out first in a replicate: each votes for what it is nearer to. */
static void vote_knees(struct votes *k1, struct votes *k2, const struct corner *a, const struct corner *b) {
  const struct corner *for1 = a, *for2 = b;
  if (k2->index && a->b) {
    size_t d1 = a->b > k1->index ? a->b - k1->index : k1->index - a->b,
           d2 = a->b > k2->index ? a->b - k2->index : k2->index - a->b;
    if (d2 < d1) {
      for1 = b;
      for2 = a;
    }
  }
  vote(k1, for1->b);
  vote(k2, for2->b);
}

static void find_confidence(struct work *w, const struct verdict_options *o, const struct corner *first,
                            const struct corner *second, struct verdict *v) {
  struct votes edge = {v->edge.found ? edge_index(w, &w->c, w->fit, margin(o)) : 0, 0, 0};
  struct votes k1 = {first->b, 0, 0}, k2 = {second->b, 0, 0};
  for (int r = 0; r < o->draws; r++) {
    struct corner a, b;
    replicate(w, w->fit, o->seed, 1, (uint64_t)r);
    vote(&edge, edge_index(w, &w->rep, w->rep_fit, margin(o)));
    knee_find(&w->rep, w->rep_fit, least_loss(o), &a, &b);
    vote_knees(&k1, &k2, &a, &b);
  }
  settle(&v->edge, &edge, o->draws);
  settle(&v->knee, &k1, o->draws);
  settle(&v->knee2, &k2, o->draws);
}

/* Is there a step that is worse than one with less memory, by more than 3.3 standard errors of their difference (1 in 1,000)? */
static void find_rise(const struct work *w, struct verdict *v) {
  double worst = 3.3;
  for (size_t i = 0; i < w->c.n; i++)
    for (size_t j = i + 1; j < w->c.n; j++) {
      double z = (w->c.f[j] - w->c.f[i]) / hypot(w->c.se[i], w->c.se[j]);
      if (z > worst) {
        worst = z;
        v->rise_mib = memory_at(w, j);
        v->rise_than_mib = memory_at(w, i);
      }
    }
}

/* Options within their ranges. */
static struct verdict_options in_range(const struct verdict_options *o) {
  struct verdict_options r = *o;
  r.tolerance = fmin(fmax(o->tolerance, 0.001), 0.5);
  r.noise = fmin(fmax(o->noise, 0.0001), 1);
  r.draws = o->draws < 200 ? 200 : o->draws > 100000 ? 100000 : o->draws;
  return r;
}

int verdict_find(const struct verdict_point *p, size_t n, const struct verdict_options *options, struct verdict *v) {
  const struct verdict_options ranged = in_range(options), *o = &ranged;
  const struct bracket none = {0, NAN, NAN, NAN, NAN, NAN, NAN};
  *v = (struct verdict){.edge = none, .knee = none, .knee2 = none};
  struct work w;
  if (work_begin(&w, p, n, 3, o) != 0)
    return -1;
  struct corner first = {0}, second = {0};
  v->ok = 1;
  v->noise_assumed = w.assumed;
  find_rise(&w, v);
  v->noise = w.assumed ? widen(&w, o) : NAN;
  pool_level(&w, o->level_mib);
  find_plateau(&w, o, v);
  if (v->plateau != PLATEAU_FLAT) {
    knee_find(&w.c, w.fit, least_loss(o), &first, &second);
    double level = first.b ? noise_reaches(&w, o) : 0;
    if (significance(&first) <= level)
      first.b = second.b = 0;
    if (significance(&second) <= level)
      second.b = 0;
    v->knee = knee_bracket(&w, o, &first);
    v->knee2 = knee_bracket(&w, o, &second);
    find_confidence(&w, o, &first, &second, v);
  }
  v->below_knee = v->plateau == PLATEAU_NOT_REACHED && !v->knee.found;
  work_end(&w);
  return 0;
}

/* ---- a limit ---- */

/* The worse end of the 95 % interval of a step, in ln y. */
static double worse_end(const struct work *w, size_t i) {
  const struct verdict_point *p = w->point[i];
  if (!p->draw || p->ndraw < 40)
    return w->c.f[i] + TWO_SIDED * w->c.se[i];
  double *v = xmalloc(p->ndraw * sizeof(double));
  for (size_t k = 0; k < p->ndraw; k++)
    v[k] = w->sign * log(p->draw[k]);
  qsort(v, p->ndraw, sizeof(double), by_value);
  double end = v[(size_t)((double)(p->ndraw - 1) * 0.975)];
  free(v);
  return end;
}

/* Memory (log2) where the fit comes down to `limit`: -HUGE_VAL when all of it is within, HUGE_VAL when none is. */
static double crossing(const struct curve *c, const double *fit, double limit) {
  if (fit[0] <= limit)
    return -HUGE_VAL;
  for (size_t i = 1; i < c->n; i++)
    if (fit[i] <= limit)
      return c->x[i - 1] + (c->x[i] - c->x[i - 1]) * (fit[i - 1] - limit) / (fit[i - 1] - fit[i]);
  return HUGE_VAL;
}

static double inside(double x) {
  return isfinite(x) ? exp2(x) : NAN;
}

struct slo_answer verdict_slo(const struct verdict_point *p, size_t n, const struct verdict_options *options, double limit) {
  const struct verdict_options ranged = in_range(options), *o = &ranged;
  struct slo_answer a = {NAN, NAN, NAN, NAN, NAN};
  struct work w;
  if (!(limit > 0) || !isfinite(limit) || work_begin(&w, p, n, 1, o) != 0)
    return a;
  double f = w.sign * log(limit);
  for (size_t i = n; i-- > 0 && w.c.f[i] <= f;)
    a.likely_mib = w.point[i]->mem_mib;
  for (size_t i = n; i-- > 0 && worse_end(&w, i) <= f;)
    a.sure_mib = w.point[i]->mem_mib;
  a.at_mib = inside(crossing(&w.c, w.fit, f));
  double *at = xmalloc((size_t)o->draws * sizeof(double));
  for (int r = 0; r < o->draws; r++) {
    replicate(&w, w.fit, o->seed, 1, (uint64_t)r);
    at[r] = crossing(&w.rep, w.rep_fit, f);
  }
  qsort(at, (size_t)o->draws, sizeof(double), by_value);
  a.at_lo_mib = inside(at[(size_t)((o->draws - 1) * 0.025)]);
  a.at_hi_mib = inside(at[(size_t)((o->draws - 1) * 0.975)]);
  free(at);
  work_end(&w);
  return a;
}
