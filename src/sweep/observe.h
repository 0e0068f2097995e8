/* observe: a job that changes no setting of the server, in a child as a sweep has one: signals ask it to end at safe places, and
 * however it ends, the run folder says so. */
#ifndef RK_SWEEP_OBSERVE_H
#define RK_SWEEP_OBSERVE_H

#include "sweep/work.h"

struct observed {
  const char *folder;          /* the run's */
  struct sweep_shared *shared; /* made by observe; `work` writes into why */
  /* The child's; its exit status.  STATUS_SETUP: nothing was begun, no end is written. */
  int (*work)(struct observed *);
};

/* Run it.  Call while the process has one thread and no connection.  Returns an exit status; everything has been said.
 * *run_folder: as sweep_run's. */
int observe(struct observed *, char **run_folder);

#endif
