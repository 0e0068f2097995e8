/* What `ramknee drop` may remove. */
#include "config.h"

#include "mix/load_private.h"

#include <stdio.h>

static int on_name(void *arg, int result, const struct val *col, int ncol) {
  struct load_dropped *d = arg;
  (void)result;
  (void)ncol;
  if (col[0].type == VAL_TEXT)
    snprintf(d->server, sizeof d->server, "%s", col[0].p);
  return 0;
}

/* Why it is left alone: -1; 0: it may go. */
static int judge(enum load_found found, const char *database, int also_empty, struct load_dropped *d, struct cause *c) {
  switch (found) {
  case FOUND_OURS:
  case FOUND_BROKEN: return 0;
  case FOUND_NOTHING: return cause_set(c, STATUS_SETUP, "there is no database '%s' on %s", database, d->server);
  case FOUND_EMPTY:
    d->empty = 1;
    if (also_empty)
      return 0;
    cause_set(c, STATUS_SETUP, "the database '%s' on %s is empty: a load was killed as it began, or it is somebody's own; it is left alone", database,
              d->server);
    return cause_remedy(c, "if nobody wants it, say --empty");
  case FOUND_FOREIGN: break;
  }
  cause_set(c, STATUS_SETUP, "the database '%s' on %s was not made by 'ramknee load', and is left alone", database, d->server);
  return cause_remedy(
      c, "it lacks the record or the extended property ramknee_load, or that holds another name; drop it by hand if you must");
}

static int look(const struct target *t, struct conn *master, const char *database, int also_empty, struct load_dropped *d, struct cause *c) {
  enum load_found found;
  *d = (struct load_dropped){.server = ""};
  snprintf(d->server, sizeof d->server, "%s", t->name); /* should it have no name of its own */
  return conn_query(master, "server/identity", NULL, 0, on_name, d, c) != 0 || load_find(t, master, database, &found, &d->record, c) != 0
             ? -1
             : judge(found, database, also_empty, d, c);
}

int load_drop_look(const struct target *t, const char *database, int also_empty, struct load_dropped *d, struct cause *c) {
  struct conn *master;
  if (load_open(t, "master", 0, &master, c) != 0)
    return -1;
  int rc = look(t, master, database, also_empty, d, c);
  conn_close(master);
  return rc;
}

int load_drop(const struct target *t, const char *database, int also_empty, struct load_dropped *d, struct cause *c) {
  struct conn *master;
  if (load_open(t, "master", 1, &master, c) != 0)
    return -1;
  /* Looked at again: somebody may have taken a long time to answer, and somebody else begun to use it meanwhile. */
  int rc = look(t, master, database, also_empty, d, c);
  if (rc == 0)
    rc = load_remove(master, database, c);
  conn_close(master);
  return rc;
}
