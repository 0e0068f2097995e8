/* What is noted at a measured step besides its facts: what fell into it, and that the descent ends with it. */
#include "config.h"

#include "base/log.h"
#include "base/units.h"
#include "sweep/remarks.h"
#include "sweep/work.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_remarks(struct work *w) {
  struct feed_span span;
  struct feed_sums sums;
  struct remark r[REMARKS_MAX];
  feed_span(w->feed, &span);
  feed_sums(w->feed, &sums);
  int counted = span.n >= 2 && span.ours_first != ABSENT && span.ours_last != ABSENT;
  struct remark_facts f = {.first = span.first, .last = span.last, .samples = span.n, .users = w->demand.users, .done = sums.done,
                           .ours = counted ? span.ours_last - span.ours_first : ABSENT,
                           .idle_permille = sums.idle_permille, .steal_permille = sums.steal_permille,
                           .late_p99_ms = sums.late_p99_ms, .p99_ms = sums.p99_ms};
  size_t n = remarks_make(&f, r);
  for (size_t i = 0; i < n; i++)
    run_step_note(w->step, r[i].code, "%s", r[i].text);
}

/* Held against --stop-above: 1 when the descent ends here. */
static int is_worse(struct work *w, const struct stop_rule *r, const struct hist *h, const char *name) {
  double value;
  int worse = stop_judge(r, h, &value);
  if (worse < 0)
    warn("%s: %" PRIu64 " transactions are too few for a %s, so it was not held against --stop-above", name, h->total, r->name);
  if (worse <= 0)
    return 0;
  run_step_note(w->step, "stop-above", "%s was %.4g ms, above the limit of %.4g ms (--stop-above)", r->name, value, r->limit_ms);
  say("%s: %s is %.4g ms, above the limit of %.4g ms: the descent ends here, as asked%s", name, r->name, value, r->limit_ms,
      w->plan.step[w->at].pass < w->plan.passes ? ", in the passes that follow, too" : "");
  return 1;
}

static void judge_stop(struct work *w, const struct step_facts *f) {
  const struct stop_rules *s = &w->o->stop;
  char name[64];
  /* What --refine adds lies above a step that was measured already: there is no descent to end.  A later pass that comes to the step where
   * one before it has ended does so, too, whatever it finds there; it may end at a larger one. */
  if (s->n == 0 || f->role != STEP_MEASURED || f->incomplete || w->refine_begin_ns || f->setting_mib <= w->stopped_mib)
    return;
  sweep_step_name(w, name, sizeof name);
  struct hist *h = hist_new();
  feed_responses(w->feed, h);
  for (size_t i = 0; i < s->n && w->stopped_mib < f->setting_mib; i++)
    if (is_worse(w, &s->rule[i], h, name))
      w->stopped_mib = f->setting_mib;
  free(h);
}

void sweep_noted(struct work *w, const struct step_facts *f) {
  add_remarks(w);
  judge_stop(w, f);
}

int sweep_skips(const struct work *w, const struct plan_step *p) {
  return p->role == STEP_MEASURED && p->mib < w->stopped_mib;
}
