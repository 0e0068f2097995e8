#include "config.h"

#include "stand-in.h"

#include "base/clock.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void start(void) {
  stand_in_start(8);
}

#define FIXTURE .init = start, .fini = stand_in_stop, .timeout = 60

/* ---- log-in ---- */

Test(open, logs_in_and_sends_the_set_batch, FIXTURE) {
  struct conn *conn = stand_in_conn();
  cr_assert_str_eq(stand_in.tag, "server/session");
  cr_assert_eq(conn_calls(conn), 1);
  cr_assert_eq(conn_lost(conn), 0);
  conn_close(conn);
  conn_close(NULL);
}

Test(open, a_refused_log_in_has_the_servers_number_and_no_password, FIXTURE) {
  const int numbers[] = {18456, 4060, 17803};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct conn *conn = NULL;
    struct cause c = {0};
    stand_in.login_number = numbers[i];
    cr_assert_eq(conn_open(&conn, &stand_in_target, &c), -1);
    cr_assert_null(conn);
    cr_assert_eq(c.number, numbers[i], "%d: %s", c.number, c.text);
    cr_assert_eq(c.status, STATUS_SETUP);
    cr_assert(strstr(c.text, "'sa'") && c.remedy[0], "%s", c.text);
    cr_assert(!strstr(c.text, "secret") && !strstr(c.remedy, "secret"));
  }
}

Test(open, another_target_than_that_of_server_init_is_refused, FIXTURE) {
  struct target t;
  struct conn *conn = NULL;
  struct cause c = {0};
  target_copy(&t, &stand_in_target);
  t.port++;
  cr_assert_eq(conn_open(&conn, &t, &c), -1);
  cr_assert(c.text[0]);
  target_free(&t);
}

Test(open, what_freetds_would_cut_is_refused, FIXTURE) {
  struct target t;
  struct conn *conn = NULL;
  struct cause c = {0};
  char word[200];
  memset(word, 'p', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  target_copy(&t, &stand_in_target);
  free(t.password);
  t.password = xstrdup(word);
  cr_assert_eq(conn_open(&conn, &t, &c), -1);
  cr_assert(strstr(c.text, "password is longer") && !strstr(c.text, "ppp"), "%s", c.text);
  target_free(&t);
}

/* What stands at the other end of a target: nothing, a listener that never answers, one that hangs up. */
static int listening(int *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof a;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&a, n) == 0 && listen(fd, 8) == 0 && getsockname(fd, (struct sockaddr *)&a, &n) == 0);
  *port = ntohs(a.sin_port);
  return fd;
}

static void open_fails(int port, enum encrypt encrypt, const char *words) {
  struct target t;
  struct conn *conn = NULL;
  struct cause c = {0};
  char name[40];
  snprintf(name, sizeof name, "127.0.0.1:%d", port);
  cr_assert_eq(target_parse(&t, name, &c), 0);
  t.user = xstrdup("sa");
  t.password = xstrdup("x");
  t.encrypt = encrypt;
  t.login_timeout_s = 2;
  cr_assert_eq(server_init(&t, 2, &c), 0, "%s", c.text);
  cr_assert_eq(conn_open(&conn, &t, &c), -1);
  cr_assert(strstr(c.text, words), "'%s' is not in '%s'", words, c.text);
  cr_assert(c.remedy[0], "%s", c.text);
  target_free(&t);
}

Test(open, nobody_listens, FIXTURE) {
  int port, fd = listening(&port);
  close(fd);
  open_fails(port, ENCRYPT_REQUIRE, "connection refused");
}

Test(open, a_silent_listener_is_given_up_in_time, FIXTURE) {
  int port, fd = listening(&port);
  int64_t begin = mono_ns();
  open_fails(port, ENCRYPT_REQUIRE, "did not answer within 2 s");
  cr_assert_lt(mono_ns() - begin, 20 * NS_PER_S);
  close(fd);
}

static void *hang_up(void *arg) {
  int fd, *listener = arg;
  while ((fd = accept(*listener, NULL, NULL)) >= 0)
    close(fd);
  return NULL;
}

Test(open, a_listener_that_hangs_up, FIXTURE) {
  int port, fd = listening(&port);
  pthread_t thread;
  pthread_create(&thread, NULL, hang_up, &fd);
  open_fails(port, ENCRYPT_REQUIRE, "closes the connection before the log-in");
  shutdown(fd, SHUT_RDWR);
  pthread_join(thread, NULL);
  close(fd);
}

static void *talk_http(void *arg) {
  int fd, *listener = arg;
  char buf[512];
  while ((fd = accept(*listener, NULL, NULL)) >= 0) {
    if (recv(fd, buf, sizeof buf, 0) > 0)
      send(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, MSG_NOSIGNAL);
    close(fd);
  }
  return NULL;
}

Test(open, something_else_listens, FIXTURE) {
  int port, fd = listening(&port);
  pthread_t thread;
  pthread_create(&thread, NULL, talk_http, &fd);
  open_fails(port, ENCRYPT_REQUIRE, "is no SQL Server");
  shutdown(fd, SHUT_RDWR);
  pthread_join(thread, NULL);
  close(fd);
}

Test(open, a_server_without_encryption_is_refused_when_it_is_required, FIXTURE) {
  open_fails(listener_port(stand_in_listener), ENCRYPT_REQUIRE, "offers no encryption");
}

Test(open, a_certificate_file_that_is_not_there, FIXTURE) {
  struct cause c = {0};
  stand_in_target.ca_file = xstrdup("/nonexistent/ca.pem");
  cr_assert_eq(server_init(&stand_in_target, 2, &c), -1);
  cr_assert(strstr(c.text, "/nonexistent/ca.pem") && c.remedy[0], "%s", c.text);
}

Test(open, too_many_connections_for_the_limit_of_files, FIXTURE) {
  struct cause c = {0};
  cr_assert_eq(server_init(&stand_in_target, 2000000000, &c), -1); /* more than a kernel allows even root */
  cr_assert(strstr(c.text, "open files") && c.remedy[0], "%s", c.text);
}

/* ---- statements ---- */

struct seen {
  int rows;
  int64_t max;
  char name[200];
  int name_len, replica_type, stop;
};

static int on_settings(void *arg, int result, const struct val *v, int n) {
  struct seen *s = arg;
  cr_assert_eq(result, 0);
  cr_assert_eq(n, 7);
  cr_assert_eq(v[0].type, VAL_NULL);
  cr_assert_eq(v[2].i, -2);
  cr_assert_eq(v[4].i, -4); /* smallint */
  cr_assert_eq(v[5].i, 1);  /* bit */
  cr_assert_eq(v[6].i, -6); /* bigint */
  s->max = v[1].i;
  s->rows++;
  return s->stop;
}

static int settings(struct conn *conn, enum mode mode, struct seen *s, struct cause *c) {
  stand_in.mode = mode;
  memset(s, 0, sizeof *s);
  memset(c, 0, sizeof *c);
  return conn_query(conn, "server/settings", NULL, 0, on_settings, s, c);
}

Test(query, rows_come_as_values, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct seen s;
  struct cause c;
  cr_assert_eq(settings(conn, HONEST, &s, &c), 0, "%s", c.text);
  cr_assert_eq(s.rows, 1);
  cr_assert_eq(s.max, 2147483647);
  conn_close(conn);
}

Test(query, answers_of_another_shape_are_refused_and_the_connection_stays, FIXTURE) {
  static const struct { enum mode mode; const char *words; } cases[] = {
    {WRONG_NAME, "'max_in_use'"}, {WRONG_KIND, "(real) where 'min_mb' (int)"}, {FEWER_COLUMNS, "6 columns instead of 7"},
    {MORE_RESULTS, "more result sets"}, {NO_RESULT, "0 result sets instead of 1"}, {NULL_IN_ROW, "NULL in column 'max_mb'"},
  };
  struct conn *conn = stand_in_conn();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct seen s;
    struct cause c;
    cr_assert_eq(settings(conn, cases[i].mode, &s, &c), -1);
    cr_assert(strstr(c.text, cases[i].words) && strstr(c.text, "server/settings"), "'%s' is not in '%s'", cases[i].words, c.text);
    cr_assert_eq(conn_lost(conn), 0);
    cr_assert_eq(settings(conn, HONEST, &s, &c), 0, "after '%s': %s", cases[i].words, c.text);
  }
  conn_close(conn);
}

Test(query, the_first_error_counts_and_is_explained, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct seen s;
  struct cause c;
  cr_assert_eq(settings(conn, ERROR_FIRST, &s, &c), -1);
  cr_assert_eq(c.number, 229);
  cr_assert(strstr(c.text, "lacks a right") && strstr(c.text, "configurations") && c.remedy[0], "%s", c.text);
  cr_assert_eq(settings(conn, ERROR_AFTER_ROW, &s, &c), -1);
  cr_assert_eq(c.number, 701);
  cr_assert_eq(s.rows, 1);
  cr_assert_eq(settings(conn, HONEST, &s, &c), 0, "%s", c.text);
  conn_close(conn);
}

Test(query, a_long_message_is_cut_at_a_character, FIXTURE) {
  struct conn *conn = stand_in_conn();
  for (int i = 0; i < 2; i++) { /* the cut falls on either byte */
    struct cause c = {0};
    cr_assert_eq(conn_exec(conn, "load/x", "long", &c), -1);
    cr_assert_eq(c.number, 50000);
    const char *first = strchr(c.text, '\xC3');
    cr_assert(first && strlen(first) > 300, "%s", c.text);
    for (const char *p = first; *p; p += 2)
      cr_assert(p[0] == '\xC3' && p[1] == '\xA9', "%s", p);
  }
  conn_close(conn);
}

Test(query, the_callback_may_stop_it, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct seen s = {.stop = 1};
  struct cause c = {0};
  stand_in.mode = TRICKLE;
  cr_assert_eq(conn_query(conn, "server/settings", NULL, 0, on_settings, &s, &c), 0, "%s", c.text);
  cr_assert_eq(s.rows, 1);
  cr_assert_eq(settings(conn, HONEST, &s, &c), 0, "%s", c.text);
  conn_close(conn);
}

static int on_database(void *arg, int result, const struct val *v, int n) {
  struct seen *s = arg;
  (void)result, (void)n;
  s->rows++;
  s->name_len = v[1].type == VAL_TEXT ? v[1].len : -1;
  if (v[1].type == VAL_TEXT)
    snprintf(s->name, sizeof s->name, "%s", v[1].p);
  s->replica_type = v[8].type;
  cr_assert_eq(v[2].type, VAL_TEXT); /* an empty text is no NULL */
  cr_assert_eq(v[2].len, 0);
  cr_assert_eq(v[2].p[0], '\0');
  return 0;
}

Test(query, parameters_travel_whole, FIXTURE) {
  const char *texts[] = {"ramknee_orders", "Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x98\x80", " a'b\"c] -- ", "x"};
  struct conn *conn = stand_in_conn();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct seen s = {0};
    struct cause c = {0};
    struct val v = VAL_T(texts[i]);
    cr_assert_eq(conn_query(conn, "server/database", &v, 1, on_database, &s, &c), 0, "%s", c.text);
    cr_assert_str_eq(s.name, texts[i]);
    cr_assert_eq(s.name_len, (int)strlen(texts[i]));
    cr_assert_eq(s.replica_type, VAL_NULL);
  }
  conn_close(conn);
}

Test(query, null_arrives_as_null_and_an_empty_text_is_refused, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct seen s = {0};
  struct cause c = {0};
  struct val null = {.type = VAL_NULL}, empty = VAL_T("");
  cr_assert_eq(conn_query(conn, "server/database", &null, 1, on_database, &s, &c), -1);
  cr_assert(strstr(c.text, "NULL in column 'name'"), "%s", c.text);
  cr_assert_eq(conn_query(conn, "server/database", &empty, 1, on_database, &s, &c), -1);
  cr_assert(strstr(c.text, "empty") && strstr(c.text, "@db"), "%s", c.text);
  struct val v = VAL_T("x");
  cr_assert_eq(conn_query(conn, "server/database", &v, 1, on_database, &s, &c), 0, "%s", c.text);
  conn_close(conn);
}

Test(query, a_text_that_would_be_cut_is_refused, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  char *text = xmalloc(4002);
  memset(text, 'x', 4001);
  text[4001] = '\0';
  struct val v = VAL_T(text);
  cr_assert_eq(conn_query(conn, "server/journal_write", &v, 1, NULL, NULL, &c), -1);
  cr_assert(strstr(c.text, "too long"), "%s", c.text);
  v.len = 4000;
  cr_assert_eq(conn_query(conn, "server/journal_write", &v, 1, NULL, NULL, &c), 0, "%s", c.text);
  free(text);
  conn_close(conn);
}

Test(query, our_own_mistakes_are_named, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  cr_assert_eq(conn_query(conn, "server/nonsense", NULL, 0, NULL, NULL, &c), -1);
  cr_assert(strstr(c.text, "server/nonsense"));
  cr_assert_eq(conn_query(conn, "server/database", NULL, 0, NULL, NULL, &c), -1);
  cr_assert(strstr(c.text, "1 parameters, not 0"), "%s", c.text);
  conn_close(conn);
}

Test(exec, goes_out_under_its_tag, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  cr_assert_eq(conn_exec(conn, "load/create", "CREATE DATABASE [a%b]", &c), 0, "%s", c.text);
  cr_assert_str_eq(stand_in.text, "/* ramknee:load/create */\nCREATE DATABASE [a%b]");
  conn_close(conn);
}

Test(exec, an_error_in_the_middle_of_a_batch_counts, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  cr_assert_eq(conn_exec(conn, "load/x", "middle", &c), -1);
  cr_assert_eq(c.number, 2627, "%d: %s", c.number, c.text);
  cr_assert_eq(conn_exec(conn, "load/x", "fine", &c), 0, "%s", c.text);
  conn_close(conn);
}

/* ---- silence, length, interrupts, loss ---- */

Test(silence, ends_the_call_and_leaves_the_connection, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct seen s;
  struct cause c;
  conn_patience(conn, 1);
  cr_assert_eq(settings(conn, SILENT, &s, &c), -1);
  cr_assert_eq(c.number, 20003, "%d: %s", c.number, c.text);
  cr_assert(strstr(c.text, "said nothing for 1 s"), "%s", c.text);
  cr_assert_eq(stand_in.cancelled, 1);
  cr_assert_eq(conn_lost(conn), 0);
  cr_assert_eq(settings(conn, HONEST, &s, &c), 0, "%s", c.text);
  conn_close(conn);
}

Test(silence, a_reply_that_trickles_ends_by_elapsed_time, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct seen s;
  struct cause c;
  conn_patience(conn, 1);
  int64_t begin = mono_ns();
  cr_assert_eq(settings(conn, TRICKLE, &s, &c), -1);
  cr_assert(strstr(c.text, "took longer than 4 s"), "%s", c.text);
  cr_assert_gt(s.rows, 1);
  cr_assert_gt(mono_ns() - begin, 3 * NS_PER_S);
  cr_assert_eq(settings(conn, HONEST, &s, &c), 0, "%s", c.text);
  conn_close(conn);
}

struct stopper {
  struct conn *conn;
  int hard;
};

static void *stop_later(void *arg) {
  struct stopper *s = arg;
  sleep_until_ns(mono_ns() + 300 * NS_PER_MS);
  conn_interrupt(s->conn, s->hard);
  return NULL;
}

static const struct proc silent = {.name = "dbo.rk_silent"}, fine = {.name = "dbo.rk_ok"};

Test(interrupt, from_another_thread_ends_a_call, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct stopper s = {conn, 0};
  struct cause c = {0};
  pthread_t t;
  pthread_create(&t, NULL, stop_later, &s);
  cr_assert_eq(conn_call(conn, &silent, NULL, &c), FAILED);
  cr_assert(strstr(c.text, "told to stop"), "%s", c.text);
  pthread_join(t, NULL);
  cr_assert_eq(conn_call(conn, &fine, NULL, &c), DONE, "%s", c.text);
  conn_close(conn);
}

Test(interrupt, hard_cuts_the_connection, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct stopper s = {conn, 1};
  struct cause c = {0};
  pthread_t t;
  pthread_create(&t, NULL, stop_later, &s);
  cr_assert_eq(conn_call(conn, &silent, NULL, &c), LOST);
  cr_assert(c.text[0]);
  pthread_join(t, NULL);
  cr_assert(conn_lost(conn));
  cr_assert_eq(conn_call(conn, &fine, NULL, &c), LOST);
  cr_assert_eq(conn_exec(conn, "load/x", "fine", &c), -1);
  conn_close(conn);
}

static void *drop_later(void *arg) {
  (void)arg;
  sleep_until_ns(mono_ns() + 300 * NS_PER_MS);
  listener_shut(stand_in_listener);
  return NULL;
}

Test(loss, a_server_that_goes_away_is_lost_in_a_call_and_between_calls, FIXTURE) {
  struct conn *conn = stand_in_conn(), *idle = stand_in_conn();
  struct cause c = {0};
  struct seen s;
  pthread_t t;
  pthread_create(&t, NULL, drop_later, NULL);
  cr_assert_eq(conn_call(conn, &silent, NULL, &c), LOST);
  cr_assert(strstr(c.text, "rk_silent") && c.remedy[0], "%s", c.text);
  pthread_join(t, NULL);
  cr_assert_eq(settings(idle, HONEST, &s, &c), -1);
  cr_assert(conn_lost(idle), "%s", c.text);
  conn_close(conn);
  conn_close(idle);
}

/* ---- procedure calls ---- */

Test(call, outcomes, FIXTURE) {
  static const struct { const char *name; enum outcome want; int number; } cases[] = {
    {"dbo.rk_ok", DONE, 0}, {"dbo.rk_rolled_back", ROLLED_BACK, 0}, {"dbo.rk_status", FAILED, 0}, {"dbo.rk_deadlock", DEADLOCK, 1205},
    {"dbo.rk_fail", FAILED, 9002}, {"dbo.rk_mixed", FAILED, 547}, {"dbo.rk_rows", DONE, 0}, {"dbo.rk_unknown", FAILED, 2812},
  };
  struct conn *conn = stand_in_conn();
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct proc p = {.name = cases[i].name};
      struct cause c = {0};
      cr_assert_eq(conn_call(conn, &p, NULL, &c), cases[i].want, "%s: %s", p.name, c.text);
      cr_assert_eq(c.number, cases[i].number, "%s: %d", p.name, c.number);
      cr_assert_eq(conn_call(conn, &p, NULL, NULL), cases[i].want);
      if (cases[i].want != DONE && cases[i].want != ROLLED_BACK)
        cr_assert(strstr(c.text, p.name), "%s", c.text);
    }
  cr_assert_eq(conn_lost(conn), 0);
  conn_close(conn);
}

enum { TYPES = 10 };
static const struct proc_param params[TYPES] = {
  {"@tiny", P_TINYINT, 0, 0}, {"@small", P_SMALLINT, 0, 0}, {"@int", P_INT, 0, 0}, {"@big", P_BIGINT, 0, 0}, {"@real", P_REAL8, 0, 0},
  {"@bit", P_BIT, 0, 0}, {"@text", P_VARCHAR, 40, 0}, {"@bin", P_VARBINARY, 20, 0}, {"@at", P_DATETIME, 0, 0}, {"@dec", P_DECIMAL, 2, 0},
};
static const struct proc types = {"dbo.rk_types", TYPES, params};

Test(call, arguments_of_every_type, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  const struct val v[TYPES] = {
    VAL_I(255), VAL_I(-32768), VAL_I(INT32_MIN), VAL_I(INT64_MIN), VAL_R(-1.5), VAL_I(1), VAL_T("caf\xC3\xA9"), VAL_B("\0\1\xFE", 3),
    VAL_T("2026-11-30 15:04:05.123"), VAL_T("-12.34"),
  };
  cr_assert_eq(conn_call(conn, &types, v, &c), DONE, "%s", c.text);
  const struct kept *a = stand_in.arg;
  cr_assert_eq(stand_in.narg, TYPES);
  cr_assert_eq(a[0].i, 255);
  cr_assert_eq(a[0].wire, W_TINYINT);
  cr_assert_eq(a[1].i, -32768);
  cr_assert_eq(a[1].wire, W_SMALLINT);
  cr_assert_eq(a[2].i, INT32_MIN);
  cr_assert_eq(a[2].wire, W_INT);
  cr_assert_eq(a[3].i, INT64_MIN);
  cr_assert_eq(a[3].wire, W_BIGINT);
  cr_assert_eq(a[4].r, -1.5);
  cr_assert_eq(a[5].i, 1);
  cr_assert_eq(a[5].wire, W_BIT);
  cr_assert_str_eq(a[6].p, "caf\xC3\xA9");
  cr_assert_eq(a[7].len, 3u);
  cr_assert_eq(memcmp(a[7].p, "\0\1\xFE", 3), 0);
  cr_assert(strncmp(a[8].p, "2026-11-30 15:04:05.123", 22) == 0, "%s", a[8].p);
  cr_assert_str_eq(a[9].p, "-12.34");
  conn_close(conn);
}

Test(call, null_of_every_type, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  const struct val v[TYPES] = {{.type = VAL_NULL}};
  cr_assert_eq(conn_call(conn, &types, v, &c), DONE, "%s", c.text);
  for (int i = 0; i < TYPES; i++)
    cr_assert_eq(stand_in.arg[i].type, F_NULL, "%s", params[i].name);
  conn_close(conn);
}

Test(call, times_and_decimals_in_their_forms, FIXTURE) {
  static const struct proc_param p[2] = {{"@at", P_DATETIME, 0, 0}, {"@dec", P_DECIMAL, 4, 0}};
  static const struct proc proc = {"dbo.rk_types", 2, p};
  static const struct { struct val at, dec; const char *at_text, *dec_text; } cases[] = {
    {{.type = VAL_INT, .i = 0}, {.type = VAL_INT, .i = 123456}, "1970-01-01 00:00:00", "12.3456"},
    {{.type = VAL_INT, .i = -1}, {.type = VAL_INT, .i = -1}, "1970-01-01 00:00:00", "-0.0001"}, /* to 1/300 s */
    {{.type = VAL_INT, .i = -10}, {.type = VAL_REAL, .r = 2.00005}, "1969-12-31 23:59:59.99", "2.0001"},
    {{.type = VAL_INT, .i = INT64_C(951782400000)}, {.type = VAL_REAL, .r = -0.5}, "2000-02-29 00:00:00", "-0.5"},
    {{.type = VAL_TEXT, .p = "1753-01-01", .len = 10}, {.type = VAL_TEXT, .p = "0.5", .len = 3}, "1753-01-01 00:00:00", "0.5"},
    {{.type = VAL_TEXT, .p = "9999-12-31T23:59:59", .len = 19}, {.type = VAL_TEXT, .p = "99999999999999.9999", .len = 19}, "9999-12-31 23:59:59",
     "99999999999999.9999"},
  };
  struct conn *conn = stand_in_conn();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct cause c = {0};
    const struct val v[2] = {cases[i].at, cases[i].dec};
    cr_assert_eq(conn_call(conn, &proc, v, &c), DONE, "%zu: %s", i, c.text);
    cr_assert_eq(strncmp(stand_in.arg[0].p, cases[i].at_text, strlen(cases[i].at_text)), 0, "%s: %s", cases[i].at_text, stand_in.arg[0].p);
    cr_assert_eq(strncmp(stand_in.arg[1].p, cases[i].dec_text, strlen(cases[i].dec_text)), 0, "%s: %s", cases[i].dec_text, stand_in.arg[1].p);
  }
  conn_close(conn);
}

Test(call, values_that_do_not_fit_are_refused_before_they_are_sent, FIXTURE) {
  static const struct { enum proc_type type; int size; struct val v; } bad[] = {
    {P_TINYINT, 0, {.type = VAL_INT, .i = 256}}, {P_TINYINT, 0, {.type = VAL_INT, .i = -1}}, {P_SMALLINT, 0, {.type = VAL_INT, .i = 32768}},
    {P_INT, 0, {.type = VAL_INT, .i = INT64_C(1) << 31}}, {P_BIT, 0, {.type = VAL_INT, .i = 2}}, {P_INT, 0, {.type = VAL_REAL, .r = 1}},
    {P_VARCHAR, 9, {.type = VAL_TEXT, .p = "", .len = 0}}, {P_VARCHAR, 9, {.type = VAL_BIN, .p = "x", .len = 1}},
    {P_VARBINARY, 9, {.type = VAL_BIN, .p = "", .len = 0}}, {P_VARBINARY, 9, {.type = VAL_TEXT, .p = "x", .len = 1}},
    {P_DATETIME, 0, {.type = VAL_TEXT, .p = "2026-13-01", .len = 10}}, {P_DATETIME, 0, {.type = VAL_TEXT, .p = "2026-1-1", .len = 8}},
    {P_DATETIME, 0, {.type = VAL_TEXT, .p = "2026-01-01 10:00", .len = 16}}, {P_DATETIME, 0, {.type = VAL_TEXT, .p = "1752-12-31", .len = 10}},
    {P_DATETIME, 0, {.type = VAL_INT, .i = INT64_MAX}}, {P_DATETIME, 0, {.type = VAL_REAL, .r = 1}},
    {P_DECIMAL, 2, {.type = VAL_TEXT, .p = "1.234", .len = 5}}, {P_DECIMAL, 2, {.type = VAL_TEXT, .p = "-", .len = 1}},
    {P_DECIMAL, 2, {.type = VAL_TEXT, .p = "1e5", .len = 3}}, {P_DECIMAL, 2, {.type = VAL_TEXT, .p = "99999999999999999", .len = 17}},
    {P_DECIMAL, 0, {.type = VAL_INT, .i = INT64_C(1000000000000000000)}}, {P_DECIMAL, 2, {.type = VAL_REAL, .r = 1e30}},
    {P_REAL8, 0, {.type = VAL_TEXT, .p = "1", .len = 1}},
  };
  struct conn *conn = stand_in_conn();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct proc_param p = {"@x", bad[i].type, bad[i].size, 0};
    struct proc proc = {"dbo.rk_types", 1, &p};
    struct cause c = {0};
    long before = stand_in.calls;
    cr_assert_eq(conn_call(conn, &proc, &bad[i].v, &c), FAILED, "%zu was taken", i);
    cr_assert(strstr(c.text, "@x"), "%s", c.text);
    cr_assert_eq(stand_in.calls, before);
  }
  struct cause c = {0};
  cr_assert_eq(conn_call(conn, &fine, NULL, &c), DONE, "%s", c.text);
  conn_close(conn);
}

Test(call, output_parameters, FIXTURE) {
  static const struct proc_param p[4] = {{"@o", P_INT, 0, 1}, {"@total", P_DECIMAL, 2, 1}, {"@t", P_VARCHAR, 20, 1}, {"@x", P_INT, 0, 0}};
  static const struct proc proc = {"dbo.rk_types", 4, p};
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  const struct val null[4] = {{.type = VAL_NULL}}, some[4] = {VAL_I(5), VAL_T("1.25"), VAL_T("abc"), VAL_I(7)};
  cr_assert_eq(conn_call(conn, &proc, null, &c), DONE, "%s", c.text);
  cr_assert_eq(stand_in.arg[1].wire, W_DECIMAL);
  cr_assert_eq(conn_call(conn, &proc, some, &c), DONE, "%s", c.text);
  cr_assert_eq(stand_in.arg[0].i, 5);
  cr_assert_eq(stand_in.arg[3].i, 7);
  conn_close(conn);
}

/* ---- bulk load ---- */

static const struct bulk_column columns[] = {
  {"id", P_INT, 0}, {"big", P_BIGINT, 0}, {"name", P_VARCHAR, 30}, {"bytes", P_VARBINARY, 20}, {"at", P_DATETIME, 0}, {"amount", P_DECIMAL, 2},
  {"ratio", P_REAL8, 0}, {"flag", P_BIT, 0},
};
static const struct bulk_table table = {.name = "dbo.t", .tablock = 1, .ncol = 8, .col = columns};

struct source {
  int64_t at, n, stop_at;
  int bad;
};

static int next_row(void *arg, struct val *row, struct cause *c) {
  struct source *s = arg;
  if (s->at == s->stop_at)
    return cause_set(c, STATUS_INCOMPLETE, "the source broke off");
  if (s->at == s->n)
    return 0;
  for (int i = 0; i < table.ncol; i++)
    row[i].type = VAL_NULL;
  row[0] = VAL_I(s->at);
  if (s->at != 1) { /* the second row is all NULL */
    row[1] = VAL_I(-s->at - (INT64_C(1) << 40));
    row[2] = VAL_T(s->bad ? "" : "some name");
    row[3] = VAL_B("\0\xFF", 2);
    row[4] = VAL_I(INT64_C(951782400000));
    row[5] = VAL_I(-1234);
    row[6] = VAL_R(0.25);
    row[7] = VAL_I(1);
  }
  s->at++;
  return 1;
}

Test(bulk, rows_arrive_as_they_were_given, FIXTURE) {
  struct conn *conn = stand_in_conn();
  struct source s = {.n = 1000, .stop_at = -1};
  struct cause c = {0};
  int64_t rows = 0;
  cr_assert_eq(conn_bulk(conn, &table, 300, next_row, &s, &rows, &c), 0, "%s", c.text);
  cr_assert_eq(rows, 1000);
  cr_assert_eq(stand_in.rows, 1000);
  cr_assert_eq(stand_in.commits, 4);
  const struct kept *r = stand_in.row[2], *null = stand_in.row[1];
  cr_assert_eq(r[0].i, 2);
  cr_assert_eq(r[1].i, -2 - (INT64_C(1) << 40));
  cr_assert_str_eq(r[2].p, "some name");
  cr_assert_eq(r[3].len, 2u);
  cr_assert_eq(strncmp(r[4].p, "2000-02-29 00:00:00", 19), 0, "%s", r[4].p);
  cr_assert_str_eq(r[5].p, "-12.34");
  cr_assert_eq(r[6].r, 0.25);
  cr_assert_eq(r[7].i, 1);
  for (int i = 1; i < 8; i++)
    cr_assert_eq(null[i].type, F_NULL, "column %d", i);
  struct seen seen;
  cr_assert_eq(settings(conn, HONEST, &seen, &c), 0, "%s", c.text);
  conn_close(conn);
}

Test(bulk, batches_at_the_edge_and_no_rows_at_all, FIXTURE) {
  const struct { int64_t n; int batch; long commits; } cases[] = {{0, 0, 0}, {0, 100, 0}, {100, 100, 1}, {200, 100, 2}, {7, 0, 1}, {1, 1, 1}};
  struct conn *conn = stand_in_conn();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct source s = {.n = cases[i].n, .stop_at = -1};
    struct cause c = {0};
    struct seen seen;
    int64_t rows = 99;
    stand_in.rows = stand_in.commits = 0;
    cr_assert_eq(conn_bulk(conn, &table, cases[i].batch, next_row, &s, &rows, &c), 0, "%zu: %s", i, c.text);
    cr_assert_eq(rows, cases[i].n);
    cr_assert_eq(stand_in.rows, cases[i].n);
    cr_assert_eq(stand_in.commits, cases[i].commits, "%zu: %ld", i, (long)stand_in.commits);
    cr_assert_eq(settings(conn, HONEST, &seen, &c), 0, "%zu: %s", i, c.text);
  }
  conn_close(conn);
}

static void bulk_fails(const struct bulk_table *t, struct source *s, const char *words, int64_t acknowledged) {
  struct conn *conn = stand_in_conn();
  struct cause c = {0};
  int64_t rows = 99;
  cr_assert_eq(conn_bulk(conn, t, 100, next_row, s, &rows, &c), -1);
  cr_assert(strstr(c.text, words), "'%s' is not in '%s'", words, c.text);
  cr_assert_eq(rows, acknowledged, "%ld", (long)rows);
  cr_assert(conn_lost(conn));
  conn_close(conn);
}

Test(bulk, failures_say_what_and_close_the_connection, FIXTURE) {
  struct source s = {.n = 1000, .stop_at = 250};
  bulk_fails(&table, &s, "the source broke off", 200);
  s = (struct source){.n = 1000, .stop_at = -1, .bad = 1};
  bulk_fails(&table, &s, "name is empty", 0);
  const struct bulk_table missing = {.name = "dbo.missing", .ncol = 8, .col = columns};
  s = (struct source){.n = 1000, .stop_at = -1};
  bulk_fails(&missing, &s, "208", 0);
  stand_in.rows = 0;
  stand_in.bulk_fails_at = 350;
  s = (struct source){.n = 1000, .stop_at = -1};
  bulk_fails(&table, &s, "1105", 300);
}
