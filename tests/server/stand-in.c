#include "config.h"

#include "stand-in.h"

#include "base/clock.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct server stand_in = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct listener *stand_in_listener;
struct target stand_in_target;

struct session {
  struct server *server;
  int bulk;
  long pending;
};

/* No Criterion here: it cannot run under the thread sanitizer, and one of the programs has to. */
static void must(int holds, const struct cause *c) {
  if (holds)
    return;
  fprintf(stderr, "stand-in: %s\n", c->text);
  abort();
}

void stand_in_start(int n) {
  struct cause c = {0};
  signal(SIGPIPE, SIG_IGN);
  must(sqltext_init(&c) == 0, &c);
  stand_in_listener = listener_start(&stand_in, &(struct listener_options){.server_name = "stand-in"}, &c);
  must(stand_in_listener != NULL, &c);
  char name[40];
  snprintf(name, sizeof name, "127.0.0.1:%d", listener_port(stand_in_listener));
  must(target_parse(&stand_in_target, name, &c) == 0, &c);
  stand_in_target.user = xstrdup("sa");
  stand_in_target.password = xstrdup("secret");
  stand_in_target.encrypt = ENCRYPT_OFF;
  stand_in_target.login_timeout_s = 5;
  stand_in_target.query_timeout_s = 20;
  must(server_init(&stand_in_target, n, &c) == 0, &c);
}

void stand_in_stop(void) {
  server_done();
  target_free(&stand_in_target);
  listener_free(stand_in_listener);
}

struct conn *stand_in_conn(void) {
  struct cause c = {0};
  struct conn *conn = NULL;
  must(conn_open(&conn, &stand_in_target, &c) == 0, &c);
  return conn;
}

struct session *session_new(struct server *server, const struct login *l, struct reply *r) {
  int number = server->login_number;
  if (number) {
    reply_error(r, number, 1, 14, "", 1, "Login failed for user '%s'.", l->user);
    return NULL;
  }
  struct session *s = xcalloc(1, sizeof *s);
  s->server = server;
  server->sessions++;
  reply_database(r, l->database[0] ? l->database : "master", "master");
  return s;
}

void session_free(struct session *s) {
  if (s)
    s->server->sessions--;
  free(s);
}

static void stay_silent(struct session *s, struct reply *r) {
  while (!reply_broken(r) && !reply_cancelled(r))
    sleep_until_ns(mono_ns() + 10 * NS_PER_MS);
  s->server->cancelled++;
}

/* ---- tagged statements ---- */

static void settings(struct session *s, struct reply *r) {
  static const struct column columns[] = {
    {.name = "server_name", .type = W_NVARCHAR, .size = 128}, {.name = "max_mb", .type = W_INT}, {.name = "max_in_use_mb", .type = W_INT},
    {.name = "min_mb", .type = W_INT}, {.name = "min_in_use_mb", .type = W_SMALLINT}, {.name = "advanced", .type = W_BIT},
    {.name = "advanced_in_use", .type = W_BIGINT},
  };
  struct column col[7];
  struct field f[7] = {{.type = F_NULL}};
  int mode = s->server->mode, n = 7;
  memcpy(col, columns, sizeof col);
  for (int i = 1; i < 7; i++)
    f[i] = (struct field){.type = F_INT, .i = i == 5 ? 1 : i == 1 ? 2147483647 : -i};
  switch (mode) {
  case WRONG_NAME: col[2].name = "max_in_use"; break;
  case WRONG_KIND: col[3].type = W_FLOAT; break;
  case FEWER_COLUMNS: n = 6; break;
  case NULL_IN_ROW: f[1].type = F_NULL; break;
  case SILENT: stay_silent(s, r); return;
  case NO_RESULT: reply_done(r, -1); return;
  case ERROR_FIRST:
    reply_error(r, 229, 5, 14, "", 1, "The SELECT permission was denied on the object 'configurations'.");
    reply_error(r, 50000, 1, 16, "", 1, "A second one.");
    return;
  default: break;
  }
  reply_columns(r, col, n);
  reply_row(r, f, n);
  if (mode == TRICKLE)
    for (int i = 0; i < 400 && !reply_cancelled(r) && !reply_broken(r); i++) {
      for (int k = 0; k < 100; k++) /* enough to fill packets now and then */
        reply_row(r, f, n);
      sleep_until_ns(mono_ns() + 20 * NS_PER_MS);
    }
  if (mode == ERROR_AFTER_ROW)
    reply_error(r, 701, 123, 17, "", 1, "There is insufficient system memory in resource pool 'default' to run this query.");
  reply_done(r, 1);
  if (mode == MORE_RESULTS) {
    reply_columns(r, col, n);
    reply_done(r, 0);
  }
}

static void database(const struct rpc_param *db, struct reply *r) {
  static const struct column col[] = {
    {.name = "database_id", .type = W_INT}, {.name = "name", .type = W_NVARCHAR, .size = 128}, {.name = "state_desc", .type = W_NVARCHAR, .size = 60},
    {.name = "recovery_model", .type = W_VARCHAR, .size = 60}, {.name = "compatibility_level", .type = W_TINYINT}, {.name = "rcsi", .type = W_BIT},
    {.name = "page_verify", .type = W_NVARCHAR, .size = 60}, {.name = "is_read_only", .type = W_BIT},
    {.name = "replica_id", .type = W_NVARCHAR, .size = 36}, {.name = "owner", .type = W_NVARCHAR, .size = 128},
  };
  const struct field empty = {.type = F_TEXT, .p = "", .len = 0}, one = {.type = F_INT, .i = 1};
  struct field f[10] = {one, db->value, empty, empty, one, one, empty, one, {.type = F_NULL}, empty};
  reply_columns(r, col, 10);
  reply_row(r, f, 10);
  reply_done(r, 1);
}

static int tagged(struct session *s, const char *text, const struct rpc_param *p, int n, struct reply *r) {
  char tag[sizeof s->server->tag];
  if (sscanf(text, "/* ramknee:%79[a-z_/] */", tag) != 1)
    return 0;
  pthread_mutex_lock(&s->server->lock);
  strcpy(s->server->tag, tag);
  pthread_mutex_unlock(&s->server->lock);
  if (strcmp(tag, "server/settings") == 0)
    settings(s, r);
  else if (strcmp(tag, "server/database") == 0 && n == 1)
    database(p, r);
  else if (strncmp(tag, "server/", 7) == 0) /* session, and what returns nothing */
    reply_done(r, -1);
  else
    return 0;
  return 1;
}

/* Untagged, or with a tag of the tests: the last word is the order. */
void session_batch(struct session *s, const char *text, size_t len, struct reply *r) {
  (void)len;
  s->server->calls++;
  pthread_mutex_lock(&s->server->lock);
  snprintf(s->server->text, sizeof s->server->text, "%s", text);
  pthread_mutex_unlock(&s->server->lock);
  if (tagged(s, text, NULL, 0, r))
    return;
  if (strncasecmp(text, "insert bulk", 11) == 0) {
    s->bulk = 1;
    reply_done(r, -1);
  } else if (strcasestr(text, "fmtonly")) {
    static const struct column t[] = {
      {.name = "id", .type = W_INT}, {.name = "big", .type = W_BIGINT}, {.name = "name", .type = W_VARCHAR, .size = 30},
      {.name = "bytes", .type = W_VARBINARY, .size = 20}, {.name = "at", .type = W_DATETIME},
      {.name = "amount", .type = W_DECIMAL, .precision = 12, .scale = 2}, {.name = "ratio", .type = W_FLOAT}, {.name = "flag", .type = W_BIT},
    };
    if (strstr(text, "missing"))
      reply_error(r, 208, 1, 16, "", 1, "Invalid object name 'dbo.missing'.");
    else
      reply_columns(r, t, 8);
    reply_done(r, 0);
  } else if (strstr(text, "silent")) {
    stay_silent(s, r);
  } else if (strstr(text, "long")) {
    char e[801] = "";
    for (int i = 0; i < 400; i++)
      memcpy(e + 2 * i, "\xC3\xA9", 3);
    reply_error(r, 50000, 1, 16, "", 1, "%s%s", s->server->calls % 2 ? "" : "x", e);
  } else if (strstr(text, "middle")) { /* an error, then more of the batch */
    reply_done(r, 1);
    reply_error(r, 2627, 1, 14, "", 1, "Violation of PRIMARY KEY constraint.");
    reply_done(r, -1);
    reply_done(r, 1);
  } else {
    reply_info(r, 5701, 2, 0, "Changed database context to 'x'.");
    reply_done(r, -1);
  }
}

/* ---- procedures ---- */

static void keep(struct kept *k, const struct field *f) {
  *k = (struct kept){.type = f->type, .i = f->i, .r = f->r, .len = f->len};
  if (f->p)
    memcpy(k->p, f->p, f->len < sizeof k->p ? f->len : sizeof k->p);
}

static void rows(struct reply *r) {
  static const struct column col = {.name = "n", .type = W_INT};
  reply_columns(r, &col, 1);
  for (int i = 0; i < 1000; i++)
    reply_row(r, &(struct field){.type = F_INT, .i = i}, 1);
  reply_done(r, 1000);
}

static void types(struct session *s, const struct rpc *rpc, struct reply *r) {
  pthread_mutex_lock(&s->server->lock);
  s->server->narg = rpc->nparam;
  for (int i = 0; i < rpc->nparam && i < ARGS_KEPT; i++) {
    keep(&s->server->arg[i], &rpc->param[i].value);
    s->server->arg[i].wire = rpc->param[i].column.type;
  }
  pthread_mutex_unlock(&s->server->lock);
  reply_return_status(r, 0);
  for (int i = 0; i < rpc->nparam; i++)
    if (rpc->param[i].by_ref)
      reply_return_value(r, rpc->param[i].name, &rpc->param[i].column, &rpc->param[i].value);
}

void session_rpc(struct session *s, const struct rpc *rpc, struct reply *r) {
  const char *name = strncmp(rpc->name, "dbo.", 4) == 0 ? rpc->name + 4 : rpc->name;
  s->server->calls++;
  if (strcmp(name, "sp_executesql") == 0) {
    char *text = xprintf("%.*s", (int)rpc->param[0].value.len, rpc->param[0].value.p);
    tagged(s, text, rpc->param + 2, rpc->nparam - 2, r);
    free(text);
    reply_return_status(r, 0);
  } else if (strcmp(name, "rk_ok") == 0)
    reply_return_status(r, 0);
  else if (strcmp(name, "rk_rolled_back") == 0)
    reply_return_status(r, 1);
  else if (strcmp(name, "rk_status") == 0)
    reply_return_status(r, 7);
  else if (strcmp(name, "rk_deadlock") == 0) {
    reply_error(r, 1205, 51, 13, "rk_deadlock", 9, "Transaction (Process ID 51) was deadlocked on lock resources.");
    reply_return_status(r, -6);
  } else if (strcmp(name, "rk_fail") == 0)
    reply_error(r, 9002, 4, 17, "rk_fail", 9, "The transaction log for database 'x' is full due to 'LOG_BACKUP'.");
  else if (strcmp(name, "rk_mixed") == 0) {
    reply_error(r, 547, 1, 16, "rk_mixed", 9, "The INSERT statement conflicted.");
    reply_done(r, -1);
    reply_return_status(r, 0);
  } else if (strcmp(name, "rk_rows") == 0) {
    rows(r);
    reply_return_status(r, 0);
  } else if (strcmp(name, "rk_silent") == 0)
    stay_silent(s, r);
  else if (strcmp(name, "rk_types") == 0)
    types(s, rpc, r);
  else
    reply_error(r, 2812, 62, 16, "", 1, "Could not find stored procedure '%s'.", rpc->name);
}

/* ---- bulk load ---- */

int session_bulk_pending(const struct session *s) {
  return s->bulk;
}

int session_bulk_columns(struct session *s, const struct column *col, int n, struct reply *r) {
  (void)col, (void)n, (void)r;
  s->pending = 0;
  return 0;
}

int session_bulk_row(struct session *s, const struct field *f, int n, struct reply *r) {
  struct server *v = s->server;
  if (v->bulk_fails_at && v->rows + s->pending + 1 == v->bulk_fails_at) {
    reply_error(r, 1105, 2, 17, "", 1, "Could not allocate space for object 'dbo.t' because the 'PRIMARY' filegroup is full.");
    return -1;
  }
  long at = v->rows + s->pending++;
  pthread_mutex_lock(&v->lock);
  for (int i = 0; at < ROWS_KEPT && i < n && i < ARGS_KEPT; i++)
    keep(&v->row[at][i], &f[i]);
  pthread_mutex_unlock(&v->lock);
  return 0;
}

int session_bulk_end(struct session *s, int broken, int64_t *n, struct reply *r) {
  (void)r;
  s->bulk = 0;
  *n = broken ? 0 : s->pending;
  s->server->rows += *n;
  s->server->commits += *n > 0;
  s->pending = 0;
  return broken ? -1 : 0;
}

void session_reset(struct session *s) {
  (void)s;
}
