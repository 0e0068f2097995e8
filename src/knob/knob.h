/* knob: a setting of the server that can be stepped.  The only one today is memory ('max server memory', with 'min server memory'
 * as its floor and 'show advanced options' as its door), in two ways: by SQL, or by a command of the user's own, where SQL may not
 * change it (knob/command.h).  Whoever sets a knob has written the journal first (knob/journal.h). */
#ifndef RK_KNOB_KNOB_H
#define RK_KNOB_KNOB_H

#include "server/conn.h"

#include <stdint.h>

/* Numbers of ramknee's own errors that sql/server/set.sql throws. */
enum {
  KNOB_IN_TRANSACTION = 50001,
  KNOB_OTHER_SERVER = 50002,
  KNOB_PENDING = 50003, /* somebody else's option waits for RECONFIGURE */
  KNOB_CHANGED = 50004, /* somebody else has changed the setting */
  /* Of this program alone: */
  KNOB_BY_COMMAND = 50005, /* only the user's own command can put it back, and it is not known to be the user's */
};

#define MEMORY_NO_LIMIT_MIB INT64_C(2147483647) /* 'max server memory' that means no limit; an untouched server may store 0 */
#define KNOB_COMMAND_MAX 700                    /* bytes: the record on the server must hold it twice */
#define MEMORY_LEAST_MIB INT64_C(128)           /* the smallest 'max server memory' that SQL Server takes */

struct knob_state {
  char server[132];       /* SERVERPROPERTY('ServerName') */
  int64_t max_mib;        /* sys.configurations.value of 'max server memory (MB)'; 2147483647 means no limit */
  int64_t max_in_use_mib;
  int64_t min_mib;        /* value of 'min server memory (MB)' */
  int64_t min_in_use_mib;
  int advanced;           /* value of 'show advanced options' */
  int64_t last_mib;       /* what we set last; a value that put_back expects to find; 0: nothing set yet */
  int64_t last_min_mib;
  int64_t next_mib;       /* what we are about to set: written to the journal before the server hears of it; 0: nothing */
  int64_t next_min_mib;
  char command[KNOB_COMMAND_MAX + 1]; /* of --set-with: it makes every change; empty: SQL does */
  int64_t command_max_ns;             /* it may take so long, with what the server needs to show the value */
  int command_foreign;                /* read from a record that others can write: it is shown, never run */
};

struct knob {
  const char *name, *unit;
  /* What is there now; last_* and next_* become 0. */
  int (*read)(struct conn *, struct knob_state *, struct cause *);
  /* Say in `state` what the next set will do; the caller then writes the journal. */
  void (*intend)(struct knob_state *, int64_t value);
  /* Set what was intended, from what `state` says is there now (compare and set: somebody else's change is a cause, number
   * KNOB_CHANGED); on success next_* has become last_*.  After a failure the server may hold either. */
  int (*set)(struct conn *, struct knob_state *, struct cause *);
  /* Still what we set last?  1 yes, 0 somebody else has changed it (cause filled), -1 failed. */
  int (*holds)(struct conn *, const struct knob_state *, struct cause *);
  /* 1 when the server has come to `want_mib`, 0 not yet, -1 failed; *reached_kib is the memory held now.  Upward a server takes
   * memory only as the load needs it: there its target must have come. */
  int (*settled)(struct conn *, int64_t want_mib, int64_t *reached_kib, struct cause *);
  /* Back to what `state` was read as, and read back.  Idempotent; compares before it sets; refuses (number KNOB_OTHER_SERVER) when
   * another instance answers; leaves alone what somebody else has changed since (1, with a cause that says so). */
  int (*put_back)(struct conn *, const struct knob_state *, struct cause *);
};

extern const struct knob knob_memory, knob_command;

/* The one that `state` is changed by. */
const struct knob *knob_of(const struct knob_state *);

/* What a person would type to put it back, one line, new memory: a statement, or the command for a shell. */
char *knob_by_hand(const struct knob_state *);

/* "no limit" or "131072 MB".  Returns buf. */
char *knob_value_text(int64_t max_mib, char *buf, size_t size);

#endif
