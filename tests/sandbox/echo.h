/* echo: a session that knows no SQL, for tests of the front door alone.
 *
 * Batches: "select 1" (one int), "types" (a row of each wire type, a row of NULLs), "rows N WIDTH" (N rows of a text of that width),
 * "forever" (rows until it is cancelled), "fail" (error 50000), "insert bulk ..." (waits for rows), "count" (rows loaded since the
 * start), "exec" (a return status in a batch), SET, BEGIN, COMMIT and the like (done); anything else comes back as text.
 * Procedures: "echo" gives each parameter back, as one row and in its output parameters; sp_executesql answers its statement as a
 * batch, but "values" with its parameters; others are error 2812.  Database "none" and password "wrong" are refused. */
#ifndef RK_TESTS_SANDBOX_ECHO_H
#define RK_TESTS_SANDBOX_ECHO_H

#include "sandbox/session.h"

#include <stdatomic.h>

struct server {
  atomic_long sessions, rows, resets, broken;
  atomic_int cancelled;
  long most_rows; /* "forever" and "rows" end there; 0: nowhere */
};

#endif
