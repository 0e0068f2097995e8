/* One part of a load: the generator's rows into the server's bulk load, table by table. */
#include "config.h"

#include "mix/orders.h"

/* Rows of one transaction of the load: large enough that commits do not count, small enough that the log can be cut behind them.
 */
#define BATCH 10000

struct feed {
  struct orders_cursor cursor;
  int ncol;
  int64_t new_rows, new_bytes; /* not yet told */
  _Atomic int64_t *rows, *bytes;
  const _Atomic int *stop;
};

static void tell(struct feed *f) {
  *f->rows += f->new_rows;
  *f->bytes += f->new_bytes;
  f->new_rows = f->new_bytes = 0;
}

static int64_t row_bytes(const struct val *col, int ncol) {
  int64_t n = 0;
  for (int i = 0; i < ncol; i++)
    n += col[i].type == VAL_TEXT ? col[i].len : 4;
  return n;
}

static int feed_next(void *arg, struct val *row, struct cause *c) {
  struct feed *f = arg;
  if (f->new_rows == 100)
    tell(f); /* streams share the counters: not for each row */
  if (*f->stop) {
    cause_set(c, STATUS_INCOMPLETE, "the load was stopped");
    return -1;
  }
  if (!orders_next(&f->cursor, row))
    return 0;
  f->new_rows++;
  f->new_bytes += row_bytes(row, f->ncol);
  return 1;
}

int orders_load(struct conn *conn, const struct mix_load *load, int part, int nparts, _Atomic int64_t *rows,
                _Atomic int64_t *bytes, const _Atomic int *stop, struct cause *c) {
  struct feed f = {.rows = rows, .bytes = bytes, .stop = stop};
  for (int t = 0; t < ORDERS_TABLES; t++) {
    int64_t want = orders_table_rows(load, (enum orders_table)t, part, nparts), sent = 0;
    if (want == 0)
      continue; /* a bulk load of nothing is an error to db-lib */
    orders_begin(&f.cursor, load, (enum orders_table)t, part, nparts);
    f.ncol = orders_tables[t].ncol;
    if (conn_bulk(conn, &orders_tables[t], BATCH, feed_next, &f, &sent, c) != 0)
      return cause_prefix(c, "loading %s", orders_tables[t].name);
    tell(&f);
    if (sent != want)
      return cause_set(c, STATUS_INCOMPLETE, "the server took %lld rows of %s, not %lld", (long long)sent, orders_tables[t].name,
                       (long long)want);
  }
  return 0;
}
