/* bench-bulk SERVER [ROWS]: rows a second of conn_bulk into dbo.history, one stream and two, beside freebcp with the same rows from a
 * file.  They take turns, each into an empty table of a database of its own, which is dropped at the end. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "server/conn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 3, BATCH = 10000, STREAMS_MAX = 2 };

static const char database[] = "rk_bench_bulk";
static const struct bulk_column columns[] = {
  {"h_c_w_id", P_INT, 0}, {"h_c_d_id", P_TINYINT, 0}, {"h_c_id", P_INT, 0}, {"h_n", P_INT, 0}, {"h_w_id", P_INT, 0}, {"h_d_id", P_TINYINT, 0},
  {"h_date", P_DATETIME, 0}, {"h_amount", P_DECIMAL, 2}, {"h_data", P_VARCHAR, 24},
};
static const struct bulk_table history = {.name = "dbo.history", .tablock = 1, .ncol = 9, .col = columns};

struct stream {
  const struct target *target;
  int64_t at, end, rows;
  struct cause cause;
  int rc;
};

static int next_row(void *arg, struct val *v, struct cause *c) {
  struct stream *s = arg;
  (void)c;
  if (s->at == s->end)
    return 0;
  int64_t i = s->at++;
  v[0] = v[4] = VAL_I(1 + i % 64);
  v[1] = v[5] = VAL_I(1 + i % 10);
  v[2] = VAL_I(1 + i % 3000);
  v[3] = VAL_I(i);
  v[6] = VAL_I(INT64_C(1700000000000) + i * 1000);
  v[7] = VAL_I(1000);
  v[8] = VAL_T("ABCDEFGHIJKL0123456789xy");
  return 1;
}

/* The same rows as freebcp reads them with -c. */
static int write_file(const char *path, int64_t rows, struct cause *c) {
  FILE *f = fopen(path, "we");
  if (!f)
    return cause_errno(c, STATUS_SETUP, errno, "cannot write %s", path);
  for (int64_t i = 0; i < rows; i++) {
    time_t t = (time_t)(INT64_C(1700000000) + i);
    struct tm tm;
    char when[40];
    gmtime_r(&t, &tm);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    fprintf(f, "%d\t%d\t%d\t%d\t%d\t%d\t%s\t10.00\tABCDEFGHIJKL0123456789xy\n", (int)(1 + i % 64), (int)(1 + i % 10), (int)(1 + i % 3000), (int)i,
            (int)(1 + i % 64), (int)(1 + i % 10), when);
  }
  return fclose(f) == 0 ? 0 : cause_errno(c, STATUS_SETUP, errno, "cannot write %s", path);
}

static int drop_and_make(struct conn *master, int make, struct cause *c) {
  enum { IN_USE = 3702 };
  struct cause why = {0};
  /* There may be none; and a server takes a moment to see that the sessions of the round before are gone. */
  for (int i = 0; i < 100 && conn_exec(master, "bench/drop", "DROP DATABASE [rk_bench_bulk]", &why) != 0 && why.number == IN_USE; i++)
    sleep_until_ns(mono_ns() + 100 * NS_PER_MS);
  return make ? conn_exec(master, "bench/create", "CREATE DATABASE [rk_bench_bulk]", c) : 0;
}

static int make_tables(const struct target *t, struct cause *c) {
  struct conn *conn;
  if (conn_open(&conn, t, c) != 0)
    return -1;
  int rc = conn_query(conn, "orders/tables", NULL, 0, NULL, NULL, c);
  conn_close(conn);
  return rc;
}

static void *load_stream(void *arg) {
  struct stream *s = arg;
  struct conn *conn = NULL;
  s->rc = conn_open(&conn, s->target, &s->cause);
  if (s->rc == 0)
    s->rc = conn_bulk(conn, &history, BATCH, next_row, s, &s->rows, &s->cause);
  conn_close(conn);
  return NULL;
}

static int load(const struct target *t, int64_t rows, int streams, struct cause *c) {
  struct stream s[STREAMS_MAX];
  pthread_t thread[STREAMS_MAX];
  for (int i = 0; i < streams; i++) {
    s[i] = (struct stream){.target = t, .at = rows * i / streams, .end = rows * (i + 1) / streams};
    pthread_create(&thread[i], NULL, load_stream, &s[i]);
  }
  int64_t sum = 0;
  int rc = 0;
  for (int i = 0; i < streams; i++) {
    pthread_join(thread[i], NULL);
    sum += s[i].rows;
    if (s[i].rc != 0 && rc == 0) {
      *c = s[i].cause;
      rc = -1;
    }
  }
  return rc == 0 && sum != rows ? cause_set(c, STATUS_INCOMPLETE, "%lld rows were acknowledged", (long long)sum) : rc;
}

static int run_freebcp(const struct target *t, const char *path, struct cause *c) {
  extern char **environ;
  char server[80], batch[16];
  snprintf(server, sizeof server, "%s:%d", t->host, t->port);
  snprintf(batch, sizeof batch, "%d", BATCH);
  char *argv[] = {(char[]){"freebcp"}, (char[]){"rk_bench_bulk.dbo.history"}, (char[]){"in"}, (char *)(uintptr_t)path, (char[]){"-S"}, server,
                  (char[]){"-U"}, (char[]){"sa"}, (char[]){"-P"}, (char[]){"x"}, (char[]){"-c"}, (char[]){"-b"}, batch, (char[]){"-h"},
                  (char[]){"TABLOCK"}, NULL};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  int status = 0, rc = posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (rc != 0)
    return cause_errno(c, STATUS_SETUP, rc, "cannot start freebcp");
  if (waitpid(pid, &status, 0) != pid || status != 0)
    return cause_set(c, STATUS_INCOMPLETE, "freebcp ended with status %d", WEXITSTATUS(status));
  return 0;
}

/* Rows a second of one way: streams 0 is freebcp.  0 when it failed. */
static double one_way(struct conn *master, const struct target *t, int64_t rows, int streams, const char *path, struct cause *c) {
  if (drop_and_make(master, 1, c) != 0 || make_tables(t, c) != 0)
    return 0;
  int64_t begin = mono_ns();
  if ((streams ? load(t, rows, streams, c) : run_freebcp(t, path, c)) != 0)
    return 0;
  return (double)rows * 1e9 / (double)(mono_ns() - begin);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int rounds(struct conn *master, const struct target *t, int64_t rows, const char *path, struct cause *c) {
  double rate[STREAMS_MAX + 1][ROUNDS];
  for (int i = 0; i < ROUNDS; i++)
    for (int streams = 0; streams <= STREAMS_MAX; streams++)
      if ((rate[streams][i] = one_way(master, t, rows, streams, path, c)) <= 0)
        return -1;
  for (int streams = 0; streams <= STREAMS_MAX; streams++)
    qsort(rate[streams], ROUNDS, sizeof **rate, by_value);
  double bcp = rate[0][ROUNDS / 2], one = rate[1][ROUNDS / 2], two = rate[2][ROUNDS / 2];
  printf("bulk: %.0f rows/s in one stream, freebcp %.0f, ratio %.2f (want 0.80 at least); two streams %.0f, %.2f of one; median of %d rounds of %lld rows\n",
         one, bcp, one / bcp, two, two / one, ROUNDS, (long long)rows);
  return 0;
}

static int run(const char *server, int64_t rows, struct cause *c) {
  struct target t;
  struct conn *master = NULL;
  if (target_parse(&t, server, c) != 0)
    return -1;
  t.user = xstrdup("sa");
  t.password = xstrdup("x");
  if (server_init(&t, 8, c) != 0 || conn_open(&master, &t, c) != 0)
    return -1;
  t.database = xstrdup(database);
  const char *tmp = getenv("TMPDIR");
  char *path = xprintf("%s/ramknee-bench-%d.tsv", tmp ? tmp : "/tmp", (int)getpid());
  int rc = write_file(path, rows, c) == 0 ? rounds(master, &t, rows, path, c) : -1;
  unlink(path);
  free(path);
  drop_and_make(master, 0, NULL);
  conn_close(master);
  server_done();
  target_free(&t);
  return rc;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  int64_t rows = 100000;
  signal(SIGPIPE, SIG_IGN);
  log_name("bench-bulk");
  if (argc < 2 || argc > 3 || (argc == 3 && int_parse(argv[2], "rows", 1000, 100000000, &rows, &c) != 0))
    return 1;
  if (sqltext_init(&c) == 0 && run(argv[1], rows, &c) == 0)
    return 0;
  say_cause(&c);
  return 1;
}
