/* orders: the inner parts of the orders mix (derived from TPC-C revision 5.11; its results are not TPC results). */
#ifndef RK_MIX_ORDERS_H
#define RK_MIX_ORDERS_H

#include "base/random.h"
#include "mix/mix.h"

extern const struct mix orders_mix;

#define ORDERS_SCHEMA_VERSION 1
#define ORDERS_DISTRICTS 10 /* a warehouse, at every density */
#define ORDERS_LINES_MIN 5
#define ORDERS_LINES_MAX 15
#define ORDERS_LINE_BYTES 12    /* item, warehouse, quantity: big-endian 32-bit numbers */
#define ORDERS_DENSITY_MIN 0.02 /* 60 orders a district: Stock-Level looks at the last 20, New-Order removes the oldest */
#define ORDERS_DECK 100

enum orders_type { NEW_ORDER, PAYMENT, ORDER_STATUS, DELIVERY, STOCK_LEVEL, ORDERS_TYPES };

/* Row counts and NURand constants that follow from a load's density. */
struct orders_shape {
  int32_t warehouses;
  int32_t customers;  /* a district; also its orders, and its history rows */
  int32_t new_orders; /* a district: the newest orders, not delivered yet */
  int32_t items;      /* in all; also the stock rows of a warehouse */
  int32_t names;      /* last names in use: 0 .. names - 1 */
  int32_t a_last, a_cust, a_item;
};
void orders_shape(const struct mix_load *, struct orders_shape *);

/* Fill c_last, c_cust and c_item from the seed and the density.  c_cust and c_item stay the same for every run on the data, so
 * that its hot rows do; for last names a run uses another C, at the distance that the specification asks for at density 1. */
void orders_constants(struct mix_load *);
int32_t orders_run_c_last(const struct mix_load *);

/* NURand(a, lo, hi) with constant c: ((rand(0, a) | rand(lo, hi)) + c) mod (hi - lo + 1) + lo. */
int32_t orders_nurand(struct rng *, int32_t a, int32_t lo, int32_t hi, int32_t c);

/* Where x goes in the permutation of 0 .. n - 1 that belongs to `key`; 1 <= n <= 2^30, 0 <= x < n.  Every x goes somewhere else.
 */
uint32_t orders_shuffle(uint64_t key, uint32_t n, uint32_t x);

/* The last name of number 0..999: three syllables.  buf holds 16 bytes and more; returns the length. */
int orders_last_name(int32_t number, char *buf);

/* Lines of order o (1 .. customers) of a district as loaded, and of all the district's orders: the same number in each district.
 */
int32_t orders_lines(const struct mix_load *, const struct orders_shape *, int32_t w, int32_t d, int32_t o);
int64_t orders_lines_district(const struct orders_shape *);

/* mix.draw */
void orders_draw(const struct mix_load *, uint64_t seed, uint64_t user, uint64_t seq, struct request *);

/* The generator.  Tables in the order in which they are loaded; a row is a pure function of (seed, table, key), so that any
 * number of parts gives the same data. */
enum orders_table {
  T_ITEM,
  T_WAREHOUSE,
  T_DISTRICT,
  T_CUSTOMER,
  T_HISTORY,
  T_STOCK,
  T_ORDERS,
  T_ORDER_LINE,
  T_NEW_ORDER,
  ORDERS_TABLES
};
extern const struct bulk_table orders_tables[ORDERS_TABLES];

/* Rows of a table: all of them, or what part `part` of `nparts` loads (0 <= part < nparts). */
int64_t orders_table_rows(const struct mix_load *, enum orders_table, int part, int nparts);

/* A cursor over the rows of one table in one part, in the order of the key.  Opaque but for its size; copied with care: rows
 * point into it.  orders_next fills one row (col[0 .. ncol - 1] of orders_tables[t]) and returns 1, or 0 at the end. */
struct orders_cursor {
  const struct mix_load *load;
  struct orders_shape shape;
  enum orders_table table;
  int32_t w, w_end; /* present and behind the last */
  int32_t d, k, k_end, line, lines;
  char text[1400];
};
void orders_begin(struct orders_cursor *, const struct mix_load *, enum orders_table, int part, int nparts);
int orders_next(struct orders_cursor *, struct val *col);

/* The consistency conditions 1 to 4 of TPC-C (clause 3.3.2): they hold after a load and after any number of requests. */
int orders_conditions(struct conn *, const struct mix_load *, struct cause *);

/* By transaction type. */
extern const struct proc orders_procs[ORDERS_TYPES];

/* mix.load */
int orders_load(struct conn *, const struct mix_load *, int part, int nparts, _Atomic int64_t *rows, _Atomic int64_t *bytes,
                const _Atomic int *stop, struct cause *);

#endif
