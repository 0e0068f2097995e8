#include "config.h"

#include "sandbox/persona.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* A server that gives memory back slowly: a tenth of the way each second. */
static int64_t slowly(int64_t now, int64_t target) {
  int64_t step = (now - target) / 10;
  return target >= now || step < 1048576 ? target : now - step;
}

/* One that does not give it back at all. */
static int64_t not_at_all(int64_t now, int64_t target) {
  return target < now ? now : target;
}

static const struct persona personas[] = {
  {.name = "plain", .what = "an ordinary server"},
  {.name = "named-instance", .what = "a named instance", .instance = "RK"},
  {.name = "no-counters", .what = "performance counters are disabled", .no_counters = 1},
  {.name = "null-names", .what = "counters have no names", .null_names = 1},
  {.name = "no-permission", .what = "logins may look, not set", .no_alter_settings = 1},
  {.name = "no-view", .what = "logins may neither look nor set", .no_alter_settings = 1, .no_view_state = 1},
  {.name = "express", .what = "Express Edition, 1,410 MB", .edition = "Express Edition (64-bit)", .engine_edition = 4, .memory_limit_mib = 1410},
  {.name = "standard-2012", .what = "Standard Edition 2012, 64 GB", .edition = "Standard Edition (64-bit)", .engine_edition = 2,
   .version = "11.0.7001.0", .memory_limit_mib = 65536},
  {.name = "azure", .what = "Azure SQL Database", .edition = "SQL Azure", .engine_edition = 5, .version = "12.0.2000.8", .no_configure = 1},
  {.name = "slow-shrink", .what = "memory is given back slowly", .pool_size = slowly},
  {.name = "wont-shrink", .what = "memory is not given back", .pool_size = not_at_all},
  {.name = "min-memory", .what = "'min server memory' is set to 65536", .min_memory_mib = 65536},
  {.name = "large-pages", .what = "large pages are in use", .large_pages = 1},
  {.name = "pending-option", .what = "somebody's option waits for RECONFIGURE", .pending = 1},
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
