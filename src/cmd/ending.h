/* ending: what SIGINT, SIGTERM and SIGHUP do while no setting of a server is at stake: end the program at once with a sentence and a
 * status of ours, not with the signal's; and the report that a run ends with. */
#ifndef RK_CMD_ENDING_H
#define RK_CMD_ENDING_H

#include "report/report.h"

/* From now on, unless a signal was ignored when we were started, end with `status` after saying `sentence` (static text; NULL: without a word).  Call again
 * for what comes next.  While the signals are blocked (sweep/supervisor.h) nothing happens. */
void ending_by_signal(int status, const char *sentence);

/* The report of a run, after everything that had to be done on the server; `status` is that of the run, the result that of both. */
int ending_report(const char *folder, const struct report_options *, int status);

#endif
