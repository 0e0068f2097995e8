/* resample: how far a step's figures would scatter if it were measured again, from its seconds (analysis/stats.h). */
#ifndef RK_REPORT_RESAMPLE_H
#define RK_REPORT_RESAMPLE_H

#include "report/figures.h"

#define RESAMPLE_DRAWS 1000

/* Fill the replicates (draw_*), the errors (stat) and the intervals of tx_s, mean, p50, p95, p99, read_mb_s and reads_per_tx;
 * their values are kept.  A step of fewer than STATS_MIN seconds gets none.  Pure in (the step, seed). */
void resample(struct figures *, uint64_t seed);

#endif
