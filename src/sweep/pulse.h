/* pulse: --dead-man in a sweep: the child makes the job before the first change, the parent beats, and whoever puts back takes the job
 * away and tells what it has done meanwhile.  Inside sweep/ alone. */
#ifndef RK_SWEEP_PULSE_H
#define RK_SWEEP_PULSE_H

#include "base/units.h"
#include "knob/dead_man.h"
#include "sweep/work.h"

#define PULSE_LEAST_SANDBOX_NS (10 * NS_PER_S)
#define PULSE_LEAST_NS (120 * NS_PER_S) /* a real Agent looks once a minute */

/* Child, before anybody is asked: can there be such a job?  0 also without --dead-man. */
int pulse_check(const struct work *, struct cause *);
/* Child: the job's name for w->journal, whose state is filled, new memory; NULL without --dead-man. */
char *pulse_job(const struct work *);
/* Child: make the job that the journal names.  0 also when it names none. */
int pulse_arm(const struct work *, struct cause *);

/* The parent's beating heart; zero-initialise, end with pulse_stop. */
struct pulse {
  struct conn *conn; /* in the measured database */
  int64_t at_ns;
  int told_dead, told_idle, told_lost;
};
/* Once a second: beats when it is time and there is a job. */
void pulse_beat(struct pulse *, const struct sweep_options *, const struct sweep_shared *);
void pulse_stop(struct pulse *);

/* Parent, before anything else: when a dead-man's job has ended an earlier sweep, say so and clear what that sweep has left: its row,
 * its record, and the journal at `path`, unless the setting is one of that sweep's still. */
void pulse_told(const struct sweep_options *, const char *path, const struct knob_state *now);

/* After putting back, in the measured database: tell what the job has done, take it and its row away.  `t` and `database` for words. */
void pulse_end(struct conn *, const struct target *, const char *database);

#endif
