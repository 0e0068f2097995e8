/* stop: the limits of --stop-above, by which a descent ends.  Pure functions. */
#ifndef RK_SWEEP_STOP_H
#define RK_SWEEP_STOP_H

#include "analysis/hist.h"
#include "base/cause.h"

#define STOP_MAX 6

struct stop_rule {
  const char *name; /* p50, p90, p95, p99, p99.9 or mean */
  double q;         /* the quantile; NaN for the mean */
  double limit_ms;
};

/* Zeroed: no limits. */
struct stop_rules {
  size_t n;
  struct stop_rule rule[STOP_MAX];
};

/* Add "p95=50ms"; a figure that is not known or was named before, and a limit that is no time above 0, are refused. */
int stop_add(struct stop_rules *, const char *text, struct cause *);

/* Is the response worse than the limit?  1 yes, 0 no; -1: so few transactions do not tell (fewer than ten beyond the percentile).
 * *value_ms is the figure, NaN without any. */
int stop_judge(const struct stop_rule *, const struct hist *response, double *value_ms);

/* "p95 above 50 ms or mean above 20 ms", new memory; NULL without limits. */
char *stop_text(const struct stop_rules *);

#endif
