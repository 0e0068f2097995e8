/* session_private: what the files behind session.h share. */
#ifndef RK_SANDBOX_SESSION_PRIVATE_H
#define RK_SANDBOX_SESSION_PRIVATE_H

#include "sandbox/hints.h"
#include "sandbox/server.h"
#include "sandbox/session.h"

#include "base/sqltext.h"
#include "base/text.h"

/* The engine counts seconds; this many are for ever. */
#define LOCK_WAIT_ALWAYS 100000000

struct session {
  struct server *server;
  struct session *next, *prev;  /* server->lock */
  struct login login;           /* its password is wiped */
  int64_t since_ms;             /* logged in, wall time */
  struct database *db;          /* set by stand */
  struct engine_conn *held;     /* while a transaction is open */
  _Atomic int database_id;      /* of db: others read it */
  _Atomic int trancount;        /* open BEGIN TRANSACTIONs; others read it */
  int nocount, fmtonly, xact_abort;
  int64_t requests;             /* for personas */
  unsigned engine_error;        /* of the last statement, 0: none */
  int lost;                     /* the engine has ended: every request fails */
  const char *isolation;        /* engine's name of the level; NULL: READ COMMITTED */
  int lock_wait_s;              /* SET LOCK_TIMEOUT; LOCK_WAIT_ALWAYS: no limit */
  const struct hints *hints;    /* of the query that somebody has typed, while it runs */
  struct bulk *bulk;
  /* The statement that waits for the engine, for the canceller: */
  pthread_mutex_t flight_lock;
  struct reply *flight;
  int64_t flight_ns;            /* since when */
  unsigned long flight_thread;
  int flight_cancelled;
};

/* An engine connection on the session's database, with its isolation level; NULL after reply_error.  Given back by session_give,
 * which keeps it while a transaction is open and ends what a statement left open otherwise. */
struct engine_conn *session_take(struct session *, struct reply *);
void session_give(struct session *, struct engine_conn *);

/* Around whatever waits for the engine: lets an attention or a hang-up of the client end it. */
void session_flight(struct session *, struct engine_conn *, struct reply *);
void session_landed(struct session *);
/* From the server's minder, some times a second: ends statements whose client has asked to. */
void session_look(struct session *);

/* Transactions: BEGIN, COMMIT, ROLLBACK as statements of a batch; -1 after reply_error. */
int session_begin(struct session *, struct reply *);
int session_commit(struct session *, struct reply *);
int session_rollback(struct session *, struct reply *);

/* USE. */
int session_use(struct session *, const char *name, struct reply *);

/* 1 after error 300: the persona lets nobody look at that much of the server (a set of FACT_*). */
int session_view_refused(const struct session *, unsigned need, struct reply *);

/* result.c: run statements and pass their results on.  `decl` (may be NULL) gives the result sets' columns their kinds; `counts`:
 * a statement without a result set is answered with its count of rows.
 * -1 after reply_error. */
int result_run(struct session *, struct engine_conn *, const char *sql, size_t len, const struct sqltext *decl, int counts,
               struct reply *);

/* errors.c: say the engine's error as SQL Server would.  Always -1.  A lost engine ends the session; a deadlock its transaction. */
int engine_error(struct session *, struct engine_conn *, unsigned number, const char *text, struct reply *);
int engine_lost(struct session *, struct reply *);

/* call.c: a stored procedure of the session's database. */
void call_procedure(struct session *, const char *name, const struct rpc_param *, int n, struct reply *);

/* procedures.c: those that the front door answers by itself: sp_configure, sp_getapplock, rk_null, rk_delay ...; 1 when `name`
 * was one. */
int builtin_procedure(struct session *, const char *name, const struct rpc_param *, int n, struct reply *);
/* RECONFIGURE; -1 after reply_error. */
int reconfigure(struct session *, int override, struct reply *);
/* sp_configure; the return status. */
int configure(struct session *, const char *name, const int64_t *value, struct reply *);
void applocks_release(struct session *);
/* 0: taken (or held already), -1: another session holds it in the current database. */
int applock_take(struct session *, const char *name);
/* 1: no other session holds it in that database. */
int applock_free(struct session *, int database_id, const char *name);

/* native.c: twins written in C.  1 when there is one of that name. */
int native_run(struct session *, const char *name, const struct field *param, int n, struct reply *);

/* agent.c: the twins of server/agent and server/dead_man. */
void native_agent(struct session *, const struct field *, struct reply *);
void native_dead_man(struct session *, const struct field *, struct reply *);

/* statements.c: a tagged text.  1 when it was answered (also by an error), 0 when it has no twin and is to be judged by its text.
 */
int statements_run(struct session *, const char *text, size_t len, const struct rpc_param *, int n, struct reply *);
/* "SET @rk_spid = ..., @name = value;": what statements can use. */
void statements_variables(const struct session *, const struct rpc_param *, int n, struct text *);

/* prompt.c: what people type. */
void prompt_batch(struct session *, const char *text, size_t len, const struct rpc_param *, int n, struct reply *);

/* bulk.c */
/* INSERT BULK into a table of `db` (NULL: the current one). */
int bulk_prepare(struct session *, const char *db, const char *table, struct reply *);
void bulk_free(struct session *);

#endif
