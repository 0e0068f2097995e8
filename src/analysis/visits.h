/* visits: what the steps of a sweep say about one another when they were measured several times, minutes apart.  Pure functions.
 *
 * The seconds of one visit tell how far that visit's figure would move if the same minute came again; they cannot know what a machine, a
 * storage array or a neighbour do from one quarter of an hour to the next.  Visits of the same step can: their figures are compared (in
 * logs) with their own errors, and all errors are multiplied by the ratio of the two where it is above 1 (R. T. Birge, "The calculation of
 * errors by the method of least squares", Physical Review 40, 1932: as the Particle Data Group joins measurements of one constant).  The
 * ratio is common to all steps; a pass that was slow or fast as a whole counts as one deviation and not as many: the two-way layout of
 * steps and passes gives its degrees of freedom (F. E. Satterthwaite, Biometrics Bulletin 2, 1946).
 * Simulated sweeps of 2 to 6 steps visited 2 or 3 times, without and with differences between visits and between whole passes of up to 3
 * times the visits' own errors: the 95 % intervals cover in 90 to 98 %, those of the visits' own errors alone in 46 to 95 %. */
#ifndef RK_ANALYSIS_VISITS_H
#define RK_ANALYSIS_VISITS_H

#include <stddef.h>

/* One visit: of which step (any number), the natural log of its figure, the standard error of that log (NaN: unknown) and its degrees of
 * freedom. */
struct visit {
  size_t step;
  double ln, se, df;
};

struct visits_spread {
  int known;    /* a step at least was visited twice */
  int absolute; /* a visit's own error is not known: `scale` is the standard deviation of one visit; else the ratio to its own error */
  double scale; /* >= 1 when not absolute */
  double df;    /* >= 1; infinite when the ratio was not above 1, as all then rests on the visits' own errors */
};

/* Of all visits of a sweep, those of each step in the order of the passes.  No step visited twice: not known, scale 1. */
struct visits_spread visits_spread(const struct visit *, size_t n);

/* The standard error of the mean log of v[0..k-1], the visits of one step (k >= 1), and its degrees of freedom; NaN both when unknown. */
struct visits_error {
  double se, df;
};
struct visits_error visits_error(const struct visits_spread *, const struct visit *v, size_t k);

#endif
