/* hold: a lever for tests: a file in the sandbox's folder makes it hold one tagged statement for as long as somebody wants.
 *
 * FOLDER/hold-server-set with the line "after 2" lets two statements tagged server/set pass; the third is carried out, and its answer
 * is held.  "before 0" holds the next one before it is carried out.  When it holds one the sandbox renames the file to
 * FOLDER/held-server-set, and lets go when that is removed, or when the client hangs up or asks to stop: one that was not yet carried
 * out then never is.  Each file holds one statement; others of the tag pass. */
#ifndef RK_SANDBOX_HOLD_H
#define RK_SANDBOX_HOLD_H

#include "sandbox/session_private.h"

enum hold { HOLD_NOT, HOLD_BEFORE, HOLD_AFTER };

/* What is wanted of this statement; counts it. */
enum hold hold_wanted(struct server *, const char *tag);

/* Wait until it may go on: 0; or 1 when nobody waits for it any more. */
int hold_wait(struct session *, const char *tag, struct reply *);

#endif
