#include "config.h"

/* Bulk load: the rows of a TDS bulk stream go to the engine as LOAD DATA LOCAL INFILE from memory, a piece at a time, all of them
 * in one transaction.  With LOCAL the engine turns errors into warnings, since it
 * cannot stop the sender: any warning fails the load. */

#include "sandbox/quote.h"
#include "sandbox/result.h"
#include "sandbox/session_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE (512 * 1024)

struct bulk {
  char *table;             /* quoted for the engine */
  struct engine_conn *k;   /* from the columns on */
  int n, failed;
  int *latin1;             /* by column: the engine keeps it in one byte a character */
  char *sql;
  struct text piece;
  int64_t piece_rows, rows;
};

int bulk_prepare(struct session *s, const char *db, const char *table, struct reply *r) {
  struct text t = {0};
  bulk_free(s);
  struct engine_conn *k = session_take(s, r);
  if (!k)
    return -1;
  struct bulk *b = xcalloc(1, sizeof *b);
  if (db) {
    quote_ident(&t, db);
    text_add(&t, ".");
  }
  quote_ident(&t, table);
  b->table = t.s;
  char *sql = xprintf("SELECT 1 FROM %s LIMIT 0", b->table);
  s->bulk = b;
  int rc = engine_run(k, sql, NULL);
  if (rc != 0) {
    engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
    bulk_free(s);
  } else
    reply_done(r, -1);
  session_give(s, k);
  free(sql);
  return rc;
}

/* Roll back what was loaded and forget it. */
void bulk_free(struct session *s) {
  struct bulk *b = s->bulk;
  if (!b)
    return;
  s->bulk = NULL;
  if (b->k && !s->held) {
    mysql_rollback(b->k->my);
    session_give(s, b->k);
  }
  free(b->table);
  free(b->latin1);
  free(b->sql);
  text_free(&b->piece);
  free(b);
}

/* The columns' names, and which of them keep latin1. */
static int learn_columns(struct session *s, struct bulk *b, const struct column *col, int n, struct reply *r) {
  struct text names = {0}, ask = {0}, load = {0};
  for (int i = 0; i < n; i++) {
    text_add(&names, i ? ", " : "");
    quote_ident(&names, col[i].name);
  }
  text_addf(&ask, "SELECT %s FROM %s LIMIT 0", names.s, b->table);
  text_addf(&load, "LOAD DATA LOCAL INFILE 'rows' INTO TABLE %s CHARACTER SET binary FIELDS ESCAPED BY '\\' (%s)", b->table,
            names.s);
  b->sql = load.s;
  MYSQL_RES *res = mysql_real_query(b->k->my, ask.s, ask.len) == 0 ? mysql_store_result(b->k->my) : NULL;
  int rc = 0;
  if (!res)
    rc = engine_error(s, b->k, mysql_errno(b->k->my), mysql_error(b->k->my), r);
  else {
    b->n = n;
    b->latin1 = xcalloc((size_t)n, sizeof *b->latin1);
    for (int i = 0; i < n; i++) {
      struct result_column rc_i;
      result_column(mysql_fetch_field_direct(res, (unsigned)i), &rc_i);
      b->latin1[i] = rc_i.latin1;
    }
    mysql_free_result(res);
  }
  text_free(&names);
  text_free(&ask);
  return rc;
}

int session_bulk_columns(struct session *s, const struct column *col, int n, struct reply *r) {
  struct bulk *b = s->bulk;
  if (n < 1 || !(b->k = session_take(s, r)))
    return -1;
  if (learn_columns(s, b, col, n, r) != 0 || (!s->held && engine_run(b->k, "START TRANSACTION", NULL) != 0)) {
    b->failed = 1;
    return -1;
  }
  return 0;
}

/* ---- a piece ---- */

struct source {
  const char *p;
  size_t left;
};

static int source_open(void **out, const char *name, void *arg) {
  (void)name;
  *out = arg;
  return 0;
}

static int source_read(void *arg, char *buf, unsigned int size) {
  struct source *f = arg;
  size_t n = f->left < size ? f->left : size;
  memcpy(buf, f->p, n);
  f->p += n;
  f->left -= n;
  return (int)n;
}

static void source_close(void *arg) {
  (void)arg;
}

static int source_error(void *arg, char *buf, unsigned int size) {
  (void)arg;
  snprintf(buf, size, "the rows could not be read");
  return 1;
}

/* The first warning of the last statement as an error. */
static int first_warning(struct session *s, struct engine_conn *k, struct reply *r) {
  static const char sql[] = "SHOW WARNINGS LIMIT 1";
  MYSQL_RES *res = mysql_real_query(k->my, sql, sizeof sql - 1) == 0 ? mysql_store_result(k->my) : NULL;
  MYSQL_ROW row = res ? mysql_fetch_row(res) : NULL;
  int rc = row ? engine_error(s, k, (unsigned)strtoul(row[1], NULL, 10), row[2], r)
               : engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
  mysql_free_result(res);
  return rc;
}

static int send_piece(struct session *s, struct bulk *b, struct reply *r) {
  struct source f = {b->piece.s, b->piece.len};
  MYSQL *my = b->k->my;
  if (b->piece_rows == 0)
    return 0;
  mysql_set_local_infile_handler(my, source_open, source_read, source_close, source_error, &f);
  session_flight(s, b->k, r);
  int bad = mysql_real_query(my, b->sql, strlen(b->sql)) != 0;
  session_landed(s);
  if (bad)
    engine_error(s, b->k, mysql_errno(my), mysql_error(my), r);
  else if (mysql_warning_count(my) > 0 || (int64_t)mysql_affected_rows(my) != b->piece_rows)
    bad = first_warning(s, b->k, r) != 0;
  b->rows += b->piece_rows;
  b->piece_rows = 0;
  text_clear(&b->piece);
  b->failed |= bad;
  return bad ? -1 : 0;
}

/* ---- rows ---- */

static void add_escaped(struct text *t, const char *p, size_t n) {
  size_t from = 0;
  for (size_t i = 0; i < n; i++) {
    char c = p[i], e[2] = {'\\', 0};
    if (c == '\\' || c == '\t' || c == '\n')
      e[1] = c;
    else if (c == '\0')
      e[1] = '0';
    else
      continue;
    text_addn(t, p + from, i - from);
    text_addn(t, e, 2);
    from = i + 1;
  }
  text_addn(t, p + from, n - from);
}

/* UTF-8 to one byte a character; what latin1 does not have becomes '?'. */
static void add_latin1(struct text *t, const char *p, size_t n) {
  size_t i = 0;
  while (i < n && (unsigned char)p[i] < 0x80)
    i++;
  if (i == n) {
    add_escaped(t, p, n);
    return;
  }
  struct text one = {0};
  for (i = 0; i < n;) {
    unsigned c = (unsigned char)p[i];
    char out = c < 0x80 ? (char)c : '?';
    if (c >= 0xC2 && c <= 0xC3 && i + 1 < n)
      out = (char)((c & 3) << 6 | ((unsigned char)p[i + 1] & 0x3F));
    text_addn(&one, &out, 1);
    i += c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  }
  add_escaped(t, one.s, one.len);
  text_free(&one);
}

static void add_number(struct text *t, int64_t v) {
  char buf[24], *p = buf + sizeof buf;
  uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
  do
    *--p = (char)('0' + u % 10);
  while ((u /= 10));
  if (v < 0)
    *--p = '-';
  text_addn(t, p, (size_t)(buf + sizeof buf - p));
}

static void add_field(struct text *t, const struct field *f, int latin1) {
  switch (f->type) {
  case F_NULL: text_addn(t, "\\N", 2); break;
  case F_INT: add_number(t, f->i); break;
  case F_REAL: text_addf(t, "%.17g", f->r); break;
  case F_TEXT:
    if (latin1)
      add_latin1(t, f->p, f->len);
    else
      add_escaped(t, f->p, f->len);
    break;
  default: add_escaped(t, f->p, f->len);
  }
}

int session_bulk_row(struct session *s, const struct field *f, int n, struct reply *r) {
  struct bulk *b = s->bulk;
  if (b->failed || n != b->n)
    return -1;
  for (int i = 0; i < n; i++) {
    if (i)
      text_addn(&b->piece, "\t", 1);
    add_field(&b->piece, &f[i], b->latin1[i]);
  }
  text_addn(&b->piece, "\n", 1);
  b->piece_rows++;
  return b->piece.len < PIECE ? 0 : send_piece(s, b, r);
}

int session_bulk_end(struct session *s, int broken, int64_t *rows, struct reply *r) {
  struct bulk *b = s->bulk;
  int rc = 0;
  *rows = 0;
  if (b->k && !broken && !b->failed && send_piece(s, b, r) == 0) {
    if (!s->held && mysql_commit(b->k->my) != 0)
      rc = engine_error(s, b->k, mysql_errno(b->k->my), mysql_error(b->k->my), r);
    else {
      *rows = b->rows;
      s->db->transactions++;
    }
  } else if (b->failed)
    rc = -1;
  bulk_free(s);
  return rc;
}
