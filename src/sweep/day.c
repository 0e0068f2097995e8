#include "config.h"

#include "sweep/day.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/here.h"
#include "sweep/observe.h"
#include "sweep/supervisor.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t look_ns = 250 * NS_PER_MS;
static const int64_t waits_ns = 60 * NS_PER_S;      /* between two looks at the waits */
static const int64_t plain_line_ns = 600 * NS_PER_S; /* between two lines without a terminal: a day has many seconds */

enum { OWN_CONNECTIONS = 6 };

struct waits {
  struct wait_row *row;
  size_t n;
};

struct day {
  struct observed observed;
  const struct day_options *o;
  struct target target; /* with the database that it is connected to */
  struct sample_scope scope;
  struct check_facts seen;
  struct here here;
  struct conn *conn; /* for the waits; NULL while it is lost */
  struct run *run;
  struct run_step *step;
  struct sampler *sampler;
  int64_t start_ns, shown_ns, waited_ns, lost_ns; /* monotonic; lost_ns 0: samples come */
  struct waits last, sum;

  pthread_mutex_t lock; /* for what the sampler's thread hands over */
  struct server_sample before, latest;
  int64_t samples;
};

/* ---- before it begins ---- */

static int take_database(void *arg, int result, const struct val *col, int ncol) {
  struct day *d = arg;
  enum { DATABASE_NAME = 8 };
  (void)result, (void)ncol;
  free(d->target.database);
  d->target.database = xstrdup(col[DATABASE_NAME].type == VAL_TEXT && col[DATABASE_NAME].len > 0 ? col[DATABASE_NAME].p : "master");
  return 0;
}

static int look(struct day *d, struct cause *c) {
  if (server_init(&d->target, OWN_CONNECTIONS, c) != 0 || conn_open(&d->conn, &d->target, c) != 0 ||
      conn_query(d->conn, "server/identity", NULL, 0, take_database, d, c) != 0)
    return -1;
  struct check_plan plan = {.purpose = CHECK_LOOK, .target = &d->target};
  if (check_read(d->conn, &plan, &d->seen, c) != 0)
    return -1;
  d->scope = (struct sample_scope){.database = d->target.database, .whole = 1};
  if (here_read(&d->here, d->conn, &d->scope, &d->seen, d->o->memory_mib, c) != 0)
    return -1;
  here_say(&d->here);
  if (!here_blind(&d->here))
    return 0;
  cause_set(c, STATUS_SETUP, "this login may sample nothing on %s", d->target.name);
  return cause_remedy(c, "%s", d->here.group[0].remedy[0] ? d->here.group[0].remedy : "have a DBA grant VIEW SERVER STATE to it");
}

/* How far this client's clock is ahead of UTC: hours of a working day are local ones. */
static long local_offset_s(void) {
  time_t now = time(NULL);
  struct tm tm;
  return localtime_r(&now, &tm) ? tm.tm_gmtoff : 0;
}

static json_t *make_meta(const struct day *d) {
  struct facts f = {.seen = d->seen, .scale = d->seen.scale > 1 ? d->seen.scale : 1,
                    .start_ticks = d->here.first.start_ticks == ABSENT ? 0 : d->here.first.start_ticks};
  char started[32];
  json_t *command = json_array();
  for (int i = 0; i < d->o->argc; i++)
    json_array_append_new(command, json_string(d->o->argv[i]));
  return json_pack("{s:i, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:{s:s, s:b}, s:[], s:{s:f}, s:n, s:o, s:o}", "schema", 1, "kind", "day",
                   "program", PACKAGE_VERSION, "started", wall_text(wall_ns(), started, sizeof started), "local_offset_s",
                   (json_int_t)local_offset_s(), "command", command, "label", sweep_label_json(f.scale), "server", facts_server_json(&f),
                   "database", "name", d->target.database, "whole", d->here.whole, "types", "plan", "for_s",
                   (double)d->o->for_ns / (double)NS_PER_S, "before", "memory", here_json(&d->here), "client", sweep_client_json());
}

static int make_run(struct day *d, struct cause *c) {
  json_t *meta = make_meta(d);
  if (!meta)
    return cause_set(c, STATUS_SETUP, "the run's facts cannot be written down: a name among them is not UTF-8");
  int rc = run_create(&d->run, d->observed.folder, meta, c);
  json_decref(meta);
  if (rc != 0)
    return -1;
  log_tee(run_log_fd(d->run));
  if (run_step_begin(d->run, &d->step, 1, d->here.memory_mib, STEP_MEASURED, c) != 0)
    return -1;
  for (int i = 0; i < HERE_GROUPS; i++)
    if (d->here.group[i].absent)
      run_step_note(d->step, "absent", "%s could not be sampled: %s%s%s", here_group_name(i), d->here.group[i].why,
                    d->here.group[i].remedy[0] ? "; " : "", d->here.group[i].remedy);
  return 0;
}

/* ---- samples and waits ---- */

static void on_sample(void *arg, const struct server_sample *s) {
  struct day *d = arg;
  run_step_sample(d->step, s);
  pthread_mutex_lock(&d->lock);
  d->before = d->latest;
  d->latest = *s;
  d->samples++;
  pthread_mutex_unlock(&d->lock);
}

static struct wait_row *row_of(struct waits *w, const char *type) {
  for (size_t i = 0; i < w->n; i++)
    if (strcmp(w->row[i].type, type) == 0)
      return &w->row[i];
  return NULL;
}

/* Counts that went back began anew: a restart, or somebody cleared them. */
static int64_t rise(int64_t now, int64_t last) {
  return now == ABSENT || last == ABSENT ? 0 : now >= last ? now - last : now;
}

static void add_waits(struct day *d, struct waits *now) {
  for (size_t i = 0; i < now->n; i++) {
    const struct wait_row *r = &now->row[i], *last = row_of(&d->last, r->type);
    struct wait_row *sum = row_of(&d->sum, r->type);
    const struct wait_row none = {0};
    last = last ? last : &none;
    if (!sum) {
      d->sum.row = xrealloc(d->sum.row, d->sum.n + 1, sizeof *d->sum.row);
      sum = &d->sum.row[d->sum.n++];
      *sum = (struct wait_row){0};
      memcpy(sum->type, r->type, sizeof sum->type);
    }
    sum->tasks += rise(r->tasks, last->tasks);
    sum->wait_ms += rise(r->wait_ms, last->wait_ms);
    sum->signal_ms += rise(r->signal_ms, last->signal_ms);
  }
}

/* `first`: only remember them. */
static void look_at_waits(struct day *d, int first) {
  struct waits now = {0};
  struct cause c = {0};
  d->waited_ns = mono_ns();
  if (d->here.group[HERE_GROUPS - 1].absent)
    return;
  if (!d->conn && conn_open(&d->conn, &d->target, &c) != 0) {
    d->conn = NULL;
    return;
  }
  if (sample_waits(d->conn, &now.row, &now.n, &c) != 0) {
    if (conn_lost(d->conn)) {
      conn_close(d->conn);
      d->conn = NULL;
    }
    return;
  }
  if (!first)
    add_waits(d, &now);
  free(d->last.row);
  d->last = now;
}

/* ---- the hours ---- */

static void live(struct day *d) {
  int64_t now = mono_ns();
  char gone[40], all[40];
  if (now - d->shown_ns < (isatty(STDERR_FILENO) ? NS_PER_S : plain_line_ns))
    return;
  d->shown_ns = now;
  pthread_mutex_lock(&d->lock);
  struct server_sample a = d->before, b = d->latest;
  pthread_mutex_unlock(&d->lock);
  struct text t = {0};
  text_addf(&t, "%s of at most %s", duration_text((now - d->start_ns) / NS_PER_S * NS_PER_S, gone, sizeof gone),
            duration_text(d->o->for_ns, all, sizeof all));
  double s = a.at_ns > 0 && b.at_ns > a.at_ns ? (double)(b.at_ns - a.at_ns) / (double)NS_PER_S : 0;
  if (d->lost_ns)
    text_add(&t, "  no answer");
  else if (s > 0) {
    if (a.data_read_bytes != ABSENT && b.data_read_bytes >= a.data_read_bytes)
      text_addf(&t, "  reads %.1f MB/s", (double)(b.data_read_bytes - a.data_read_bytes) / s / 1e6);
    if (a.batch_requests != ABSENT && b.batch_requests >= a.batch_requests)
      text_addf(&t, "  %.0f batches/s", (double)(b.batch_requests - a.batch_requests) / s);
    if (b.page_life_expectancy_s != ABSENT)
      text_addf(&t, "  page life %.0f s", (double)b.page_life_expectancy_s);
  }
  progress(0, "%s", t.s);
  text_free(&t);
}

/* Say it once when samples fail to come, and once when they come again. */
static void watch_samples(struct day *d) {
  struct cause c;
  char gap[40];
  int failed = sampler_failed(d->sampler, &c) != 0;
  if (failed && !d->lost_ns) {
    d->lost_ns = mono_ns();
    warn_cause(&c);
    say("it is tried again each second; the gap stays a gap");
  } else if (!failed && d->lost_ns) {
    say("samples come again after %s", duration_text((mono_ns() - d->lost_ns) / NS_PER_S * NS_PER_S, gap, sizeof gap));
    d->lost_ns = 0;
  }
}

/* Until the time is over, a signal comes (both 0), or samples cannot be written (-1). */
static int hours(struct day *d, struct cause *c) {
  const int64_t end = d->start_ns + d->o->for_ns;
  for (;;) {
    int64_t now = mono_ns();
    if (run_step_error(d->step, c) != 0)
      return -1;
    if (supervised_wait(0) > 0 || now >= end)
      return 0;
    watch_samples(d);
    if (now - d->waited_ns >= waits_ns)
      look_at_waits(d, 0);
    live(d);
    supervised_wait(now + look_ns < end ? now + look_ns : end);
  }
}

static int end_step(struct day *d, int failed, struct cause *c) {
  struct step_facts f = {.index = 1, .role = STEP_MEASURED, .setting_mib = d->here.memory_mib, .reached_kib = ABSENT, .cache_kib = ABSENT,
                         .sent = ABSENT, .digest_requests = ABSENT, .digest_long_requests = ABSENT, .reached = -1, .steady = -1,
                         .saturated = -1, .client_bound = -1, .row_lock_wait_ms = ABSENT};
  for (int i = 0; i < PHASES; i++)
    f.begin_ns[i] = f.end_ns[i] = ABSENT;
  f.begin_ns[PHASE_MEASURE] = 0;
  f.end_ns[PHASE_MEASURE] = mono_ns() - d->start_ns;
  f.incomplete = failed || d->samples < 2;
  if (!failed && f.incomplete)
    cause_set(c, STATUS_INCOMPLETE, "there are fewer than two samples");
  struct cause own = {0};
  int rc = run_step_end(d->step, &f, d->sum.row, d->sum.n, c->text[0] ? &own : c);
  d->step = NULL;
  return rc != 0 || f.incomplete ? -1 : 0;
}

static int sample_day(struct day *d, struct cause *c) {
  char all[40], size[32];
  d->start_ns = mono_ns();
  if (sampler_start_scope(&d->sampler, &d->target, &d->scope, d->start_ns, on_sample, d, c) != 0)
    return end_step(d, 1, c);
  say("sampling %s for at most %s, at %s; SIGINT or SIGTERM ends it sooner", d->here.whole ? "the whole instance" : d->target.database,
      duration_text(d->o->for_ns, all, sizeof all), memory_name(d->here.memory_mib, size, sizeof size));
  look_at_waits(d, 1);
  d->shown_ns = mono_ns();
  int failed = hours(d, c) != 0;
  progress(1, "%s", "");
  if (!failed)
    look_at_waits(d, 0);
  sampler_stop(d->sampler);
  return end_step(d, failed, c);
}

static int work(struct observed *observed) {
  struct day *d = (struct day *)observed; /* its first member */
  struct cause c = {0};
  int status = STATUS_DONE;
  pthread_mutex_init(&d->lock, NULL);
  if (look(d, &c) != 0 || make_run(d, &c) != 0) {
    say_cause(&c);
    status = STATUS_SETUP;
  } else if (sample_day(d, &c) != 0) {
    snprintf(d->observed.shared->why, sizeof d->observed.shared->why, "%s", c.text);
    say_cause(&c);
    status = STATUS_INCOMPLETE;
  }
  log_tee(-1);
  run_close(d->run);
  conn_close(d->conn);
  free(d->last.row);
  free(d->sum.row);
  pthread_mutex_destroy(&d->lock);
  server_done();
  return status;
}

int day_run(const struct day_options *o, char **run_folder) {
  struct day d = {.o = o};
  char *folder = o->run_folder ? xstrdup(o->run_folder) : sweep_default_folder("day-", o->target->name);
  target_copy(&d.target, o->target);
  free(d.target.database);
  d.target.database = o->database ? xstrdup(o->database) : NULL;
  d.observed = (struct observed){.folder = folder, .work = work};
  int status = observe(&d.observed, run_folder);
  free(folder);
  target_free(&d.target);
  return status;
}
