/* bed: curves whose knee is known, of every kind that tables of measurements show, for trying the verdict on. */
#ifndef RK_TESTS_ANALYSIS_BED_H
#define RK_TESTS_ANALYSIS_BED_H

#include "analysis/verdict.h"
#include "base/random.h"

#define BED_POINTS 40

enum bed_kind {
  BED_HINGE,      /* a plateau, and below the knee a straight slope in logs */
  BED_SMOOTH,     /* the same, rounded */
  BED_READS,      /* reads of an LRU cache (Che's approximation) over classes of pages, with compulsory reads */
  BED_LATENCY,    /* response time of a closed network with that cache (exact MVA) */
  BED_THROUGHPUT, /* its throughput */
  BED_SATURATING, /* throughput that nears its ceiling exponentially */
  BED_TWO,        /* two shoulders: two working sets */
  BED_POWER,      /* still rising: a straight line in logs */
  BED_CONCAVE,    /* rising ever faster with memory */
  BED_FLAT,
  BED_KINDS,
};
extern const char *const bed_name[BED_KINDS];

struct bed_curve {
  enum bed_kind kind;
  enum verdict_sense sense;
  size_t n;
  double mem_gb[BED_POINTS], y[BED_POINTS];
  /* The region of the knee, in GB: narrower than a step mostly.  Of two shoulders the upper one; the lower one in lower_gb. */
  double from_gb, to_gb, lower_gb;
};

/* A curve of that kind on a grid of steps drawn at random (halvings, the default steps, equal and unequal spacing, fine and
 * coarse), each value with a relative error of `noise`.  Pure in the generator. */
void bed_make(struct bed_curve *, enum bed_kind, double noise, struct rng *);

/* The bracket of steps that somebody would name who knows the curve: the largest step at or below `from`, the smallest at or
 * above `to`. */
void bed_expected(const struct bed_curve *, double from_gb, double to_gb, double *lo_gb, double *hi_gb);

#endif
