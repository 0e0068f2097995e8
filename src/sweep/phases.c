#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"
#include "sweep/judge.h"
#include "sweep/measure.h"
#include "sweep/prewarm.h"
#include "sweep/work.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t ask_ns = 250 * NS_PER_MS; /* between two questions to a server that comes to its setting, or fills its cache */

/* A phase of the users begins with the next whole second; asked for so long before one it is that one. */
static const int64_t lead_ns = 200 * NS_PER_MS;

enum { MEASURE_KEY = 0, SETTLE_KEY = 10000, WARM_KEY = 20000 }; /* streams of requests: one for every measured phase; keys of other phases differ by step */

/* ---- notes ---- */

/* What the facts say, too: only said. */
static void tell(const struct work *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void tell(const struct work *w, const char *fmt, ...) {
  char text[700], name[64];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  warn("%s: %s", sweep_step_name(w, name, sizeof name), text);
}

/* What the report would not know from the step's facts: said, and kept with the step. */
static void note(struct work *w, const char *code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void note(struct work *w, const char *code, const char *fmt, ...) {
  char text[700];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  run_step_note(w->step, code, "%s", text);
  tell(w, "%s", text);
}

/* ---- settle ---- */

static void share_state(struct work *w) {
  int next = w->shared->state_now == 1 ? 2 : 1;
  w->shared->state[next - 1] = w->journal.state;
  w->shared->state_now = next;
}

/* Journal, parent and row know the next value before the server hears of it. */
static int set(struct work *w, int64_t mib, struct cause *c) {
  struct journal *j = &w->journal;
  if (sweep_hold(w, 0, c) != 0) /* whoever has asked for an end wants no further change */
    return -1;
  knob_of(&j->state)->intend(&j->state, mib);
  j->written_wall_ns = wall_ns();
  if (journal_write(j, c) != 0) {
    c->status = STATUS_INCOMPLETE;
    return cause_remedy(c, "free some space for it: no further step was set");
  }
  share_state(w);
  if (journal_row_write(w->db, j, c) != 0)
    return cause_prefix(c, "the record on the server cannot be written");
  return knob_of(&j->state)->set(w->master, &j->state, c);
}

static int settle(struct work *w, struct step_facts *f, struct cause *c) {
  int64_t end = mono_ns() + w->plan.settle_max_ns;
  w->settling = 1;
  w->doing = "settle";
  w->doing_until_ns = end;
  for (;;) {
    int done = knob_of(&w->journal.state)->settled(w->master, f->setting_mib, &f->reached_kib, c);
    if (done < 0)
      return -1;
    f->reached = done;
    if (done || mono_ns() >= end)
      break;
    if (sweep_hold(w, mono_ns() + ask_ns, c) != 0)
      return -1;
  }
  w->settling = 0;
  if (!f->reached) {
    char now[32];
    tell(w, "the server had not come to this setting in time; it holds %s",
         size_text(f->reached_kib / 1024 * MIB, now, sizeof now));
    w->incomplete = 1;
  }
  return 0;
}

/* Reading more would only push out what was read: the cache is nearly all of the setting, or nothing is free any more. */
static int cache_is_full(const struct work *w, int64_t mib) {
  struct server_sample s;
  feed_latest(w->feed, &s);
  if (s.at_ns == 0)
    return 0;
  if (s.database_cache_kb != ABSENT && s.database_cache_kb >= mib * 1024 / 100 * 95)
    return 1;
  return s.total_memory_kb != ABSENT && s.free_memory_kb != ABSENT && s.total_memory_kb >= mib * 1024 / 100 * 98 &&
         s.free_memory_kb <= mib * 1024 / 100;
}

static int fill(struct work *w, int64_t mib, struct cause *c) {
  struct prewarm *p;
  int rc = 0, state = 0;
  char name[64];
  w->doing = "fill the cache";
  say("%s: filling the cache: the tables are read through it once", sweep_step_name(w, name, sizeof name));
  w->doing_until_ns = 0;
  if (prewarm_start(&p, &w->o->target, w->mix->table, c) != 0)
    return -1;
  while (rc == 0 && (state = prewarm_poll(p, c)) == 0 && !cache_is_full(w, mib))
    rc = sweep_hold(w, mono_ns() + ask_ns, c);
  prewarm_stop(p);
  return rc != 0 || state < 0 ? -1 : 0;
}

/* ---- the phases of a step ---- */

static void phase(struct work *w, struct step_facts *f, enum phase p, uint64_t key) {
  int64_t now = sweep_now(w), from = w->drive ? drive_phase(w->drive, p, key) : now;
  f->begin_ns[p] = p == PHASE_SETTLE ? now : from; /* the users' settling begins with a whole second, the server's at once */
  feed_phase(w->feed, p, from);
}

static int is_steady(struct work *w) {
  struct feed_series s;
  feed_series(w->feed, &s);
  int steady = judge_steady(&s);
  feed_series_free(&s);
  return steady;
}

/* At least so long, then until steady, at most so long; f->steady tells what came of it. */
static int warm(struct work *w, struct step_facts *f, int64_t least_ns, int64_t most_ns, struct cause *c) {
  w->doing = "warm";
  phase(w, f, PHASE_WARM, WARM_KEY + (uint64_t)f->index);
  int64_t begin = w->run_start_ns + f->begin_ns[PHASE_WARM], n = least_ns;
  for (w->doing_until_ns = begin + n;; n += NS_PER_S) {
    if (sweep_hold(w, begin + n - lead_ns, c) != 0)
      return -1;
    f->steady = is_steady(w);
    if (f->steady == 1 || n + NS_PER_S > most_ns)
      break;
    w->doing = "warm until steady";
    w->doing_until_ns = begin + most_ns;
  }
  f->end_ns[PHASE_WARM] = f->begin_ns[PHASE_WARM] + n;
  feed_phase_end(w->feed, f->end_ns[PHASE_WARM]);
  return 0;
}

/* Differences of the waits over the measured phase: what is new or grew. */
static void subtract(struct wait_row *after, size_t n, const struct wait_row *before, size_t nbefore) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < nbefore; k++)
      if (strcmp(after[i].type, before[k].type) == 0) {
        after[i].tasks -= before[k].tasks;
        after[i].wait_ms -= before[k].wait_ms;
        after[i].signal_ms -= before[k].signal_ms;
        break;
      }
}

static int64_t lock_wait_ms(const struct wait_row *w, size_t n) {
  int64_t sum = 0, any = 0;
  for (size_t i = 0; i < n; i++)
    if (strncmp(w[i].type, "LCK_M", 5) == 0) {
      sum += w[i].wait_ms;
      any = 1;
    }
  return any ? sum : ABSENT;
}

/* p95 of the measured seconds so far, with its interval. */
static struct estimate p95_so_far(struct work *w) {
  struct seconds_hist *h = feed_latency(w->feed);
  struct estimate e = seconds_hist_quantile(h, 0.95).e;
  seconds_hist_free(h);
  return e;
}

static int is_precise(struct work *w) {
  struct drive_totals t;
  drive_totals(w->drive, &t);
  struct estimate e = p95_so_far(w);
  return t.digest != 0 && judge_spread(&e) <= w->plan.precision;
}

/* At least so long, then until p95 is known well enough and the requests are enough to compare, at most so long. */
static int hold_measure(struct work *w, int64_t begin_ns, int64_t *length_ns, struct cause *c) {
  int64_t n = w->plan.measure_ns, most = w->plan.measure_max_ns;
  w->doing = "measure";
  for (w->doing_until_ns = begin_ns + n;; w->doing_until_ns = begin_ns + most) {
    if (sweep_hold(w, begin_ns + n, c) != 0)
      return -1;
    if (n >= most || is_precise(w))
      break;
    w->doing = "measure until precise";
    n = judge_next_look_ns(n);
    n = n < most ? n : most;
  }
  *length_ns = n;
  return 0;
}

/* Where the login may not see them there are none; on a server that is swept that ends the sweep. */
static int read_waits(struct work *w, struct step_waits *waits, struct cause *c) {
  struct cause own;
  if (sample_waits(w->master, &waits->row, &waits->n, &own) == 0 || (w->as_it_is && !conn_lost(w->master)))
    return 0;
  *c = own;
  return -1;
}

static int measure(struct work *w, struct step_facts *f, struct step_waits *waits, struct cause *c) {
  struct step_waits before = {0};
  struct drive_totals t;
  int64_t length;
  int rc = -1;
  if (read_waits(w, &before, c) != 0)
    return -1;
  if (w->plan.precision > 0)
    feed_keep(w->feed);
  phase(w, f, PHASE_MEASURE, MEASURE_KEY);
  if (hold_measure(w, w->run_start_ns + f->begin_ns[PHASE_MEASURE], &length, c) != 0)
    goto out;
  int64_t end = f->begin_ns[PHASE_MEASURE] + length;
  drive_totals(w->drive, &t);
  f->end_ns[PHASE_MEASURE] = end;
  feed_phase_end(w->feed, end);
  drive_phase(w->drive, PHASE_SETTLE, SETTLE_KEY + (uint64_t)f->index + 1);
  f->sent = t.sent;
  f->digest_requests = t.digest_requests;
  f->digest = t.digest;
  f->digest_long_requests = t.digest_long_requests;
  f->digest_long = t.digest_long;
  if (read_waits(w, waits, c) != 0)
    goto out;
  subtract(waits->row, waits->n, before.row, before.n);
  f->row_lock_wait_ms = lock_wait_ms(waits->row, waits->n);
  /* Collector and sampler hand a second over a little after its end. */
  rc = sweep_hold(w, w->run_start_ns + end + NS_PER_S / 2, c);
out:
  free(before.row);
  return rc;
}

/* ---- what it is worth ---- */

static void judge_requests(struct work *w, struct step_facts *f) {
  enum digest_verdict v = judge_digest(w->first_digest, f->digest);
  if (w->first_digest == 0)
    w->first_digest = f->digest;
  if (v == DIGEST_SHORT)
    note(w, "few-requests", "only %" PRId64 " requests were sent, fewer than the %d by which steps are compared; measure longer", f->sent,
         DIGEST_REQUESTS);
  else if (v == DIGEST_DIFFERS)
    note(w, "digest", "the requests sent were not those of the first step, so this step cannot be compared with it");
  if (v != DIGEST_SAME)
    f->incomplete = w->incomplete = 1;
}

/* How well p95 is known, when that decided how long was measured.  Reports draw on more, so their intervals can be narrower. */
static void say_figures(struct work *w, const struct step_facts *f, double tx_s, double p95_ms) {
  char name[64], time[40];
  const char *again = f->role == STEP_DRIFT ? " (the first step again)" : "";
  sweep_step_name(w, name, sizeof name);
  if (w->plan.precision <= 0) {
    say("%s: %.0f tx/s, p95 %.1f ms%s", name, tx_s, p95_ms, again);
    return;
  }
  int64_t length = f->end_ns[PHASE_MEASURE] - f->begin_ns[PHASE_MEASURE];
  struct estimate e = p95_so_far(w);
  double spread = judge_spread(&e);
  duration_text(length, time, sizeof time);
  if (spread <= 10)
    say("%s: %.0f tx/s, p95 %.1f ms, its 95 %% interval %.4g to %.4g ms (%.1f %% up or down) after %s%s", name, tx_s, p95_ms, e.lo, e.hi,
        100 * spread, time, again);
  else
    say("%s: %.0f tx/s, p95 %.1f ms, its interval not known after %s%s", name, tx_s, p95_ms, time, again);
  if (spread <= w->plan.precision || length < w->plan.measure_max_ns)
    return;
  char known[40] = "its interval is still not known";
  if (spread <= 10)
    snprintf(known, sizeof known, "it is known to %.0f %%", 100 * spread);
  note(w, "precision", "p95 was to be known to %.3g %% up or down, but after %s %s: a longer --measure-max may help", 100 * w->plan.precision, time, known);
}

static void judge_load(struct work *w, struct step_facts *f) {
  struct feed_sums s;
  feed_sums(w->feed, &s);
  double ended = (double)(s.done + s.rolled_back), seconds = (double)s.seconds;
  f->client_bound = judge_client_bound(s.late_p99_ms, s.p99_ms, s.idle_permille, s.steal_permille);
  if (f->client_bound)
    tell(w, "the client was the bottleneck (p99 start lateness %.1f ms of %.1f ms response, %.0f %% of its processors idle, %.0f %% stolen): "
         "use a stronger client or fewer users", s.late_p99_ms, s.p99_ms, s.idle_permille / 10, s.steal_permille > 0 ? s.steal_permille / 10 : 0);
  /* What was measured decides, where it is long enough; else the end of the warming up. */
  int steady = is_steady(w);
  if (steady >= 0)
    f->steady = steady;
  if (f->steady == 0)
    tell(w, "this step did not become steady: a longer --warm-max and --measure may help");
  f->rate_wanted = w->demand.rate;
  f->rate_reached = w->demand.rate > 0 && seconds > 0 ? ended / seconds : 0;
  f->saturated = judge_saturated(w->demand.rate, ended, seconds);
  if (f->saturated)
    tell(w, "%.0f of %.0f arrivals a second were served: the latency has no steady value here", f->rate_reached, f->rate_wanted);
  if (s.overflow > 0)
    note(w, "overflow", "%" PRId64 " transactions are missing in the latencies: this process came too late for them", s.overflow);
  say_figures(w, f, seconds > 0 ? (double)s.done / seconds : 0, s.p95_ms);
}

/* Nobody has changed the setting, or the step is not one of ours. */
static int judge_setting(struct work *w, struct step_facts *f, struct cause *c) {
  struct server_sample s;
  feed_latest(w->feed, &s);
  if (s.at_ns > 0 && s.database_cache_kb != ABSENT)
    f->cache_kib = s.database_cache_kb;
  if (s.at_ns > 0 && s.process_memory_low == 1)
    note(w, "memory-low", "the server's operating system is short of memory: this step shows that, too");
  if (w->as_it_is)
    return measure_unchanged(w, c);
  return knob_of(&w->journal.state)->holds(w->master, &w->journal.state, c) == 1 ? 0 : -1;
}

/* Come to the step's memory: set it, or leave it as it is; and fill the cache where it goes up. */
static int come_to(struct work *w, const struct plan_step *p, struct step_facts *f, struct cause *c) {
  if (w->as_it_is)
    measure_standing(w, f);
  else if (set(w, p->mib, c) != 0 || settle(w, f, c) != 0)
    return -1;
  return p->fill ? fill(w, p->mib, c) : 0;
}

/* The first time at the largest step: fill the cache, set the demand, let the data wear in. */
static int burn_in(struct work *w, struct step_facts *f, struct cause *c) {
  if (w->plan.probe) {
    if (sweep_probe(w, c) != 0)
      return -1;
    json_t *demand = sweep_demand_json(&w->demand, 1);
    int rc = run_demand(w->run, demand, c);
    json_decref(demand);
    if (rc != 0)
      return -1;
  }
  if (drive_open(&w->drive, &w->o->target, w->mix, &w->load, &w->demand, w->run_start_ns, feed_second, w->feed, c) != 0)
    return -1;
  feed_count(w->feed, w->drive, w->sampler);
  return warm(w, f, w->plan.burn_in_ns, w->plan.burn_in_ns, c);
}

int sweep_phases(struct work *w, const struct plan_step *p, struct step_facts *f, struct step_waits *waits, struct cause *c) {
  phase(w, f, PHASE_SETTLE, SETTLE_KEY + (uint64_t)p->index);
  if (come_to(w, p, f, c) != 0)
    return -1;
  f->end_ns[PHASE_SETTLE] = sweep_now(w);
  if (p->role == STEP_BURN_IN)
    return burn_in(w, f, c);
  if (warm(w, f, w->plan.warm_ns, w->plan.warm_max_ns, c) != 0 || measure(w, f, waits, c) != 0)
    return -1;
  judge_requests(w, f);
  judge_load(w, f);
  sweep_noted(w, f);
  return judge_setting(w, f, c);
}
