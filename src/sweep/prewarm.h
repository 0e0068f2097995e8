/* prewarm: read the mix's tables through the cache after a setting went up, until everything was read or the cache is full.
 * A thread with a connection of its own works; the others are called by the main thread. */
#ifndef RK_SWEEP_PREWARM_H
#define RK_SWEEP_PREWARM_H

#include "server/conn.h"

struct prewarm;

/* `table` ends with NULL and is borrowed, like the target (whose database it reads). */
int prewarm_start(struct prewarm **, const struct target *, const char *const *table, struct cause *);
/* 0 at work, 1 done, -1 failed (cause). */
int prewarm_poll(struct prewarm *, struct cause *);
/* End it, join, free; NULL is fine. */
void prewarm_stop(struct prewarm *);

#endif
