/* any-server SERVER [USER PASSWORD-FILE]: what the client needs of a server, tried on a real one or on the sandbox: every statement of
 * sql/server that only reads has the columns that it declares; parameters, procedure calls, bulk load and the records that ramknee
 * keeps, in a database of its own, which is made and dropped.  TAP. */
#include "config.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "server/conn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char database[] = "ramknee_any_server";
static int n_tests;

static int ok(int holds, const char *what, const struct cause *c) {
  printf("%s %d - %s\n", holds ? "ok" : "not ok", ++n_tests, what);
  if (!holds && c && c->text[0])
    printf("# %s\n", c->text);
  return holds;
}

struct seen {
  int rows;
  struct val col[16]; /* of the last row; texts below */
  char text[16][3100];
};

static int keep(void *arg, int result, const struct val *col, int n) {
  struct seen *s = arg;
  (void)result;
  s->rows++;
  for (int i = 0; i < n && i < 16; i++) {
    s->col[i] = col[i];
    snprintf(s->text[i], sizeof s->text[i], "%s", col[i].type == VAL_TEXT ? col[i].p : "");
  }
  return 0;
}

static int query(struct conn *conn, const char *tag, const struct val *v, int n, struct seen *s, struct cause *c) {
  memset(s, 0, sizeof *s);
  memset(c, 0, sizeof *c);
  return conn_query(conn, tag, v, n, keep, s, c);
}

/* 1: the statement gives exactly one row, 0: any number. */
static const struct { const char *tag; int one; } reading[] = {
  {"server/clerks", 1}, {"server/cpu", 1}, {"server/database_size", 1}, {"server/files", 0}, {"server/files_all", 0}, {"server/governor", 1},
  {"server/grants", 1},
  {"server/identity", 1}, {"server/journal_read", 0}, {"server/link", 0}, {"server/load_read", 0}, {"server/lock_test", 1},
  {"server/memory_model", 1}, {"server/others", 0}, {"server/pending", 0}, {"server/reached", 1}, {"server/rights", 1}, {"server/sessions", 0},
  {"server/settings", 1}, {"server/tiers", 1}, {"server/volumes", 0}, {"server/waits", 0},
};

static void statements(struct conn *conn, struct seen *s) {
  struct cause c;
  char what[120];
  for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
    int rc = query(conn, reading[i].tag, NULL, 0, s, &c);
    snprintf(what, sizeof what, "%s has the columns that it declares", reading[i].tag);
    ok(rc == 0 && (!reading[i].one || s->rows == 1), what, &c);
  }
  const struct val db = VAL_T(database);
  ok(query(conn, "server/counters", &db, 1, s, &c) == 0, "server/counters has the columns that it declares", &c);
}

static void parameters(struct conn *conn, struct seen *s) {
  struct cause c;
  struct val v = VAL_T(database);
  ok(query(conn, "server/database", &v, 1, s, &c) == 0 && s->rows == 1 && strcmp(s->text[1], database) == 0, "a database is found by its name", &c);
  v = VAL_T("no'such]db\xC3\xA9 \xE2\x82\xAC");
  ok(query(conn, "server/database", &v, 1, s, &c) == 0 && s->rows == 0, "a name with quotes and other letters is only a name", &c);
  v = (struct val){.type = VAL_NULL};
  ok(query(conn, "server/database", &v, 1, s, &c) == 0 && s->rows == 0, "NULL is no name", &c);
}

static void records(struct conn *conn, struct seen *s) {
  static const char body[] = "{\"client\": \"Zo\xC3\xAB's \xE2\x82\xAC\"}";
  struct cause c;
  struct val v = VAL_T(body);
  ok(query(conn, "server/journal_write", &v, 1, s, &c) == 0, "the journal's row is written", &c);
  ok(query(conn, "server/journal_read", NULL, 0, s, &c) == 0 && s->rows == 1 && strcmp(s->text[0], body) == 0, "and read back letter by letter", &c);
  ok(query(conn, "server/journal_clear", NULL, 0, s, &c) == 0 && query(conn, "server/journal_read", NULL, 0, s, &c) == 0 && s->rows == 0,
     "and cleared", &c);
  const struct val load[] = {VAL_T("orders"), VAL_I(1), VAL_I(INT64_C(5000000000)), VAL_R(0.0625), VAL_I(INT64_MAX), VAL_I(0), VAL_I(-1), VAL_I(1),
                             VAL_I(2), VAL_I(3)};
  ok(query(conn, "server/load_write", load, 10, s, &c) == 0, "the load's record is written", &c);
  ok(query(conn, "server/load_read", NULL, 0, s, &c) == 0 && s->rows == 1 && s->col[2].i == INT64_C(5000000000) && s->col[3].r == 0.0625 &&
       s->col[4].i == INT64_MAX && s->col[6].i == -1,
     "and read back exactly", &c);
}

static const struct bulk_column columns[] = {
  {"h_c_w_id", P_INT, 0}, {"h_c_d_id", P_TINYINT, 0}, {"h_c_id", P_INT, 0}, {"h_n", P_INT, 0}, {"h_w_id", P_INT, 0}, {"h_d_id", P_TINYINT, 0},
  {"h_date", P_DATETIME, 0}, {"h_amount", P_DECIMAL, 2}, {"h_data", P_VARCHAR, 24},
};
static const struct bulk_table history = {.name = "dbo.history", .tablock = 1, .ncol = 9, .col = columns};

static int next_row(void *arg, struct val *v, struct cause *c) {
  int64_t *at = arg;
  (void)c;
  if (*at == 2500)
    return 0;
  for (int i = 0; i < 6; i++)
    v[i] = VAL_I(1 + *at % 100);
  v[3] = VAL_I(*at);
  v[6] = VAL_T("2026-11-30 12:34:56.789");
  v[7] = VAL_I(-12345);
  v[8] = VAL_T("abcdefghijklmnopqrstuvwx");
  ++*at;
  return 1;
}

static void bulk(struct conn *conn, struct seen *s) {
  struct cause c;
  int64_t at = 0, rows = 0;
  ok(query(conn, "orders/tables", NULL, 0, s, &c) == 0, "the tables of a mix are made", &c);
  ok(conn_bulk(conn, &history, 1000, next_row, &at, &rows, &c) == 0 && rows == 2500, "2,500 rows are bulk loaded in three batches", &c);
  ok(query(conn, "server/load_read", NULL, 0, s, &c) == 0, "and the connection goes on", &c);
}

static void calls(struct conn *conn) {
  static const struct proc_param p = {"@x", P_INT, 0, 0};
  static const struct proc unknown = {"dbo.rk_there_is_none", 1, &p};
  struct cause c = {0};
  const struct val v = VAL_I(1);
  ok(conn_call(conn, &unknown, &v, &c) == FAILED && c.number == 2812, "a procedure that is not there is error 2812", &c);
  ok(conn_exec(conn, "test/wrong", "SELECT * FROM dbo.there_is_no_such_table", &c) == -1 && c.number == 208, "a table that is not there is error 208", &c);
  ok(!conn_lost(conn), "errors leave the connection", NULL);
}

/* A session that has just ended is seen for a moment still. */
static int drop(struct conn *master, struct cause *c) {
  int rc = -1;
  for (int i = 0; i < 100; i++) {
    memset(c, 0, sizeof *c);
    rc = conn_exec(master, "test/drop", "DROP DATABASE [ramknee_any_server]", c);
    if (rc == 0 || c->number != 3702)
      break;
    sleep_until_ns(mono_ns() + 100 * NS_PER_MS);
  }
  return rc;
}

static int parse_arguments(int argc, char **argv, struct target *t, struct cause *c) {
  if (argc != 2 && argc != 4)
    return cause_set(c, STATUS_SETUP, "usage: any-server SERVER [USER PASSWORD-FILE]");
  if (target_parse(t, argv[1], c) != 0)
    return -1;
  t->user = xstrdup(argc > 2 ? argv[2] : "sa");
  size_t n;
  if (argc > 3 && file_read(argv[3], 4096, &t->password, &n, c) != 0)
    return -1;
  if (!t->password)
    t->password = xstrdup("");
  t->password[strcspn(t->password, "\r\n")] = '\0';
  return 0;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  struct target t = {0};
  struct conn *master = NULL, *conn = NULL;
  struct seen *s = xcalloc(1, sizeof *s);
  signal(SIGPIPE, SIG_IGN);
  alarm(300); /* never hang */
  if (sqltext_init(&c) != 0 || parse_arguments(argc, argv, &t, &c) != 0 || server_init(&t, 4, &c) != 0) {
    printf("Bail out! %s\n", c.text);
    return 1;
  }
  if (!ok(conn_open(&master, &t, &c) == 0, "log in", &c))
    goto out;
  drop(master, &c); /* a run before may have been broken off */
  if (!ok(conn_exec(master, "test/create", "CREATE DATABASE [ramknee_any_server]", &c) == 0, "make a database", &c))
    goto out;
  t.database = xstrdup(database);
  if (ok(conn_open(&conn, &t, &c) == 0, "log in to it", &c)) {
    statements(conn, s);
    parameters(conn, s);
    records(conn, s);
    bulk(conn, s);
    calls(conn);
    conn_close(conn);
  }
  ok(drop(master, &c) == 0, "drop the database", &c);
out:
  conn_close(master);
  server_done();
  target_free(&t);
  free(s);
  printf("1..%d\n", n_tests);
  return 0;
}
