/* impl: what the files of server/ share.  No other part includes it, nor sybdb.h. */
#ifndef RK_SERVER_IMPL_H
#define RK_SERVER_IMPL_H

#include "base/text.h"
#include "server/conn.h"

#include <stdatomic.h>
#include <sybfront.h>
#include <sybdb.h>

enum {
  ARGS_MAX = 64,
  TEXT_PARAM_MAX = 4000, /* bytes; beyond this db-lib changes the type, and beyond 8,000 it cuts */
  BIN_PARAM_MAX = 8000,
  DECIMAL_DIGITS = 18,
  ACKNOWLEDGE_S = 5,     /* how long a silent server that was told to stop may take to say so */
  PROBE_AGAIN_S = 2,     /* how long one that did not answer a log-in in time is asked what it offers */
  ELAPSED_FACTOR = 4,    /* a call that goes on for longer than this many times the silence allowed is ended, whatever the server says */
};

/* What db-lib's handlers heard during one call.  Handlers run in the calling thread: `listener` is its own. */
struct heard {
  int number;         /* the server's first message above severity 10 */
  int deadlock;       /* 1205 was among them */
  int lib, os;        /* db-lib's own first error, with errno */
  int silences;       /* time-outs in a row */
  int may_wait;       /* a time-out may be answered by an attention (not during a log-in) */
  enum { RUNNING, INTERRUPTED, TOO_LONG } stopped;
  char text[400], lib_text[160];
};
extern _Thread_local struct heard *listener;

/* A parameter's value in db-lib's types.  It has to stay where it is until dbrpcsend. */
union slot {
  DBTINYINT i1;
  DBSMALLINT i2;
  DBINT i4;
  DBBIGINT i8;
  DBFLT8 f8;
  DBBIT bit;
  DBDATETIME when;
  DBNUMERIC dec;
};

struct conn {
  DBPROCESS *db;
  char *server, *user;     /* for sentences; user NULL with Kerberos */
  int silence_s;
  int hurried;             /* db-lib waits for ACKNOWLEDGE_S only, instead of silence_s */
  int64_t deadline_ns;     /* of the present call */
  int fd;                  /* a duplicate of db-lib's socket: db-lib may close its own at any time, and the number be used again */
  int lost;
  _Atomic int interrupt;
  _Atomic int64_t calls;
  struct heard heard;
  struct text row;         /* texts of the present row */
  struct val *col;
  int ncol;
  union slot slot[ARGS_MAX];
};

/* Begin a call: forget what was heard, set the deadline, count it.  -1 with a cause when the connection is dead. */
int conn_begin(struct conn *, struct cause *);
/* From db-lib's handler: the server was silent for as long as it may, and is told to stop: its word for that is not waited for so long. */
void conn_hurry(void *dbprocess);
/* Turn what was heard into a cause that begins with `doing` ("cannot run server/set"), and notice a dead connection.  Returns -1. */
int conn_failed(struct conn *, const char *doing, struct cause *);
/* Read all results to their end; 0, or -1 when something was heard or the connection died.  Rows are dropped. */
int conn_drain(struct conn *);

/* A value as db-lib wants it: type, length (0 with a NULL pointer for NULL) and where it is. */
struct bound {
  int type;
  DBINT len;
  BYTE *at;
};
/* `s` holds it when it is no text or bytes.  -1 with a cause that names `what` when it does not fit. */
int bind_value(struct bound *, union slot *s, enum proc_type, int size, const struct val *, const char *what, struct cause *);
/* db-lib's type for a column or parameter of ours. */
int bind_type(enum proc_type);

/* errors.c */
void cause_of_heard(struct cause *, const struct heard *, int silence_s, const char *doing);
void cause_of_open(struct cause *, const struct heard *, const struct target *);

/* probe.c: ask a server for its encryption by a PRELOGIN of our own, to explain why a log-in failed. */
enum probe { PROBE_UNREACHABLE, PROBE_SILENT, PROBE_CLOSED, PROBE_CLEAR_ONLY, PROBE_ENCRYPTS, PROBE_NONSENSE };
enum probe probe_encryption(const char *host, int port, int timeout_s);

/* The section of the private configuration file, and whether this target is the one that it was written for. */
const char *server_section(void);
int server_is_target(const struct target *);

#endif
