/* The supervisor without a server: what it does is told by lines in a file ("ready", "work", "stop", "finish ..."), and signals and
 * deaths are real.  Each scene runs in a process group of its own. */
#include "config.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/supervisor.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 30 }; /* nothing waits longer than this; passing tests take far less */

static char path[] = "/var/tmp/rk-supervisor-XXXXXX";
static int event_fd;

static void event(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void event(const char *fmt, ...) {
  char line[200];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(line, sizeof line - 1, fmt, ap);
  va_end(ap);
  line[n] = '\n';
  if (write(event_fd, line, (size_t)n + 1) != n + 1)
    abort();
}

static char *events(void) {
  char *data;
  size_t size;
  cr_assert_eq(file_read(path, 1 << 20, &data, &size, NULL), 0);
  return data;
}

static int happened(const char *what) {
  char *e = events();
  int yes = strstr(e, what) != NULL;
  free(e);
  return yes;
}

static void await(const char *what) {
  for (int64_t end = mono_ns() + PATIENCE_S * NS_PER_S; !happened(what); usleep(5000))
    if (mono_ns() > end) {
      char *e = events();
      cr_assert_fail("'%s' did not happen:\n%s", what, e);
    }
}

static void setup(void) {
  /* What the shell that runs the tests ignores (SIGINT, in the background) a sweep would rightly leave alone. */
  for (int sig = 1; sig < SIGRTMIN; sig++)
    signal(sig, SIG_DFL);
  event_fd = mkstemp(path);
  cr_assert_geq(event_fd, 0);
  cr_assert_neq(fcntl(event_fd, F_SETFL, O_APPEND), -1);
  log_quiet(1);
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* an orphan's end can be waited for here */
}

static void teardown(void) {
  close(event_fd);
  unlink(path);
}

/* ---- the jobs ---- */

static int ready_ok(void *arg, struct cause *c) {
  (void)arg;
  (void)c;
  event("ready");
  return 0;
}

static int ready_fails(void *arg, struct cause *c) {
  (void)arg;
  return cause_set(c, STATUS_SETUP, "not ready");
}

static int ready_slow(void *arg, struct cause *c) {
  (void)arg;
  (void)c;
  event("ready");
  sigset_t pending; /* signals are held back here */
  for (int64_t end = mono_ns() + PATIENCE_S * NS_PER_S; mono_ns() < end; usleep(5000))
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1)
      break;
  return 0;
}

static int work_short(void *arg) {
  event("work %d", (int)getpid());
  return *(int *)arg;
}

static int work_until_stopped(void *arg) {
  (void)arg;
  event("work %d", (int)getpid());
  int n = supervised_wait(mono_ns() + PATIENCE_S * NS_PER_S);
  event("stop %d", n);
  return STATUS_INCOMPLETE;
}

static int work_deaf(void *arg) {
  (void)arg;
  event("work %d", (int)getpid());
  sleep_until_ns(mono_ns() + PATIENCE_S * NS_PER_S);
  event("heard nothing");
  return 0;
}

static int work_crashes(void *arg) {
  (void)arg;
  event("work %d", (int)getpid());
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return 0;
}

static void *beside(void *arg) {
  (void)arg;
  sleep_until_ns(mono_ns() + PATIENCE_S * NS_PER_S);
  return NULL;
}

/* With threads, as the real one: the signal must still reach the main thread, and PDEATHSIG the process. */
static int work_with_threads(void *arg) {
  pthread_t t;
  for (int i = 0; i < 4; i++)
    pthread_create(&t, NULL, beside, NULL);
  return work_until_stopped(arg);
}

static int finish(void *arg, const struct supervised_end *e) {
  (void)arg;
  event("finish status %d signal %d stop %d orphan %d", e->status, e->signal, e->stop_signal, e->orphan);
  return e->status == 0 ? 0 : STATUS_INCOMPLETE;
}

static int finish_long(void *arg, const struct supervised_end *e) {
  event("finishing");
  for (int seen = 0; seen < 2;) {
    int n = supervised_wait(mono_ns() + PATIENCE_S * NS_PER_S);
    if (n == seen)
      break;
    seen = n;
    event("again %d", n);
  }
  return finish(arg, e);
}

static int idles;
static void idle(void *arg) {
  (void)arg;
  event("idle %d", ++idles);
}

/* Start a scene in its own process group; its exit status is what supervise returned. */
static pid_t scene(struct supervised s) {
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    struct cause c = {0};
    int status = supervise(&s, &c);
    if (c.text[0])
      event("cause %s", c.text);
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    if (sigismember(&now, SIGTERM) || sigismember(&now, SIGCHLD))
      event("mask left blocked");
    _exit(status);
  }
  setpgid(pid, pid);
  return pid;
}

/* Exit status of a process, bounded; -signal when one ended it. */
static int end_of(pid_t pid) {
  int w;
  for (int64_t end = mono_ns() + PATIENCE_S * NS_PER_S; waitpid(pid, &w, WNOHANG) != pid; usleep(5000))
    if (mono_ns() > end) {
      kill(-pid, SIGKILL);
      cr_assert_fail("it did not end");
    }
  cr_assert(!happened("mask left blocked"));
  return WIFEXITED(w) ? WEXITSTATUS(w) : -WTERMSIG(w);
}

/* Until a signal has come to a process that holds it back. */
static void await_pending(pid_t pid, int sig) {
  char *of = xprintf("/proc/%d/status", (int)pid), *data, *line;
  size_t size;
  unsigned long long set = 0;
  for (int64_t end = mono_ns() + PATIENCE_S * NS_PER_S; !(set >> (sig - 1) & 1); usleep(5000)) {
    cr_assert_lt(mono_ns(), end, "signal %d was not handed on", sig);
    cr_assert_eq(file_read(of, 1 << 16, &data, &size, NULL), 0);
    line = strstr(data, "\nShdPnd:");
    cr_assert(line && sscanf(line, "\nShdPnd: %llx", &set) == 1, "%s", data);
    free(data);
  }
  free(of);
}

static pid_t worker(void) {
  await("work ");
  char *e = events();
  pid_t pid = atoi(strstr(e, "work ") + 5);
  free(e);
  cr_assert_gt(pid, 1);
  return pid;
}

static struct supervised job(int (*work)(void *)) {
  static int status;
  return (struct supervised){.arg = &status, .ready = ready_ok, .work = work, .finish = finish, .grace_ns = PATIENCE_S * NS_PER_S};
}

TestSuite(supervisor, .init = setup, .fini = teardown, .timeout = 3 * PATIENCE_S);

/* ---- the scenes ---- */

Test(supervisor, a_good_end) {
  pid_t p = scene(job(work_short));
  cr_assert_eq(end_of(p), 0);
  char *e = events();
  cr_assert(strstr(e, "ready") < strstr(e, "work") && strstr(e, "work") < strstr(e, "finish status 0 signal 0 stop 0 orphan 0"), "%s", e);
  free(e);
}

Test(supervisor, the_childs_status_is_told) {
  int three = 3;
  struct supervised s = job(work_short);
  s.arg = &three;
  cr_assert_eq(end_of(scene(s)), STATUS_INCOMPLETE);
  cr_assert(happened("finish status 3 signal 0 stop 0 orphan 0"));
}

Test(supervisor, nothing_begins_when_it_is_not_ready) {
  struct supervised s = job(work_short);
  s.ready = ready_fails;
  cr_assert_eq(end_of(scene(s)), STATUS_SETUP);
  cr_assert(happened("cause not ready"));
  cr_assert(!happened("work") && !happened("finish"));
}

Test(supervisor, a_signal_before_the_start_begins_nothing) {
  struct supervised s = job(work_short);
  s.ready = ready_slow;
  pid_t p = scene(s);
  await("ready");
  kill(p, SIGTERM);
  cr_assert_eq(end_of(p), STATUS_SETUP);
  cr_assert(!happened("work") && !happened("finish"));
}

Test(supervisor, a_crash_is_cleaned_up_after) {
  pid_t p = scene(job(work_crashes));
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("finish status -1 signal 11 stop 0 orphan 0"));
}

Test(supervisor, a_killed_child_is_cleaned_up_after) {
  pid_t p = scene(job(work_deaf));
  kill(worker(), SIGKILL);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("finish status -1 signal 9 stop 0 orphan 0"));
}

static void stops_on(int sig, int to_group) {
  pid_t p = scene(job(work_with_threads));
  worker();
  kill(to_group ? -p : p, sig);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  char *want = xprintf("finish status 2 signal 0 stop %d orphan 0", sig), *e = events();
  cr_assert(strstr(e, want), "%s", e);
  cr_assert(strstr(e, "stop "), "the child stopped by itself");
  free(want);
  free(e);
}

Test(supervisor, sigterm) {
  stops_on(SIGTERM, 0);
}
Test(supervisor, sigint) {
  stops_on(SIGINT, 0);
}
Test(supervisor, sighup) {
  stops_on(SIGHUP, 0);
}
Test(supervisor, sigterm_to_the_group) {
  stops_on(SIGTERM, 1);
}
Test(supervisor, sigint_to_the_group) {
  stops_on(SIGINT, 1);
}
Test(supervisor, sighup_to_the_group) {
  stops_on(SIGHUP, 1);
}
Test(supervisor, sigquit_to_the_group) {
  stops_on(SIGQUIT, 1);
}

Test(supervisor, a_signal_to_the_child_alone_stops_it) {
  pid_t p = scene(job(work_until_stopped));
  kill(worker(), SIGTERM);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("finish status 2 signal 0 stop 0 orphan 0"));
}

Test(supervisor, a_deaf_child_is_killed_after_its_grace) {
  struct supervised s = job(work_deaf);
  s.grace_ns = 50 * NS_PER_MS;
  pid_t p = scene(s);
  worker();
  kill(p, SIGTERM);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("finish status -1 signal 9 stop 15 orphan 0"));
}

Test(supervisor, a_second_signal_kills_a_deaf_child) {
  pid_t p = scene(job(work_deaf)), w = worker();
  kill(p, SIGTERM);
  await_pending(w, SIGTERM); /* it was handed on: of two at once the second might be heard first */
  kill(p, SIGINT);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("finish status -1 signal 9 stop 15 orphan 0"));
}

Test(supervisor, when_the_parent_is_killed_the_child_cleans_up) {
  pid_t p = scene(job(work_with_threads)), w = worker();
  kill(p, SIGKILL);
  cr_assert_eq(end_of(p), -SIGKILL);
  cr_assert_eq(end_of(w), STATUS_INCOMPLETE);
  cr_assert(happened("finish status 2 signal 0 stop 15 orphan 1"));
}

Test(supervisor, signals_during_the_cleaning_up_only_count) {
  struct supervised s = job(work_short);
  s.finish = finish_long;
  pid_t p = scene(s);
  await("finishing");
  kill(p, SIGTERM);
  await("again 1");
  kill(p, SIGTERM);
  cr_assert_eq(end_of(p), 0);
  cr_assert(happened("again 2"));
}

Test(supervisor, what_was_ignored_stays_ignored) {
  signal(SIGHUP, SIG_IGN); /* nohup */
  pid_t p = scene(job(work_until_stopped));
  worker();
  kill(-p, SIGHUP);
  usleep(200000);
  cr_assert(!happened("stop"));
  kill(p, SIGTERM);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("stop 15 orphan 0"));
}

Test(supervisor, an_inherited_ignored_sigchld_does_not_hide_the_end) {
  int three = 3;
  signal(SIGCHLD, SIG_IGN);
  struct supervised s = job(work_short);
  s.arg = &three;
  pid_t p = scene(s);
  signal(SIGCHLD, SIG_DFL);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
  cr_assert(happened("finish status 3"));
}

Test(supervisor, the_parent_is_called_while_it_waits) {
  struct supervised s = job(work_until_stopped);
  s.idle = idle;
  pid_t p = scene(s);
  await("idle 2");
  kill(p, SIGTERM);
  cr_assert_eq(end_of(p), STATUS_INCOMPLETE);
}
