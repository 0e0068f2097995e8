#include "config.h"

#include "analysis/refine.h"

#include <math.h>
#include <stddef.h>

#define GB_MIB 1024.0

int64_t refine_between(double a, double b, double ratio) {
  if (!(a > 0) || !isfinite(b) || b - a <= GB_MIB || b <= a * ratio * (1 + 1e-9))
    return 0;
  double lowest = floor(a / GB_MIB) + 1, highest = ceil(b / GB_MIB) - 1; /* whole gigabytes strictly between */
  if (lowest > highest)
    return 0;
  double gb = round(sqrt(a * b) / GB_MIB);
  return (int64_t)(fmin(fmax(gb, lowest), highest) * GB_MIB);
}

int64_t refine_next(const struct verdict *v, double ratio, const struct bracket **of) {
  const struct bracket *order[] = {&v->knee, &v->edge, &v->knee2};
  for (size_t i = 0; v->ok && i < sizeof order / sizeof *order; i++) {
    int64_t mib = order[i]->found ? refine_between(order[i]->a_mib, order[i]->b_mib, ratio) : 0;
    if (mib) {
      if (of)
        *of = order[i];
      return mib;
    }
  }
  return 0;
}
