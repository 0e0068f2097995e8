#include "config.h"

#include "analysis/stats.h"

#include <gsl/gsl_cdf.h>

double stats_normal(struct rng *r) {
  /* Never 0 or 1: the middle of one of 2^53 cells. */
  return gsl_cdf_ugaussian_Pinv(rng_unit(r) + 0x1p-54);
}
