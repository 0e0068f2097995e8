#include "config.h"

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/connect.h"
#include "cmd/demand.h"
#include "cmd/ending.h"
#include "cmd/option.h"
#include "report/report.h"
#include "sweep/day.h"
#include "sweep/measure.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_MEMORY = 0x2000, OPT_LIKE, OPT_NO_LOAD, OPT_FOR, OPT_RUN, OPT_NO_PICTURES };

static const int64_t day_max_ns = 7 * 24 * 3600 * NS_PER_S;

static const struct argp_option options[] = {
  {0, 0, 0, 0, "What:", 1},
  {"memory", OPT_MEMORY, "SIZE", 0, "The memory that this point stands for, where the server does not tell it (a container, a size of instance)", 0},
  {"like", OPT_LIKE, "RUN", 0, "The demand of another run, so that its points and this one make one curve", 0},
  {"no-load", OPT_NO_LOAD, 0, 0, "Send nothing: sample what the server does by itself, for as long as --for says", 0},
  {"for", OPT_FOR, "TIME", 0, "With --no-load: at most so long (8h); SIGINT and SIGTERM end it sooner", 0},
  {0, 0, 0, 0, "Run:", 4},
  {"run", OPT_RUN, "FOLDER", 0, "Folder for all that is measured (default ramknee-measure-DATE-TIME-SERVER here)", 0},
  {"no-pictures", OPT_NO_PICTURES, 0, 0, "Write the gnuplot scripts of the report, but do not run gnuplot", 0},
  {0},
};

struct args {
  struct connect_options connect;
  struct demand_options demand;
  struct sweep_options o;
  struct report_options report;
  const char *like;
  int64_t memory_bytes, for_ns;
  int no_load;
};

static void parse_memory(struct argp_state *state, const char *arg, int64_t *bytes) {
  struct cause c = {0};
  option_check(state, size_parse(arg, bytes, &c), &c);
  if (*bytes < MIB)
    argp_error(state, "--memory must be at least 1M, not %s", arg);
}

static void finish(struct argp_state *state, struct args *a) {
  if (a->for_ns > day_max_ns)
    argp_error(state, "--for takes at most 168h: a week of samples");
  if (!a->no_load && a->for_ns > 0)
    argp_error(state, "--for belongs to --no-load; with a load of its own, --measure says for how long");
  if (a->like && a->demand.first_demand)
    argp_error(state, "give either --like or --%s", a->demand.first_demand);
  if (!a->no_load)
    return;
  if (a->for_ns == 0)
    argp_error(state, "say with --for for how long, for instance --no-load --for 8h");
  if (a->demand.first)
    argp_error(state, "--%s makes no sense with --no-load, which sends nothing", a->demand.first);
  if (a->like)
    argp_error(state, "--like makes no sense with --no-load, which sends nothing");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->demand;
    state->child_inputs[1] = &a->connect;
    break;
  case OPT_MEMORY: parse_memory(state, arg, &a->memory_bytes); break;
  case OPT_LIKE: a->like = option_name(state, "--like", "folder", arg); break;
  case OPT_NO_LOAD: a->no_load = 1; break;
  case OPT_FOR: option_time(state, "--for", arg, NS_PER_S, &a->for_ns); break;
  case OPT_RUN: a->o.run_folder = option_name(state, "--run", "folder", arg); break;
  case OPT_NO_PICTURES: a->report.pictures = 0; break;
  case ARGP_KEY_ARG: return connect_no_argument(state, arg);
  case ARGP_KEY_END: finish(state, a); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int measure(struct args *a, char **folder) {
  struct cause c = {0};
  if ((!a->like || measure_like(&a->o, a->like, &c) == 0) && connect_target(&a->connect, &a->o.target, &c) == 0) {
    if (a->no_load) {
      struct day_options d = {.target = &a->o.target, .database = a->connect.database, .for_ns = a->for_ns,
                              .memory_mib = a->memory_bytes / MIB, .run_folder = a->o.run_folder, .argc = a->o.argc, .argv = a->o.argv};
      return day_run(&d, folder);
    }
    a->o.database = a->connect.database ? a->connect.database : CONNECT_DATABASE;
    return measure_run(&a->o, a->memory_bytes / MIB, folder);
  }
  say_cause(&c);
  return STATUS_SETUP;
}

int cmd_measure(int argc, char **argv) {
  static const struct argp_child children[] = {{&demand_argp, 0, NULL, 0}, {&connect_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Measure one point at the memory as it is, changing no setting: a demand is held on the database that 'ramknee load' has filled, "
           "reads and latency are measured.  For services and containers whose memory is changed by other means: measure at each size, then "
           "'ramknee report RUN RUN...' joins the points into one curve.  With --no-load nothing is sent, and a real working day is sampled."
           "\vWhat the login may not see, or the server does not tell, is absent and said, never zero.  Exit status: 0 done (also when you "
           "end a --no-load by a signal: that is how long it was to be), 1 nothing was measured, 2 results are incomplete.",
    .children = children,
  };
  struct args a = {.report = REPORT_DEFAULTS};
  char *folder = NULL;
  sweep_options_init(&a.o);
  a.demand.o = &a.o;
  a.o.argc = argc;
  a.o.argv = argv;
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  ending_by_signal(STATUS_SETUP, "interrupted before anything was begun");
  int status = measure(&a, &folder);
  ending_by_signal(STATUS_INCOMPLETE, "interrupted while the report was made; 'ramknee report' makes it from the run folder");
  if (folder)
    status = ending_report(folder, &a.report, status);
  free(folder);
  sweep_options_free(&a.o);
  return status;
}
