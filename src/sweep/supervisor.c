#include "config.h"

#include "sweep/supervisor.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t tick_ns = NS_PER_S;

/* The signals that ask for an end, as a blocked set; empty outside supervise.  Never changed while a child lives. */
static sigset_t end_set;
static int end_count, end_first;

static struct timespec span(int64_t ns) {
  if (ns < 0)
    ns = 0;
  return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

static void count_end(int sig) {
  end_count++;
  if (!end_first)
    end_first = sig;
}

int supervised_wait(int64_t until_ns) {
  for (;;) {
    struct timespec t = span(until_ns - mono_ns());
    int sig = sigtimedwait(&end_set, NULL, &t);
    if (sig > 0) {
      count_end(sig);
      return end_count;
    }
    if (mono_ns() >= until_ns)
      return end_count;
  }
}

/* Block what asks for an end and SIGCHLD; what was ignored stays ignored, since a blocked signal would be kept for us. */
static int block_signals(sigset_t *old, struct cause *c) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  sigset_t block;
  sigemptyset(&end_set);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction now;
    if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaddset(&end_set, ends[i]);
  }
  block = end_set;
  sigaddset(&block, SIGCHLD);
  signal(SIGCHLD, SIG_DFL); /* inherited as ignored it would take the child's status away */
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write(), not our end */
  end_count = end_first = 0;
  if (sigprocmask(SIG_BLOCK, &block, old) != 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot block signals");
  return 0;
}

/* ---- the child ---- */

static _Noreturn void child(const struct supervised *s, int go, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  char byte;
  ssize_t n;
  do
    n = getppid() == parent ? read(go, &byte, 1) : 0;
  while (n < 0 && errno == EINTR);
  close(go);
  if (n != 1)
    _exit(STATUS_SETUP); /* never let go: nothing was begun */
  int status = s->work(s->arg);
  if (getppid() != parent) {
    struct supervised_end end = {.status = status, .stop_signal = end_first, .orphan = 1};
    end_count = 0;
    status = s->finish(s->arg, &end);
  }
  fflush(NULL);
  _exit(status);
}

/* ---- the parent ---- */

static int ended(pid_t pid, int options, struct supervised_end *end) {
  int w;
  pid_t got;
  do
    got = waitpid(pid, &w, options);
  while (got < 0 && errno == EINTR);
  if (got != pid)
    return 0;
  end->status = WIFEXITED(w) ? WEXITSTATUS(w) : -1;
  end->signal = WIFSIGNALED(w) ? WTERMSIG(w) : 0;
  return 1;
}

static const char *grace_text(int sig) {
  return sig == SIGINT ? "ending after the present requests; once more to end at once" : "ending after the present requests";
}

static void watch(const struct supervised *s, pid_t pid, struct supervised_end *end) {
  sigset_t set = end_set;
  sigaddset(&set, SIGCHLD);
  int64_t kill_at = INT64_MAX;
  while (!ended(pid, WNOHANG, end)) {
    struct timespec t = span(tick_ns);
    int sig = sigtimedwait(&set, NULL, &t);
    if (sig > 0 && sig != SIGCHLD) {
      count_end(sig);
      if (end_count == 1) {
        kill_at = mono_ns() + s->grace_ns;
        say("%s", grace_text(sig));
        kill(pid, SIGTERM);
      } else {
        kill(pid, SIGKILL);
      }
    } else if (sig < 0 && s->idle) {
      s->idle(s->arg);
    }
    if (mono_ns() >= kill_at) {
      warn("the measuring process did not end in time and is killed");
      kill(pid, SIGKILL);
      kill_at = INT64_MAX;
    }
  }
  end->stop_signal = end_first;
}

/* Signals that came during the cleaning up have had their say; they must not end the program on unblocking. */
static void unblock_signals(const sigset_t *old) {
  struct timespec none = {0};
  while (sigtimedwait(&end_set, NULL, &none) > 0)
    ;
  sigprocmask(SIG_SETMASK, old, NULL);
}

int supervise(const struct supervised *s, struct cause *c) {
  sigset_t old;
  int go[2], status = STATUS_SETUP;
  struct supervised_end end = {0};
  cause_clear(c);
  if (block_signals(&old, c) != 0)
    return STATUS_SETUP;
  if (pipe(go) != 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot make a pipe");
    goto out;
  }
  fflush(NULL);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close(go[1]);
    child(s, go[0], parent);
  }
  close(go[0]);
  if (pid < 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot start a process");
  } else if (s->ready(s->arg, c) != 0 || supervised_wait(0) > 0 || write(go[1], "g", 1) != 1) {
    if (end_count > 0)
      cause_set(c, STATUS_SETUP, "interrupted before anything was begun: nothing was changed");
    else if (c && !c->text[0])
      cause_set(c, STATUS_SETUP, "the measuring process ended before it was begun");
  } else {
    close(go[1]);
    go[1] = -1;
    watch(s, pid, &end);
    end_count = 0;
    status = s->finish(s->arg, &end);
    goto out;
  }
  if (go[1] >= 0)
    close(go[1]);
  if (pid > 0)
    ended(pid, 0, &end);
out:
  unblock_signals(&old);
  return status;
}
