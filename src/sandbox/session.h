/* session: what the listener asks of the part that knows SQL.  The listener (listener.c, tds*.c) owns sockets, packets and tokens and
 * trusts no length; the session (session.c, statements*.c, engine.c, ...) owns meaning: databases, tags, settings, the engine.
 * One thread a session. */
#ifndef RK_SANDBOX_SESSION_H
#define RK_SANDBOX_SESSION_H

#include "sandbox/field.h"
#include "sandbox/reply.h"

struct server;  /* the whole sandbox: settings, engine, persona; one a process */
struct session;

/* Names of up to 128 UTF-16 units, as UTF-8; "" for none. */
enum { LOGIN_NAME = 128 * 3 + 1 };
struct login {
  char user[LOGIN_NAME], password[LOGIN_NAME], app[LOGIN_NAME], host[LOGIN_NAME], database[LOGIN_NAME], language[LOGIN_NAME];
  int spid;
};

/* A log-in: the session, after reply_database has named its database, or NULL after reply_error has said why (4060 and 18456 as SQL
 * Server says them).  `*login` is copied, its password is not kept by the caller. */
struct session *session_new(struct server *, const struct login *, struct reply *);
/* The connection is gone: roll back, give back the engine connection.  NULL is fine. */
void session_free(struct session *);

/* A batch of SQL text: UTF-8, `len` bytes and a NUL that is not counted.  A transaction manager request arrives here as text too:
 * "BEGIN TRANSACTION", "COMMIT TRANSACTION", "ROLLBACK TRANSACTION", "SAVE TRANSACTION [name]", each perhaps after
 * "SET TRANSACTION ISOLATION LEVEL ..." in a batch of its own. */
void session_batch(struct session *, const char *text, size_t len, struct reply *);

struct rpc_param {
  const char *name;  /* "@w", "" when unnamed */
  int by_ref;        /* an output parameter */
  int is_default;    /* the client asks for the procedure's default; value is F_NULL */
  struct column column; /* declared type */
  struct field value;
};
struct rpc {
  const char *name;  /* "dbo.rk_new_order", "sp_executesql"; an id is already turned into its name (1: sp_cursor, ...);
                        sp_prepare, sp_execute and the like arrive as sp_executesql */
  int nparam;
  const struct rpc_param *param;
};
void session_rpc(struct session *, const struct rpc *, struct reply *);

/* Bulk load.  A batch that is "insert bulk T (col type, ...) [with (...)]" makes the session ready for it: session_bulk_pending is
 * then true, and the listener takes the next message of type 0x07 as its rows. */
int session_bulk_pending(const struct session *);
/* The columns as they stand in the stream; -1 after reply_error: the rest of the message is skipped.  Rows come
 * with one field a column. */
int session_bulk_columns(struct session *, const struct column *, int n, struct reply *);
int session_bulk_row(struct session *, const struct field *, int n, struct reply *);
/* The message is whole (one without columns or rows counts as whole): *rows were loaded (the listener sends DONE with that count); -1
 * after reply_error.  `broken`: the client went away or asked to stop in the middle, or session_bulk_columns or _row returned -1: roll
 * back, *rows = 0.  Comes once after every stream; then the session is no longer pending. */
int session_bulk_end(struct session *, int broken, int64_t *rows, struct reply *);

/* Reset (status bit 0x08 of a request): roll back, SET options to their defaults. */
void session_reset(struct session *);

#endif
