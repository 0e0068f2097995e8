/* knee: the sharpest corner of a curve.  Internal to the verdict; pure functions.
 *
 * At a step b the curve loses `below` by the next halving of memory and has lost `above` by the last one (both in ln y for one
 * octave, read off the monotone fit joined by straight lines).  The turn is the difference of the slopes on both sides.  It is
 * taken over `scale` octaves: a third of one at least, one halving at most, and as little as the steps around the corner (one and
 * a half of their mean gap) and the noise (the turn is four standard errors) allow.  A corner is a knee when the next halving
 * costs at least twice what the last one did, and more than twice the tolerance. */
#ifndef RK_ANALYSIS_KNEE_H
#define RK_ANALYSIS_KNEE_H

#include "analysis/curve.h"

struct corner {
  size_t b; /* the step at the corner; the bracket is (b - 1, b).  0: there is no knee */
  double turn, turn_se, scale;
  double above, below;
};

/* The sharpest knee, and a second one that is at least an octave away with a part between them where the curve flattens again.
 * `g` is the monotone fit at the curve's points; `least` the loss by a halving (in ln y) that counts. */
void knee_find(const struct curve *, const double *g, double least, struct corner *first, struct corner *second);

#endif
