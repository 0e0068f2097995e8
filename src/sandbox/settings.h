/* settings: the sandbox's sp_configure options: what is configured (`value`), what runs (`value_in_use`), and SQL Server's rules
 * between the two.  State and rules only; sp_configure and RECONFIGURE as statements are in procedures.c.
 *
 * Every call locks for itself.  `value` is kept in a file as soon as it is stored, so that a restart installs it, as on a server.
 */
#ifndef RK_SANDBOX_SETTINGS_H
#define RK_SANDBOX_SETTINGS_H

#include "base/cause.h"

#include <stddef.h>
#include <stdint.h>

enum { SET_RECOVERY = 101, SET_ALLOW_UPDATES = 102, SET_ADVANCED = 518, SET_PARALLEL_COST = 1538, SET_PARALLEL = 1539,
       SET_MIN_MEMORY = 1543, SET_MAX_MEMORY = 1544 };
#define SET_COUNT 7
#define SET_UNLIMITED 2147483647

struct setting {
  int id;              /* configuration_id */
  const char *name, *description;
  int32_t min, max;
  int advanced;        /* shown and settable only while 'show advanced options' runs as 1 */
  int32_t value, in_use;
};

struct settings;

/* Options with SQL Server's defaults, then with the values of `path` (NULL: kept nowhere), which run from the start on.
 * NULL with a cause when the file is damaged. */
struct settings *settings_new(const char *path, struct cause *);
void settings_free(struct settings *);

/* A copy of option i, 0 <= i < SET_COUNT, in the order of their names; of the option with that id. */
struct setting settings_at(struct settings *, int i);
struct setting settings_get(struct settings *, int id);

/* The option that a name means to sp_configure: exactly, or as the only one that begins with it; case does not matter; advanced
 * ones are there only while they are shown.  0 and *id; 15123: none; 15124: several. */
int settings_find(struct settings *, const char *name, int *id);

/* sp_configure NAME, VALUE: store it; *before gets what it was.  0, 15129: out of range; -1: it could not be kept (a cause). */
int settings_store(struct settings *, int id, int64_t value, int32_t *before, struct cause *);

/* RECONFIGURE: may the stored values run?  0, or 5831 (min server memory above max), 5807 (recovery interval above 60 minutes) or
 * 5808 (allow updates), both but with `override`. */
int settings_check(struct settings *, int override);
/* They run now.  Returns 1 when the memory target has changed. */
int settings_install(struct settings *);

/* The memory that the running values allow on a server with so much of it, MiB: max server memory, or seven eighths of the
 * machine where there is no limit. */
int64_t settings_target_mib(struct settings *, int64_t physical_mib);

#endif
