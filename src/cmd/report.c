#include "config.h"

#include "base/log.h"
#include "base/units.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/option.h"
#include "report/join.h"
#include "report/report.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPT_TOLERANCE = 0x1000, OPT_NO_PICTURES, OPT_SEED, OPT_TO, OPT_FORCE, OPT_SLO };

struct args {
  const char **folder;
  size_t n;
  const char *to;
  int force;
  struct report_options o;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c = {0};
  switch (key) {
  case OPT_TOLERANCE: option_check(state, share_parse(arg, "--tolerance", 0.001, 0.5, &a->o.tolerance, &c), &c); break;
  case OPT_SLO: option_check(state, report_slo_add(&a->o, arg, &c), &c); break;
  case OPT_NO_PICTURES: a->o.pictures = 0; break;
  case OPT_SEED: a->o.seed = option_seed(state, arg); break;
  case OPT_TO: a->to = option_name(state, "--to", "folder", arg); break;
  case OPT_FORCE: a->force = 1; break;
  case ARGP_KEY_ARG:
    a->folder = xrealloc(a->folder, a->n + 1, sizeof *a->folder);
    a->folder[a->n++] = option_name(state, NULL, "folder", arg);
    break;
  case ARGP_KEY_END:
    if (a->n == 1 && (a->to || a->force))
      argp_error(state, "%s belongs to joining: name two runs or more", a->to ? "--to" : "--force");
    break;
  case ARGP_KEY_NO_ARGS: argp_error(state, "which run? Name the folder that a sweep has written"); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* Several runs become one, which is then reported like any other. */
static int join_and_report(const struct args *a, struct cause *c) {
  char *to = a->to ? xstrdup(a->to) : join_default_folder();
  int rc = join_runs(a->folder, a->n, to, a->force, c);
  int damaged = rc > 0;
  if (rc >= 0) {
    say("the points are joined in %s", to);
    rc = report_run(to, &a->o, stdout, c);
  }
  if (rc == STATUS_DONE && damaged)
    rc = STATUS_INCOMPLETE;
  free(to);
  return rc;
}

int cmd_report(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"tolerance", OPT_TOLERANCE, "SHARE", 0, "A p95 latency within this of the largest step's is \"the same\" (default 5%)", 0},
      {"slo", OPT_SLO, "METRIC=TIME", 0,
       "The smallest memory that keeps a limit, such as p95=5ms; mean, p50, p90, p95, p99, p99.9; may be repeated", 0},
      {"no-pictures", OPT_NO_PICTURES, 0, 0, "Write the gnuplot scripts, but do not run gnuplot; pictures of an earlier report, which may say something else, go", 0},
      {"seed", OPT_SEED, "N", 0, "Seed of the resampling behind intervals and confidence (default 1)", 0},
      {"to", OPT_TO, "FOLDER", 0, "Of several runs: the folder that their points are joined in (default ramknee-joined-DATE-TIME here)", 0},
      {"force", OPT_FORCE, 0, 0, "Join runs although demand, data or client differ; the report names the differences", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "RUN [RUN...]",
      .doc = "Make the tables, the verdict, the pictures and report.html of a run folder (again), without any server.  The measured "
             "points of several runs (of sweep and measure) are joined into one curve first, when the same was asked of the same data.\v"
             "Exit status: 0 done; 1 the run could not be read or the report not written; 2 the run is incomplete, and what is "
             "there was reported.",
  };
  struct args a = {.o = REPORT_DEFAULTS};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  struct cause c = {0};
  int rc = a.n > 1 ? join_and_report(&a, &c) : report_run(a.folder[0], &a.o, stdout, &c);
  free(a.folder);
  free(a.o.slo);
  if (rc < 0) {
    say_cause(&c);
    return STATUS_SETUP;
  }
  return rc;
}
