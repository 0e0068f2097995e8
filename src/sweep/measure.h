/* measure: one point at the memory as it is.  The same path as a step of a sweep, but no setting is touched: no journal, no row, no
 * right to change anything.  What cannot be sampled is absent. */
#ifndef RK_SWEEP_MEASURE_H
#define RK_SWEEP_MEASURE_H

#include "sweep/work.h"

/* Run it, as sweep_run.  Of the options target, database, demand, times, stationary, run_folder and the command line count.
 * memory_mib: what the user says the memory is, 0: as the server tells. */
int measure_run(const struct sweep_options *, int64_t memory_mib, char **run_folder);

/* The demand and `stationary` of another run into the options.  -1 when that run has none that is known. */
int measure_like(struct sweep_options *, const char *run, struct cause *);

/* Inside sweep/: what a step does where one of a sweep would set and settle: note what is absent, and what the server holds. */
void measure_standing(struct work *, struct step_facts *);
/* Nobody has changed the setting meanwhile, as far as it can be seen; -1 with a cause. */
int measure_unchanged(struct work *, struct cause *);

#endif
