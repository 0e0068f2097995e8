#include "config.h"

#include "sandbox/persona.h"
#include "sandbox/session_private.h"
#include "base/clock.h"
#include "base/units.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

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

/* A DBA who needs the memory. */
static void intervene(struct server *v) {
  int32_t before;
  if (settings_store(v->settings, SET_MAX_MEMORY, 150000, &before, NULL) == 0 && settings_install(v->settings))
    server_resize(v, NULL);
}

/* Connections are cut, and behind the address another instance answers. */
static void fail_over(struct server *v) {
  v->moved = 1;
  kill(getpid(), SIGUSR1);
}

/* As clients see it: connections are cut, nobody is let in for a while, the stored settings run, and the ticks of the start are others.
 * The engine goes on, so counts do not begin again at 0. */
static void restart(struct server *v) {
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t);
  v->started_again_ms = t.tv_sec * 1000 + t.tv_nsec / NS_PER_MS;
  v->closed_until_ns = mono_ns() + 2 * NS_PER_S;
  if (settings_install(v->settings))
    server_resize(v, NULL);
  kill(getpid(), SIGUSR1);
}

static int upgrading(struct server *v, struct reply *r) {
  if (mono_ns() >= v->closed_until_ns)
    return 0;
  reply_error(r, 18401, 1, 14, "", 1, "Login failed. Reason: Server is in script upgrade mode. Only administrator can connect at this time.");
  return 1;
}

const char *persona_german(int number) {
  static const struct { int number; const char *text; } german[] = {
    {207, "Ung\303\274ltiger Spaltenname."},
    {208, "Ung\303\274ltiger Objektname."},
    {911, "Die Datenbank ist nicht vorhanden."},
    {1205, "Der Prozess wurde als Deadlockopfer ausgew\303\244hlt. F\303\274hren Sie die Transaktion erneut aus."},
    {2812, "Die gespeicherte Prozedur konnte nicht gefunden werden."},
    {4060, "Die von der Anmeldung angeforderte Datenbank kann nicht ge\303\266ffnet werden."},
    {5701, "Der Datenbankkontext wurde ge\303\244ndert."},
    {15123, "Die Konfigurationsoption ist nicht vorhanden, oder sie ist eine erweiterte Option."},
    {15457, "Die Konfigurationsoption wurde ge\303\244ndert. F\303\274hren Sie zur Installation die RECONFIGURE-Anweisung aus."},
    {18456, "Fehler bei der Anmeldung."},
  };
  for (size_t i = 0; i < sizeof german / sizeof *german; i++)
    if (german[i].number == number)
      return german[i].text;
  return "Eine Meldung des Servers.";
}

static const struct persona personas[] = {
  {.name = "plain", .what = "an ordinary server"},
  {.name = "named-instance", .what = "a named instance", .instance = "RK"},
  {.name = "no-counters", .what = "performance counters are disabled", .no_counters = 1},
  {.name = "null-names", .what = "counters have no names", .null_names = 1},
  {.name = "no-permission", .what = "logins may look, not set, but for dba", .no_alter_settings = 1},
  {.name = "no-view", .what = "logins may neither look nor set", .no_alter_settings = 1, .no_view_state = 1},
  {.name = "express",
   .what = "Express Edition, 1,410 MB",
   .edition = "Express Edition (64-bit)",
   .engine_edition = 4,
   .memory_limit_mib = 1410,
   .no_agent = 1},
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
  {.name = "reconfigure-fails-5812", .what = "RECONFIGURE is refused (5812)", .reconfigure_fails = 5812},
  {.name = "reconfigure-fails-5831", .what = "RECONFIGURE is refused (5831)", .reconfigure_fails = 5831},
  {.name = "slow-shrink", .what = "memory is given back slowly", .pool_size = slowly},
  {.name = "wont-shrink", .what = "memory is not given back", .pool_size = not_at_all},
  {.name = "min-memory", .what = "'min server memory' is set to 65536", .min_memory_mib = 65536},
  {.name = "large-pages", .what = "large pages are in use", .large_pages = 1},
  {.name = "pending-option", .what = "somebody's option waits for RECONFIGURE", .pending = 1},
  {.name = "no-agent", .what = "SQL Server Agent does not run", .no_agent = 1},
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
  {.name = "localised", .what = "speaks German; deadlocks as above", .german = 1, .before_request = deadlock},
  {.name = "other-instance", .what = "fails over to another instance below 32 GB", .event = fail_over},
  {.name = "intervened", .what = "a DBA sets 150000 MB below 32 GB", .event = intervene},
  {.name = "restart", .what = "restarts below 32 GB, once", .before_login = upgrading, .event = restart},
};

int persona_may_set(const struct session *s) {
  return !s->server->persona->no_alter_settings || strcasecmp(s->login.user, "dba") == 0;
}

const struct persona *persona_at(int i) {
  return i >= 0 && (size_t)i < sizeof personas / sizeof *personas ? &personas[i] : NULL;
}

const struct persona *persona_find(const char *name) {
  for (int i = 0; persona_at(i); i++)
    if (strcasecmp(persona_at(i)->name, *name ? name : "plain") == 0)
      return persona_at(i);
  return NULL;
}
