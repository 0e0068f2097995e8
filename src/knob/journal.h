/* journal: the file that can put the setting back: $XDG_STATE_HOME/ramknee/journal/INSTANCE.json, written and synced before the
 * first change and before each next one, removed after the setting is back and read back.  It holds no secret.  The same text is kept
 * in a row on the server, for another client. */
#ifndef RK_KNOB_JOURNAL_H
#define RK_KNOB_JOURNAL_H

#include "knob/knob.h"

#define JOURNAL_ROW_MAX 3000 /* characters that the row on the server takes */

struct journal {
  char *path;
  char *target;          /* what the user typed after -S, for restore */
  char *user;            /* NULL: Kerberos */
  char *database;        /* the measured database, where the server's row is; NULL */
  char *run;             /* the run folder; NULL */
  char *client;          /* name of the host that ran the sweep; NULL */
  char *dead_man;        /* name of the Agent's job that puts back as well (knob/dead_man.h); NULL: none */
  int64_t pid;
  int64_t written_wall_ns;
  struct knob_state state;
};

/* The path for an instance's name: characters other than letters, digits, '.', '-' become '_XX'.  New memory; NULL with a cause. */
char *journal_path(const char *server, struct cause *);
/* Write (atomically, synced); makes the folder.  On a failure nothing may be changed on the server. */
int journal_write(const struct journal *, struct cause *);
/* Read one; 1: there is none (*j is zeroed).  A damaged file is a failure that names it. */
int journal_read(struct journal *, const char *path, struct cause *);
/* Remove it and sync the folder; one that is not there is fine. */
int journal_remove(const struct journal *, struct cause *);
/* Its text, new memory; with `row` short enough for the server's row (paths that would not fit are left out). */
char *journal_text(const struct journal *, int row);
/* Back from the text; `where` names it in messages and becomes the path. */
int journal_parse(struct journal *, const char *text, size_t size, const char *where, struct cause *);
/* Free the strings; a zeroed journal is fine. */
void journal_free(struct journal *);

/* The row on the server, in the conn's current database; with a dead-man's job its row, too.  journal_row_read: 1 when there is none; a
 * command in it is marked as foreign. */
int journal_row_write(struct conn *, const struct journal *, struct cause *);
int journal_row_read(struct conn *, struct journal *, struct cause *);
int journal_row_clear(struct conn *, struct cause *);

#endif
