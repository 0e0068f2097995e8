/* supervisor: a child does the work, a single-threaded parent waits for its end, however it comes, and cleans up after it.
 *
 * Both run in one program: `supervise` forks, so call it before any thread, connection or TLS session exists.  Signals that ask for
 * an end (SIGINT, SIGTERM, SIGHUP, SIGQUIT, but for those that were ignored when we were started: nohup) are blocked in both and
 * looked for at safe places: no handler ever runs.  The first one asks the child to stop, a second one or the end of the grace kills
 * it.  When the parent dies the child is told by SIGTERM and cleans up itself. */
#ifndef RK_SWEEP_SUPERVISOR_H
#define RK_SWEEP_SUPERVISOR_H

#include "base/cause.h"

#include <stdint.h>

struct supervised_end {
  int status;      /* the child's exit status; -1 when a signal ended it */
  int signal;      /* the signal that ended it, or 0 */
  int stop_signal; /* the signal that asked us to stop, or 0 */
  int orphan;      /* the parent died; it is the child that cleans up */
};

struct supervised {
  void *arg;
  /* Parent, before the child is let go: whatever cleaning up will need.  A failure ends all, `finish` is not called. */
  int (*ready)(void *arg, struct cause *);
  /* Child: the work; returns its exit status. */
  int (*work)(void *arg);
  /* Parent, about once a second while the child works; NULL is fine. */
  void (*idle)(void *arg);
  /* Parent, after every end of the child; or the child, when the parent died.  Returns the status of it all. */
  int (*finish)(void *arg, const struct supervised_end *);
  int64_t grace_ns; /* time for the child to end by itself after a signal */
};

/* Run it.  Returns what `finish` returned, or STATUS_SETUP with the cause filled when nothing was begun.  The signals' mask is as
 * before afterwards. */
int supervise(const struct supervised *, struct cause *);

/* For `work` and `finish`: wait until the monotonic instant (past: just look).  Returns the number of signals that have asked for an
 * end so far (in `finish`: since it began), as soon as there is a new one.  From the main thread only. */
int supervised_wait(int64_t until_mono_ns);

#endif
