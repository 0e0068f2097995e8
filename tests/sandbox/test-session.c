#include "config.h"

/* The session layer through the front door and db-lib, against a sandbox of the test's own. */

#include "base/clock.h"
#include "base/file.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/sandbox_child.h"
#include "server/conn.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char home[] = "/var/tmp/ramknee-test-XXXXXX";
static struct sandbox_child sandbox;
static struct target target;

static void start(void) {
  struct cause c;
  static const char *const options[] = {"--name", "session", NULL};
  const char *top = getenv("top_builddir");
  char *program = xprintf("%s/ramknee-sandbox", top ? top : ".");
  cr_assert_not_null(mkdtemp(home));
  setenv("XDG_STATE_HOME", home, 1);
  setenv("RAMKNEE_SANDBOX", program, 1);
  free(program);
  cr_assert_eq(sqltext_init(&c), 0);
  cr_assert_eq(sandbox_child_start(&sandbox, options, &c), 0, "%s", c.text);
  cr_assert_eq(target_parse(&target, "sandbox:session", &c), 0, "%s", c.text);
  target.user = xstrdup("sa");
  target.password = xstrdup("");
  cr_assert_eq(server_init(&target, 20, &c), 0, "%s", c.text);
}

static void stop(void) {
  struct cause c;
  server_done();
  cr_expect_eq(sandbox_child_stop(&sandbox, &c), 0, "%s", c.text);
  folder_remove(home, NULL);
}

TestSuite(session, .init = start, .fini = stop, .timeout = 120);

static struct conn *open_conn(void) {
  struct cause c;
  struct conn *k;
  cr_assert_eq(conn_open(&k, &target, &c), 0, "%s", c.text);
  return k;
}

static void exec(struct conn *k, const char *text) {
  struct cause c;
  cr_assert_eq(conn_exec(k, "test/exec", text, &c), 0, "%s: %s", text, c.text);
}

/* The first value of a tagged statement's first row. */
static int take_first(void *arg, int result, const struct val *col, int ncol) {
  (void)result;
  (void)ncol;
  *(int64_t *)arg = col[0].i;
  return 0;
}

static int64_t first(struct conn *k, const char *tag) {
  struct cause c;
  int64_t v = -12345;
  cr_assert_eq(conn_query(k, tag, NULL, 0, take_first, &v, &c), 0, "%s: %s", tag, c.text);
  return v;
}

/* ---- an attention ends what the engine is doing ---- */

struct long_one {
  struct conn *k;
  const char *text;
  int rc;
  struct cause c;
};

static void *run_long(void *arg) {
  struct long_one *l = arg;
  l->rc = conn_exec(l->k, "test/long", l->text, &l->c);
  return NULL;
}

Test(session, an_attention_ends_a_statement) {
  struct long_one l = {.k = open_conn(), .text = "SELECT SLEEP(60);"};
  pthread_t t;
  int64_t from = mono_ns();
  pthread_create(&t, NULL, run_long, &l);
  sleep_until_ns(from + 500 * NS_PER_MS);
  conn_interrupt(l.k, 0);
  pthread_join(t, NULL);
  cr_expect_lt(mono_ns() - from, 30 * NS_PER_S, "it ran to its end");
  if (!conn_lost(l.k)) /* and the session goes on */
    exec(l.k, "USE master;");
  conn_close(l.k);
}

Test(session, a_client_that_hangs_up_leaves_nothing_behind) {
  struct conn *other = open_conn();
  struct cause c;
  exec(other, "CREATE TABLE tempdb.dbo.h (a int NOT NULL PRIMARY KEY, b int NOT NULL); INSERT tempdb.dbo.h VALUES (1, 1);");
  struct long_one l = {.k = open_conn(), .text = "BEGIN TRAN; UPDATE tempdb.dbo.h SET b = 2 WHERE a = 1; SELECT SLEEP(100);"};
  pthread_t t;
  pthread_create(&t, NULL, run_long, &l);
  exec(other, "SET LOCK_TIMEOUT 100;");
  int64_t until = mono_ns() + 30 * NS_PER_S;
  int held;
  while (!(held = conn_exec(other, "test/held", "UPDATE tempdb.dbo.h SET b = 3 WHERE a = 1;", &c) != 0) && mono_ns() < until)
    sleep_until_ns(mono_ns() + 20 * NS_PER_MS);
  cr_expect(held, "the row is locked");
  conn_interrupt(l.k, 1);
  pthread_join(t, NULL);
  cr_expect_neq(l.rc, 0);
  conn_close(l.k);
  exec(other, "SET LOCK_TIMEOUT 30000; UPDATE tempdb.dbo.h SET b = 3 WHERE a = 1;");
  conn_close(other);
}

/* ---- errors of the engine with SQL Server's numbers ---- */

static pthread_barrier_t each_holds_one;

static void *cross(void *arg) {
  struct long_one *l = arg;
  exec(l->k, "BEGIN TRAN; UPDATE tempdb.dbo.d SET b = 2 WHERE a = 2;");
  pthread_barrier_wait(&each_holds_one);
  l->rc = conn_exec(l->k, "test/cross", "UPDATE tempdb.dbo.d SET b = 2 WHERE a = 1;", &l->c);
  conn_exec(l->k, "test/end", "COMMIT;", NULL);
  return NULL;
}

Test(session, a_deadlock_is_1205_and_ends_the_transaction) {
  struct conn *a = open_conn();
  struct long_one l = {.k = open_conn()};
  struct cause c = {0};
  pthread_t t;
  exec(a, "CREATE TABLE tempdb.dbo.d (a int NOT NULL PRIMARY KEY, b int NOT NULL); INSERT tempdb.dbo.d VALUES (1, 1), (2, 1);");
  exec(a, "BEGIN TRAN; UPDATE tempdb.dbo.d SET b = 3 WHERE a = 1;");
  pthread_barrier_init(&each_holds_one, NULL, 2);
  pthread_create(&t, NULL, cross, &l);
  pthread_barrier_wait(&each_holds_one);
  int rc = conn_exec(a, "test/cross", "UPDATE tempdb.dbo.d SET b = 3 WHERE a = 2;", &c);
  if (rc == 0)
    exec(a, "COMMIT;");
  pthread_join(t, NULL);
  cr_expect((rc != 0) != (l.rc != 0), "one of the two is the victim");
  cr_expect_eq(rc ? c.number : l.c.number, 1205);
  struct conn *victim = rc ? a : l.k;
  cr_expect_not(conn_lost(victim));
  cr_expect_neq(conn_exec(victim, "test/none", "COMMIT;", &c), 0);
  cr_expect_eq(c.number, 3902, "its transaction is gone");
  conn_close(a);
  conn_close(l.k);
}

Test(session, a_lock_that_does_not_come_is_1222) {
  struct conn *a = open_conn(), *b = open_conn();
  struct cause c;
  exec(a, "CREATE TABLE tempdb.dbo.w (a int NOT NULL PRIMARY KEY, b int NOT NULL); INSERT tempdb.dbo.w VALUES (1, 1);");
  exec(a, "BEGIN TRAN; UPDATE tempdb.dbo.w SET b = 2 WHERE a = 1;");
  exec(b, "SET LOCK_TIMEOUT 500;");
  cr_expect_neq(conn_exec(b, "test/wait", "UPDATE tempdb.dbo.w SET b = 3 WHERE a = 1;", &c), 0);
  cr_expect_eq(c.number, 1222);
  exec(a, "ROLLBACK;");
  exec(b, "UPDATE tempdb.dbo.w SET b = 3 WHERE a = 1;");
  conn_close(a);
  conn_close(b);
}

Test(session, errors_have_the_numbers_of_a_server) {
  static const struct { const char *text; int number; } of[] = {
    {"SELECT * FROM nix;", 208},
    {"SELECT nix FROM sys.databases;", 207},
    {"EXEC nix;", 2812},
    {"SELEKT 1;", 2812},
    {"SELECT 1 FROM;", 102},
    {"SELECT 'abc", 105},
    {"USE nix;", 911},
    {"DROP DATABASE nix;", 3701},
    {"DROP DATABASE master;", 3708},
    {"CREATE DATABASE sys;", 1801},
    {"COMMIT;", 3902},
    {"ROLLBACK;", 3903},
    {"SET NIX ON;", 195},
    {"SELECT @nix;", 137},
    {"DECLARE @x int;", 40510},
    {"ALTER DATABASE nix SET RECOVERY SIMPLE;", 5011},
    {"INSERT tempdb.dbo.e VALUES (1, 'x');", 2627},
    {"INSERT tempdb.dbo.e VALUES (NULL, 'x');", 515},
    {"INSERT tempdb.dbo.e VALUES (2, 'longer');", 8152},
    {"INSERT tempdb.dbo.e VALUES (99999999999, 'x');", 8115},
    {"CREATE TABLE tempdb.dbo.e (a int);", 2714},
    {"DROP TABLE tempdb.dbo.nix;", 3701},
  };
  struct conn *k = open_conn();
  exec(k, "CREATE TABLE tempdb.dbo.e (a int NOT NULL PRIMARY KEY, b varchar(3)); INSERT tempdb.dbo.e VALUES (1, 'x');");
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    struct cause c = {0};
    cr_expect_neq(conn_exec(k, "test/error", of[i].text, &c), 0, "%s", of[i].text);
    cr_expect_eq(c.number, of[i].number, "%s gave %d: %s", of[i].text, c.number, c.text);
    cr_assert_not(conn_lost(k), "%s", of[i].text);
  }
  conn_close(k);
}

Test(session, a_changed_statement_is_refused) {
  struct conn *k = open_conn();
  struct cause c;
  cr_expect_neq(conn_exec(k, "server/settings", "SELECT 1;", &c), 0);
  cr_expect_not_null(strstr(c.text, "another text of ramknee:server/settings"), "%s", c.text);
  conn_close(k);
}

/* ---- the lock, and compare and set ---- */

Test(session, the_lock_is_one_session_s_and_goes_with_it) {
  struct conn *a = open_conn(), *b = open_conn();
  cr_expect_eq(first(a, "server/lock_test"), 1);
  cr_expect_eq(first(a, "server/lock"), 0);
  cr_expect_eq(first(b, "server/lock"), -1);
  cr_expect_eq(first(b, "server/lock_test"), 0);
  conn_close(a);
  int64_t until = mono_ns() + 10 * NS_PER_S;
  while (first(b, "server/lock") != 0 && mono_ns() < until)
    sleep_until_ns(mono_ns() + 20 * NS_PER_MS);
  cr_expect_eq(first(b, "server/lock"), 0);
  conn_close(b);
}

static int set(struct conn *k, const char *server, int64_t expect_max, int64_t max, struct cause *c) {
  struct val p[5] = {VAL_T(server), VAL_I(expect_max), VAL_I(0), VAL_I(max), VAL_I(0)};
  int64_t got = 0;
  cause_clear(c);
  int rc = conn_query(k, "server/set", p, 5, take_first, &got, c);
  return rc == 0 ? (int)got : -1;
}

Test(session, setting_compares_first) {
  static const char me[] = "SANDBOX-SESSION";
  struct conn *k = open_conn();
  struct cause c;
  cr_expect_eq(set(k, "ANOTHER", 2147483647, 16384, &c), -1);
  cr_expect_eq(c.number, 50002);
  cr_expect_eq(set(k, me, 4096, 16384, &c), -1);
  cr_expect_eq(c.number, 50004);
  cr_expect_eq(set(k, me, 2147483647, 16384, &c), 16384);
  cr_expect_eq(set(k, me, 16384, 100, &c), -1, "below 128 MB");
  cr_expect_eq(c.number, 15129);
  cr_expect_eq(set(k, me, 16384, 8192, &c), 8192, "and it is left as it was");
  exec(k, "BEGIN TRAN;");
  cr_expect_eq(set(k, me, 8192, 4096, &c), -1);
  cr_expect_eq(c.number, 50001);
  exec(k, "ROLLBACK;");
  exec(k, "EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max degree of parallelism', 4;");
  cr_expect_eq(set(k, me, 8192, 4096, &c), -1);
  cr_expect_eq(c.number, 50003, "somebody's option waits");
  exec(k, "RECONFIGURE;");
  cr_expect_eq(set(k, me, 8192, 0, &c), 2147483647, "0 is no limit");
  conn_close(k);
}

/* ---- procedures that the front door answers ---- */

Test(session, procedures_of_the_front_door) {
  static const struct proc_param us = {.name = "@us", .type = P_INT};
  static const struct proc null = {.name = "dbo.rk_null"}, delay = {.name = "dbo.rk_delay", .nparam = 1, .param = &us},
                           none = {.name = "dbo.rk_none"};
  struct conn *k = open_conn();
  struct cause c = {0};
  struct val v = VAL_I(20000);
  cr_expect_eq(conn_call(k, &null, NULL, &c), DONE);
  int64_t from = mono_ns();
  cr_expect_eq(conn_call(k, &delay, &v, &c), DONE);
  cr_expect_geq(mono_ns() - from, 20 * NS_PER_MS);
  cr_expect_eq(conn_call(k, &none, NULL, &c), FAILED);
  cr_expect_eq(c.number, 2812);
  conn_close(k);
}
