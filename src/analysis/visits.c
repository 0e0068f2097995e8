#include "config.h"

#include "analysis/visits.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

static int own_known(const struct visit *v) {
  return v->se > 0 && isfinite(v->se) && v->df > 0;
}

/* The visits of the step of v[at]: how many, their mean, and the root mean square of their own errors. */
struct group {
  size_t k;
  double mean, se;
};

static struct group group_of(const struct visit *v, size_t n, size_t at) {
  struct group g = {0};
  double squares = 0;
  for (size_t i = 0; i < n; i++)
    if (v[i].step == v[at].step) {
      g.k++;
      g.mean += v[i].ln;
      squares += v[i].se * v[i].se;
    }
  g.mean /= (double)g.k;
  g.se = sqrt(squares / (double)g.k);
  return g;
}

/* The sums of the two-way layout: deviations from the step's mean, in units of its error. */
struct layout {
  size_t steps, free; /* visited more than once; visits beyond the first */
  size_t passes;
  double all;                 /* sum of squares */
  double *pass_sum;           /* of the deviations of each pass */
  size_t *pass_n;
};

static struct layout layout_make(const struct visit *v, size_t n, int absolute) {
  struct layout l = {.pass_sum = xcalloc(n, sizeof(double)), .pass_n = xcalloc(n, sizeof(size_t))};
  for (size_t i = 0; i < n; i++) {
    size_t pass = 0;
    for (size_t j = 0; j < i; j++)
      pass += v[j].step == v[i].step;
    struct group g = group_of(v, n, i);
    if (g.k < 2)
      continue;
    double u = (v[i].ln - g.mean) / (absolute ? 1 : g.se);
    l.all += u * u;
    l.pass_sum[pass] += u;
    l.pass_n[pass]++;
    l.passes = pass + 1 > l.passes ? pass + 1 : l.passes;
    l.steps += pass == 0;
    l.free += pass > 0;
  }
  return l;
}

/* Degrees of freedom of l->all / l->free. */
static double layout_df(const struct layout *l) {
  double between = 0, k = (double)l->passes - 1, rest = (double)l->free - k;
  for (size_t p = 0; p < l->passes; p++)
    between += l->pass_sum[p] * l->pass_sum[p] / (double)l->pass_n[p];
  if (rest < 1 || !(l->all > 0))
    return (double)l->free;
  double n = (double)(l->free + l->steps) / (double)l->passes; /* steps in a pass, on average */
  double a = between / k / n, b = fmax(l->all - between, 0) / rest * (n - 1) / n;
  return fmax((a + b) * (a + b) / (a * a / k + b * b / rest), 1);
}

struct visits_spread visits_spread(const struct visit *v, size_t n) {
  struct visits_spread s = {.scale = 1, .df = INFINITY};
  for (size_t i = 0; i < n; i++)
    s.absolute |= !own_known(&v[i]);
  struct layout l = layout_make(v, n, s.absolute);
  s.known = l.free > 0;
  if (s.known) {
    double scale = sqrt(l.all / (double)l.free);
    if (s.absolute || scale > 1) {
      s.scale = scale;
      s.df = layout_df(&l);
    }
  } else
    s.absolute = 0;
  free(l.pass_sum);
  free(l.pass_n);
  return s;
}

struct visits_error visits_error(const struct visits_spread *s, const struct visit *v, size_t k) {
  if (s->absolute)
    return (struct visits_error){s->scale / sqrt((double)k), s->df};
  double squares = 0, fourth = 0;
  for (size_t i = 0; i < k; i++) {
    double w = v[i].se * v[i].se;
    squares += w;
    fourth += w * w / v[i].df;
  }
  struct visits_error e = {s->scale * sqrt(squares) / (double)k, squares * squares / fourth};
  e.df = isinf(s->df) ? e.df : s->df;
  return isfinite(e.se) && e.df > 0 ? e : (struct visits_error){NAN, NAN};
}
