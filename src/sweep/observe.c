#include "config.h"

#include "sweep/observe.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/supervisor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const int64_t grace_ns = 45 * NS_PER_S; /* users are interrupted after 5 s and cut off after 10 s */

/* There is nothing that cleaning up would need. */
static int ready(void *arg, struct cause *c) {
  (void)arg, (void)c;
  return 0;
}

static int work(void *arg) {
  struct observed *o = arg;
  return o->work(o);
}

static int finish(void *arg, const struct supervised_end *e) {
  struct observed *o = arg;
  struct cause c = {0};
  struct run *run = NULL;
  if (e->status == STATUS_SETUP)
    return STATUS_SETUP; /* the reason has been said */
  if (isatty(STDERR_FILENO)) { /* a live line that the child could not clear */
    progress(0, " ");
    progress(0, "%s", "");
  }
  if (run_open(&run, o->folder, &c) != 0) {
    say_cause(&c);
    return e->signal ? STATUS_INCOMPLETE : e->status;
  }
  log_tee(run_log_fd(run));
  if (e->signal) {
    snprintf(o->shared->why, sizeof o->shared->why, "the measuring process was ended by signal %d (%s)", e->signal, strsignal(e->signal));
    cause_set(&c, STATUS_INCOMPLETE, "%s", o->shared->why);
    say_cause(&c);
  }
  int status = e->signal || e->status < 0 ? STATUS_INCOMPLETE : e->status;
  if (run_end(run, status, -1, o->shared->why[0] ? o->shared->why : NULL, &c) != 0)
    warn_cause(&c);
  log_tee(-1);
  run_close(run);
  return status;
}

int observe(struct observed *o, char **run_folder) {
  struct cause c = {0};
  *run_folder = NULL;
  o->shared = mmap(NULL, sizeof *o->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (o->shared == MAP_FAILED) {
    cause_errno(&c, STATUS_SETUP, errno, "cannot share memory between two processes");
    say_cause(&c);
    return STATUS_SETUP;
  }
  struct supervised s = {.arg = o, .ready = ready, .work = work, .finish = finish, .grace_ns = grace_ns};
  int status = supervise(&s, &c);
  if (c.text[0])
    say_cause(&c);
  munmap(o->shared, sizeof *o->shared);
  o->shared = NULL;
  char *json = xprintf("%s/run.json", o->folder);
  if (status != STATUS_SETUP && access(json, R_OK) == 0)
    *run_folder = xstrdup(o->folder);
  free(json);
  return status;
}
