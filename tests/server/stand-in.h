/* stand-in: a session behind the real front door that answers the client's statements as a test tells it to.
 *
 * Tagged statements: server/session is done; server/settings gives one row; server/database gives its @db back as the name, with
 * replica_id NULL; what `mode` says is wrong with the answer to server/settings.
 * Batches: see session_batch in stand-in.c.  Procedures: rk_ok, rk_rolled_back, rk_status (7), rk_deadlock, rk_fail, rk_mixed (an error
 * in the middle, then status 0), rk_rows, rk_silent, rk_types (remembers its arguments). */
#ifndef RK_TESTS_SERVER_STAND_IN_H
#define RK_TESTS_SERVER_STAND_IN_H

#include "sandbox/listener.h"
#include "sandbox/session.h"
#include "server/conn.h"

#include <pthread.h>
#include <stdatomic.h>

enum mode {
  HONEST, WRONG_NAME, WRONG_KIND, FEWER_COLUMNS, MORE_RESULTS, NO_RESULT, NULL_IN_ROW, ERROR_FIRST, ERROR_AFTER_ROW, SILENT, TRICKLE, SETTINGS_MODES
};

enum { ARGS_KEPT = 24, ROWS_KEPT = 8 };

struct kept {
  enum field_type type;
  enum wire_type wire;
  int64_t i;
  double r;
  size_t len;
  char p[80];
};

struct server {
  _Atomic int mode, login_number, cancelled, sessions;
  _Atomic long calls, rows, bulk_fails_at, commits;
  pthread_mutex_t lock; /* over what follows: each session has a thread of its own */
  int narg;
  struct kept arg[ARGS_KEPT];            /* of the last rk_types */
  struct kept row[ROWS_KEPT][ARGS_KEPT]; /* the first rows that were bulk loaded */
  char tag[80], text[200];               /* of the last batch */
};

/* A stand-in server on a port of its own, and the target that leads to it; both are global to the test's process. */
extern struct server stand_in;
extern struct listener *stand_in_listener;
extern struct target stand_in_target;

/* Start it and set the client library up for n connections. */
void stand_in_start(int n);
void stand_in_stop(void);
/* A connection to it; the process aborts when it does not come about. */
struct conn *stand_in_conn(void);

#endif
