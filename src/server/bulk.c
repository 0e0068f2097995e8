#include "config.h"

#include "base/clock.h"
#include "base/units.h"
#include "server/impl.h"

#include <stdio.h>
#include <sys/socket.h>

/* One bulk load under way. */
struct bulk {
  struct conn *conn;
  const struct bulk_table *table;
  int batch;
  int pending;     /* rows sent since the last commit */
  int64_t *rows;   /* acknowledged */
};

static int failed(struct bulk *b, const char *step, struct cause *c) {
  char doing[200];
  snprintf(doing, sizeof doing, "bulk load into %s on %s: %s failed", b->table->name, b->conn->server, step);
  return conn_failed(b->conn, doing, c);
}

/* db-lib knows the table's columns by their numbers only. */
static int bind_columns(struct bulk *b, struct cause *c) {
  struct conn *conn = b->conn;
  for (int i = 0; i < b->table->ncol; i++) {
    int type = bind_type(b->table->col[i].type);
    /* Texts and bytes get their address and length with each row. */
    if (bcp_bind(conn->db, (BYTE *)&conn->slot[i], 0, -1, NULL, 0, type == SYBVARCHAR ? SYBCHAR : type, i + 1) == FAIL)
      return failed(b, b->table->col[i].name, c);
  }
  return 0;
}

static int begin(struct bulk *b, struct cause *c) {
  struct conn *conn = b->conn;
  if (b->table->ncol > ARGS_MAX)
    return cause_set(c, STATUS_SETUP, "%s has more than %d columns", b->table->name, ARGS_MAX);
  if (conn_begin(conn, c) != 0)
    return -1;
  if (bcp_init(conn->db, b->table->name, NULL, NULL, DB_IN) == FAIL)
    return failed(b, "the table's description", c);
  if (b->table->tablock && bcp_options(conn->db, BCPHINTS, (BYTE *)(char[]){"TABLOCK"}, 7) == FAIL)
    return failed(b, "TABLOCK", c);
  return bind_columns(b, c);
}

/* A load goes on for hours: elapsed time is limited for each commit and each few rows, not for the whole. */
static void new_deadline(struct conn *conn) {
  conn->deadline_ns = mono_ns() + conn->silence_s * ELAPSED_FACTOR * NS_PER_S;
}

static int send_row(struct bulk *b, const struct val *row, struct cause *c) {
  struct conn *conn = b->conn;
  if (b->pending % 256 == 0)
    new_deadline(conn);
  for (int i = 0; i < b->table->ncol; i++) {
    const struct bulk_column *col = &b->table->col[i];
    struct bound v;
    if (bind_value(&v, &conn->slot[i], col->type, col->size, &row[i], col->name, c) != 0)
      return -1;
    if (bcp_collen(conn->db, v.len, i + 1) == FAIL || (v.at && bcp_colptr(conn->db, v.at, i + 1) == FAIL))
      return failed(b, col->name, c);
  }
  return bcp_sendrow(conn->db) == FAIL ? failed(b, "a row", c) : 0;
}

/* Commit what was sent.  `last` ends the load, too; db-lib then says -1 when there was nothing to commit, which is no failure. */
static int commit(struct bulk *b, int last, struct cause *c) {
  struct conn *conn = b->conn;
  new_deadline(conn);
  DBINT n = last ? bcp_done(conn->db) : bcp_batch(conn->db);
  if (conn->heard.number || conn->heard.silences || conn->heard.stopped || DBDEAD(conn->db) || (n < 0 && b->pending > 0))
    return failed(b, "a commit", c);
  *b->rows += b->pending;
  b->pending = 0;
  return 0;
}

static int send_all(struct bulk *b, next_row_fn *next, void *arg, struct cause *c) {
  struct val row[ARGS_MAX];
  for (;;) {
    int more = next(arg, row, c);
    if (more < 0)
      return -1;
    if (more == 0)
      return commit(b, 1, c);
    if (send_row(b, row, c) != 0)
      return -1;
    if (++b->pending == b->batch && commit(b, 0, c) != 0)
      return -1;
  }
}

int conn_bulk(struct conn *conn, const struct bulk_table *table, int batch, next_row_fn *next, void *arg, int64_t *rows, struct cause *c) {
  struct bulk b = {.conn = conn, .table = table, .batch = batch, .rows = rows};
  *rows = 0;
  if (begin(&b, c) == 0 && send_all(&b, next, arg, c) == 0)
    return 0;
  /* Half a row may be in the stream, and an attention in the middle of a bulk load is answered by nobody in a known way. */
  shutdown(conn->fd, SHUT_RDWR);
  conn->lost = 1;
  return -1;
}
