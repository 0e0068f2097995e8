/* facts: what a sweep must know about the server and the database before it plans. */
#ifndef RK_SWEEP_FACTS_H
#define RK_SWEEP_FACTS_H

#include "knob/knob.h"
#include "mix/mix.h"
#include "sweep/plan.h"

#include <jansson.h>

struct facts {
  char server[132], node[132], edition[132], version[64], platform[64];
  int engine_edition;
  int64_t scale;         /* 1024 in the sandbox, else 1 */
  int64_t physical_mib, committed_mib;
  int64_t cpus;
  int64_t start_ticks;   /* another value later: the server was restarted */
  struct knob_state before;
  char database[132], recovery[64];
  int64_t database_level; /* compatibility level */
  int rcsi;
  int64_t data_bytes, log_bytes; /* size of the files as the server shows it */
  int64_t used_bytes;            /* pages in use, 0 when unknown */
  struct mix_load load;
};

/* Ask for all of it.  `master` is a connection in master, `db` one in the loaded database. */
int facts_read(struct facts *, struct conn *master, struct conn *db, const char *database, struct cause *);

/* What no sweep may start over: managed services, no right to set, options of others that wait for RECONFIGURE. */
int facts_refuse(const struct facts *, struct conn *master, struct cause *);

struct plan_facts facts_for_plan(const struct facts *);

/* Members "server", "database" and "before" of run.json, new. */
json_t *facts_server_json(const struct facts *);
json_t *facts_database_json(const struct facts *);

/* Sessions of other people, one line each ("app_login (MyApp): 12"), at most `max` lines, into new memory; NULL when there are none
 * or they may not be seen. */
char *facts_sessions(struct conn *master, int max);

#endif
