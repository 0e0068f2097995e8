/* narrow: which step a refined sweep adds next, inside the brackets of the verdict on the steps so far.  Pure functions. */
#ifndef RK_SWEEP_NARROW_H
#define RK_SWEEP_NARROW_H

#include "analysis/refine.h"

#include <stddef.h>
#include <stdint.h>

enum narrow_state {
  NARROW_ADD,    /* a step is to be added */
  NARROW_DONE,   /* every bracket is narrow enough: its ratio is at most REFINE_RATIO, or its ends are 1 GB apart */
  NARROW_NONE,   /* the verdict names no bracket, or there is no verdict */
  NARROW_BUDGET, /* a step would be added, but it is not expected to end within the budget */
  NARROW_STUCK,  /* the step that would be added was measured already, and could not be judged */
  NARROW_STOPPED, /* it lies below the step at which --stop-above has ended the descent in one of the passes (never of narrow_next) */
};

struct narrow {
  enum narrow_state state;
  const char *bracket;  /* "knee", "plateau edge", "second knee": of the step; NULL of DONE and NONE */
  int64_t a_mib, b_mib; /* its ends */
  int64_t mib;          /* the step; 0 of DONE and NONE */
};

/* What comes next, when `had` has been measured (in whatever order), `left_ns` of the budget are left, and a step is expected to take
 * `step_ns`. */
struct narrow narrow_next(const struct verdict *, const int64_t *had_mib, size_t nhad, int64_t left_ns, int64_t step_ns);

/* As a clause, new memory: "the knee is between 16 GB and 32 GB: a step at 23 GB".  `v` is the verdict that it was drawn from. */
char *narrow_text(const struct narrow *, const struct verdict *v, int64_t budget_ns);

/* "done", "none", "budget", "stuck" or "stopped", for the run folder; "add" while steps are added. */
const char *narrow_state_name(enum narrow_state);

#endif
