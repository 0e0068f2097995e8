/* engine: the private mariadbd child that holds the sandbox's data, and the pool of connections to it.
 *
 * It lives in FOLDER/data, talks through a Unix socket there, and dies with the sandbox: SIGTERM and a wait at the normal end,
 * PR_SET_PDEATHSIG when the sandbox is killed, and a pid file (FOLDER/engine.pid) that the next start cleans up after.  It is
 * never restarted behind anybody's back: when it has died every use of it fails. */
#ifndef RK_SANDBOX_ENGINE_H
#define RK_SANDBOX_ENGINE_H

#include "base/cause.h"

#include <mysql.h>
#include <stdint.h>
#include <sys/types.h>

#define ENGINE_PAGE 8192
#define ENGINE_POOL_MIN (3 * INT64_C(1048576)) /* below it InnoDB with 8 KiB pages refuses */

struct engine;

struct engine_options {
  const char *folder;      /* absolute, exists; nobody else uses it (the caller holds its lock) */
  int64_t pool_bytes;      /* at the start */
  int64_t pool_max_bytes;  /* it can never be larger than this */
  int connections;         /* at most, in the pool */
};

/* Refuse a folder whose direct reads do not reach a device (tmpfs and the like), clean up after an earlier sandbox, make the
 * system tables when there are none, start mariadbd and wait until it answers.  To be called from the main thread before others
 * start (the child dies with the thread that started it).  NULL with a cause. */
struct engine *engine_start(const struct engine_options *, struct cause *);

/* Ask it to end, wait (30 s, then kill), close the pool.  No connection may be in use.  NULL is fine. */
void engine_stop(struct engine *);

/* From the main thread after SIGCHLD: 1 when the child has ended (`how` then says in words how), else 0. */
int engine_ended(struct engine *, char *how, size_t size);

/* Known to have ended, or to be about to.  Any thread. */
int engine_dead(const struct engine *);

pid_t engine_pid(const struct engine *);
const char *engine_data(const struct engine *);      /* FOLDER/data */
const char *engine_version(const struct engine *);   /* "10.11.6-MariaDB..." */
int64_t engine_started_ms(const struct engine *);    /* CLOCK_BOOTTIME at its start, for ms_ticks */

/* A connection of the pool.  It belongs to one thread between engine_take and engine_give. */
#define CONN_CALLS 24
struct engine_conn {
  MYSQL *my;
  int ncall;
  unsigned turn;
  struct {
    const void *proc;      /* whose call it is: see call.c */
    MYSQL_STMT *stmt;
  } call[CONN_CALLS];
  const void *db;          /* the struct database that it stands on */
  const char *isolation;   /* of its transactions; NULL: READ COMMITTED */
  int lock_wait_s;         /* -1: not set yet */
  int bad;                 /* to be closed instead of given back: its state is unknown */
  struct engine_conn *next;
};

/* Take a connection, waiting for one when all are in use (`*waits` counts that, with `*wait_ns`, over the engine's life: see
 * engine_waits).  NULL with a cause when the engine is dead or a connection cannot be opened. */
struct engine_conn *engine_take(struct engine *, struct cause *);
void engine_give(struct engine *, struct engine_conn *);
void engine_waits(const struct engine *, int64_t *waits, int64_t *wait_ns);

/* End what a connection is doing (from another thread): its statement fails with 1317. */
void engine_kill_query(struct engine *, unsigned long thread_id);

/* Run statements and drop their results; 0, or -1 with a cause whose number is the engine's error. */
int engine_run(struct engine_conn *, const char *sql, struct cause *);

/* Give the pool that size (rounded down to whole MiB, at least ENGINE_POOL_MIN) and wait until it is reached or the engine gives
 * up; *reached is read back in any case.  -1 with a cause when it was refused: a transaction that holds many row locks can do
 * that. */
int engine_resize(struct engine *, int64_t bytes, int64_t *reached, struct cause *);

#endif
