#include "config.h"

#include "base/clock.h"
#include "base/sqltext.h"
#include "server/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"int", "real", "text", "bin", "time"};

/* -1 for a type that no statement of ours may return. */
static int kind_of(int type) {
  switch (type) {
  case SYBINT1: case SYBINT2: case SYBINT4: case SYBINT8: case SYBBIT: return SQL_INT;
  case SYBFLT8: case SYBREAL: case SYBNUMERIC: case SYBDECIMAL: case SYBMONEY: case SYBMONEY4: return SQL_REAL;
  case SYBCHAR: case SYBVARCHAR: case SYBTEXT: case SYBNTEXT: case SYBNVARCHAR: return SQL_TEXT;
  case SYBBINARY: case SYBVARBINARY: case SYBIMAGE: return SQL_BIN;
  case SYBDATETIME: case SYBDATETIME4: case SYBMSDATE: case SYBMSTIME: case SYBMSDATETIME2: case SYBMSDATETIMEOFFSET: return SQL_TIME;
  default: return -1;
  }
}

static int check_columns(struct conn *conn, const struct sqltext *t, int result, struct cause *c) {
  if (result >= t->nresult) {
    cause_set(c, STATUS_SETUP, "%s answered %s with more result sets than the %d that are expected", conn->server, t->tag, t->nresult);
    return -1;
  }
  const struct sql_result *want = &t->result[result];
  int n = dbnumcols(conn->db);
  if (n != want->ncol) {
    cause_set(c, STATUS_SETUP, "%s answered %s with %d columns instead of %d", conn->server, t->tag, n, want->ncol);
    return -1;
  }
  for (int i = 0; i < n; i++) {
    const char *name = dbcolname(conn->db, i + 1);
    int kind = kind_of(dbcoltype(conn->db, i + 1));
    if (strcmp(name ? name : "", want->col[i].name) != 0 || kind != (int)want->col[i].kind) {
      cause_set(c, STATUS_SETUP, "%s answered %s with a column %d '%s' (%s) where '%s' (%s) is expected", conn->server, t->tag, i + 1,
                name ? name : "", kind < 0 ? "of a type not known" : kind_names[kind], want->col[i].name, kind_names[want->col[i].kind]);
      return -1;
    }
  }
  return 0;
}

static int64_t as_int(int type, const BYTE *p) {
  DBSMALLINT i2;
  DBINT i4;
  DBBIGINT i8;
  switch (type) {
  case SYBINT2: memcpy(&i2, p, sizeof i2); return i2;
  case SYBINT4: memcpy(&i4, p, sizeof i4); return i4;
  case SYBINT8: memcpy(&i8, p, sizeof i8); return i8;
  default: return *p; /* tinyint, bit */
  }
}

/* Texts are gathered in conn->row, which may move while it grows: until the row is whole, a text is known by its offset. */
static void add_text(struct conn *conn, struct val *v, const char *s, size_t n) {
  v->type = VAL_TEXT;
  v->i = (int64_t)conn->row.len;
  v->len = (int)n;
  text_addn(&conn->row, s, n);
  text_addn(&conn->row, "", 1);
}

static void add_time(struct conn *conn, struct val *v, int type, const BYTE *p) {
  DBDATEREC2 d;
  char s[80];
  int n = 0;
  if (dbanydatecrack(conn->db, &d, type, p) == SUCCEED)
    n = snprintf(s, sizeof s, "%04d-%02d-%02d %02d:%02d:%02d.%03d", d.dateyear, d.datemonth + 1, d.datedmonth, d.datehour, d.dateminute,
                 d.datesecond, d.datensecond / 1000000);
  add_text(conn, v, s, (size_t)n);
}

static int take_column(struct conn *conn, const struct sqltext *t, const struct sql_column *col, int i, struct cause *c) {
  struct val *v = &conn->col[i];
  *v = (struct val){.type = VAL_NULL};
  const BYTE *p = dbdata(conn->db, i + 1);
  DBINT len = dbdatlen(conn->db, i + 1);
  int type = dbcoltype(conn->db, i + 1);
  if (!p && len == 0) { /* NULL; an empty text has a pointer */
    if (col->nullable)
      return 0;
    cause_set(c, STATUS_SETUP, "%s answered %s with NULL in column '%s'", conn->server, t->tag, col->name);
    return cause_remedy(c, "the login may lack a right that this statement needs");
  }
  switch (col->kind) {
  case SQL_INT:
    v->type = VAL_INT;
    v->i = as_int(type, p);
    break;
  case SQL_REAL:
    v->type = VAL_REAL;
    if (dbconvert(conn->db, type, p, len, SYBFLT8, (BYTE *)&v->r, sizeof v->r) < 0)
      return cause_set(c, STATUS_SETUP, "%s answered %s with a column '%s' that is no number", conn->server, t->tag, col->name);
    break;
  case SQL_TEXT: add_text(conn, v, (const char *)p, (size_t)len); break;
  case SQL_BIN:
    add_text(conn, v, (const char *)p, (size_t)len);
    v->type = VAL_BIN;
    break;
  case SQL_TIME: add_time(conn, v, type, p); break;
  }
  return 0;
}

/* 0: go on; 1: the caller wants no more; -1: failed. */
static int take_row(struct conn *conn, const struct sqltext *t, int result, row_fn *fn, void *arg, struct cause *c) {
  const struct sql_result *want = &t->result[result];
  text_clear(&conn->row);
  for (int i = 0; i < want->ncol; i++)
    if (take_column(conn, t, &want->col[i], i, c) != 0)
      return -1;
  for (int i = 0; i < want->ncol; i++)
    if (conn->col[i].type == VAL_TEXT || conn->col[i].type == VAL_BIN) {
      conn->col[i].p = conn->row.s + conn->col[i].i;
      conn->col[i].i = 0;
    }
  return fn && fn(arg, result, conn->col, want->ncol) != 0;
}

static int take_rows(struct conn *conn, const struct sqltext *t, int result, row_fn *fn, void *arg, struct cause *c) {
  for (;;) {
    STATUS s = dbnextrow(conn->db);
    if (s == NO_MORE_ROWS)
      return 0;
    if (s == FAIL)
      return 2;
    if (mono_ns() > conn->deadline_ns) {
      conn->heard.stopped = TOO_LONG;
      return 2;
    }
    int rc = take_row(conn, t, result, fn, arg, c);
    if (rc != 0)
      return rc;
  }
}

/* Read the results.  0: all is well; 1: the callback ended it; -1: `c` is filled; 2: conn_failed has to say what was heard. */
static int take_results(struct conn *conn, const struct sqltext *t, row_fn *fn, void *arg, struct cause *c) {
  int result = 0;
  for (;;) {
    RETCODE r = dbresults(conn->db);
    if (r == NO_MORE_RESULTS)
      break;
    if (r == FAIL)
      return 2;
    int n = dbnumcols(conn->db);
    if (n <= 0)
      continue; /* the end of a statement that returns no rows */
    if (check_columns(conn, t, result, c) != 0)
      return -1;
    if (n > conn->ncol) {
      conn->col = xrealloc(conn->col, (size_t)n, sizeof *conn->col);
      conn->ncol = n;
    }
    int rc = take_rows(conn, t, result++, fn, arg, c);
    if (rc != 0)
      return rc;
  }
  if (conn->heard.number || DBDEAD(conn->db))
    return 2;
  if (result != t->nresult)
    return cause_set(c, STATUS_SETUP, "%s answered %s with %d result sets instead of %d", conn->server, t->tag, result, t->nresult);
  return 0;
}

/* -1 with a cause; 2 when db-lib refused. */
static int add_parameters(struct conn *conn, const struct sqltext *t, const struct val *param, struct cause *c) {
  static const enum proc_type types[] = {
    [VAL_NULL] = P_INT, [VAL_INT] = P_BIGINT, [VAL_REAL] = P_REAL8, [VAL_TEXT] = P_VARCHAR, [VAL_BIN] = P_VARBINARY,
  };
  const struct val text[2] = {VAL_T(t->text), VAL_T(t->params)};
  for (int i = 0; i < t->nparam + 2; i++) {
    const struct val *v = i < 2 ? &text[i] : &param[i - 2];
    const char *name = i < 2 ? NULL : t->param[i - 2];
    struct bound b;
    char what[160];
    snprintf(what, sizeof what, "%s of %s", i < 2 ? "the text" : name, t->tag);
    if (bind_value(&b, &conn->slot[i], types[v->type], 0, v, what, c) != 0)
      return -1;
    if (dbrpcparam(conn->db, name, 0, b.type, -1, b.len, b.at) == FAIL)
      return 2;
  }
  return 0;
}

static int send_call(struct conn *conn, const struct sqltext *t, const struct val *param, struct cause *c) {
  if (dbrpcinit(conn->db, "sp_executesql", 0) == FAIL)
    return 2;
  int rc = add_parameters(conn, t, param, c);
  if (rc != 0) {
    dbrpcinit(conn->db, "", DBRPCRESET);
    return rc;
  }
  return dbrpcsend(conn->db) == FAIL || dbsqlok(conn->db) == FAIL ? 2 : 0;
}

static int send_batch(struct conn *conn, const char *text) {
  dbfreebuf(conn->db);
  return dbcmd(conn->db, text) == FAIL || dbsqlsend(conn->db) == FAIL || dbsqlok(conn->db) == FAIL ? 2 : 0;
}

/* Leave the connection free for the next call: what is still to come is discarded, and what is said about that counts no more. */
static void discard(struct conn *conn) {
  struct heard h = conn->heard;
  if (!DBDEAD(conn->db))
    dbcancel(conn->db);
  conn->heard = h;
  listener = &conn->heard;
}

int conn_query(struct conn *conn, const char *tag, const struct val *param, int n, row_fn *fn, void *arg, struct cause *c) {
  const struct sqltext *t = sqltext_find(tag);
  if (!t)
    return cause_set(c, STATUS_SETUP, "there is no statement named '%s'", tag);
  if (n != t->nparam || n + 2 > ARGS_MAX)
    return cause_set(c, STATUS_SETUP, "the statement %s takes %d parameters, not %d", tag, t->nparam, n);
  if (conn_begin(conn, c) != 0)
    return -1;
  int rc = n > 0 ? send_call(conn, t, param, c) : send_batch(conn, t->text);
  if (rc == 0)
    rc = take_results(conn, t, fn, arg, c);
  if (rc == 0)
    return 0;
  if (rc == 2) {
    char doing[200];
    snprintf(doing, sizeof doing, "%s failed on %s", tag, conn->server);
    conn_failed(conn, doing, c);
  }
  discard(conn);
  conn->lost = conn_lost(conn);
  return rc == 1 ? 0 : -1;
}

int conn_exec(struct conn *conn, const char *tag, const char *text, struct cause *c) {
  if (conn_begin(conn, c) != 0)
    return -1;
  char *batch = xprintf("/* ramknee:%s */\n%s", tag, text);
  int sent = send_batch(conn, batch);
  free(batch);
  if ((sent == 0 || !DBDEAD(conn->db)) && conn_drain(conn) == 0 && sent == 0)
    return 0;
  char doing[200];
  snprintf(doing, sizeof doing, "%s failed on %s", tag, conn->server);
  conn_failed(conn, doing, c);
  discard(conn);
  conn->lost = conn_lost(conn);
  return -1;
}
