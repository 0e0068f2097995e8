/* load_private: what the files behind load.h share. */
#ifndef RK_MIX_LOAD_PRIVATE_H
#define RK_MIX_LOAD_PRIVATE_H

#include "mix/load.h"

/* A connection to a database of the target's server; patient when statements may work for hours without a word. */
int load_open(const struct target *, const char *database, int patient, struct conn **, struct cause *);

/* What stands in the way of making (or dropping) a database: */
enum load_found {
  FOUND_NOTHING, /* no such database */
  FOUND_OURS,    /* a complete load; *record is it */
  FOUND_BROKEN,  /* a load that was broken off */
  FOUND_EMPTY,   /* as CREATE DATABASE leaves it: a load that was killed before it could mark it, or somebody's own */
  FOUND_FOREIGN, /* somebody's own, or one that this login does not see all of */
};
/* Look at a database by name from master. */
int load_find(const struct target *, struct conn *master, const char *database, enum load_found *, struct mix_load *record,
              struct cause *);

/* Drop it from master; waits some seconds for sessions that are about to end. */
int load_remove(struct conn *master, const char *database, struct cause *);

/* Jobs: functions that run beside one another, each in a thread with a connection of its own, while the caller's thread watches
 * over them: it shows progress, and ends them when `stop` is set or one has failed. */
struct jobs;
struct job {
  struct jobs *all;
  int part;
  struct conn *conn;
  int rc; /* of fn */
  struct cause cause;
  _Atomic int ended;
};
struct jobs {
  const struct mix *mix;
  const struct mix_load *load;
  int n; /* 1..LOAD_STREAMS_MAX */
  int (*fn)(struct job *);
  const _Atomic int *stop; /* the user's wish, may be NULL */
  const char *what;        /* "loading", "building indexes and statistics" */
  int64_t rows_wanted;     /* 0: no bar, only how long it takes */
  int show_progress;
  _Atomic int64_t rows, bytes;
  _Atomic int ending; /* what the jobs look at */
  struct job job[LOAD_STREAMS_MAX];
};
int jobs_run(struct jobs *, const struct target *, const char *database, struct cause *);

#endif
