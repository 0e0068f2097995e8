/* journal: the file that can put the setting back: $XDG_STATE_HOME/ramknee/journal/INSTANCE.json, written and synced before the
 * first change, removed after the setting is back and read back.  It holds no secret. */
#ifndef RK_KNOB_JOURNAL_H
#define RK_KNOB_JOURNAL_H

#include "knob/knob.h"

struct journal {
  char *path;
  char *target;          /* what the user typed after -S, for restore */
  char *user;            /* NULL: Kerberos */
  char *database;        /* the measured database; NULL */
  char *run;             /* the run folder */
  int64_t pid;
  int64_t written_wall_ns;
  struct knob_state state;
};

/* The path for an instance's name: characters other than letters, digits, '.', '-' become '_XX'.  New memory; NULL with a cause. */
char *journal_path(const char *server, struct cause *);
/* Write (atomically, synced).  On a failure nothing may be changed on the server. */
int journal_write(const struct journal *, struct cause *);
/* Read one; 1: there is none.  A damaged file is a failure that names it. */
int journal_read(struct journal *, const char *path, struct cause *);
int journal_remove(const struct journal *, struct cause *);
void journal_free(struct journal *);

#endif
