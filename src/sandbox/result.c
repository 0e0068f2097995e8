#include "config.h"

#include "sandbox/result.h"
#include "sandbox/session_private.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define CHARSET_BINARY 63

/* latin1 and ascii collations of the engine: what such a column holds is VARCHAR, all else NVARCHAR. */
static int single_byte(unsigned charset) {
  return charset == 5 || charset == 8 || charset == 15 || charset == 31 || charset == 47 || charset == 48 || charset == 49 ||
         charset == 94 || charset == 11 || charset == 65;
}

/* The engine's latin1 is Windows-1252, whose second row Unicode has elsewhere. */
static size_t latin1_to_utf8(const unsigned char *p, size_t n, char *out) {
  static const unsigned short row8[32] = {
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  };
  size_t len = 0;
  for (size_t i = 0; i < n; i++) {
    unsigned u = p[i] >= 0x80 && p[i] < 0xA0 ? row8[p[i] - 0x80] : p[i];
    if (u < 0x80)
      out[len++] = (char)u;
    else if (u < 0x800) {
      out[len++] = (char)(0xC0 | u >> 6);
      out[len++] = (char)(0x80 | (u & 0x3F));
    } else {
      out[len++] = (char)(0xE0 | u >> 12);
      out[len++] = (char)(0x80 | (u >> 6 & 0x3F));
      out[len++] = (char)(0x80 | (u & 0x3F));
    }
  }
  return len;
}

static int text_size(const MYSQL_FIELD *f, unsigned long bytes_per_char, int max) {
  unsigned long n = f->length / bytes_per_char;
  return n == 0 ? 1 : n > (unsigned long)max ? 0 : (int)n;
}

static void text_column(const MYSQL_FIELD *f, struct result_column *c) {
  if (f->charsetnr == CHARSET_BINARY) {
    c->as = F_BIN;
    c->column.type = W_VARBINARY;
    c->column.size = text_size(f, 1, 8000);
  } else if (single_byte(f->charsetnr)) {
    c->as = F_TEXT;
    c->latin1 = 1;
    c->column.type = W_VARCHAR;
    c->column.size = text_size(f, 1, 8000);
  } else {
    c->as = F_TEXT;
    c->column.type = W_NVARCHAR;
    c->column.size = text_size(f, 4, 4000);
  }
}

static void number_column(struct result_column *c, enum wire_type type) {
  c->as = F_INT;
  c->column.type = type;
}

/* An expression without an alias has no name on SQL Server; the engine gives it its own text. */
static int is_expression(const MYSQL_FIELD *f) {
  return f->org_name_length == 0 && f->name_length && strpbrk(f->name, "(@'+*/ ");
}

void result_column(const MYSQL_FIELD *f, struct result_column *c) {
  memset(c, 0, sizeof *c);
  c->column.name = is_expression(f) ? "" : f->name;
  c->column.identity = (f->flags & AUTO_INCREMENT_FLAG) != 0;
  int uns = (f->flags & UNSIGNED_FLAG) != 0;
  switch (f->type) {
  case MYSQL_TYPE_TINY: number_column(c, f->length == 1 ? W_BIT : uns ? W_TINYINT : W_SMALLINT); break;
  case MYSQL_TYPE_YEAR: case MYSQL_TYPE_SHORT: number_column(c, uns ? W_INT : W_SMALLINT); break;
  case MYSQL_TYPE_INT24: case MYSQL_TYPE_LONG: number_column(c, uns ? W_BIGINT : W_INT); break;
  case MYSQL_TYPE_LONGLONG: number_column(c, W_BIGINT); break;
  case MYSQL_TYPE_FLOAT: case MYSQL_TYPE_DOUBLE: c->as = F_REAL; c->column.type = W_FLOAT; break;
  case MYSQL_TYPE_DECIMAL: case MYSQL_TYPE_NEWDECIMAL:
    c->as = F_DECIMAL;
    c->column.type = W_DECIMAL;
    c->column.scale = (int)f->decimals;
    c->column.precision = (int)f->length - !uns - (f->decimals > 0);
    if (c->column.precision > 38)
      c->column.precision = 38;
    break;
  case MYSQL_TYPE_DATE: case MYSQL_TYPE_DATETIME: case MYSQL_TYPE_TIMESTAMP: case MYSQL_TYPE_NEWDATE:
    c->as = F_DATETIME;
    c->column.type = f->decimals > 3 ? W_DATETIME2 : W_DATETIME;
    c->column.scale = (int)f->decimals;
    break;
  case MYSQL_TYPE_NULL: c->as = F_TEXT; c->column.type = W_NVARCHAR; c->column.size = 1; break;
  default: text_column(f, c);
  }
}

void result_declare(struct result_column *c, const struct sql_column *decl) {
  static const struct { enum field_type as; enum wire_type type; int size; } of[] = {
    [SQL_INT] = {F_INT, W_BIGINT, 0}, [SQL_REAL] = {F_REAL, W_FLOAT, 0}, [SQL_TEXT] = {F_TEXT, W_NVARCHAR, 4000},
    [SQL_BIN] = {F_BIN, W_VARBINARY, 8000}, [SQL_TIME] = {F_DATETIME, W_DATETIME, 0},
  };
  c->as = of[decl->kind].as;
  c->column.type = of[decl->kind].type;
  c->column.size = of[decl->kind].size;
}

void result_field(const struct result_column *c, const char *p, size_t len, char *buf, struct field *f) {
  memset(f, 0, sizeof *f);
  if (!p)
    return;
  f->type = c->as;
  f->p = p;
  f->len = len;
  if (c->as == F_INT)
    f->i = strtoll(p, NULL, 10);
  else if (c->as == F_REAL)
    f->r = strtod(p, NULL);
  else if (c->as == F_TEXT && c->latin1) {
    size_t i = 0;
    while (i < len && (unsigned char)p[i] < 0x80)
      i++;
    if (i < len) {
      f->len = latin1_to_utf8((const unsigned char *)p, len, buf);
      f->p = buf;
    }
  }
}

static void hint(struct result_column *c, const struct hints *h, int i) {
  if (i < h->n && h->unnamed[i])
    c->column.name = "";
  if (i < h->n && h->is_int[i] && c->column.type == W_BIGINT)
    c->column.type = W_INT;
}

/* The result set that is at hand; -1: the engine failed in the middle. */
static int send_rows(struct engine_conn *k, const struct sql_result *decl, const struct hints *hints, int nocount, struct reply *r) {
  MYSQL_RES *res = mysql_use_result(k->my);
  if (!res)
    return -1;
  int n = (int)mysql_num_fields(res);
  struct result_column *rc = xcalloc((size_t)n, sizeof *rc);
  struct column *col = xcalloc((size_t)n, sizeof *col);
  struct field *f = xcalloc((size_t)n, sizeof *f);
  char **buf = xcalloc((size_t)n, sizeof *buf);
  for (int i = 0; i < n; i++) {
    const MYSQL_FIELD *mf = mysql_fetch_field_direct(res, (unsigned)i);
    result_column(mf, &rc[i]);
    if (decl && i < decl->ncol)
      result_declare(&rc[i], &decl->col[i]);
    if (hints)
      hint(&rc[i], hints, i);
    col[i] = rc[i].column;
  }
  reply_columns(r, col, n);
  int64_t rows = 0;
  MYSQL_ROW row;
  while ((row = mysql_fetch_row(res))) {
    const unsigned long *len = mysql_fetch_lengths(res);
    for (int i = 0; i < n; i++) {
      if (rc[i].latin1 && row[i])
        buf[i] = xrealloc(buf[i], 3 * len[i] + 1, 1);
      result_field(&rc[i], row[i], len[i], buf[i], &f[i]);
    }
    reply_row(r, f, n);
    if (++rows % 256 == 0 && (reply_broken(r) || reply_cancelled(r)))
      break;
  }
  int bad = mysql_errno(k->my) != 0;
  mysql_free_result(res); /* reads what is left */
  for (int i = 0; i < n; i++)
    free(buf[i]);
  free(buf);
  free(f);
  free(col);
  free(rc);
  if (bad)
    return -1;
  reply_done(r, nocount ? -1 : rows);
  return 0;
}

static int drop_rows(struct engine_conn *k) {
  mysql_free_result(mysql_store_result(k->my));
  return mysql_errno(k->my) ? -1 : 0;
}

int result_run(struct session *s, struct engine_conn *k, const char *sql, size_t len, const struct sqltext *decl, int counts,
               struct reply *r) {
  int set = 0, more = 0;
  session_flight(s, k, r);
  int bad = mysql_real_query(k->my, sql, len) != 0;
  session_landed(s);
  while (!bad && more == 0) {
    if (mysql_field_count(k->my) > 0) {
      /* ANALYZE TABLE and the like have a result where the original has none. */
      bad = (decl && set >= decl->nresult ? drop_rows(k)
                                          : send_rows(k, decl ? &decl->result[set] : NULL, set ? NULL : s->hints, s->nocount || decl, r)) != 0;
      set++;
    } else if (counts)
      reply_done(r, s->nocount ? -1 : (int64_t)mysql_affected_rows(k->my));
    if (bad || !mysql_more_results(k->my))
      break;
    session_flight(s, k, r);
    more = mysql_next_result(k->my);
    session_landed(s);
    bad = more > 0;
  }
  if (s->trancount == 0)
    s->db->transactions++;
  return bad ? engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r) : 0;
}
