/* any-server -S SERVER [-U LOGIN ...] [-d DATABASE] [facts|setting]: what the client needs of a server, tried on a real one or on the
 * sandbox: every statement of sql/server that only reads has the columns that it declares; parameters, procedure calls, bulk load, errors by
 * number and the records that ramknee keeps, in a database of its own, which is made and dropped.  TAP.
 * facts: print what check-server wants to know; setting: print the three options that a sweep touches. */
#include "config.h"

#include "base/clock.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/connect.h"
#include "server/conn.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char database[64];
static const struct target *server;
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
  {"server/agent", 1}, {"server/clerks", 1}, {"server/cpu", 1}, {"server/database_size", 1}, {"server/dead_man_read", 0}, {"server/files", 0},
  {"server/files_all", 0}, {"server/governor", 1}, {"server/grants", 1},
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

static void skipped(const char *what, const char *why) {
  printf("ok %d - %s # SKIP %s\n", ++n_tests, what, why);
}

/* ---- errors by number ---- */

static int is_error(struct conn *conn, int number, const char *sql) {
  struct cause c = {0};
  char what[200];
  int rc = conn_exec(conn, "test/wrong", sql, &c);
  snprintf(what, sizeof what, "error %d: %.150s", number, sql);
  return ok(rc == -1 && c.number == number && (server_message_sentence(number) == NULL || c.remedy[0]), what, &c);
}

static void errors(struct conn *conn) {
  static const struct proc_param p = {"@x", P_INT, 0, 0};
  static const struct proc unknown = {"dbo.rk_there_is_none", 1, &p};
  struct cause c = {0};
  char sql[160];
  const struct val v = VAL_I(1);
  ok(conn_call(conn, &unknown, &v, &c) == FAILED && c.number == 2812, "a procedure that is not there is error 2812", &c);
  is_error(conn, 208, "SELECT * FROM dbo.there_is_no_such_table");
  is_error(conn, 207, "SELECT no_such_column FROM dbo.history");
  is_error(conn, 911, "USE [there is no such database]");
  is_error(conn, 2714, "CREATE TABLE dbo.history (h_n int NOT NULL)");
  is_error(conn, 15123, "EXEC sp_configure 'there is no such option', 1");
  snprintf(sql, sizeof sql, "CREATE DATABASE [%s]", database);
  is_error(conn, 1801, sql);
  is_error(conn, 574, "BEGIN TRANSACTION; RECONFIGURE");
  conn_exec(conn, "test/undo", "ROLLBACK TRANSACTION", NULL);
  ok(!conn_lost(conn), "errors leave the connection", NULL);
}

/* Compare and set refuses before it sets anything. */
static void refused_sets(struct conn *conn, struct seen *s) {
  struct cause c;
  if (!ok(query(conn, "server/settings", NULL, 0, s, &c) == 0 && s->rows == 1, "the setting is read", &c))
    return;
  int64_t max = s->col[1].i, min = s->col[3].i;
  char name[140];
  snprintf(name, sizeof name, "%.139s", s->text[0]);
  const struct val other[] = {VAL_T("AN-OTHER"), VAL_I(max), VAL_I(min), VAL_I(max), VAL_I(min)};
  ok(query(conn, "server/set", other, 5, s, &c) == -1 && c.number == 50002, "another instance is refused (50002)", &c);
  const struct val changed[] = {VAL_T(name), VAL_I(max > 200 ? max - 1 : max + 1), VAL_I(min), VAL_I(max), VAL_I(min)};
  ok(query(conn, "server/set", changed, 5, s, &c) == -1 && c.number == 50004, "a setting that somebody has changed is refused (50004)", &c);
}

static struct conn *another(const char *name, const char *password, struct cause *c) {
  struct target t;
  struct conn *conn = NULL;
  target_copy(&t, server);
  free(t.database);
  t.database = xstrdup(name);
  if (password) {
    free(t.password);
    t.password = xstrdup(password);
  }
  if (conn_open(&conn, &t, c) != 0)
    conn = NULL;
  target_free(&t);
  return conn;
}

static void log_ins(void) {
  struct cause c = {0};
  struct conn *conn = another("there is no such database", NULL, &c);
  ok(!conn && c.number == 4060 && c.remedy[0], "a database that is not there is error 4060", &c);
  conn_close(conn);
  if (!server->user) {
    skipped("a wrong password is error 18456", "no SQL login");
    return;
  }
  conn = another("master", "not the password of anybody", &c);
  if (conn)
    skipped("a wrong password is error 18456", "the server takes any");
  else
    ok(c.number == 18456 && c.remedy[0], "a wrong password is error 18456", &c);
  conn_close(conn);
}

static void rights(void) {
  static const char what[] = "a right that is lacking is error 229";
  struct cause c = {0};
  struct conn *conn = another(database, NULL, &c);
  if (!conn || conn_exec(conn, "test/user", "CREATE USER rk_nobody WITHOUT LOGIN", &c) != 0 ||
      conn_exec(conn, "test/as", "EXECUTE AS USER = N'rk_nobody'", &c) != 0)
    skipped(what, "this server has no users without a login");
  else
    is_error(conn, 229, "SELECT * FROM dbo.history");
  conn_close(conn);
}

/* Two sessions, each with one row of its own, want the other's. */
struct rival {
  pthread_barrier_t *both; /* where each has its first row */
  int failed, number;
};

static int take_row_of(struct conn *conn, int id, struct cause *c) {
  char sql[120];
  snprintf(sql, sizeof sql, "UPDATE dbo.rk_rivals SET v = v + 1 WHERE id = %d", id);
  return conn_exec(conn, "test/rival", sql, c);
}

static void fight(struct conn *conn, struct rival *r, int first, int then) {
  struct cause c = {0};
  r->failed = !conn || conn_exec(conn, "test/begin", "BEGIN TRANSACTION", &c) != 0 || take_row_of(conn, first, &c) != 0;
  pthread_barrier_wait(r->both);
  if (!r->failed && take_row_of(conn, then, &c) != 0)
    r->number = c.number;
  if (conn)
    conn_exec(conn, "test/undo", "ROLLBACK TRANSACTION", NULL);
}

static void *fight_there(void *arg) {
  struct conn *conn = another(database, NULL, NULL);
  fight(conn, arg, 2, 1);
  conn_close(conn);
  return NULL;
}

static void deadlock(struct conn *conn) {
  pthread_barrier_t both;
  struct rival here = {.both = &both}, there = here;
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  if (!ok(pthread_create(&thread, NULL, fight_there, &there) == 0, "a second thread", NULL))
    return;
  fight(conn, &here, 1, 2);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&both);
  ok(!here.failed && !there.failed && here.number + there.number == 1205 && (here.number == 1205 || there.number == 1205),
     "of two that wait for each other one is a deadlock's victim (1205)", NULL);
}

static void rivals(struct conn *conn) {
  struct cause c = {0};
  if (!ok(conn_exec(conn, "test/rivals", "CREATE TABLE dbo.rk_rivals (id int NOT NULL PRIMARY KEY, v int NOT NULL)", &c) == 0 &&
            conn_exec(conn, "test/rivals", "INSERT INTO dbo.rk_rivals (id, v) VALUES (1, 0)", &c) == 0 &&
            conn_exec(conn, "test/rivals", "INSERT INTO dbo.rk_rivals (id, v) VALUES (2, 0)", &c) == 0,
          "a table for rivals", &c))
    return;
  struct conn *other = another(database, NULL, &c);
  int rc = other ? conn_exec(conn, "test/begin", "BEGIN TRANSACTION", &c) : -1;
  if (rc == 0 && take_row_of(conn, 1, &c) == 0 && conn_exec(other, "test/patience", "SET LOCK_TIMEOUT 300", &c) == 0)
    is_error(other, 1222, "UPDATE dbo.rk_rivals SET v = v + 1 WHERE id = 1");
  else
    ok(0, "a lock is waited for", &c);
  conn_exec(conn, "test/undo", "ROLLBACK TRANSACTION", NULL);
  conn_close(other);
  deadlock(conn);
}

/* ---- facts for scripts ---- */

static int print_facts(struct conn *master, struct seen *s, struct cause *c) {
  if (query(master, "server/identity", NULL, 0, s, c) != 0)
    return -1;
  printf("server %s\nedition %s\nversion %s\nengine_edition %" PRId64 "\nscale %" PRId64 "\n", s->text[0], s->text[3], s->text[4], s->col[2].i,
         s->col[11].type == VAL_INT ? s->col[11].i : 1);
  if (query(master, "server/reached", NULL, 0, s, c) != 0)
    return -1;
  printf("physical_mib %" PRId64 "\n", s->col[2].i / 1024);
  if (query(master, "server/lock_test", NULL, 0, s, c) != 0)
    return -1;
  printf("lock_free %" PRId64 "\n", s->col[0].i);
  return 0;
}

static int print_setting(struct conn *master, struct seen *s, struct cause *c) {
  if (query(master, "server/settings", NULL, 0, s, c) != 0)
    return -1;
  /* 0 and 2147483647 are the same limit, none; a floor in use of 0, 8 or 16 is none, too. */
  int64_t max = s->col[1].i ? s->col[1].i : 2147483647, min = s->col[4].i <= 16 ? 16 : s->col[4].i;
  printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", max, s->col[2].i, s->col[3].i, min, s->col[5].i);
  return 0;
}

/* A session that has just ended is seen for a moment still. */
static int drop(struct conn *master, struct cause *c) {
  char sql[100];
  int rc = -1;
  snprintf(sql, sizeof sql, "DROP DATABASE [%s]", database);
  for (int i = 0; i < 100; i++) {
    memset(c, 0, sizeof *c);
    rc = conn_exec(master, "test/drop", sql, c);
    if (rc == 0 || c->number != 3702)
      break;
    sleep_until_ns(mono_ns() + 100 * NS_PER_MS);
  }
  return rc;
}

static void tests(struct conn *master, struct seen *s) {
  struct cause c = {0};
  char sql[100];
  snprintf(sql, sizeof sql, "CREATE DATABASE [%s]", database);
  if (!ok(conn_exec(master, "test/create", sql, &c) == 0, "make a database", &c))
    return;
  struct conn *conn = another(database, NULL, &c);
  if (ok(conn != NULL, "log in to it", &c)) {
    statements(conn, s);
    parameters(conn, s);
    records(conn, s);
    bulk(conn, s);
    errors(conn);
    refused_sets(conn, s);
    log_ins();
    rights();
    rivals(conn);
    conn_close(conn);
  }
  ok(drop(master, &c) == 0, "drop the database", &c);
}

/* ---- options ---- */

struct args {
  struct connect_options connect;
  const char *mode;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &a->connect; break;
  case ARGP_KEY_ARG:
    if (a->mode || (strcmp(arg, "facts") != 0 && strcmp(arg, "setting") != 0))
      argp_error(state, "'%s' is neither facts nor setting", arg);
    a->mode = arg;
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const struct argp_child children[] = {{&connect_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.parser = parse, .args_doc = "[facts|setting]", .children = children};
  struct args a = {0};
  struct cause c = {0};
  struct target t = {0};
  struct conn *master = NULL;
  struct seen *s = xcalloc(1, sizeof *s);
  int rc = 1;
  signal(SIGPIPE, SIG_IGN);
  alarm(300); /* never hang */
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  if (a.connect.database)
    snprintf(database, sizeof database, "%s", a.connect.database);
  else
    snprintf(database, sizeof database, "ramknee_any_%" PRIx64, (uint64_t)wall_ns() ^ ((uint64_t)getpid() << 40));
  if (sqltext_init(&c) != 0 || connect_target(&a.connect, &t, &c) != 0 || server_init(&t, 8, &c) != 0) {
    printf("Bail out! %s\n", c.text);
    return 1;
  }
  server = &t;
  t.database = xstrdup("master");
  int open = conn_open(&master, &t, &c) == 0;
  if (!a.mode && ok(open, "log in", &c)) {
    tests(master, s);
    rc = 0;
  } else if (open) {
    rc = a.mode[0] == 'f' ? print_facts(master, s, &c) : print_setting(master, s, &c);
  }
  if (rc != 0 && c.text[0])
    fprintf(stderr, "%s\n", c.text);
  conn_close(master);
  server_done();
  target_free(&t);
  free(s);
  if (!a.mode)
    printf("1..%d\n", n_tests);
  return rc != 0;
}
