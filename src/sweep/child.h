/* child: the measuring process, from the first connection to the last step.  Inside sweep/ alone. */
#ifndef RK_SWEEP_CHILD_H
#define RK_SWEEP_CHILD_H

#include "sweep/work.h"

/* Connect, look, plan, ask, then measure all steps.  Returns an exit status; everything has been said, and w->shared->why tells why
 * it ended early.  w->o, w->folder and w->shared are set by the caller.  Afterwards w->master is still open, and w->journal.path is
 * set when the journal was written: the caller may have to put back. */
int sweep_child(struct work *w);

/* What --dry-run does: connect, look, plan; print the plan to stdout. */
int sweep_dry_run(struct work *w);

/* Parts of it that measure.c shares. */
void child_choose_stationary(struct work *);
int child_measure_all(struct work *, struct cause *);
int child_ended_early(struct work *, const struct cause *);

#endif
