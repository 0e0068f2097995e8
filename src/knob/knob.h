/* knob: a setting of the server that can be stepped.  The only one today is memory ('max server memory', with 'min server memory'
 * as its floor and 'show advanced options' as its door).  Whoever sets a knob has written the journal first (knob/journal.h). */
#ifndef RK_KNOB_KNOB_H
#define RK_KNOB_KNOB_H

#include "server/conn.h"

#include <stdint.h>

struct knob_state {
  char server[132];       /* SERVERPROPERTY('ServerName') */
  int64_t max_mib;        /* sys.configurations.value of 'max server memory (MB)'; 2147483647 means no limit */
  int64_t max_in_use_mib;
  int64_t min_mib;        /* value of 'min server memory (MB)' */
  int64_t min_in_use_mib;
  int advanced;           /* value of 'show advanced options' */
  int64_t last_mib;       /* what we set last; the value that put_back expects to find; 0: nothing set yet */
  int64_t last_min_mib;
};

struct knob {
  const char *name, *unit;
  int (*read)(struct conn *, struct knob_state *, struct cause *);
  /* Set from what `state` says is there now (compare and set: somebody else's change is a cause, number 50004); updates state->last_*. */
  int (*set)(struct conn *, struct knob_state *, int64_t value, struct cause *);
  /* 1 when the server has come to `want` MiB, 0 not yet, -1 failed; *reached_kib is the memory held now. */
  int (*settled)(struct conn *, int64_t want_mib, int64_t *reached_kib, struct cause *);
  /* Back to what `state` was read as.  Idempotent; compares before it sets; refuses (number 50002) when another instance answers;
   * leaves it alone when somebody else has changed it since (1, with a cause that says so). */
  int (*put_back)(struct conn *, const struct knob_state *, struct cause *);
};

extern const struct knob knob_memory;

/* The statement that a person would type to put it back, new memory. */
char *knob_by_hand(const struct knob_state *);

#endif
