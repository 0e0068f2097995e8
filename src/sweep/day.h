/* day: sample what a server does by itself, for hours: no users, no loaded database, nothing is changed.  A lost connection is a gap; it
 * is opened again.  Samples are written as they come: memory does not grow with the time. */
#ifndef RK_SWEEP_DAY_H
#define RK_SWEEP_DAY_H

#include "server/target.h"

struct day_options {
  const struct target *target;
  const char *database;  /* to log in to; NULL: the login's default */
  int64_t for_ns;        /* at most so long; a signal ends it sooner, and that is no failure */
  int64_t memory_mib;    /* what the user says the memory is, 0: as the server tells */
  const char *run_folder;
  int argc;              /* for run.json, without secrets */
  char **argv;
};

/* Run it.  Call while the process has one thread and no connection.  STATUS_DONE; STATUS_SETUP: nothing was begun; STATUS_INCOMPLETE:
 * it could not go on, or there is no sample.  *run_folder: as sweep_run's.  Everything has been said. */
int day_run(const struct day_options *, char **run_folder);

#endif
