/* sweep: the main job: plan, supervise, step, put back. */
#ifndef RK_SWEEP_SWEEP_H
#define RK_SWEEP_SWEEP_H

#include "drive/drive.h"

#include <jansson.h>

struct sweep_options {
  struct target target;
  const char *database;    /* the loaded database; also target.database */
  int64_t *step_mib;       /* largest first, as asked */
  size_t nstep;
  int steps_named;         /* the user named them (--steps, --from/--to): one that cannot be reached is refused, not left out */
  struct demand demand;
  int demand_named;        /* users/think or rate given; else the default demand by a probe */
  int64_t settle_max_ns, warm_ns, measure_ns, burn_in_ns;
  int drift;               /* the first step again at the end */
  int stationary;          /* 1 on, 0 off, -1 by the growth foreseen */
  const char *run_folder;  /* NULL: ramknee-YYYYMMDD-HHMMSS-SERVER in the current folder */
  int yes, dry_run;
  int argc;                /* for run.json, without secrets */
  char **argv;
};

/* Run it.  Returns an exit status (enum status); everything that a person must know has been said.  *run_folder (new memory, may be
 * NULL) is where the run is, for a report afterwards. */
int sweep_run(const struct sweep_options *, char **run_folder);

#endif
