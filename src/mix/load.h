/* load: make the database, load a mix in parallel, and the record of what was loaded.
 *
 * Everything here needs server_init for the target, with load_connections connections.  Sizes are those that the server shows:
 * the sandbox's are 1,024 times its real ones. */
#ifndef RK_MIX_LOAD_H
#define RK_MIX_LOAD_H

#include "mix/mix.h"

#define LOAD_DATABASE "ramknee_orders" /* the default */
#define LOAD_STREAMS_MAX 64

struct load_options {
  const char *database; /* NULL: LOAD_DATABASE */
  const struct mix *mix;
  int64_t size_bytes; /* asked for, 0: follows from scale and density */
  int64_t scale;      /* 0: follows from size and density */
  double density;     /* 0: follows from size and scale; or from size alone: 1, in the sandbox what gives 64 warehouses */
  uint64_t seed;      /* at most 2^63 - 1 */
  int streams;        /* 1..64 */
  int replace;        /* a complete load is there already: load it anew */
  const _Atomic int *stop;
  int show_progress;
};

/* What a load will do. */
enum load_state {
  LOAD_NEW,    /* there is no such database */
  LOAD_BROKEN, /* load was broken off there: it is made anew */
  LOAD_DONE,   /* a complete load is there: it is made anew (only with replace) */
};
struct load_plan {
  struct mix_load load;
  enum load_state state;
  struct mix_load present; /* LOAD_DONE: what is there */
  char database[130], server[130];
  int64_t factor; /* 1,024 in the sandbox, else 1 */
  int64_t bytes;  /* foreseen, as the server will show it */
  int64_t rows;
  int streams; /* at most one a unit of scale */
};

/* Connections that a load with so many streams needs at once. */
int load_connections(int streams);

/* Look at what is there and work out what a load would do; nothing is changed.  -1 with a remedy when it can't be: options that
 * contradict one another, a complete load without replace, a database that load did not make. */
int load_plan(const struct target *, const struct load_options *, struct load_plan *, struct cause *);

/* The whole of `ramknee load`: plan, then create and set up the database, tables, data, indexes, statistics, verify, record.  A
 * broken-off load is recognised by its record and redone.  A database that `load` did not make is never touched.  *out gets the
 * record.  When *stop becomes non-zero it ends in order, the database stays marked incomplete, and the cause's status is
 * STATUS_INCOMPLETE. */
int load_run(const struct target *, const struct load_options *, struct mix_load *out, struct cause *);

/* Read the record of the conn's current database.  -1 with a remedy when there is none, it is incomplete or of another schema
 * version. */
int load_read(struct conn *, struct mix_load *, struct cause *);

/* What a drop would remove. */
struct load_dropped {
  char server[130];       /* its own name */
  int empty;              /* nothing is in it, and nothing proves that load made it */
  struct mix_load record; /* what was loaded, when not empty; zeroes when a load was killed before its record */
};
/* Look whether the database may be dropped; nothing is changed.  Only when its record and extended property prove that load made it and
 * the names agree; with `also_empty` also one that holds nothing whatever, as a load that was killed right after CREATE DATABASE
 * leaves it, when this login sees everything in it.  -1: it may not (then server is filled when it was reached). */
int load_drop_look(const struct target *, const char *database, int also_empty, struct load_dropped *, struct cause *);
/* Look again, and remove it. */
int load_drop(const struct target *, const char *database, int also_empty, struct load_dropped *, struct cause *);

#endif
