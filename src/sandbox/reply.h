/* reply: the response to one request, written to the client as TDS tokens in packets as they fill up.
 *
 * A reply belongs to the thread of its session.  Once the client has gone every call is a no-op and reply_broken says so; when an
 * attention has arrived reply_cancelled turns true and the callee should end soon: the listener then acknowledges it. */
#ifndef RK_SANDBOX_REPLY_H
#define RK_SANDBOX_REPLY_H

#include "sandbox/field.h"

#include <stdint.h>

struct reply;

int reply_broken(const struct reply *);
/* Looks at the socket (without blocking) for an attention.  Another thread may do so while the reply's own waits elsewhere and a lock
 * sees to it that only one touches the reply. */
int reply_cancelled(struct reply *);

/* A result set: its columns, then rows of n fields of convertible types.  A value that does not convert or fit goes out as NULL or cut,
 * followed by error 8114, 8115 or 8152. */
void reply_columns(struct reply *, const struct column *, int n);
void reply_row(struct reply *, const struct field *, int n);
/* The end of a statement in a batch or procedure: `rows` or -1 for no count.  Whether DONE, DONEINPROC or DONEPROC goes out, and the
 * MORE bit, is the listener's business: it ends the response when session_batch or session_rpc returns. */
void reply_done(struct reply *, int64_t rows);

/* As SQL Server would say it; an error marks the statement's DONE with the ERROR bit; severity 20 and above
 * hangs up after the response. */
void reply_error(struct reply *, int number, int state, int severity, const char *procedure, int line, const char *fmt, ...)
  __attribute__((format(printf, 7, 8)));
void reply_info(struct reply *, int number, int state, int severity, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Say errors and infos in another language from now on: `translate` gives the text for a number.  Before the first connection. */
void reply_language(const char *(*translate)(int number));

/* ENVCHANGE 1 with its INFO 5701. */
void reply_database(struct reply *, const char *now, const char *before);

/* ENVCHANGE 8, 9, 10: a transaction has begun or ended; clients keep count by it. */
enum reply_transaction { REPLY_BEGUN = 8, REPLY_COMMITTED = 9, REPLY_ROLLED_BACK = 10 };
void reply_transaction(struct reply *, enum reply_transaction);

/* The return status of a procedure, then its output parameters; in a batch (EXEC ...) the status alone: the next reply_done then ends
 * the procedure. */
void reply_return_status(struct reply *, int32_t status);
void reply_return_value(struct reply *, const char *name, const struct column *, const struct field *);

#endif
