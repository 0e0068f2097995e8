#include "config.h"

#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/confirm.h"
#include "cmd/connect.h"
#include "mix/load.h"
#include "sweep/put_back.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

enum { OPT_YES = 0x2000, OPT_EMPTY };

struct args {
  struct connect_options connect;
  int yes, empty;
};

static const struct argp_option options[] = {
  {"empty", OPT_EMPTY, 0, 0, "Also remove a database that holds nothing at all: what a load leaves that was killed as it began", 0},
  {"yes", OPT_YES, 0, 0, "Do not ask", 0},
  {0},
};

static const struct argp_child children[] = {{&connect_argp, 0, NULL, 10}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &a->connect; break;
  case OPT_EMPTY: a->empty = 1; break;
  case OPT_YES: a->yes = 1; break;
  case ARGP_KEY_ARG: return connect_no_argument(state, arg);
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static void show(const char *database, const struct load_dropped *d) {
  fprintf(stderr, "This drops the database '%s' on %s: ", database, d->server);
  if (d->empty)
    fprintf(stderr, "it is empty, and nothing shows whose it is.\n");
  else if (d->record.mix[0])
    fprintf(stderr, "%s, scale %" PRId64 ", density %g%s.\n", d->record.mix, d->record.scale, d->record.density,
            d->record.complete ? "" : ", a load that was broken off");
  else
    fprintf(stderr, "a load that was broken off.\n");
}

static int drop(const struct args *a, const struct target *t, const char *database, struct cause *c) {
  struct conn *lock = NULL;
  struct load_dropped d;
  /* The lock comes first: a load that still runs looks like one that was broken off. */
  int rc = server_init(t, 5, c) != 0 || open_in_master(&lock, t, c) != 0 || lock_take(lock, c) != 0 ||
                   load_drop_look(t, database, a->empty, &d, c) != 0 || (!d.empty && put_back_refuse_loss(t, database, c) != 0)
               ? -1
               : 0;
  if (rc == 0) {
    if (!a->yes)
      show(database, &d);
    rc = confirm(a->yes, c) != 0 || load_drop(t, database, a->empty, &d, c) != 0 ? -1 : 0;
  }
  conn_close(lock);
  server_done();
  if (rc == 0)
    say("dropped the database '%s' on %s", database, d.server);
  return rc;
}

/* They look empty to --empty, since what is in them belongs to the server. */
static int refuse_system(const char *database, struct cause *c) {
  static const char *const name[] = {"master", "model", "msdb", "tempdb"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    if (strcasecmp(database, name[i]) == 0) {
      cause_set(c, STATUS_SETUP, "'%s' is a database of the server itself", database);
      return cause_remedy(c, "say with -d which one is to be dropped");
    }
  return 0;
}

int cmd_drop(int argc, char **argv) {
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .doc = "Remove the database that load made, and only that: its record and its extended property ramknee_load, which holds "
           "the database's name, must prove it.",
  };
  struct args a = {0};
  struct target t = {0};
  struct cause c = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  const char *database = a.connect.database ? a.connect.database : LOAD_DATABASE;
  int rc = refuse_system(database, &c) != 0 || connect_target(&a.connect, &t, &c) != 0 || drop(&a, &t, database, &c) != 0 ? -1 : 0;
  if (rc != 0)
    say_cause(&c);
  target_free(&t);
  return rc == 0 ? STATUS_DONE : c.status ? c.status : STATUS_SETUP;
}
