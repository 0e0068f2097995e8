#include "config.h"

#include "sweep/narrow.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>

static const char *bracket_name(const struct verdict *v, const struct bracket *b) {
  return b == &v->knee ? "knee" : b == &v->edge ? "plateau edge" : "second knee";
}

struct narrow narrow_next(const struct verdict *v, const int64_t *had_mib, size_t nhad, int64_t left_ns, int64_t step_ns) {
  const struct bracket *b = NULL;
  int64_t mib = refine_next(v, REFINE_RATIO, &b);
  if (mib == 0) {
    int any = v->ok && (v->knee.found || v->edge.found || v->knee2.found);
    return (struct narrow){.state = any ? NARROW_DONE : NARROW_NONE};
  }
  struct narrow n = {NARROW_ADD, bracket_name(v, b), llround(b->a_mib), llround(b->b_mib), mib};
  for (size_t i = 0; i < nhad; i++)
    if (had_mib[i] == mib)
      n.state = NARROW_STUCK;
  if (n.state == NARROW_ADD && step_ns > left_ns)
    n.state = NARROW_BUDGET;
  return n;
}

static void add_bracket(struct text *t, const struct verdict *v, const struct bracket *b) {
  char lo[32], hi[32];
  if (b->found)
    text_addf(t, "%sthe %s is between %s and %s", t->len ? ", " : "", bracket_name(v, b), size_text(llround(b->a_mib) * MIB, lo, sizeof lo),
              size_text(llround(b->b_mib) * MIB, hi, sizeof hi));
}

char *narrow_text(const struct narrow *n, const struct verdict *v, int64_t budget_ns) {
  char a[32], b[32], at[32], time[40];
  if (n->state == NARROW_NONE)
    return xstrdup(v->ok ? "there is no bracket to narrow: the steps so far show neither a knee nor a plateau edge"
                         : "there is no bracket to narrow: the steps so far give no verdict");
  if (n->state == NARROW_DONE) {
    struct text t = {0};
    add_bracket(&t, v, &v->knee);
    add_bracket(&t, v, &v->edge);
    add_bracket(&t, v, &v->knee2);
    text_add(&t, ": narrow enough");
    return t.s;
  }
  char *where = xprintf("the %s is between %s and %s", n->bracket, size_text(n->a_mib * MIB, a, sizeof a), size_text(n->b_mib * MIB, b, sizeof b));
  size_text(n->mib * MIB, at, sizeof at);
  char *s = n->state == NARROW_ADD ? xprintf("%s: a step at %s", where, at)
            : n->state == NARROW_BUDGET
                ? xprintf("%s: a step at %s would be next, but it would not end within the budget of %s", where, at, duration_text(budget_ns, time, sizeof time))
            : n->state == NARROW_STOPPED
                ? xprintf("%s: a step at %s would be next, but the descent was ended above it (--stop-above)", where, at)
                : xprintf("%s: the step at %s could not be judged", where, at);
  free(where);
  return s;
}

const char *narrow_state_name(enum narrow_state s) {
  static const char *const name[] = {[NARROW_ADD] = "add",       [NARROW_DONE] = "done",   [NARROW_NONE] = "none",
                                     [NARROW_BUDGET] = "budget", [NARROW_STUCK] = "stuck", [NARROW_STOPPED] = "stopped"};
  return name[s];
}
