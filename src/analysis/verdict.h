/* verdict: where latency (or reads, or throughput) bends against memory, and how sure that is.  Pure functions of arrays.
 *
 * Words.  Plateau edge (a|b): b is the smallest step from which all larger ones stay within the tolerance of the largest step, a the
 * next smaller step.  Knee (a, b): the neighbouring steps at the sharpest corner of log y against log2 memory: above b little is
 * lost by a halving, from b to a much.  Both are brackets with a bootstrap confidence; they can differ, and "no knee" is an answer. */
#ifndef RK_ANALYSIS_VERDICT_H
#define RK_ANALYSIS_VERDICT_H

#include <stddef.h>
#include <stdint.h>

/* One step.  y > 0 in any unit.  se_log is the standard error of ln y (about the relative standard error); NaN: unknown, then
 * verdict_options.noise stands in for it and the verdict says so.  With draw != NULL it holds ndraw bootstrap replicates of y
 * (from blocks of the step's seconds), which are used instead of a normal error. */
struct verdict_point {
  double mem_mib, y, se_log;
  const double *draw;
  size_t ndraw;
};

enum verdict_sense { LESS_IS_BETTER /* latency, reads */, MORE_IS_BETTER /* throughput */ };

struct verdict_options {
  enum verdict_sense sense;
  double tolerance; /* 0.05: within 5 % of the largest step is "the same" */
  double noise;     /* 0.03: relative standard error assumed where none is known */
  int draws;        /* bootstrap replicates, 200..100000 */
  uint64_t seed;
};

struct bracket {
  int found;          /* 0: there is none; the other fields are then NaN */
  double a_mib, b_mib; /* a < b, both measured steps */
  double confidence;  /* share of bootstrap replicates in which the same bracket comes out (0..1) */
  double near;        /* share in which it or a neighbouring one comes out */
};

enum plateau {
  PLATEAU_EDGE,        /* an edge was found */
  PLATEAU_FLAT,        /* all steps within the tolerance: the smallest suffices */
  PLATEAU_NOT_REACHED, /* the gain a doubling at the top exceeds twice the tolerance by its interval: more memory would help */
  PLATEAU_UNSURE,      /* the top step alone is within the tolerance, but the gain at the top is not proved */
};

struct verdict {
  int ok;              /* 0: fewer than three usable points */
  enum plateau plateau;
  struct bracket edge, knee, knee2; /* knee2: a second shoulder, found = 0 when there is one only */
  double top_gain, top_gain_lo, top_gain_hi; /* relative gain by one doubling at the top (fit of the top points), with 95 % interval */
  int noise_assumed;
};

/* Points in any order, each memory once; n >= 3.  Returns 0, or -1 when there are fewer than three or values are not positive and finite. */
int verdict_find(const struct verdict_point *, size_t n, const struct verdict_options *, struct verdict *);

/* The smallest measured memory whose y is within `limit` (a latency limit: y <= limit) and so are all larger ones; by = the interval's
 * upper end at `level` (0.95) where sure, else 0.  NaN when no step meets it. */
struct slo_answer {
  double sure_mib;   /* by the interval's worse end */
  double likely_mib; /* by the estimate */
};
struct slo_answer verdict_slo(const struct verdict_point *, size_t n, const struct verdict_options *, double limit);

#endif
