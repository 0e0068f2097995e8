/* Waiting, with an eye on everything that ends a sweep, and with the live line. */
#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/supervisor.h"
#include "sweep/work.h"

#include <math.h>

static const int64_t look_ns = 250 * NS_PER_MS; /* how often everything that ends a sweep is looked at */

/* Step, phase, time left in it and in all (at least), and what the last second saw. */
static void live(struct work *w) {
  const struct plan_step *p = &w->plan.step[w->at];
  int64_t t = mono_ns(), left = w->doing_until_ns > t ? (w->doing_until_ns - t) / NS_PER_S * NS_PER_S : 0, then = 0;
  char pass[40], size[32], a[40], b[40];
  struct feed_now now;
  if (t - w->shown_ns < NS_PER_S)
    return;
  w->shown_ns = t;
  feed_now(w->feed, &now);
  struct text line = {0};
  text_addf(&line, "%sstep %d/%d  %s  %s", plan_pass_text(&w->plan, p, pass, sizeof pass), p->index, w->plan.step[w->plan.nstep - 1].index, memory_name(p->mib, size, sizeof size), w->doing);
  for (size_t i = w->at + 1; i < w->plan.nstep; i++)
    then += w->plan.step[i].least_ns;
  if (left > 0)
    text_addf(&line, " %s", duration_text(left, a, sizeof a));
  if (then > 0)
    text_addf(&line, ", then %s", duration_text(then, b, sizeof b));
  if (isfinite(now.done_per_s) && w->drive)
    text_addf(&line, "  %.0f tx/s", now.done_per_s);
  if (isfinite(now.p95_ms) && w->drive)
    text_addf(&line, "  p95 %.1f ms", now.p95_ms);
  if (isfinite(now.read_mb_s))
    text_addf(&line, "  reads %.1f MB/s", now.read_mb_s);
  progress(0, "%s", line.s);
  text_free(&line);
}

/* ---- what ends a sweep ---- */

/* What the samples say. */
static int look_at_server(struct work *w, struct cause *c) {
  struct server_sample s;
  if (w->sampler && sampler_starved(w->sampler, c) != 0)
    return -1;
  if (w->sampler && sampler_failed(w->sampler, c) != 0)
    return cause_prefix(c, "the samples ended");
  feed_latest(w->feed, &s);
  if (s.at_ns == 0)
    return 0;
  if (s.start_ticks != ABSENT && s.start_ticks != w->facts.start_ticks)
    return cause_set(c, STATUS_INCOMPLETE, "the server was restarted in the middle of a step");
  if (w->as_it_is)
    return 0; /* who suffers there does not suffer by a setting of ours */
  enum harm_kind harm = harm_take(&w->harm, &s, w->settling);
  return harm == HARM_NONE ? 0 : harm_cause(harm, &s, w->plan.step[w->at].mib, c);
}

/* What became of transactions.  A server that had no memory for one counts although it belonged to the phase before, or was a log-in. */
static int look_at_users(struct work *w, struct cause *c) {
  struct drive_totals t;
  if (!w->drive)
    return 0;
  drive_totals(w->drive, &t);
  if (t.failed + t.lost == 0 && !server_message_starved(t.first_error.number))
    return 0;
  if (t.first_error.text[0])
    *c = t.first_error;
  else
    cause_set(c, STATUS_INCOMPLETE, "a transaction failed");
  return cause_prefix(c, t.lost ? "a connection was lost" : "a transaction failed");
}

static int look(struct work *w, struct cause *c) {
  if (supervised_wait(0) > 0)
    return cause_set(c, STATUS_INCOMPLETE, "the %s was interrupted", w->as_it_is ? "measurement" : "sweep");
  if (w->step && run_step_error(w->step, c) != 0)
    return -1;
  return look_at_server(w, c) != 0 || look_at_users(w, c) != 0 ? -1 : 0;
}

int sweep_hold(struct work *w, int64_t until_ns, struct cause *c) {
  for (;;) {
    if (look(w, c) != 0)
      return -1;
    int64_t now = mono_ns();
    if (now >= until_ns)
      return 0;
    live(w);
    supervised_wait(now + look_ns < until_ns ? now + look_ns : until_ns);
  }
}

void sweep_explain(const struct work *w, struct cause *c) {
  char size[32];
  if (!server_message_starved(c->number))
    return;
  size_text(w->plan.step[w->at].mib * MIB, size, sizeof size);
  cause_prefix(c, "the step at %s was ended for want of memory", size);
  cause_remedy(c, "so low a step starves what runs on the server: end the descent above %s (--floor, --steps)", size);
}
