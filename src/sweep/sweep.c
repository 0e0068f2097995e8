#include "config.h"

#include "sweep/child.h"
#include "sweep/pulse.h"
#include "sweep/put_back.h"
#include "sweep/supervisor.h"
#include "sweep/resume.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "knob/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const int64_t grace_ns = 45 * NS_PER_S;         /* users are interrupted after 5 s and cut off after 10 s */
static const int64_t keep_alive_ns = 30 * NS_PER_S;    /* between two looks of the parent at its own connection */
static const int64_t killed_pause_ns = 2 * NS_PER_S;   /* for the server to end what a killed child's connections had begun */
static const int64_t put_back_usual_ns = 600 * NS_PER_S;

void sweep_options_free(struct sweep_options *o) {
  free(o->step_mib);
  resume_free(o->resume);
  o->resume = NULL;
  target_free(&o->target);
  o->step_mib = NULL;
  o->nstep = 0;
}

/* What the parent keeps for its child; after the fork each process has its own copy. */
struct guard {
  const struct sweep_options *o;
  struct work work;       /* the child's */
  struct conn *conn;      /* kept open from the start: a starved server takes no new log-ins */
  struct knob_state before;
  char *journal_path;
  int64_t looked_ns;      /* when the parent last used its connection */
  int lock_lost;          /* somebody else has taken the lock: said once */
  int putting_back;       /* a single signal no longer ends a command */
  struct pulse pulse;
};

/* ---- the command of --set-with ---- */

/* What ends it early: the first signal in the middle of a step, the second one when the setting goes back. */
static int enough(void *arg) {
  const struct guard *g = arg;
  return supervised_wait(0) > (g->putting_back ? 1 : 0);
}

/* Before the fork, so that both processes have it; orphans come to the parent, which ends what a killed child has left at work. */
static void surround(struct guard *g) {
  command_keep_environment();
  command_surround(&(struct command_surroundings){.server = g->o->target.name, .stop = enough, .arg = g, .group = &g->work.shared->command_group});
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* ---- the parent's side ---- */

static int refuse_journal(const struct guard *g, struct cause *c) {
  struct journal j;
  int rc = journal_read(&j, g->journal_path, c);
  if (rc != 0)
    return rc == 1 ? 0 : -1;
  cause_set(c, STATUS_SETUP, "a sweep on %s was broken off before it put the setting back: its journal is %s", j.state.server, g->journal_path);
  cause_remedy(c, "'ramknee restore %s' puts the setting back", g->journal_path);
  journal_free(&j);
  return -1;
}

static int ready(void *arg, struct cause *c) {
  struct guard *g = arg;
  if (server_init(&g->o->target, 4, c) != 0 || open_in_master(&g->conn, &g->o->target, c) != 0 ||
      knob_memory.read(g->conn, &g->before, c) != 0 || lock_take(g->conn, c) != 0)
    return -1;
  if (g->o->set_with)
    command_use(&g->before, g->o->set_with, g->o->set_with_max_ns);
  g->looked_ns = mono_ns();
  g->journal_path = journal_path(g->before.server, c);
  if (!g->journal_path)
    return -1;
  pulse_told(g->o, g->journal_path, &g->before);
  return refuse_journal(g, c);
}

/* Now and then: a connection that nobody uses is cut by some firewalls, and the lock goes with the connection. */
static void idle(void *arg) {
  struct guard *g = arg;
  struct cause c;
  struct knob_state now;
  pulse_beat(&g->pulse, g->o, g->work.shared);
  if (mono_ns() - g->looked_ns < keep_alive_ns)
    return;
  if (!g->conn || knob_memory.read(g->conn, &now, &c) != 0) {
    conn_close(g->conn);
    g->conn = NULL;
    if (open_in_master(&g->conn, &g->o->target, &c) != 0)
      g->conn = NULL; /* the next look tries again */
    else if (lock_take(g->conn, &c) == 1 && !g->lock_lost++)
      warn_cause(&c);
  }
  g->looked_ns = mono_ns();
}

static int work(void *arg) {
  struct guard *g = arg;
  int status = sweep_child(&g->work);
  /* Should the parent be dead, this process puts back: with its own connection and journal. */
  g->conn = g->work.master;
  g->journal_path = g->work.journal.path;
  g->before = g->work.facts.before;
  return status;
}

static void explain_end(struct guard *g, const struct supervised_end *e) {
  struct sweep_shared *s = g->work.shared;
  if (e->signal && !s->why[0]) {
    snprintf(s->why, sizeof s->why, "the measuring process was ended by signal %d (%s)", e->signal, strsignal(e->signal));
    struct cause c = {0};
    cause_set(&c, STATUS_INCOMPLETE, "%s", s->why);
    say_cause(&c);
  } else if (e->orphan) {
    warn("the supervising process is gone; this one puts the setting back");
  }
}

/* The status of the sweep, given how the child ended and what became of the setting. */
static int status_of(const struct supervised_end *e, enum put_back_result r) {
  if (r == PUT_BACK_FAILED)
    return STATUS_NOT_PUT_BACK;
  if (e->status == STATUS_DONE)
    return STATUS_DONE;
  return r == PUT_BACK_NOTHING ? STATUS_SETUP : STATUS_INCOMPLETE; /* no journal: it did not come to a change */
}

/* Connections that were lost may have had this reason; the parent's own is open again by now. */
static void explain_restart(struct guard *g, const struct supervised_end *e) {
  struct sweep_shared *s = g->work.shared;
  if (e->status == STATUS_DONE || !g->conn || strstr(s->why, "restarted") || put_back_restarted(g->conn, s->start_ticks) != 1)
    return;
  char *before = xstrdup(s->why);
  snprintf(s->why, sizeof s->why, "the server was restarted while the sweep was at work%s%s", before[0] ? "; " : "", before);
  free(before);
  warn("the server was restarted while the sweep was at work: what was measured last is not valid");
}

static void say_by_hand(const struct guard *g) {
  char *statement = knob_by_hand(&g->before);
  fprintf(stderr, "%s\n", statement);
  free(statement);
}

static int finish(void *arg, const struct supervised_end *e) {
  struct guard *g = arg;
  struct cause c = {0}, own;
  struct journal j = {0};
  struct run *run = NULL;
  if (e->status == STATUS_SETUP && (!g->journal_path || access(g->journal_path, F_OK) != 0))
    return STATUS_SETUP; /* nothing was changed, and the reason has been said */
  if (isatty(STDERR_FILENO)) { /* a live line that the child could not clear */
    progress(0, " ");
    progress(0, "%s", "");
  }
  if (run_open(&run, g->work.folder, &own) == 0)
    log_tee(run_log_fd(run));
  explain_end(g, e);
  command_kill(g->work.shared->command_group);
  g->work.shared->command_group = 0;
  g->putting_back = 1;
  if (e->signal)
    supervised_wait(mono_ns() + killed_pause_ns);
  int known = g->work.shared->state_now;
  struct put_back p = {.target = &g->o->target, .conn = &g->conn, .journal_path = g->journal_path, .database = g->o->database,
                       .known = known ? &g->work.shared->state[known - 1] : NULL,
                       .max_ns = g->o->put_back_max_ns >= 0 ? g->o->put_back_max_ns : put_back_usual_ns};
  enum put_back_result r = g->journal_path ? put_back(&p, &j, &c) : PUT_BACK_NOTHING;
  if (r == PUT_BACK_DONE || r == PUT_BACK_LEFT)
    explain_restart(g, e);
  int status = status_of(e, r);
  if (status == STATUS_SETUP)
    say("nothing was changed");
  const char *why = r == PUT_BACK_FAILED ? c.text : g->work.shared->why;
  if (run && run_end(run, status, r != PUT_BACK_FAILED, why[0] ? why : NULL, &own) != 0)
    warn_cause(&own);
  if (r == PUT_BACK_FAILED)
    say_cause(&c);
  log_tee(-1);
  run_close(run);
  journal_free(&j);
  if (r == PUT_BACK_FAILED)
    say_by_hand(g); /* the last line of all */
  if (g->o->finished)
    g->o->finished(status);
  return status;
}

/* ---- the whole ---- */

char *sweep_default_folder(const char *what, const char *server) {
  time_t now = time(NULL);
  struct tm tm;
  char stamp[32];
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
  char *s = xprintf("ramknee-%s%s-%s", what, stamp, server);
  for (char *p = s; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '.' && *p != '-')
      *p = '-';
  return s;
}

static int refuse_silence(const struct sweep_options *o, struct cause *c) {
  if (o->yes || isatty(STDIN_FILENO))
    return 0;
  cause_set(c, STATUS_SETUP, "there is no terminal to confirm on, so nothing is changed");
  return cause_remedy(c, "look at what --dry-run prints, then give --yes");
}

static int supervised_sweep(struct guard *g) {
  struct cause c = {0};
  struct supervised s = {.arg = g, .ready = ready, .work = work, .idle = idle, .finish = finish, .grace_ns = grace_ns};
  int status = supervise(&s, &c);
  if (c.text[0])
    say_cause(&c);
  pulse_stop(&g->pulse);
  conn_close(g->conn);
  server_done();
  free(g->journal_path);
  return status;
}

int sweep_run(const struct sweep_options *given, char **run_folder) {
  struct sweep_options o = *given;
  struct guard g = {.o = &o};
  struct cause c = {0};
  *run_folder = NULL;
  target_copy(&o.target, &given->target);
  free(o.target.database);
  o.target.database = xstrdup(o.database);
  char *folder = o.run_folder ? xstrdup(o.run_folder) : sweep_default_folder("", o.target.name);
  g.work.o = &o;
  g.work.folder = folder;
  int status = STATUS_SETUP;
  if (o.dry_run) {
    status = sweep_dry_run(&g.work);
    goto out;
  }
  g.work.shared = mmap(NULL, sizeof *g.work.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (g.work.shared == MAP_FAILED) {
    cause_errno(&c, STATUS_SETUP, errno, "cannot share memory between two processes");
    say_cause(&c);
    goto out;
  }
  if (refuse_silence(&o, &c) != 0)
    say_cause(&c);
  else {
    if (o.set_with)
      surround(&g);
    status = supervised_sweep(&g);
  }
  command_surround(&(struct command_surroundings){0});
  munmap(g.work.shared, sizeof *g.work.shared);
  char *json = xprintf("%s/run.json", folder);
  if (status != STATUS_SETUP && access(json, R_OK) == 0)
    *run_folder = xstrdup(folder);
  free(json);
out:
  free(folder);
  target_free(&o.target);
  return status;
}
