/* agent: SQL Server Agent as far as ramknee needs one: runs the jobs in msdb.sysjobs, each every AGENT_EVERY_S seconds (a real one looks
 * each minute), one step a job: a batch in its database, in a session like any client's. */
#ifndef RK_SANDBOX_AGENT_H
#define RK_SANDBOX_AGENT_H

#include "base/cause.h"

#define AGENT_EVERY_S 2

struct agent;
struct server;

/* After the engine was started.  NULL with a cause. */
struct agent *agent_start(struct server *, struct cause *);
/* Ends the job at work; NULL is fine.  While the engine still lives. */
void agent_stop(struct agent *);

#endif
