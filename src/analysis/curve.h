/* curve: a quantity against memory on the scales where a knee is looked for: natural log of the quantity, turned so that larger
 * is worse, against log2 of memory.  Internal to the verdict; pure functions. */
#ifndef RK_ANALYSIS_CURVE_H
#define RK_ANALYSIS_CURVE_H

#include <stddef.h>

/* n points in the order of x; the arrays belong to the curve. */
struct curve {
  size_t n;
  double *x;  /* log2 of memory, strictly rising */
  double *f;  /* +ln y (less is better) or -ln y (more is better) */
  double *se; /* standard error of f, > 0 */
};

/* Room for n points in one block; values are not set.  curve_free takes an empty one too. */
void curve_new(struct curve *, size_t n);
void curve_free(struct curve *);
/* The same points again in a curve of the same n. */
void curve_copy(struct curve *to, const struct curve *from);

/* Least squares by a function that never rises with memory (pool adjacent violators, weights 1/se^2), put in g[0..n-1]: more
 * memory does not hurt, so a wiggle that says so is noise. */
void curve_monotone(const struct curve *, double *g);

/* The values g at the curve's points, joined by straight lines, at x; held level outside. */
double curve_at(const struct curve *, const double *g, double x);

/* Weighted least squares of a straight line through points first..last (at least two): slope, its standard error, the value at x
 * = 0, and the weighted sum of squared residuals (chi squared with last - first - 1 degrees of freedom). */
struct line {
  double slope, slope_se, at0, chisq;
};
struct line curve_line(const struct curve *, size_t first, size_t last);

#endif
