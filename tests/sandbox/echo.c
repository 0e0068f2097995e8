#include "config.h"

#include "echo.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
  struct server *server;
  int bulk, ncol;
  long loaded;
};

struct session *session_new(struct server *server, const struct login *l, struct reply *r) {
  if (strcmp(l->password, "wrong") == 0) {
    reply_error(r, 18456, 1, 14, "", 1, "Login failed for user '%s'.", l->user);
    return NULL;
  }
  if (strcmp(l->database, "none") == 0) {
    reply_error(r, 4060, 1, 11, "", 1, "Cannot open database \"%s\" requested by the login. The login failed.", l->database);
    return NULL;
  }
  struct session *s = xcalloc(1, sizeof *s);
  s->server = server;
  atomic_fetch_add(&server->sessions, 1);
  reply_database(r, l->database[0] ? l->database : "master", "master");
  return s;
}

void session_free(struct session *s) {
  if (s)
    atomic_fetch_sub(&s->server->sessions, 1);
  free(s);
}

static const struct column each[] = {
  {.name = "tinyint", .type = W_TINYINT},
  {.name = "smallint", .type = W_SMALLINT},
  {.name = "int", .type = W_INT},
  {.name = "bigint", .type = W_BIGINT},
  {.name = "bit", .type = W_BIT},
  {.name = "float", .type = W_FLOAT},
  {.name = "nvarchar", .type = W_NVARCHAR, .size = 40},
  {.name = "varchar", .type = W_VARCHAR, .size = 40},
  {.name = "nvarcharmax", .type = W_NVARCHAR},
  {.name = "varbinary", .type = W_VARBINARY, .size = 8},
  {.name = "datetime", .type = W_DATETIME},
  {.name = "datetime2", .type = W_DATETIME2, .scale = 7},
  {.name = "decimal", .type = W_DECIMAL, .precision = 12, .scale = 4},
  {.name = "guid", .type = W_GUID},
  {.name = "date", .type = W_DATE},
  {.name = "time", .type = W_TIME, .scale = 3},
};
enum { EACH = sizeof each / sizeof *each };

#define T(kind, s) {.type = kind, .p = s, .len = sizeof s - 1}
static const struct field values[EACH] = {
  {.type = F_INT, .i = 255},
  {.type = F_INT, .i = -32768},
  {.type = F_INT, .i = 2147483647},
  {.type = F_INT, .i = INT64_C(-9007199254740993)},
  {.type = F_INT, .i = 1},
  {.type = F_REAL, .r = -1.5},
  T(F_TEXT, "Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x98\x80"),
  T(F_TEXT, "caf\xC3\xA9"),
  T(F_TEXT, "long"),
  T(F_BIN, "\x00\x01\xFE\xFF"),
  T(F_DATETIME, "2026-11-30 15:04:05.123"),
  T(F_DATETIME, "0001-01-01 23:59:59.1234567"),
  T(F_DECIMAL, "-12345678.9012"),
  T(F_GUID, "6F9619FF-8B86-D011-B42D-00C04FC964FF"),
  T(F_DATETIME, "9999-12-31"),
  T(F_DATETIME, "12:34:56.789"),
};

static void types(struct reply *r) {
  struct field null[EACH] = {0};
  reply_columns(r, each, EACH);
  reply_row(r, values, EACH);
  reply_row(r, null, EACH);
  reply_done(r, 2);
}

static void rows(struct session *s, struct reply *r, long n, int width) {
  struct column col[2] = {{.name = "n", .type = W_BIGINT}, {.name = "t", .type = W_VARCHAR, .size = 8000}};
  char *text = xmalloc((size_t)width + 1);
  memset(text, 'x', (size_t)width);
  if (s->server->most_rows && (n < 0 || n > s->server->most_rows))
    n = s->server->most_rows;
  reply_columns(r, col, 2);
  long i = 0;
  for (; i != n && !reply_broken(r); i++) {
    struct field f[2] = {{.type = F_INT, .i = i}, {.type = F_TEXT, .p = text, .len = (size_t)width}};
    reply_row(r, f, 2);
    if (i % 64 == 0 && reply_cancelled(r)) {
      atomic_fetch_add(&s->server->cancelled, 1);
      break;
    }
  }
  free(text);
  reply_done(r, i);
}

static void one(struct reply *r, const struct column *col, struct field f) {
  reply_columns(r, col, 1);
  reply_row(r, &f, 1);
  reply_done(r, 1);
}

static int begins(const char *text, const char *word) {
  return strncasecmp(text, word, strlen(word)) == 0;
}

static const struct column number = {.name = "n", .type = W_INT}, text_column = {.name = "text", .type = W_NVARCHAR};

void session_batch(struct session *s, const char *text, size_t len, struct reply *r) {
  long n;
  int width;
  if (begins(text, "select 1")) {
    one(r, &number, (struct field){.type = F_INT, .i = 1});
  } else if (begins(text, "types")) {
    types(r);
  } else if (sscanf(text, "rows %ld %d", &n, &width) == 2 && width >= 0 && width <= 8000) {
    rows(s, r, n, width);
  } else if (begins(text, "forever")) {
    rows(s, r, -1, 100);
  } else if (begins(text, "fail")) {
    reply_error(r, 50000, 1, 16, "", 3, "It was asked to fail.");
    reply_done(r, -1);
  } else if (begins(text, "insert bulk")) {
    s->bulk = 1;
    reply_done(r, -1);
  } else if (begins(text, "count")) {
    one(r, &number, (struct field){.type = F_INT, .i = atomic_load(&s->server->rows)});
  } else if (begins(text, "exec")) {
    reply_return_status(r, 7);
    reply_done(r, -1);
  } else if (begins(text, "set fmtonly")) {
    static const struct column t[] = {{.name = "id", .type = W_INT}, {.name = "name", .type = W_VARCHAR, .size = 30}};
    reply_columns(r, t, 2);
    reply_done(r, 0);
  } else if (begins(text, "set") || begins(text, "begin") || begins(text, "commit") || begins(text, "rollback") || begins(text, "save") ||
             begins(text, "use")) {
    reply_done(r, -1);
  } else {
    one(r, &text_column, (struct field){.type = F_TEXT, .p = text, .len = len});
  }
}

/* The parameters as a row, their names as its columns'. */
static void echo_row(const struct rpc *rpc, struct reply *r) {
  struct column *col = xcalloc((size_t)rpc->nparam + 1, sizeof *col);
  struct field *f = xcalloc((size_t)rpc->nparam + 1, sizeof *f);
  for (int i = 0; i < rpc->nparam; i++) {
    col[i] = rpc->param[i].column;
    col[i].name = rpc->param[i].name;
    f[i] = rpc->param[i].value;
  }
  reply_columns(r, col, rpc->nparam);
  reply_row(r, f, rpc->nparam);
  reply_done(r, 1);
  free(col);
  free(f);
}

static void echo(const struct rpc *rpc, struct reply *r) {
  if (rpc->nparam > 0)
    echo_row(rpc, r);
  reply_return_status(r, 42);
  for (int i = 0; i < rpc->nparam; i++)
    if (rpc->param[i].by_ref)
      reply_return_value(r, rpc->param[i].name, &rpc->param[i].column, &rpc->param[i].value);
}

void session_rpc(struct session *s, const struct rpc *rpc, struct reply *r) {
  if (strcmp(rpc->name, "echo") == 0) {
    echo(rpc, r);
  } else if (strcmp(rpc->name, "sp_executesql") == 0 && rpc->nparam > 0 && rpc->param[0].value.type == F_TEXT) {
    char *text = xmalloc(rpc->param[0].value.len + 1); /* a value has no NUL */
    memcpy(text, rpc->param[0].value.p, rpc->param[0].value.len);
    text[rpc->param[0].value.len] = '\0';
    if (strcmp(text, "values") == 0 && rpc->nparam > 2)
      echo_row(&(struct rpc){.nparam = rpc->nparam - 2, .param = rpc->param + 2}, r);
    else
      session_batch(s, text, rpc->param[0].value.len, r);
    free(text);
    reply_return_status(r, 0);
  } else {
    reply_error(r, 2812, 62, 16, "", 1, "Could not find stored procedure '%s'.", rpc->name);
  }
}

int session_bulk_pending(const struct session *s) {
  return s->bulk;
}

int session_bulk_columns(struct session *s, const struct column *col, int n, struct reply *r) {
  s->ncol = n;
  s->loaded = 0;
  if (strcmp(col[0].name, "bad") == 0) {
    reply_error(r, 207, 1, 16, "", 1, "Invalid column name 'bad'.");
    return -1;
  }
  return 0;
}

int session_bulk_row(struct session *s, const struct field *f, int n, struct reply *r) {
  if (n != s->ncol || (f[0].type == F_INT && f[0].i == 666)) {
    reply_error(r, 2627, 1, 14, "", 1, "Violation of PRIMARY KEY constraint.");
    return -1;
  }
  s->loaded++;
  return 0;
}

int session_bulk_end(struct session *s, int broken, int64_t *n, struct reply *r) {
  (void)r;
  s->bulk = 0;
  *n = broken ? 0 : s->loaded;
  atomic_fetch_add(broken ? &s->server->broken : &s->server->rows, broken ? 1 : s->loaded);
  s->loaded = 0;
  return broken ? -1 : 0;
}

void session_reset(struct session *s) {
  atomic_fetch_add(&s->server->resets, 1);
}
