/* bench-lateness [SERVER]: how late requests start, at half of the greatest rate that the drive reaches: with a mix that does nothing
 * (the drive's own cost), and, when a sandbox is named, with calls that its front door answers by itself.  At the whole rate requests
 * queue for users, and lateness says nothing about the client. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/inside.h"

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

static enum outcome nothing(struct conn *conn, const struct request *r, struct cause *c) {
  (void)conn, (void)r, (void)c;
  return DONE;
}

static enum outcome call(struct conn *conn, const struct request *r, struct cause *c) {
  static const struct proc_param p[] = {{"@user", P_BIGINT, 0, 0}, {"@seq", P_BIGINT, 0, 0}};
  static const struct proc proc = {"dbo.rk_null", 2, p};
  return conn_call(conn, &proc, r->arg, c);
}

static const char *const types[] = {"null"};
static const struct mix mixes[] = {{.name = "nothing", .ntype = 1, .type_name = types, .draw = draw, .run = nothing},
                                   {.name = "call", .ntype = 1, .type_name = types, .draw = draw, .run = call}};

static int no_open(struct conn **out, const struct target *t, struct cause *c) {
  static char conn;
  (void)t, (void)c;
  *out = (struct conn *)(void *)&conn;
  return 0;
}
static void no_close(struct conn *c) {
  (void)c;
}
static void no_interrupt(struct conn *c, int hard) {
  (void)c, (void)hard;
}
static int64_t no_calls(const struct conn *c) {
  (void)c;
  return 0;
}
static const struct drive_ops no_server = {no_open, no_close, no_interrupt, no_calls};
static const struct drive_ops server = {conn_open, conn_close, conn_interrupt, conn_calls};

struct seen {
  struct hist *late;
  int64_t from, done, max_us, overflow;
};

static void on_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t n) {
  struct seen *w = arg;
  if (s->phase != PHASE_MEASURE || s->second < w->from)
    return;
  w->done += s->done;
  w->overflow += s->ring_overflow;
  if (s->lateness_max_us != ABSENT && s->lateness_max_us > w->max_us)
    w->max_us = s->lateness_max_us;
  for (size_t i = 0; i < n; i++)
    if (row[i].what == HIST_LATENESS)
      hist_add(w->late, row[i].e.bucket, row[i].e.count);
}

/* Requests done a second with users that never wait. */
static double greatest_rate(struct drive *d, struct cause *c) {
  enum { SECONDS = 3 };
  struct drive_totals a, b;
  int64_t from = d->run_start_ns + drive_phase(d, PHASE_WARM, 1);
  sleep_until_ns(from + NS_PER_S);
  drive_totals(d, &a);
  sleep_until_ns(from + (1 + SECONDS) * NS_PER_S);
  drive_totals(d, &b);
  return drive_pause(d, c) != 0 ? -1 : (double)(b.done - a.done) / SECONDS;
}

/* More than any server answers; the rings hold five seconds of it. */
static const double most_rate = 100000;

static int at_half(const struct drive_ops *ops, const struct target *t, const struct mix *mix, int users, struct cause *c) {
  enum { SECONDS = 5 };
  struct seen seen = {.late = hist_new(), .from = INT64_MAX};
  struct drive *d = NULL;
  const struct mix_load load = {.mix = "null"};
  struct demand m = {.users = users, .seed = 1};
  int rc = drive_open_with(ops, &d, t, mix, &load, &m, mono_ns(), on_second, &seen, c);
  double most = rc == 0 ? greatest_rate(d, c) : -1;
  if (most > 0) {
    m.rate = most / 2 < most_rate ? most / 2 : most_rate;
    drive_demand(d, &m);
    int64_t from = drive_phase(d, PHASE_MEASURE, 1);
    seen.from = from / NS_PER_S + 1; /* the first second warms up */
    sleep_until_ns(d->run_start_ns + from + (1 + SECONDS) * NS_PER_S);
    rc = drive_pause(d, c);
    printf("lateness: %-7s %3d users: %8.0f a second at most; at %8.0f: p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms, max %.3f ms%s\n", mix->name,
           users, most, m.rate, hist_quantile_ms(seen.late, 0.5), hist_quantile_ms(seen.late, 0.99), hist_quantile_ms(seen.late, 0.999),
           (double)seen.max_us / 1e3, seen.overflow ? "; SAMPLES WERE LOST" : "");
  }
  drive_close(d);
  free(seen.late);
  return most > 0 ? rc : -1;
}

int main(int argc, char **argv) {
  struct cause c = {0};
  struct target t = {.query_timeout_s = 10};
  signal(SIGPIPE, SIG_IGN);
  log_name("bench-lateness");
  int rc = at_half(&no_server, &t, &mixes[0], 8, &c) == 0 ? at_half(&no_server, &t, &mixes[0], 64, &c) : -1;
  if (rc == 0 && argc > 1) {
    rc = sqltext_init(&c) != 0 || target_parse(&t, argv[1], &c) != 0 ? -1 : 0;
    if (rc == 0) {
      t.user = xstrdup("sa");
      t.password = xstrdup("");
      rc = server_init(&t, 64, &c) != 0 || at_half(&server, &t, &mixes[1], 8, &c) != 0 ? -1 : at_half(&server, &t, &mixes[1], 64, &c);
      server_done();
    }
    target_free(&t);
  }
  if (rc != 0)
    say_cause(&c);
  return rc != 0;
}
