#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/narrow.h"
#include "sweep/supervisor.h"
#include "sweep/work.h"

#include <math.h>
#include <stdlib.h>

static const int64_t look_ns = 250 * NS_PER_MS; /* how often everything that ends a sweep is looked at */

int64_t sweep_now(const struct work *w) {
  return mono_ns() - w->run_start_ns;
}

/* ---- waiting ---- */

/* Step, phase, time left in it and in all (at least), and what the last second saw. */
static void live(struct work *w) {
  const struct plan_step *p = &w->plan.step[w->at];
  int64_t t = mono_ns(), left = w->doing_until_ns > t ? (w->doing_until_ns - t) / NS_PER_S * NS_PER_S : 0, then = 0;
  char size[32], a[40], b[40];
  struct feed_now now;
  if (t - w->shown_ns < NS_PER_S)
    return;
  w->shown_ns = t;
  feed_now(w->feed, &now);
  struct text line = {0};
  text_addf(&line, "step %d/%d  %s  %s", p->index, w->plan.step[w->plan.nstep - 1].index, size_text(p->mib * MIB, size, sizeof size), w->doing);
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

/* Whatever ends the sweep early. */
static int look(struct work *w, struct cause *c) {
  if (supervised_wait(0) > 0)
    return cause_set(c, STATUS_INCOMPLETE, "the sweep was interrupted");
  if (w->step && run_step_error(w->step, c) != 0)
    return -1;
  if (w->sampler && sampler_failed(w->sampler, c) != 0)
    return cause_prefix(c, "the samples ended");
  struct server_sample s;
  feed_latest(w->feed, &s);
  if (s.at_ns > 0 && s.start_ticks != ABSENT && s.start_ticks != w->facts.start_ticks)
    return cause_set(c, STATUS_INCOMPLETE, "the server was restarted in the middle of a step");
  if (!w->drive)
    return 0;
  struct drive_totals t;
  drive_totals(w->drive, &t);
  if (t.failed + t.lost == 0)
    return 0;
  if (t.first_error.text[0])
    *c = t.first_error;
  else
    cause_set(c, STATUS_INCOMPLETE, "a transaction failed");
  return cause_prefix(c, t.lost ? "a connection was lost" : "a transaction failed");
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

/* ---- steps ---- */

static struct step_facts no_facts(const struct plan_step *p) {
  struct step_facts f = {.index = p->index, .role = p->role, .setting_mib = p->mib, .reached_kib = ABSENT, .cache_kib = ABSENT, .sent = ABSENT,
                         .steady = -1, .row_lock_wait_ms = ABSENT};
  for (int i = 0; i < PHASES; i++)
    f.begin_ns[i] = f.end_ns[i] = ABSENT;
  return f;
}

static int one_step(struct work *w, const struct plan_step *p, struct cause *c) {
  struct step_facts f = no_facts(p);
  struct step_waits waits = {0};
  if (run_step_begin(w->run, &w->step, p->index, p->mib, p->role, c) != 0)
    return -1;
  feed_step(w->feed, w->step);
  int rc = sweep_phases(w, p, &f, &waits, c);
  feed_step(w->feed, NULL);
  if (rc != 0) {
    f.incomplete = 1;
    run_step_note(w->step, "ended", "%s", c->text);
  }
  struct cause own = {0};
  int bad = run_step_end(w->step, &f, waits.row, waits.n, rc == 0 ? c : &own);
  w->step = NULL;
  free(waits.row);
  return rc != 0 || bad != 0 ? -1 : 0;
}

/* ---- steps that narrow the brackets ---- */

static int write_refine(struct work *w, const char *state, const char *end, struct cause *c) {
  json_t *j = json_pack("{s:f, s:O, s:s, s:s?}", "budget_s", (double)w->plan.budget_ns / (double)NS_PER_S, "added", w->added, "state", state, "end", end);
  int rc = j ? run_refine(w->run, j, c) : cause_set(c, STATUS_INCOMPLETE, "why no step was added cannot be written down: it is not UTF-8");
  json_decref(j);
  return rc;
}

static struct narrow what_next(const struct work *w, const struct verdict *v) {
  int64_t *had = xcalloc(w->plan.nstep, sizeof *had), step_ns = w->plan.warm_ns + w->plan.measure_ns;
  for (size_t i = 0; i < w->plan.nstep; i++)
    had[i] = w->plan.step[i].mib;
  struct narrow n = narrow_next(v, had, w->plan.nstep, w->plan.budget_ns - (mono_ns() - w->refine_begin_ns),
                                w->longest_ns > step_ns ? w->longest_ns : step_ns);
  free(had);
  return n;
}

/* By the verdict on the steps so far: one more step, to be run next, or the reason why there is none. */
static int refine(struct work *w, struct cause *c) {
  struct verdict v;
  struct cause why = {0};
  if (!w->added)
    w->added = json_array();
  if (!w->refine_begin_ns)
    w->refine_begin_ns = mono_ns();
  if (w->o->verdict(w->o->verdict_arg, w->folder, &v, &why) != 0) {
    w->refined = 1;
    int rc = write_refine(w, "failed", why.text, c);
    cause_prefix(&why, "no step is added");
    warn_cause(&why);
    return rc;
  }
  struct narrow n = what_next(w, &v);
  char *text = narrow_text(&n, &v, w->plan.budget_ns);
  say("%s", text);
  if (n.state == NARROW_ADD) {
    size_t at = plan_add_step(&w->plan, n.mib);
    json_array_append_new(w->added, json_pack("{s:i, s:I, s:s}", "index", w->plan.step[at].index, "mib", (json_int_t)n.mib, "why", text));
  }
  w->refined = n.state != NARROW_ADD;
  int rc = write_refine(w, narrow_state_name(n.state), w->refined ? text : NULL, c);
  free(text);
  return rc;
}

/* All steps that are there have been measured, but the drift step. */
static int pass_is_over(const struct work *w) {
  return w->at == w->plan.nstep || w->plan.step[w->at].role == STEP_DRIFT;
}

static int all_steps(struct work *w, struct cause *c) {
  for (w->at = 0;; w->at++) {
    if (w->plan.refine && !w->refined && pass_is_over(w) && refine(w, c) != 0)
      return -1;
    if (w->at == w->plan.nstep)
      return 0;
    int64_t begin = mono_ns();
    if (one_step(w, &w->plan.step[w->at], c) != 0)
      return -1;
    int64_t took = mono_ns() - begin;
    if (w->plan.step[w->at].role == STEP_MEASURED && took > w->longest_ns)
      w->longest_ns = took;
  }
}

int sweep_steps(struct work *w, struct cause *c) {
  int rc = all_steps(w, c);
  json_decref(w->added);
  w->added = NULL;
  w->incomplete |= rc != 0;
  return rc;
}
