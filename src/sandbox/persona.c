#include "config.h"

#include "sandbox/persona.h"
#include "sandbox/session_private.h"
#include "base/clock.h"
#include "base/units.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Below this some personas misbehave. */
#define STARVED_MIB 32768

/* A server that gives memory back slowly: a tenth of the way each second, at least a megabyte. */
static int64_t slowly(int64_t now, int64_t target) {
  int64_t step = (now - target) / 10;
  if (step < MIB)
    step = MIB;
  return now - target <= step ? target : now - step;
}

/* One that does not give it back at all. */
static int64_t not_at_all(int64_t now, int64_t target) {
  return target < now ? now : target;
}

int persona_starved(struct server *v) {
  return settings_get(v->settings, SET_MAX_MEMORY).in_use < STARVED_MIB;
}

/* Nothing is answered while it is starved, but an attention and a hang-up are noticed. */
static int stall(struct session *s, struct reply *r) {
  while (persona_starved(s->server) && !engine_dead(s->server->engine)) {
    if (reply_broken(r) || reply_cancelled(r))
      return 1;
    sleep_until_ns(mono_ns() + 50 * NS_PER_MS);
  }
  return 0;
}

static int drop(struct session *s, struct reply *r) {
  if (!persona_starved(s->server))
    return 0;
  reply_error(r, 596, 1, 21, "", 1, "Cannot continue the execution because the session is in the kill state.");
  return 1;
}

static int no_login(struct server *v, struct reply *r) {
  if (!persona_starved(v))
    return 0;
  reply_error(r, 17803, 1, 20, "", 0,
              "There was a memory allocation failure during connection establishment. Reduce nonessential memory load, "
              "or increase system memory. The connection has been closed.");
  return 1;
}

/* Every fiftieth request of a session is a deadlock's victim. */
static int deadlock(struct session *s, struct reply *r) {
  if (++s->requests % 50 != 0)
    return 0;
  if (s->trancount > 0)
    session_rollback(s, r);
  reply_error(r, 1205, 51, 13, "", 1,
              "Transaction (Process ID %d) was deadlocked on lock resources with another process and has been chosen as the "
              "deadlock victim. Rerun the transaction.",
              s->login.spid);
  return 1;
}

int persona_no_memory(struct session *s, const char *what, struct reply *r) {
  static const struct {
    int number, state;
    const char *text;
  } said[] = {
    {701, 123, "There is insufficient system memory in resource pool 'default' to run this query."},
    {802, 11, "There is insufficient memory available in the buffer pool."},
    {8645, 1,
     "A timeout occurred while waiting for memory resources to execute the query in resource pool 'default' (2). Rerun the query."},
  };
  const struct persona *p = s->server->persona;
  if (!p->no_memory_for || strcmp(p->no_memory_for, what) != 0 || !persona_starved(s->server))
    return 0;
  for (size_t i = 0; i < sizeof said / sizeof *said; i++)
    if (said[i].number == p->no_memory_error)
      reply_error(r, said[i].number, said[i].state, 17, "", 1, "%s", said[i].text);
  return 1;
}

static const struct persona personas[] = {
  {.name = "plain", .what = "an ordinary server"},
  {.name = "named-instance", .what = "a named instance", .instance = "RK"},
  {.name = "no-counters", .what = "performance counters are disabled", .no_counters = 1},
  {.name = "null-names", .what = "counters have no names", .null_names = 1},
  {.name = "no-permission", .what = "logins may look, not set", .no_alter_settings = 1},
  {.name = "no-view", .what = "logins may neither look nor set", .no_alter_settings = 1, .no_view_state = 1},
  {.name = "express",
   .what = "Express Edition, 1,410 MB",
   .edition = "Express Edition (64-bit)",
   .engine_edition = 4,
   .memory_limit_mib = 1410},
  {.name = "standard-2012",
   .what = "Standard Edition 2012, 64 GB",
   .edition = "Standard Edition (64-bit)",
   .engine_edition = 2,
   .version = "11.0.7001.0",
   .memory_limit_mib = 65536},
  {.name = "azure",
   .what = "Azure SQL Database",
   .edition = "SQL Azure",
   .engine_edition = 5,
   .version = "12.0.2000.8",
   .no_configure = 1},
  {.name = "managed-instance",
   .what = "a managed instance",
   .edition = "SQL Azure",
   .engine_edition = 8,
   .version = "12.0.2000.8",
   .reconfigure_fails = 5869},
  {.name = "reconfigure-fails", .what = "RECONFIGURE is refused (5808)", .reconfigure_fails = 5808},
  {.name = "slow-shrink", .what = "memory is given back slowly", .pool_size = slowly},
  {.name = "wont-shrink", .what = "memory is not given back", .pool_size = not_at_all},
  {.name = "min-memory", .what = "'min server memory' is set to 65536", .min_memory_mib = 65536},
  {.name = "large-pages", .what = "large pages are in use", .large_pages = 1},
  {.name = "pending-option", .what = "somebody's option waits for RECONFIGURE", .pending = 1},
  {.name = "stall", .what = "stops answering below 32 GB", .before_request = stall},
  {.name = "drop", .what = "cuts connections below 32 GB", .before_request = drop},
  {.name = "no-login", .what = "refuses log-ins below 32 GB", .before_login = no_login},
  {.name = "deadlock", .what = "every fiftieth request is a deadlock's victim", .before_request = deadlock},
  {.name = "memory-701", .what = "no memory to read counters below 32 GB (701)", .no_memory_for = "server/counters", .no_memory_error = 701},
  {.name = "memory-802", .what = "no memory to read waits below 32 GB (802)", .no_memory_for = "server/waits", .no_memory_error = 802},
  {.name = "memory-8645", .what = "no memory for transactions below 32 GB (8645)", .no_memory_for = "call", .no_memory_error = 8645},
  {.name = "others-wait", .what = "below 32 GB other people wait for memory", .others_wait = 2},
  {.name = "memory-low", .what = "the machine is short of memory below 32 GB", .memory_low = 1},
  {.name = "busy", .what = "somebody's plans are compiled, the log grows", .busy = 1},
};

const struct persona *persona_at(int i) {
  return i >= 0 && (size_t)i < sizeof personas / sizeof *personas ? &personas[i] : NULL;
}

const struct persona *persona_find(const char *name) {
  for (int i = 0; persona_at(i); i++)
    if (strcasecmp(persona_at(i)->name, *name ? name : "plain") == 0)
      return persona_at(i);
  return NULL;
}
