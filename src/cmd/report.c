#include "config.h"

#include "base/log.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "report/report.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPT_TOLERANCE = 0x1000, OPT_NO_PICTURES, OPT_SEED };

struct args {
  const char *folder;
  struct report_options o;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c;
  int64_t seed;
  switch (key) {
  case OPT_TOLERANCE:
    if (share_parse(arg, "--tolerance", 0.001, 0.5, &a->o.tolerance, &c) != 0)
      argp_error(state, "%s; %s", c.text, c.remedy);
    break;
  case OPT_NO_PICTURES: a->o.pictures = 0; break;
  case OPT_SEED:
    if (int_parse(arg, "--seed", 0, INT64_MAX, &seed, &c) != 0)
      argp_error(state, "%s; %s", c.text, c.remedy);
    else
      a->o.seed = (uint64_t)seed;
    break;
  case ARGP_KEY_ARG:
    if (a->folder)
      argp_error(state, "one run at a time, please");
    a->folder = arg;
    break;
  case ARGP_KEY_NO_ARGS: argp_error(state, "which run? Name the folder that a sweep has written"); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

int cmd_report(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"tolerance", OPT_TOLERANCE, "SHARE", 0, "A p95 latency within this of the largest step's is \"the same\" (default 5%)", 0},
      {"no-pictures", OPT_NO_PICTURES, 0, 0, "Write the gnuplot scripts, but do not run gnuplot", 0},
      {"seed", OPT_SEED, "N", 0, "Seed of the resampling behind intervals and confidence (default 1)", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "RUN",
      .doc = "Make the tables, the verdict, the pictures and report.html of a run folder (again), without any server.\v"
             "Exit status: 0 done; 1 the run could not be read or the report not written; 2 the run is incomplete, and what is "
             "there was reported.",
  };
  struct args a = {.o = REPORT_DEFAULTS};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  struct cause c;
  int rc = report_run(a.folder, &a.o, stdout, &c);
  if (rc < 0) {
    say_cause(&c);
    return STATUS_SETUP;
  }
  return rc;
}
