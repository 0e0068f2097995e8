/* refine: where the next step belongs that narrows a bracket.  Pure functions. */
#ifndef RK_ANALYSIS_REFINE_H
#define RK_ANALYSIS_REFINE_H

#include "analysis/verdict.h"

#include <stdint.h>

#define REFINE_RATIO 1.15 /* a bracket b / a that is no wider needs no step */

/* The step between a and b (MiB, a < b) that halves the bracket best: the geometric middle, in whole gigabytes, strictly between
 * them. 0 when the bracket is narrow enough: b / a <= ratio (>= 1), no whole gigabyte lies between, or its ends are not above 0.
 */
int64_t refine_between(double a_mib, double b_mib, double ratio);

/* What a verdict asks for: the knee first, then the plateau edge, then a second knee; 0 when all of them are narrow enough or
 * none was found.  *of (may be NULL) tells which bracket it narrows. */
int64_t refine_next(const struct verdict *, double ratio, const struct bracket **of);

#endif
