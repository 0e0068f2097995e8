/* demo: the whole job on this machine, as a person would type it: a sandbox of its own, load, sweep, report; the sandbox goes away.
 *
 * load and sweep run as processes of their own, so that the rehearsal goes the same way as the real thing, the fork before any
 * thread included. */
#include "config.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/option.h"
#include "cmd/rehearsal.h"
#include "cmd/sandbox_child.h"
#include "run/run.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A database that the two largest steps hold and the others do not: the picture shows a plateau and where it ends.  (One larger than
 * the largest step shows latency that rises from there on: the plateau is not reached.) */
#define DEMO_SIZE "80G"
/* What the sandbox has. */
#define DEMO_PHYSICAL "256G"

struct args {
  const char *run, *size;
  int keep;
  int nsweep;      /* further options for sweep, after "--" */
  char **sweep;
};

enum { OPT_RUN = 0x1000, OPT_SIZE, OPT_KEEP };

static const struct argp_option options[] = {
  {"run", OPT_RUN, "FOLDER", 0, "The run folder (default ramknee-demo-YYYYMMDD-HHMMSS in the current folder)", 0},
  {"size", OPT_SIZE, "SIZE", 0, "Size of the database in the sandbox's gigabytes (default " DEMO_SIZE ")", 0},
  {"keep", OPT_KEEP, 0, 0, "Keep the sandbox's folder", 0},
  {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c;
  int64_t bytes;
  switch (key) {
  case OPT_RUN: a->run = option_name(state, "--run", "folder", arg); break;
  case OPT_SIZE:
    option_check(state, size_parse(arg, &bytes, &c), &c);
    a->size = arg;
    break;
  case OPT_KEEP: a->keep = 1; break;
  case ARGP_KEY_ARGS: /* what stands after "--" */
    a->sweep = state->argv + state->next;
    a->nsweep = state->argc - state->next;
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static void say_command(char *const *argv) {
  struct text t = {0};
  text_add(&t, "running: ramknee");
  for (int i = 1; argv[i]; i++)
    text_addf(&t, " %s", argv[i]);
  say("%s", t.s);
  text_free(&t);
}

/* Run this program with those arguments and wait.  A signal for us alone is passed on; one from the terminal has reached the child
 * already.  Either way the child is waited for: it has a setting to put back.  *stopped: a signal came.  -1: it could not be run. */
static int run_self(char *const *argv, const sigset_t *mask, int *stopped, struct cause *c) {
  say_command(argv);
  posix_spawnattr_t attr;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_init(&attr);
  posix_spawnattr_setsigmask(&attr, &none);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
  pid_t pid;
  fflush(stdout);
  int err = posix_spawn(&pid, "/proc/self/exe", NULL, &attr, argv, environ);
  posix_spawnattr_destroy(&attr);
  if (err != 0)
    return cause_errno(c, STATUS_SETUP, err, "cannot run ramknee %s", argv[1]);
  for (;;) {
    int status;
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid)
      return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_INCOMPLETE;
    siginfo_t info;
    int sig = sigwaitinfo(mask, &info);
    if (sig == SIGCHLD || sig < 0)
      continue;
    *stopped = 1;
    if (info.si_code <= 0) /* sent by a process, not by the terminal */
      kill(pid, sig);
  }
}

static char *default_run(void) {
  char stamp[32];
  time_t now = time(NULL);
  struct tm tm;
  localtime_r(&now, &tm);
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
  return xprintf("ramknee-demo-%s", stamp);
}

/* Before minutes are spent on what the sweep would refuse then. */
static int judge(const struct args *a, const char *run, struct cause *c) {
  struct plan_facts facts = {.scale = 1024, .least_mib = SANDBOX_LEAST_MIB};
  int64_t physical;
  if (size_parse(DEMO_PHYSICAL, &physical, c) != 0 || size_parse(a->size, &facts.data_bytes, c) != 0 || run_could_be(run, c) != 0)
    return -1;
  facts.physical_mib = physical / MIB;
  char **sweep = xcalloc((size_t)a->nsweep + 2, sizeof *sweep);
  sweep[0] = (char[]){"ramknee sweep"};
  for (int i = 0; i < a->nsweep; i++)
    sweep[i + 1] = a->sweep[i];
  int rc = sweep_rehearsable(a->nsweep + 1, sweep, &facts, c);
  free(sweep);
  return rc;
}

/* What there is to look at: pictures may have been left out. */
static void say_done(const char *run) {
  char *picture = xprintf("%s/plots/headline.png", run);
  if (access(picture, R_OK) == 0)
    say("the rehearsal is done; open %s/report.html, or look at %s", run, picture);
  else
    say("the rehearsal is done; open %s/report.html", run);
  free(picture);
}

static int rehearse(const struct args *a, const char *server, const char *run, const sigset_t *mask, struct cause *c) {
  int stopped = 0;
  char *load[] = {(char[]){"ramknee"}, (char[]){"load"}, (char[]){"-S"}, (char *)server, (char[]){"--size"}, (char *)a->size,
                  (char[]){"--streams"}, (char[]){"2"}, (char[]){"--yes"}, NULL};
  int status = run_self(load, mask, &stopped, c);
  if (status != STATUS_DONE || stopped)
    return status;
  char **sweep = xcalloc((size_t)a->nsweep + 8, sizeof *sweep);
  int n = 0;
  char *fixed[] = {(char[]){"ramknee"}, (char[]){"sweep"}, (char[]){"-S"}, (char *)server, (char[]){"--yes"}, (char[]){"--run"}, (char *)run};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    sweep[n++] = fixed[i];
  for (int i = 0; i < a->nsweep; i++)
    sweep[n++] = a->sweep[i];
  status = run_self(sweep, mask, &stopped, c);
  free(sweep);
  return status;
}

int cmd_demo(int argc, char **argv) {
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[-- SWEEP-OPTION...]",
    .doc = "Rehearse the whole job on this machine, without a SQL Server: start a sandbox, load it, sweep 128, 96, 64, 32, 16 and 8 GB "
           "three times, write the report with its pictures, remove the sandbox.  Takes about six minutes; its figures are those of InnoDB at 1:1024.",
  };
  struct args a = {.size = DEMO_SIZE};
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &a);
  struct cause c = {0};
  int status = STATUS_SETUP;
  char *run = a.run ? xstrdup(a.run) : default_run();
  char *name = xprintf("demo-%ld", (long)getpid());
  char *server = xprintf("sandbox:%s", name);
  struct sandbox_child child = {0};
  if (judge(&a, run, &c) != 0)
    goto out;

  /* From here on signals are taken in run_self, one at a time. */
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGHUP);
  sigaddset(&mask, SIGCHLD);
  sigprocmask(SIG_BLOCK, &mask, NULL);

  const char *sandbox[] = {"--name", name, "--physical", DEMO_PHYSICAL, NULL};
  if (sandbox_child_start(&child, sandbox, &c) != 0)
    goto out;
  say("a sandbox is running: InnoDB at 1:1024 in %s", child.folder);
  status = rehearse(&a, server, run, &mask, &c);
  char *folder = xstrdup(child.folder);
  struct cause end;
  if (sandbox_child_stop(&child, &end) != 0) {
    warn_cause(&end);
    if (status == STATUS_DONE)
      status = STATUS_INCOMPLETE;
  }
  if (a.keep)
    say("the sandbox's folder was kept: %s", folder);
  else if (folder_remove(folder, &end) != 0)
    warn_cause(&end);
  free(folder);
  if (status == STATUS_DONE)
    say_done(run);
out:
  if (c.text[0])
    say_cause(&c);
  if (status < 0)
    status = STATUS_SETUP;
  free(run);
  free(name);
  free(server);
  return status;
}
