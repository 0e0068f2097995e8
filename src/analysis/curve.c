#include "config.h"

#include "analysis/curve.h"

#include "base/text.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void curve_new(struct curve *c, size_t n) {
  double *block = xcalloc(3 * n, sizeof(double));
  *c = (struct curve){.n = n, .x = block, .f = block + n, .se = block + 2 * n};
}

void curve_free(struct curve *c) {
  free(c->x);
  *c = (struct curve){0};
}

void curve_copy(struct curve *to, const struct curve *from) {
  memcpy(to->x, from->x, 3 * from->n * sizeof(double));
}

void curve_monotone(const struct curve *c, double *g) {
  /* Blocks of pooled points: the weighted mean, the weight and the first point of each. */
  double *mean = xmalloc(2 * c->n * sizeof(double)), *weight = mean + c->n;
  size_t *first = xmalloc(c->n * sizeof(size_t)), m = 0;
  for (size_t i = 0; i < c->n; i++) {
    mean[m] = c->f[i];
    weight[m] = 1 / (c->se[i] * c->se[i]);
    first[m++] = i;
    while (m > 1 && mean[m - 1] > mean[m - 2]) {
      double w = weight[m - 2] + weight[m - 1];
      mean[m - 2] = (mean[m - 2] * weight[m - 2] + mean[m - 1] * weight[m - 1]) / w;
      weight[m - 2] = w;
      m--;
    }
  }
  for (size_t b = 0; b < m; b++)
    for (size_t i = first[b]; i < (b + 1 < m ? first[b + 1] : c->n); i++)
      g[i] = mean[b];
  free(first);
  free(mean);
}

double curve_at(const struct curve *c, const double *g, double x) {
  if (x <= c->x[0])
    return g[0];
  if (x >= c->x[c->n - 1])
    return g[c->n - 1];
  size_t lo = 0, hi = c->n - 1;
  while (hi - lo > 1) {
    size_t mid = (lo + hi) / 2;
    if (c->x[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  return g[lo] + (g[hi] - g[lo]) * (x - c->x[lo]) / (c->x[hi] - c->x[lo]);
}

struct line curve_line(const struct curve *c, size_t first, size_t last) {
  struct line l;
  size_t n = last - first + 1;
  double *w = xmalloc(n * sizeof(double)), cov00, cov01, cov11;
  for (size_t i = 0; i < n; i++)
    w[i] = 1 / (c->se[first + i] * c->se[first + i]);
  gsl_fit_wlinear(c->x + first, 1, w, 1, c->f + first, 1, n, &l.at0, &l.slope, &cov00, &cov01, &cov11, &l.chisq);
  l.slope_se = sqrt(cov11);
  free(w);
  return l;
}
