#include "config.h"

#include "base/log.h"
#include "check/check.h"
#include "cmd/cmd.h"
#include "cmd/connect.h"
#include "sweep/sweep.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_STEPS = 0x2000, OPT_FORMAT, OPT_QUIET, OPT_FOR };

/* The steps that a sweep takes when none are named. */
static const char default_steps[] = "128G,96G,64G,32G,16G,8G";

struct args {
  struct connect_options connect;
  const char *steps;
  enum purpose purpose;
  int json, quiet;
};

static const char *const purposes[] = {[CHECK_LOOK] = "look", [CHECK_LOAD] = "load", [CHECK_SWEEP] = "sweep", [CHECK_MEASURE] = "measure"};

static const struct argp_option options[] = {
  {"steps", OPT_STEPS, "LIST", 0, "Steps that a sweep would take (128G,64G,32G); without it the default ones", 0},
  {"for", OPT_FOR, "COMMAND", 0, "What is meant to be done: sweep (default), load, measure, or look", 0},
  {"format", OPT_FORMAT, "FORMAT", 0, "text (default) or json", 0},
  {"quiet", OPT_QUIET, 0, 0, "Leave out what is ok", 0},
  {0},
};

static const struct argp_child children[] = {{&connect_argp, 0, NULL, 10}, {0}};

static void parse_purpose(struct argp_state *state, const char *arg, enum purpose *out) {
  for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++)
    if (strcmp(arg, purposes[i]) == 0) {
      *out = (enum purpose)i;
      return;
    }
  argp_error(state, "--for takes sweep, load, measure or look, not '%s'", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &a->connect; break;
  case OPT_STEPS: a->steps = arg; break;
  case OPT_FOR: parse_purpose(state, arg, &a->purpose); break;
  case OPT_QUIET: a->quiet = 1; break;
  case OPT_FORMAT:
    if (strcmp(arg, "json") != 0 && strcmp(arg, "text") != 0)
      argp_error(state, "--format takes text or json, not '%s'", arg);
    a->json = strcmp(arg, "json") == 0;
    break;
  case ARGP_KEY_ARG: return connect_no_argument(state, arg);
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int print(const struct findings *list, const struct args *a) {
  if (!a->json) {
    findings_print(list, !a->quiet, stdout);
    return 0;
  }
  json_t *j = findings_json(list);
  int rc = json_dumpf(j, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  json_decref(j);
  putchar('\n');
  return rc;
}

static int check(const struct args *a, struct target *t, struct check_plan *plan, struct cause *c) {
  struct conn *conn = NULL;
  struct findings list = {0};
  int rc = -1;
  if (server_init(t, 4, c) != 0)
    return -1;
  if (conn_open(&conn, t, c) == 0 && check_run(conn, plan, &list, c) == 0)
    rc = print(&list, a) == 0 && findings_refusals(&list) == 0 ? STATUS_DONE : STATUS_SETUP;
  findings_free(&list);
  conn_close(conn);
  server_done();
  return rc;
}

int cmd_check(int argc, char **argv) {
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .doc = "See what is there and what would stand in the way of a sweep (or of what --for says); nothing is changed.\v"
           "Exit status: 0 when it could start, 1 when something refuses it.",
  };
  struct args a = {.purpose = CHECK_SWEEP};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  struct cause c = {0};
  struct target t = {0};
  int64_t *steps = NULL;
  size_t n = 0;
  int status = -1;
  if (steps_parse(a.steps ? a.steps : default_steps, &steps, &n, &c) == 0 && connect_target(&a.connect, &t, &c) == 0) {
    struct check_plan plan = {
      .purpose = a.purpose,
      .target = &t,
      .database = a.connect.database ? a.connect.database : CONNECT_DATABASE,
      .step_mib = steps,
      .nstep = n,
      .steps_named = a.steps != NULL,
    };
    status = check(&a, &t, &plan, &c);
  }
  if (status < 0) {
    say_cause(&c);
    status = STATUS_SETUP;
  }
  free(steps);
  target_free(&t);
  return status;
}
