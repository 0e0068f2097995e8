/* remarks: what fell into a measured phase besides memory and the mix: kept as notes of the step, their codes begin with "saw-".
 * A text is "what: figure".  Pure functions; what could not be sampled gives no remark, and so does what did not happen.
 *
 *   saw-checkpoint   pages that checkpoints wrote
 *   saw-plans        plans compiled, when more than one for 100 transactions: the mix calls procedures, whose plans are kept
 *   saw-log-growth   the log was made larger
 *   saw-others       batches of the server less those of this program, beyond what was under way when the two were counted
 *   saw-client       the client's processors were busier than half, or p99 lateness of starts exceeded a tenth of p99 response
 *   saw-steal        a hypervisor gave 1 % or more of the client's processor time to others */
#ifndef RK_SWEEP_REMARKS_H
#define RK_SWEEP_REMARKS_H

#include "run/record.h"

struct remark_facts {
  struct server_sample first, last; /* of the measured phase */
  int64_t samples;                  /* in it; fewer than 2: first and last say nothing */
  int64_t ours;                     /* batches that this program sent between the two, ABSENT when not known */
  int64_t done;                     /* transactions in the phase */
  int users;
  double idle_permille, steal_permille; /* of the client's processors, idle with iowait; NaN when not known */
  double late_p99_ms, p99_ms;           /* start lateness, response; NaN without any */
};

struct remark {
  const char *code;
  char text[200];
};
enum { REMARKS_MAX = 6 };

/* Returns how many there are. */
size_t remarks_make(const struct remark_facts *, struct remark out[REMARKS_MAX]);

#endif
