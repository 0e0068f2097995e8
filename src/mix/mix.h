/* mix: the fixed set of transactions that is run at every step.
 *
 * draw is pure in (load, seed, user, seq): the same requests come at every step whatever the timing.  run sends one request.
 * All requests of a mix fit a struct request, so that users keep one each and the timed path never allocates. */
#ifndef RK_MIX_MIX_H
#define RK_MIX_MIX_H

#include "server/conn.h"

#include <stdint.h>

#define MIX_TYPES_MAX 8
#define MIX_ARGS_MAX 24

/* What was loaded: the record in the database, and the arguments of a load. */
struct mix_load {
  char mix[24];
  int schema_version;
  int64_t scale;      /* orders: warehouses; dvdstore: customers */
  double density;     /* 0 < d <= 1: rows of a unit of scale against the specification's */
  uint64_t seed;      /* of the data; at most 2^63 - 1, it is kept in a bigint */
  int stationary;     /* the mix keeps the data's size (a property of the run, not of the load; not in the record) */
  int complete;       /* the load was finished and verified */
  int64_t data_bytes; /* size of the data as measured after the load, 0 when unknown */
  int32_t c_last, c_cust, c_item; /* orders: NURand's C of the load */
};

struct request {
  uint8_t type;              /* index into type_name */
  uint8_t narg;
  struct val arg[MIX_ARGS_MAX]; /* point into bytes[] or at constants */
  unsigned char bytes[320];
};

struct mix {
  const char *name;
  const char *title;             /* "orders (derived from TPC-C)" */
  int ntype;
  const char *const *type_name;  /* "new_order", ... */
  const char *const *table;      /* names of the tables that load fills, NULL-ended */
  int schema_version;
  double density_min;            /* the smallest density that keeps the mix what it is */
  const char *scale_name;        /* "warehouses" */

  double sandbox_size;           /* size of the data in the sandbox's engine, against what bytes_for says */

  /* Sizes on SQL Server: the scale whose data take about `bytes` at that density, at least 1; and back. */
  int64_t (*scale_for)(int64_t bytes, double density);
  int64_t (*bytes_for)(int64_t scale, double density);
  /* Rows that part `part` of `nparts` will load, and all of them (nparts = 1): for the progress bar. */
  int64_t (*rows)(const struct mix_load *, int part, int nparts);

  /* Fill in what follows from the seed and the density (c_last, c_cust, c_item). */
  void (*constants)(struct mix_load *);

  /* Tables without indexes, then (after the data) indexes, procedures and statistics. */
  int (*create)(struct conn *, const struct mix_load *, struct cause *);
  /* Load one part on its own connection; `rows` is added to as rows are sent (atomic, another thread reads it); *stop ends it. */
  int (*load)(struct conn *, const struct mix_load *, int part, int nparts, _Atomic int64_t *rows, _Atomic int64_t *bytes,
              const _Atomic int *stop, struct cause *);
  int (*finish)(struct conn *, const struct mix_load *, struct cause *);
  /* Row counts and consistency conditions. */
  int (*verify)(struct conn *, const struct mix_load *, struct cause *);

  void (*draw)(const struct mix_load *, uint64_t seed, uint64_t user, uint64_t seq, struct request *);
  enum outcome (*run)(struct conn *, const struct request *, struct cause *);
  /* Mean growth of the data by one transaction when not stationary, bytes. */
  double (*growth)(const struct mix_load *);
};

/* "orders" (later "dvdstore"); NULL when there is no such mix.  mix_all ends with NULL. */
const struct mix *mix_find(const char *name);
const struct mix *const *mix_all(void);

/* A digest of what a request sends: its type and all argument values (not pointers). */
uint64_t request_digest(const struct request *);

#endif
