#include "config.h"

#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/confirm.h"
#include "cmd/connect.h"
#include "mix/load.h"
#include "sweep/put_back.h"

#include <argp.h>
#include <stdio.h>

enum { OPT_YES = 0x2000 };

struct args {
  struct connect_options connect;
  int yes;
};

static const struct argp_option options[] = {
  {"yes", OPT_YES, 0, 0, "Do not ask", 0},
  {0},
};

static const struct argp_child children[] = {{&connect_argp, 0, NULL, 10}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &a->connect; break;
  case OPT_YES: a->yes = 1; break;
  case ARGP_KEY_ARG: return connect_no_argument(state, arg);
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

int cmd_drop(int argc, char **argv) {
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .doc = "Remove the database that load made, and only that: its record and its extended property ramknee_load, which holds "
           "the database's name, "
           "must prove it.",
  };
  struct args a = {0};
  struct target t = {0};
  struct cause c = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  const char *database = a.connect.database ? a.connect.database : LOAD_DATABASE;
  int rc = connect_target(&a.connect, &t, &c);
  if (rc == 0 && !a.yes)
    fprintf(stderr, "This drops the database '%s' on %s, if load made it.\n", database, t.name);
  struct conn *lock = NULL;
  if (rc == 0)
    rc = confirm(a.yes, &c) != 0 || server_init(&t, 3, &c) != 0 || open_in_master(&lock, &t, &c) != 0 || lock_take(lock, &c) != 0 ||
         load_drop(&t, database, &c) != 0 ? -1 : 0;
  conn_close(lock);
  server_done();
  if (rc == 0)
    say("dropped the database '%s' on %s", database, t.name);
  else
    say_cause(&c);
  target_free(&t);
  return rc == 0 ? STATUS_DONE : c.status ? c.status : STATUS_SETUP;
}
