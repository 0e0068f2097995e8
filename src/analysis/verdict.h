/* verdict: where latency (or reads, or throughput) bends against memory, and how sure that is.  Pure functions of arrays.
 *
 * Words.  Plateau edge (a|b): b is the smallest step from which all larger ones stay within the tolerance of the largest step, a
 * the next smaller step.  Knee (a, b): the neighbouring steps at the sharpest corner of log y against log2 memory: above b little
 * is lost by a halving, from b to a much.  Both are brackets with a bootstrap confidence; they can differ, and "no knee" is an
 * answer.
 *
 * Method.  More memory does not hurt: a monotone fit (in ln y, weighted by the errors) stands for the points.  The edge is read
 * off it; so is the knee (analysis/knee.h), which counts only when its turn is greater than noise on a straight line gives in 19
 * of 20 cases.  Confidence: the same is done with replicates of the points around the fit. */
#ifndef RK_ANALYSIS_VERDICT_H
#define RK_ANALYSIS_VERDICT_H

#include <stddef.h>
#include <stdint.h>

/* One step.  y > 0 in any unit.  se_log is the standard error of ln y (about the relative standard error); NaN or 0: unknown,
 * then verdict_options.noise stands in for it and the verdict says so.  With draw != NULL it holds ndraw > 1 bootstrap replicates
 * of y (from blocks of the step's seconds), which are used instead of a normal error; borrowed. */
struct verdict_point {
  double mem_mib, y, se_log;
  const double *draw;
  size_t ndraw;
};

enum verdict_sense { LESS_IS_BETTER /* latency, reads */, MORE_IS_BETTER /* throughput */ };

/* Figures outside their ranges are taken as the end of the range. */
struct verdict_options {
  enum verdict_sense sense;
  double tolerance; /* 0.05: within 5 % of the largest step is "the same"; 0.001..0.5 */
  double noise;     /* 0.03: relative standard error assumed where none is known; 0.0001..1 */
  int draws;        /* bootstrap replicates, 200..100000 */
  uint64_t seed;
  /* From this memory on nothing is left that more memory could save, as is known from elsewhere (hardly any reads): steps from
   * there on differ by noise alone and are the plateau, whatever they look like.  0: not known. */
  double level_mib;
};
/* Less is better, 5 %, 3 %, 2,000 draws, seed 1, no level known. */
#define VERDICT_DEFAULTS ((struct verdict_options){LESS_IS_BETTER, 0.05, 0.03, 2000, 1, 0})

struct bracket {
  int found;           /* 0: there is none; the other fields are then NaN */
  double a_mib, b_mib; /* a < b, both measured steps */
  double confidence;   /* share of bootstrap replicates in which the same bracket comes out (0..1) */
  double near;         /* share in which it or a neighbouring one comes out */
  /* Of a knee: the share of y lost by halving the memory down to b, and from b (0.5: half as much latency again, or half of the
   * throughput gone), read off the fit and carried on where the curve ends sooner.  Of an edge NaN. */
  double lost_above, lost_below;
};

enum plateau {
  PLATEAU_EDGE,        /* an edge was found, or the largest step is known to be level (verdict_options.level_mib) */
  PLATEAU_FLAT,        /* all steps within the tolerance, or no trend beyond the noise: the smallest suffices */
  PLATEAU_NOT_REACHED, /* the gain a doubling at the top exceeds twice the tolerance by its interval: more memory would help */
  PLATEAU_UNSURE,      /* the top step alone is within the tolerance, or the top seems to gain too much, unproved */
};

struct verdict {
  int ok; /* 0: fewer than three usable points */
  enum plateau plateau;
  struct bracket edge;        /* of PLATEAU_EDGE, and of PLATEAU_UNSURE where more steps than one are within the tolerance */
  struct bracket knee, knee2; /* knee2: a second shoulder, found = 0 when there is one only */
  int below_knee;             /* the plateau is not reached and there is no knee: the whole curve lies below its knee */
  /* Relative gain by one doubling at the top, with its 95 % interval: along the line through the largest steps that lie on one,
   * within an octave; where an edge was found, through the steps of the plateau.  0 where the top is known to be level. */
  double top_gain, top_gain_lo, top_gain_hi;
  double top_from_mib; /* the smallest of the points that this line goes through */
  double plateau_y;    /* what the tolerance is held against: y at the largest step, measured or fitted, whichever is worse */
  double range;        /* y of the fit at the smallest step / plateau_y */
  /* More memory looked worse beyond noise: y at rise_mib is worse than at less memory (rise_than_mib); 0 when nowhere. */
  double rise_mib, rise_than_mib;
  int noise_assumed; /* a point at least had no error of its own */
  double noise;      /* the error that such points got: verdict_options.noise, or more where points scatter more; else NaN */
};

/* Points in any order, each memory once; 3 <= n <= 1,000.  Returns 0, or -1 (v->ok = 0) when there are fewer than three, values
 * are not positive and finite, or a memory comes twice. */
int verdict_find(const struct verdict_point *, size_t n, const struct verdict_options *, struct verdict *);

/* The smallest measured memory whose y is within `limit` (LESS_IS_BETTER: y <= limit, MORE_IS_BETTER: y >= limit) and so are all
 * larger ones: by the worse end of the 95 % interval of each step, and by the estimates.  NaN when no step meets it.  at_mib:
 * where the monotone fit crosses the limit (linear in logs), with the 2.5 % and 97.5 % points of its replicates; NaN where the
 * crossing lies outside the measured range (at_lo_mib NaN: maybe below the smallest step; at_hi_mib NaN: maybe above the
 * largest).  A single point is enough. */
struct slo_answer {
  double sure_mib;   /* by the interval's worse end */
  double likely_mib; /* by the estimate */
  double at_mib, at_lo_mib, at_hi_mib;
};
struct slo_answer verdict_slo(const struct verdict_point *, size_t n, const struct verdict_options *, double limit);

#endif
