/* hints: what SQL Server would say of a query's columns where the engine says something else: an expression without an alias has no name
 * (the engine gives it its own text), COUNT and conversions to int are int (the engine's are bigint). */
#ifndef RK_SANDBOX_HINTS_H
#define RK_SANDBOX_HINTS_H

#include "sandbox/lex.h"

enum { HINTS_MAX = 64 };
struct hints {
  int n; /* columns, from the left, that something is known of; none from a "*" on, whose columns only the engine counts */
  unsigned char unnamed[HINTS_MAX], is_int[HINTS_MAX];
};

/* Of the select list of the statement in tokens from..to-1; none when it is no SELECT. */
void hints_read(struct hints *, const struct tokens *, int from, int to);

#endif
