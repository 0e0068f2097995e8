/* join: the measured points of several runs as one run, so that points that were measured one by one (ramknee measure) make a curve.
 *
 * Points compare only when the same was asked of the same data: mix, scale, density, seeds, demand and client must be the same; server
 * and memory may differ, and a difference that shows in the curve is noted.  Burn-ins, drift steps and steps that were broken off are
 * left behind; what they told of their runs is kept. */
#ifndef RK_REPORT_JOIN_H
#define RK_REPORT_JOIN_H

#include "base/cause.h"
#include "run/run.h"

#include <stddef.h>

/* Write a run folder `to` (it must not exist, or be empty) that holds all of them, largest memory first, one after the other in its time.
 * n >= 2.  0; 1 when a step was left out whose files are damaged; -1 with a cause that names what differs; with `force` differences of
 * demand, data and client are noted in the run instead, but those of mix or kind of server are refused all the same. */
int join_runs(const char *const *folder, size_t n, const char *to, int force, struct cause *);

/* What a run tells of itself that its points alone do not: {"run", "started", "stationary", "drift": {"change", "lo", "hi"}, "data_from_bytes",
 * "data_to_bytes", "stopped": {"mib", "why"}}, an entry of "runs" in the run.json of joined points.  New reference. */
json_t *joined_entry(const struct run_data *);

/* ramknee-joined-20261130-150405, new memory. */
char *join_default_folder(void);

#endif
