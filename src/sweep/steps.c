#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/narrow.h"
#include "sweep/work.h"

#include <stdio.h>
#include <stdlib.h>

int64_t sweep_now(const struct work *w) {
  return mono_ns() - w->run_start_ns;
}

char *sweep_step_name(const struct work *w, char *buf, size_t size) {
  const struct plan_step *s = &w->plan.step[w->at];
  char pass[40], memory[32];
  snprintf(buf, size, "%s%s", plan_pass_text(&w->plan, s, pass, sizeof pass), memory_name(s->mib, memory, sizeof memory));
  return buf;
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
    sweep_explain(w, c);
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

/* Of the budget, in all sessions of the run. */
static int64_t used_ns(const struct work *w) {
  return w->plan.budget_used_ns + mono_ns() - w->refine_begin_ns;
}

static int write_refine(struct work *w, const char *state, const char *end, struct cause *c) {
  const double s = (double)NS_PER_S;
  json_t *j = json_pack("{s:f, s:f, s:O, s:s, s:s?}", "budget_s", (double)w->plan.budget_ns / s, "used_s", (double)used_ns(w) / s, "added", w->added,
                        "state", state, "end", end);
  int rc = j ? run_refine(w->run, j, c) : cause_set(c, STATUS_INCOMPLETE, "why no step was added cannot be written down: it is not UTF-8");
  json_decref(j);
  return rc;
}

static struct narrow what_next(const struct work *w, const struct verdict *v) {
  int64_t *had = xcalloc(w->plan.nstep, sizeof *had), step_ns = w->plan.warm_ns + w->plan.measure_ns;
  for (size_t i = 0; i < w->plan.nstep; i++)
    had[i] = w->plan.step[i].mib;
  struct narrow n = narrow_next(v, had, w->plan.nstep, w->plan.budget_ns - used_ns(w),
                                w->longest_ns > step_ns ? w->longest_ns : step_ns);
  free(had);
  if (n.state == NARROW_ADD && n.mib < w->stopped_mib) /* a later pass can have ended higher than the one before */
    n.state = NARROW_STOPPED;
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

/* All steps that are there have been measured, in all passes, but the drift step. */
static int all_measured(const struct work *w) {
  return w->at == w->plan.nstep || w->plan.step[w->at].role == STEP_DRIFT;
}

static int all_steps(struct work *w, struct cause *c) {
  for (w->at = 0;; w->at++) {
    if (w->plan.refine && !w->refined && all_measured(w) && refine(w, c) != 0)
      return -1;
    if (w->at == w->plan.nstep)
      return 0;
    if (sweep_skips(w, &w->plan.step[w->at]))
      continue;
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
