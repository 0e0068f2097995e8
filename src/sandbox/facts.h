/* facts: what the engine and its process are doing, as the rows of SQL Server's system views.
 *
 * The views are tables of the engine's database `sys` (in memory, made anew at each start: sql/sandbox/engine/schema.sql).  A
 * statement that names some of them has them filled anew first, from the engine's status, the performance schema and /proc; so a
 * twin, and a person at a prompt, read the same truth, and the engine itself does the selecting.  Sizes are shown times
 * SERVER_SCALE; counts, bytes read and stalls are as they are. */
#ifndef RK_SANDBOX_FACTS_H
#define RK_SANDBOX_FACTS_H

#include "sandbox/server.h"

struct facts;

enum {
  FACT_SETTINGS = 1, FACT_COUNTERS = 2, FACT_FILES = 4, FACT_MEMORY = 8, FACT_WAITS = 16, FACT_DATABASES = 32, FACT_SESSIONS = 64,
  FACT_SERVER = 128, FACT_SCHEDULERS = 256,
};

struct facts *facts_new(void);
void facts_free(struct facts *);

/* Make the tables, on a fresh engine. */
int facts_make(struct engine_conn *, struct cause *);

/* Which of them a statement reads: a set of FACT_*. */
unsigned facts_needed(const char *sql);

/* Fill those tables anew. */
int facts_refresh(struct server *, struct engine_conn *, unsigned need, struct cause *);

#endif
