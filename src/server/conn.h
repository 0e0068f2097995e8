/* conn: a connection to a SQL Server through FreeTDS's db-lib, the only way that ramknee talks to a server.
 *
 * A conn belongs to one thread for life, but for conn_interrupt.  server_init comes once, before any thread is started; after it
 * no other part of the program may include sybdb.h or set db-lib's globals. */
#ifndef RK_SERVER_CONN_H
#define RK_SERVER_CONN_H

#include "base/cause.h"
#include "server/target.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h> /* VAL_T */

struct conn;

enum outcome {
  DONE,        /* the server did it and answered */
  ROLLED_BACK, /* it ended as the mix means it to in some cases (return status 1): not an error, not a "done" */
  DEADLOCK,    /* 1205: rolled back by the server; the connection is alive; may be sent again */
  FAILED,      /* an error of the server; the connection is alive */
  LOST,        /* the connection is dead: open a new one */
};

enum val_type { VAL_NULL, VAL_INT, VAL_REAL, VAL_TEXT, VAL_BIN };

/* One value, as a parameter or in a row.  text and bin are not owned: in a row they live until the callback returns.
 * An empty text or bin cannot be sent: FreeTDS would turn it into NULL, so it is refused with a cause. */
struct val {
  enum val_type type;
  int len;         /* bytes of p for TEXT and BIN */
  int64_t i;       /* INT */
  double r;        /* REAL */
  const char *p;   /* TEXT: UTF-8, NUL-terminated in rows; BIN: bytes */
};

#define VAL_I(x) ((struct val){.type = VAL_INT, .i = (x)})
#define VAL_R(x) ((struct val){.type = VAL_REAL, .r = (x)})
#define VAL_T(s) ((struct val){.type = VAL_TEXT, .p = (s), .len = (int)strlen(s)})
#define VAL_B(s, n) ((struct val){.type = VAL_BIN, .p = (s), .len = (n)})

/* One row; `result` counts the result sets of the statement from 0.  Return 0 to go on, anything else to stop (conn_query then
 * discards the rest and returns 0). */
typedef int row_fn(void *arg, int result, const struct val *col, int ncol);

/* Process-wide set-up: dbinit, handlers, a private FREETDSCONF with one section for the target, RLIMIT_NOFILE for `connections`
 * (three descriptors each).  It does not connect.  May be called again (another target, more connections) while no connection is
 * open; a child of fork calls it for itself.  Returns -1 with a cause that says how to raise the limit when the hard limit forbids it. */
int server_init(const struct target *, int connections, struct cause *);
void server_done(void);

/* Open, log in, send the usual SET batch.  The target must be the one of server_init (its user, password, database and query time-out
 * may differ).  On success *out is the caller's, for conn_close (NULL is fine).  The first one of a process is opened under a lock. */
int conn_open(struct conn **out, const struct target *, struct cause *);
void conn_close(struct conn *);

/* True when the connection is known to be dead. */
int conn_lost(const struct conn *);

/* Silence allowed in the calls that follow, in seconds (1..86400), instead of the target's query time-out: for statements that work for
 * a long time without a word (index builds, statistics, CREATE DATABASE).  The limit of elapsed time is four times that. */
void conn_patience(struct conn *, int silence_s);

/* Run the built-in statement of that tag (base/sqltext.h) with n parameters in the declared order; each row goes to `fn` (may be
 * NULL).  The columns are checked against the header.  Silence is limited by the target's query time-out, elapsed time by four times
 * that (looked at with each row and in each idle second).  0, or -1 with a cause whose number is the server's first error above
 * severity 10. */
int conn_query(struct conn *, const char *tag, const struct val *param, int n, row_fn *fn, void *arg, struct cause *);

/* Run text that is made at run time (CREATE DATABASE [x] ...), for statements that take no parameters; identifiers are quoted with
 * quote_name.  `tag` goes in front as the usual comment.  No rows are returned. */
int conn_exec(struct conn *, const char *tag, const char *text, struct cause *);

/* "[a]]b]": an identifier quoted for T-SQL, new memory. */
char *quote_name(const char *name);

/* A stored procedure.  Parameter types are sent as declared.  What a struct val may hold for each:
 *   TINYINT..BIGINT, BIT   INT
 *   REAL8                  REAL, INT
 *   VARCHAR                TEXT, at most 4,000 bytes (as a parameter it travels as NVARCHAR)
 *   VARBINARY              BIN, at most 8,000 bytes
 *   DATETIME               INT: milliseconds since 1970-01-01 00:00 on the server's clock, rounded to its 1/300 s; or
 *                          TEXT "YYYY-MM-DD[ hh:mm:ss[.mmm]]"
 *   DECIMAL                INT: in units of the last digit (size 2: cents), REAL: rounded to it, TEXT "-12.34"; at most 18 digits
 * and NULL for all.  A value that does not fit its type is a failure, nothing is sent. */
enum proc_type { P_TINYINT, P_SMALLINT, P_INT, P_BIGINT, P_REAL8, P_BIT, P_VARCHAR, P_VARBINARY, P_DATETIME, P_DECIMAL };
struct proc_param {
  const char *name; /* "@w" */
  enum proc_type type;
  int size;         /* bytes, for P_VARCHAR and P_VARBINARY; digits after the point (0..18) for P_DECIMAL */
  int out;          /* an output parameter */
};
struct proc {
  const char *name; /* "dbo.rk_new_order" */
  int nparam;
  const struct proc_param *param;
};

/* Call it: the arguments stand in declared order.  Rows are read and dropped.  Return status 0 gives DONE, 1 gives ROLLED_BACK;
 * other statuses are FAILED.  No allocation of ours, no lock, no log; a cause (may be NULL) is filled for DEADLOCK, FAILED, LOST. */
enum outcome conn_call(struct conn *, const struct proc *, const struct val *arg, struct cause *);

/* Bulk load. */
struct bulk_column {
  const char *name;
  enum proc_type type;
  int size; /* as above */
};
struct bulk_table {
  const char *name; /* "dbo.stock" */
  int tablock;      /* a heap, empty or alone: minimal logging, and parallel streams do not block one another */
  int ncol;
  const struct bulk_column *col;
};
/* Fill row[0..ncol-1]; 1: a row is there, 0: the end, -1: stop, cause filled.  VAL_TEXT must be ASCII (no conversion is done). */
typedef int next_row_fn(void *arg, struct val *row, struct cause *);
/* Send all rows, committing every `batch` rows (0: once).  *rows counts what the server has acknowledged.  After -1 the connection
 * is closed (half a row may be in the stream): conn_lost is true. */
int conn_bulk(struct conn *, const struct bulk_table *, int batch, next_row_fn *next, void *arg, int64_t *rows, struct cause *);

/* End what another thread's call is waiting for: within a second the server is told to stop; `hard` shuts the socket down.  When no
 * call is waiting, the next one that waits for a second is ended.  Any thread; the conn must be kept open meanwhile. */
void conn_interrupt(struct conn *, int hard);

/* Our own calls sent so far (batches and procedure calls), for "other people's batches = Batch Requests - our calls". */
int64_t conn_calls(const struct conn *);

/* The sentence and the remedy for a server's message number (18456, 4060, ...), NULL when we have none better than the server's text. */
const char *server_message_sentence(int number);
const char *server_message_remedy(int number);

/* Does that number (0, one of the system's: no) say that the server had no memory for what it was asked: 701, 802, 8645, 8651, 17803? */
int server_message_starved(int number);

#endif
