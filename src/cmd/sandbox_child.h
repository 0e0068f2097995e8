/* sandbox_child: a sandbox as a child of this process, for the demo and for tests written in C. */
#ifndef RK_CMD_SANDBOX_CHILD_H
#define RK_CMD_SANDBOX_CHILD_H

#include "base/cause.h"

#include <sys/types.h>

struct sandbox_child {
  pid_t pid;
  int out;       /* what it prints */
  char *folder;  /* where its data and its endpoint are */
  int port;      /* on 127.0.0.1 */
};

/* Start ramknee-sandbox with these options (NULL-ended, without its name: "--name", "demo", "--physical", "256G", NULL) and wait
 * until it accepts connections.  It gets SIGTERM when the thread that calls this ends, so call it from the main thread; Ctrl-C on
 * the terminal does not reach it.  -1 with the sandbox's own sentence when it does not start. */
int sandbox_child_start(struct sandbox_child *, const char *const *options, struct cause *);

/* Ask it to end and wait.  -1 when it ended otherwise than well (its engine died).  One that was never started is fine. */
int sandbox_child_stop(struct sandbox_child *, struct cause *);

#endif
