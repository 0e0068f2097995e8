/* rehearsal: what the demo has to know of the options of sweep before it begins. */
#ifndef RK_CMD_REHEARSAL_H
#define RK_CMD_REHEARSAL_H

#include "base/cause.h"
#include "sweep/plan.h"

/* Would a sweep with these options (argv[0] is its name, for messages) measure a sandbox of which `facts` will be true?  Wrong words end the
 * program as they do in sweep, with status 1; --help does, with 0.  -1: a cause.  In cmd/sweep.c. */
int sweep_rehearsable(int argc, char **argv, const struct plan_facts *facts, struct cause *);

#endif
