/* load: make the database, load a mix in parallel, and the record of what was loaded. */
#ifndef RK_MIX_LOAD_H
#define RK_MIX_LOAD_H

#include "mix/mix.h"

struct load_options {
  const char *database;   /* default "ramknee_orders" */
  const struct mix *mix;
  int64_t size_bytes;     /* asked for; the scale follows from it unless scale > 0 */
  int64_t scale;          /* 0: from size_bytes */
  double density;
  uint64_t seed;
  int streams;            /* 1..64 */
  int replace;            /* a complete load is there already: load it anew */
  const _Atomic int *stop;
  int show_progress;
};

/* The whole of `ramknee load`: create and set up the database, tables, data, indexes, statistics, verify, record.  A broken-off
 * load is recognised by its record and redone.  A database that `load` did not make is never touched.  *out gets the record. */
int load_run(const struct target *, const struct load_options *, struct mix_load *out, struct cause *);

/* Read the record of the conn's current database.  -1 with a remedy when there is none, it is incomplete or of another schema version. */
int load_read(struct conn *, struct mix_load *, struct cause *);

/* Remove the database, only when its record and extended property prove that load made it and the names agree. */
int load_drop(const struct target *, const char *database, struct cause *);

#endif
