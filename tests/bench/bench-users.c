/* bench-users SERVER [N]: resident memory of this process with N users (1,000), each a thread with a connection of its own, all of them
 * calling a procedure that the front door answers by itself. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/drive.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void draw(const struct mix_load *load, uint64_t seed, uint64_t user, uint64_t seq, struct request *r) {
  (void)load, (void)seed;
  r->type = 0;
  r->narg = 2;
  r->arg[0] = VAL_I((int64_t)user);
  r->arg[1] = VAL_I((int64_t)seq);
}

static enum outcome send_null(struct conn *conn, const struct request *r, struct cause *c) {
  static const struct proc_param p[] = {{"@user", P_BIGINT, 0, 0}, {"@seq", P_BIGINT, 0, 0}};
  static const struct proc proc = {"dbo.rk_null", 2, p};
  return conn_call(conn, &proc, r->arg, c);
}

static const char *const types[] = {"null"};
static const struct mix null_mix = {.name = "null", .title = "null calls", .ntype = 1, .type_name = types, .draw = draw, .run = send_null};

static void on_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t n) {
  (void)arg, (void)s, (void)row, (void)n;
}

/* A line of /proc/self/status in KiB: "VmRSS", "VmHWM". */
static long status_kib(const char *name) {
  FILE *f = fopen("/proc/self/status", "re");
  char line[200];
  long kib = -1;
  size_t n = strlen(name);
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, name, n) == 0 && line[n] == ':')
      kib = strtol(line + n + 1, NULL, 10);
  if (f)
    fclose(f);
  return kib;
}

static int run(const char *server, int users, struct cause *c) {
  struct target t;
  struct drive *d;
  struct drive_totals all;
  struct mix_load load = {.mix = "null"};
  struct demand demand = {.users = users, .think_s = 1, .seed = 1};
  long before = status_kib("VmRSS");
  if (target_parse(&t, server, c) != 0)
    return -1;
  t.user = xstrdup("sa");
  t.password = xstrdup("");
  int64_t begin = mono_ns();
  if (server_init(&t, users, c) != 0 || drive_open(&d, &t, &null_mix, &load, &demand, begin, on_second, NULL, c) != 0)
    return -1;
  double opened_s = (double)(mono_ns() - begin) / 1e9;
  drive_phase(d, PHASE_MEASURE, 1);
  sleep_until_ns(mono_ns() + 5 * NS_PER_S);
  long rss = status_kib("VmRSS");
  int rc = drive_pause(d, c);
  drive_totals(d, &all);
  drive_close(d);
  server_done();
  target_free(&t);
  if (rc != 0)
    return -1;
  if (all.failed || all.lost || all.done < users)
    return cause_set(c, STATUS_INCOMPLETE, "%lld calls done, %lld failed, %lld lost: %s", (long long)all.done, (long long)all.failed,
                     (long long)all.lost, all.first_error.text);
  const double mb = (double)rss / 1024, most = 150.0 * users / 1000;
  printf("users: %.1f MB resident with %d users, ratio %.2f of %.0f MB (want 1.00 at most); %.1f MB before, %.0f kB a user; opened in %.1f s, "
         "%lld calls in 5 s\n", mb, users, mb / most, most, (double)before / 1024, (double)(rss - before) / users, opened_s, (long long)all.done);
  return 0;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  int64_t users = 1000;
  signal(SIGPIPE, SIG_IGN);
  log_name("bench-users");
  if (argc < 2 || argc > 3 || (argc == 3 && int_parse(argv[2], "users", 1, 10000, &users, &c) != 0))
    return 1;
  if (sqltext_init(&c) == 0 && run(argv[1], (int)users, &c) == 0)
    return 0;
  say_cause(&c);
  return 1;
}
