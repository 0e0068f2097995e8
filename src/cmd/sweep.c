#include "config.h"

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/again.h"
#include "cmd/cmd.h"
#include "cmd/connect.h"
#include "cmd/demand.h"
#include "cmd/ending.h"
#include "cmd/option.h"
#include "cmd/rehearsal.h"
#include "knob/command.h"
#include "knob/knob.h"
#include "report/report.h"
#include "sweep/sweep.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPT_STEPS = 0x2000, OPT_FROM, OPT_TO, OPT_SETTLE_MAX, OPT_PUT_BACK_MAX, OPT_NO_DRIFT, OPT_RUN, OPT_NO_PICTURES, OPT_YES, OPT_DRY_RUN,
  OPT_PASSES, OPT_REFINE, OPT_BUDGET, OPT_FLOOR, OPT_STOP_ABOVE, OPT_SLO, OPT_TOLERANCE, OPT_RESUME, OPT_LIKE, OPT_SET_WITH, OPT_SET_WITH_MAX,
};

enum { OPT_DEAD_MAN = 0x2200, OPT_DEAD_MAN_AFTER };
static const int64_t dead_man_usual_ns = 300 * NS_PER_S;

static const struct argp_option options[] = {
  {0, 0, 0, 0, "Steps:", 1},
  {"steps", OPT_STEPS, "SIZE,...", 0, "Memory settings to measure (default 128G,96G,64G,32G,16G,8G, as far as the server can reach them)", 0},
  {"from", OPT_FROM, "SIZE", 0, "Largest step: with --to, steps at SIZE, three quarters, half, then halvings", 0},
  {"to", OPT_TO, "SIZE", 0, "Smallest step", 0},
  {"passes", OPT_PASSES, "N", 0, "Go down through the steps N times, so that visits of the same step lie far apart (default 1; in the sandbox 3, of 10s a visit)", 0},
  {"refine", OPT_REFINE, 0, 0, "Then add steps inside the brackets of the verdict, until they are narrow or the budget is used up", 0},
  {"budget", OPT_BUDGET, "TIME", 0, "Time for such steps (default 4h, in the sandbox 5m)", 0},
  {"floor", OPT_FLOOR, "SIZE", 0, "Refuse steps below SIZE (default 4G; none in the sandbox)", 0},
  {"stop-above", OPT_STOP_ABOVE, "FIGURE=TIME", 0,
   "End the descent at the first step whose p50, p90, p95, p99, p99.9 or mean is worse, as in p95=50ms; may be repeated", 0},
  {"no-drift", OPT_NO_DRIFT, 0, 0, "Do not measure the first step again at the end", 0},
  {"settle-max", OPT_SETTLE_MAX, "TIME", 0, "Wait at most so long for the server to come to a setting", 3}, /* "Phases of a step" */
  {0, 0, 0, 0, "Run:", 4},
  {"run", OPT_RUN, "FOLDER", 0, "Folder for all that is measured (default ramknee-DATE-TIME-SERVER here)", 0},
  {"resume", OPT_RESUME, "RUN", 0, "Go on with a run that was broken off: measure the steps that it lacks, with the options that it was begun with", 0},
  {"like", OPT_LIKE, "RUN", 0, "Take the options and the demand of RUN, but for those given here", 0},
  {"slo", OPT_SLO, "METRIC=TIME", 0, "In the report: the smallest memory that keeps a limit, such as p95=5ms; may be repeated", 0},
  {"tolerance", OPT_TOLERANCE, "SHARE", 0, "In the report: a p95 latency within this of the largest step's is \"the same\" (default 5%)", 0},
  {"no-pictures", OPT_NO_PICTURES, 0, 0, "Write the gnuplot scripts of the report, but do not run gnuplot", 0},
  {"dry-run", OPT_DRY_RUN, 0, 0, "Print the plan and how long it takes; change nothing", 0},
  {"yes", OPT_YES, 0, 0, "Do not ask before the setting is changed", 0},
  {"put-back-max", OPT_PUT_BACK_MAX, "TIME", 0, "Try at most so long to put the setting back when the server does not answer (default 10m)", 0},
  {"dead-man", OPT_DEAD_MAN, 0, 0, "Also have a job of SQL Server Agent put the setting back when the server does not hear of the sweep any more", 0},
  {"dead-man-after", OPT_DEAD_MAN_AFTER, "TIME", 0, "... for so long (default 5m, at least 2m; sandbox 10s)", 0},
  {"set-with", OPT_SET_WITH, "COMMAND", 0, "Change the setting by this command for /bin/sh, and back; $1 is the memory in MB, SQL verifies it", 0},
  {"set-with-max", OPT_SET_WITH_MAX, "TIME", 0, "Give that command, and the server to show the value, at most so long (default 10m)", 0},
  {0},
};

struct args {
  struct connect_options connect;
  struct demand_options demand;
  struct sweep_options o;
  int dead_man, budget, set_with_max; /* given */
  int64_t dead_man_after_ns;          /* 0: not given */
  const char *steps, *from, *to;
  struct report_options report;
  struct again again;
};

static void note_demand(void *arg, const char *name) {
  again_note(arg, name);
}

/* Before the command line is read; the args stay where they are. */
static void args_init(struct args *a, int argc, char **argv) {
  *a = (struct args){.report = REPORT_DEFAULTS};
  a->demand = (struct demand_options){.o = &a->o, .given = note_demand, .arg = &a->again};
  sweep_options_init(&a->o);
  a->o.argc = argc;
  a->o.argv = argv;
}

/* Not with --resume: whatever makes a run what it is, not the report or this session. */
static void note_option(struct args *a, int key) {
  static const int fine[] = {OPT_NO_PICTURES, OPT_SLO, OPT_TOLERANCE, OPT_YES, OPT_DRY_RUN, OPT_RESUME, OPT_LIKE};
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
    if (key == fine[i])
      return;
  for (const struct argp_option *o = options; o->name || o->doc; o++)
    if (o->name && o->key == key)
      again_note(&a->again, o->name);
}

static void parse_floor(struct argp_state *state, const char *arg, int64_t *mib) {
  struct cause c = {0};
  int64_t bytes = 0;
  option_check(state, size_parse(arg, &bytes, &c), &c);
  if (bytes % MIB != 0 || bytes < MEMORY_LEAST_MIB * MIB)
    argp_error(state, "--floor must be a whole number of megabytes, at least %d, not %s", (int)MEMORY_LEAST_MIB, arg);
  *mib = bytes / MIB;
}

static void finish_steps(struct argp_state *state, struct args *a) {
  struct cause c = {0};
  int64_t from, to;
  if (a->steps && (a->from || a->to))
    argp_error(state, "give either --steps or --from and --to");
  if (!a->from != !a->to)
    argp_error(state, "--from and --to belong together");
  a->o.steps_named |= a->steps || a->from;
  if (a->steps)
    option_check(state, steps_parse(a->steps, &a->o.step_mib, &a->o.nstep, &c), &c);
  if (a->from) {
    option_check(state, size_parse(a->from, &from, &c), &c);
    option_check(state, size_parse(a->to, &to, &c), &c);
    option_check(state, steps_between(from, to, &a->o.step_mib, &a->o.nstep, &c), &c);
  }
}

/* What only makes sense with another option, which with --like may stand in RUN: judged when that was read.  --resume takes none at all. */
static void finish_pairs(struct argp_state *state, struct args *a) {
  struct sweep_options *o = &a->o;
  if (a->again.resume || (a->again.like && !a->again.meta))
    return;
  if (a->budget && !o->refine)
    argp_error(state, "--budget belongs to --refine");
  if (a->set_with_max && !o->set_with)
    argp_error(state, "--set-with-max belongs to --set-with");
  if (a->dead_man_after_ns && !a->dead_man && o->dead_man_ns == 0)
    argp_error(state, "--dead-man-after belongs to --dead-man");
  if (a->dead_man_after_ns)
    o->dead_man_ns = a->dead_man_after_ns;
  else if (a->dead_man && o->dead_man_ns == 0)
    o->dead_man_ns = dead_man_usual_ns;
  if (o->dead_man_ns > 0 && o->set_with)
    argp_error(state, "--dead-man does not go with --set-with: the job on the server can set by SQL alone");
}

static void parse_report(struct argp_state *state, int key, char *arg, struct report_options *o) {
  struct cause c = {0};
  if (key == OPT_SLO)
    option_check(state, report_slo_add(o, arg, &c), &c);
  else
    option_check(state, share_parse(arg, "--tolerance", 0.001, 0.5, &o->tolerance, &c), &c);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c = {0};
  int64_t passes;
  note_option(a, key);
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->demand;
    state->child_inputs[1] = &a->connect;
    break;
  case OPT_RESUME: a->again.resume = option_name(state, "--resume", "folder", arg); break;
  case OPT_LIKE: a->again.like = option_name(state, "--like", "folder", arg); break;
  case OPT_SET_WITH:
    option_check(state, command_check(arg, &c), &c);
    a->o.set_with = arg;
    break;
  case OPT_SET_WITH_MAX:
    option_time(state, "--set-with-max", arg, NS_PER_S, &a->o.set_with_max_ns);
    a->set_with_max = 1;
    break;
  case OPT_STEPS: a->steps = arg; break;
  case OPT_FROM: a->from = arg; break;
  case OPT_TO: a->to = arg; break;
  case OPT_PASSES:
    option_check(state, int_parse(arg, "--passes", 1, PASSES_MAX, &passes, &c), &c);
    a->o.passes = (int)passes;
    break;
  case OPT_FLOOR: parse_floor(state, arg, &a->o.floor_mib); break;
  case OPT_STOP_ABOVE: option_check(state, stop_add(&a->o.stop, arg, &c), &c); break;
  case OPT_NO_DRIFT: a->o.drift = 0; break;
  case OPT_SETTLE_MAX: option_time(state, "--settle-max", arg, 0, &a->o.settle_max_ns); break;
  case OPT_REFINE: a->o.refine = 1; break;
  case OPT_BUDGET:
    option_time(state, "--budget", arg, NS_PER_S, &a->o.budget_ns);
    a->budget = 1;
    break;
  case OPT_PUT_BACK_MAX: option_time(state, "--put-back-max", arg, 0, &a->o.put_back_max_ns); break;
  case OPT_RUN: a->o.run_folder = option_name(state, "--run", "folder", arg); break;
  case OPT_SLO:
  case OPT_TOLERANCE: parse_report(state, key, arg, &a->report); break;
  case OPT_NO_PICTURES: a->report.pictures = 0; break;
  case OPT_YES: a->o.yes = 1; break;
  case OPT_DRY_RUN: a->o.dry_run = 1; break;
  case OPT_DEAD_MAN: a->dead_man = 1; break;
  case OPT_DEAD_MAN_AFTER: option_time(state, "--dead-man-after", arg, NS_PER_S, &a->dead_man_after_ns); break;
  case ARGP_KEY_ARG: return connect_no_argument(state, arg);
  case ARGP_KEY_END:
    finish_steps(state, a);
    finish_pairs(state, a);
    if (a->again.resume && a->again.like)
      argp_error(state, "give either --resume or --like");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* verdict_fn: what the report at the end goes by. */
static int verdict_so_far(const void *arg, const char *folder, struct verdict *v, struct cause *c) {
  return report_verdict(folder, arg, v, c);
}

/* From here on a signal ends the program at once; after a failure to put back there is nothing left to end. */
static void finished(int status) {
  if (status == STATUS_NOT_PUT_BACK)
    ending_by_signal(status, NULL);
  else if (status != STATUS_SETUP)
    ending_by_signal(STATUS_INCOMPLETE, "interrupted while the report was made; 'ramknee report' makes it from the run folder");
}

/* What stands on the command line takes the place of what it would contradict. */
static void make_room(struct sweep_options *old, const struct args *given) {
  if (given->o.nstep > 0) {
    free(old->step_mib);
    old->step_mib = NULL;
    old->nstep = 0;
  }
  if (given->o.stop.n > 0)
    old->stop.n = 0;
  if (given->demand.think)
    old->demand.rate = 0;
  if (given->demand.rate)
    old->demand.think_s = 0;
  if (given->o.warm_max_ns >= 0 && given->o.warm_max_ns < old->warm_ns)
    old->warm_ns = given->o.warm_max_ns;
  if (given->o.set_with && old->dead_man_ns > 0) {
    warn("the job of --dead-man is not taken over: it does not go with --set-with");
    old->dead_man_ns = 0;
  }
  if (given->o.measure_ns >= 0)
    old->precision = -1, old->measure_max_ns = -1;
  if (given->o.precision >= 0 || given->o.measure_max_ns >= 0)
    old->measure_ns = -1;
}

/* --resume and --like: the options of a run that is there.  1: it has everything already. */
static int old_options(const struct argp *argp, struct args *a, struct cause *c) {
  if (a->again.resume)
    return again_resume(&a->again, &a->o, &a->connect, c);
  if (!a->again.like)
    return 0;
  struct args old;
  args_init(&old, a->o.argc, a->o.argv);
  old.again.like = a->again.like;
  old.connect = a->connect;
  int rc = again_like(&old.again, &old.o, &old.connect, c);
  make_room(&old.o, a);
  sweep_options_free(&a->o);
  again_free(&a->again);
  free(a->report.slo);
  *a = old;
  a->demand.o = &a->o;
  a->demand.arg = &a->again;
  if (rc != 0)
    return -1;
  argp_parse(argp, a->o.argc, a->o.argv, 0, NULL, a); /* once more: what stands on the command line wins */
  if (again_demand(&a->again, &a->o, c) != 0)
    return -1;
  again_tell(&a->again, &a->o);
  return 0;
}

static const struct argp_child children[] = {{&demand_argp, 0, NULL, 0}, {&connect_argp, 0, NULL, 0}, {0}};
static const struct argp sweep_argp = {
  .options = options,
  .parser = parse,
  .doc = "Step 'max server memory' down, hold a fixed demand at each step, measure reads and latency, and put the setting back whatever "
         "happens.\vWithout a terminal and without --yes nothing is changed.  Exit status: 0 done, 1 nothing was changed, 2 results are "
         "incomplete, 3 the setting could not be put back (the statement to run by hand is the last line).",
  .children = children,
};

static void args_free(struct args *a) {
  free(a->report.slo);
  sweep_options_free(&a->o);
  again_free(&a->again);
}

/* A rehearsal has a server, a database and a folder of its own, and begins anew. */
static int refuse_elsewhere(const struct args *a, struct cause *c) {
  const struct connect_options *k = &a->connect;
  const char *vain = k->server ? "-S" : k->user ? "-U" : k->database ? "-d" : k->password_file ? "--password-file" : k->encrypt ? "--encrypt"
                   : k->ca_file ? "--ca-file" : a->o.run_folder ? "--run" : a->again.resume ? "--resume" : a->o.dry_run ? "--dry-run" : NULL;
  if (!vain)
    return 0;
  cause_set(c, STATUS_SETUP, "%s cannot be given to the sweep of a rehearsal: it has a server, a database and a run folder of its own, and begins anew", vain);
  return cause_remedy(c, a->o.run_folder ? "give --run before the --" : "'ramknee sandbox' in another terminal gives a server for 'ramknee sweep -S sandbox'");
}

int sweep_rehearsable(int argc, char **argv, const struct plan_facts *f, struct cause *c) {
  struct args a;
  struct plan plan = {0};
  args_init(&a, argc, argv);
  argp_parse(&sweep_argp, argc, argv, 0, NULL, &a);
  int rc = refuse_elsewhere(&a, c);
  a.connect.server = "sandbox";
  log_quiet(1); /* what is taken over is told by the sweep itself */
  if (rc == 0)
    rc = old_options(&sweep_argp, &a, c);
  log_quiet(0);
  a.o.target.is_sandbox = 1;
  if (rc == 0 && (rc = plan_make(&plan, &a.o, f, c)) == 0)
    plan_free(&plan);
  args_free(&a);
  return rc;
}

int cmd_sweep(int argc, char **argv) {
  struct args a;
  struct cause c = {0};
  char *folder = NULL;
  args_init(&a, argc, argv);
  argp_parse(&sweep_argp, argc, argv, 0, NULL, &a);
  int status = STATUS_SETUP, rc = old_options(&sweep_argp, &a, &c);
  a.o.verdict = verdict_so_far;
  a.o.verdict_arg = &a.report;
  a.o.finished = finished;
  a.o.database = a.connect.database ? a.connect.database : CONNECT_DATABASE;
  ending_by_signal(STATUS_SETUP, "interrupted before anything was begun: nothing was changed");
  if (rc < 0 || (rc == 0 && connect_target(&a.connect, &a.o.target, &c) != 0))
    say_cause(&c);
  else
    status = rc == 0 ? sweep_run(&a.o, &folder) : STATUS_DONE;
  if (folder && status != STATUS_NOT_PUT_BACK)
    status = ending_report(folder, &a.report, status);
  free(folder);
  args_free(&a);
  return status;
}
