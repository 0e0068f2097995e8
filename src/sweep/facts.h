/* facts: what a sweep must know about the server and the database before it plans. */
#ifndef RK_SWEEP_FACTS_H
#define RK_SWEEP_FACTS_H

#include "check/check.h"
#include "knob/knob.h"
#include "mix/mix.h"
#include "sweep/plan.h"

#include <jansson.h>

struct facts {
  struct check_facts seen;  /* what the preflight has read */
  struct knob_state before; /* the setting as it is */
  int64_t start_ticks;      /* another value later: the server was restarted */
  int64_t cpus;
  int64_t scale;            /* shown bytes for each real one: 1024 in the sandbox, else 1 */
  int64_t data_bytes;       /* of the data as the server shows it, 0 when not known */
  struct mix_load load;
};

/* Ask for all of it (with CHECK_MEASURE, of the setting and of what the server holds what it tells: before.server is empty when it shows
 * no setting), judge it, and print the findings that are not simply ok.  `master` is a connection in master, `db` one in the
 * loaded database of the plan.  -1 also when a finding stands in the way. */
int facts_read(struct facts *, struct conn *master, struct conn *db, const struct check_plan *, struct cause *);

struct plan_facts facts_for_plan(const struct facts *);

/* Members "server" and "database" of run.json, new. */
json_t *facts_server_json(const struct facts *);
json_t *facts_database_json(const struct facts *, const char *database, const struct mix_load *run);

#endif
