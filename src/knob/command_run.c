/* One run of the user's own command: a child in a process group of its own, with a time limit, its words caught in a pipe. */
#include "config.h"

#include "knob/command_private.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LINES_SAID = 200, TICK_MS = 50 };
static const int64_t mercy_ns = 2 * NS_PER_S; /* between SIGTERM and SIGKILL */

/* ---- its environment ---- */

static int is_ours(const char *s) {
  static const char *const name[] = {"RAMKNEE_PASSWORD=", "RAMKNEE_SERVER=", "RAMKNEE_INSTANCE=", "RAMKNEE_MAX_MEMORY_MB=",
                                     "RAMKNEE_MAX_MEMORY_BYTES="};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    if (strncmp(s, name[i], strlen(name[i])) == 0)
      return 1;
  return 0;
}

static char **environment(const struct knob_state *s, int64_t mib) {
  char **from = command_environment ? command_environment : environ;
  size_t n = 0, k = 0;
  while (from && from[n])
    n++;
  char **e = xcalloc(n + 5, sizeof *e);
  for (size_t i = 0; i < n; i++)
    if (!is_ours(from[i]))
      e[k++] = xstrdup(from[i]);
  e[k++] = xprintf("RAMKNEE_SERVER=%s", command_around.server ? command_around.server : s->server);
  e[k++] = xprintf("RAMKNEE_INSTANCE=%s", s->server);
  e[k++] = xprintf("RAMKNEE_MAX_MEMORY_MB=%" PRId64, mib);
  e[k] = xprintf("RAMKNEE_MAX_MEMORY_BYTES=%" PRId64, mib * MIB);
  return e;
}

static void environment_free(char **e) {
  for (size_t i = 0; e[i]; i++)
    free(e[i]);
  free(e);
}

/* ---- the child ---- */

/* Async-signal-safe calls only: this program has threads. */
static _Noreturn void child(char *const argv[], char *const env[], int words, pid_t parent) {
  sigset_t none;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(126);
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(words, 1) < 0 || dup2(words, 2) < 0)
    _exit(126);
  /* Connections of ours would live on in whatever the command leaves behind. */
  if (close_range(3, ~0U, 0) != 0)
    for (int fd = 3; fd < 4096; fd++)
      close(fd);
  signal(SIGPIPE, SIG_DFL); /* ignored here; what was ignored when we were started stays so: nohup */
  signal(SIGXFSZ, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(argv[0], argv, env);
  _exit(127);
}

/* ---- its words ---- */

struct words {
  int fd, open;
  char line[400], last[400]; /* under way; the last one that was whole */
  size_t len;
  int said;
};

static void end_line(struct words *w) {
  size_t n = w->len;
  w->line[n] = '\0';
  w->len = 0;
  while (n > 0 && (w->line[n - 1] == ' ' || w->line[n - 1] == '\r'))
    w->line[--n] = '\0';
  if (n == 0)
    return;
  memcpy(w->last, w->line, n + 1);
  if (w->said++ < LINES_SAID)
    say("set-with: %s", w->line);
  else if (w->said == LINES_SAID + 2)
    say("set-with: (what it says further is left out)");
}

/* It ends up on a terminal, in JSON and in a sentence: plain ASCII. */
static void take(struct words *w, const char *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char ch = (unsigned char)p[i];
    if (ch == '\n' || w->len + 1 == sizeof w->line)
      end_line(w);
    if (ch != '\n')
      w->line[w->len++] = ch < 0x20 ? ' ' : ch >= 0x7f ? '?' : (char)ch;
  }
}

/* What is there, after at most `ms`. */
static void listen_to(struct words *w, int ms) {
  struct pollfd p = {.fd = w->fd, .events = POLLIN};
  char buf[4096];
  if (!w->open) {
    sleep_until_ns(mono_ns() + ms * NS_PER_MS);
    return;
  }
  if (poll(&p, 1, ms) <= 0)
    return;
  ssize_t n = read(w->fd, buf, sizeof buf);
  if (n > 0)
    take(w, buf, (size_t)n);
  else if (n == 0 || (errno != EINTR && errno != EAGAIN))
    w->open = 0;
}

/* ---- its end ---- */

static int has_ended(pid_t pid, int *status) {
  pid_t got;
  do
    got = waitpid(pid, status, WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got < 0) { /* never: nobody else waits for it */
    *status = 0;
    return 1;
  }
  return got == pid;
}

static void end_group(pid_t pid, struct words *w, int *status) {
  int64_t until = mono_ns() + mercy_ns;
  int ended = 0;
  kill(-pid, SIGTERM);
  while (!ended && mono_ns() < until) {
    listen_to(w, TICK_MS);
    ended = has_ended(pid, status);
  }
  kill(-pid, SIGKILL); /* the shell may be gone, and what it started not */
  while (!ended) {
    listen_to(w, TICK_MS);
    ended = has_ended(pid, status);
  }
}

enum why { BY_ITSELF, TIME_IS_UP, NOT_WANTED };

static enum why attend(pid_t pid, int64_t until_ns, struct words *w, int *status) {
  while (!has_ended(pid, status)) {
    listen_to(w, TICK_MS);
    enum why why = command_around.stop && command_around.stop(command_around.arg) ? NOT_WANTED : mono_ns() >= until_ns ? TIME_IS_UP : BY_ITSELF;
    if (why != BY_ITSELF) {
      end_group(pid, w, status);
      return why;
    }
  }
  /* What it said last is in the pipe; what it left behind may hold that open for ever. */
  for (int i = 0; w->open && i < 64; i++)
    listen_to(w, 0);
  return BY_ITSELF;
}

static int tell(enum why why, int status, const struct words *w, int64_t max_ns, struct cause *c) {
  char t[40], last[sizeof w->last + 24] = "";
  if (w->last[0])
    snprintf(last, sizeof last, "; it said last: %.300s", w->last);
  if (why == TIME_IS_UP) {
    cause_set(c, STATUS_INCOMPLETE, "the command of --set-with had not ended after %s and was killed%s", duration_text(max_ns, t, sizeof t), last);
    return cause_remedy(c, "--set-with-max gives it more time");
  }
  if (why == NOT_WANTED)
    return cause_set(c, STATUS_INCOMPLETE, "the command of --set-with was interrupted%s", last);
  if (WIFSIGNALED(status))
    return cause_set(c, STATUS_INCOMPLETE, "the command of --set-with was ended by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                     last);
  if (WEXITSTATUS(status) == 0)
    return 0;
  cause_set(c, STATUS_INCOMPLETE, "the command of --set-with ended with status %d%s", WEXITSTATUS(status), last);
  return cause_remedy(c, WEXITSTATUS(status) == 127 ? "name it with its whole path" : "try it by itself in a shell");
}

static void note_group(int group) {
  if (command_around.group)
    *command_around.group = group;
}

int command_run(const struct knob_state *s, int64_t mib, int64_t until_ns, struct cause *c) {
  char value[24], command[sizeof s->command], shell[] = "/bin/sh", option[] = "-c", zero[] = "sh";
  int fd[2], status = 0;
  int64_t begun = mono_ns();
  snprintf(value, sizeof value, "%" PRId64, mib);
  memcpy(command, s->command, sizeof command);
  char *argv[] = {shell, option, command, zero, value, NULL};
  if (pipe2(fd, O_CLOEXEC) != 0)
    return cause_errno(c, STATUS_INCOMPLETE, errno, "cannot run the command of --set-with");
  fcntl(fd[0], F_SETFL, O_NONBLOCK);
  char **env = environment(s, mib);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0)
    child(argv, env, fd[1], parent);
  int err = errno;
  environment_free(env);
  close(fd[1]);
  if (pid < 0) {
    close(fd[0]);
    return cause_errno(c, STATUS_INCOMPLETE, err, "cannot run the command of --set-with");
  }
  setpgid(pid, pid); /* whoever comes first */
  note_group(pid);
  struct words w = {.fd = fd[0], .open = 1};
  enum why why = attend(pid, until_ns, &w, &status);
  note_group(0);
  end_line(&w);
  close(fd[0]);
  return tell(why, status, &w, until_ns - begun, c);
}

void command_kill(int group) {
  int status;
  if (group <= 0 || kill(-group, SIGKILL) != 0)
    return;
  warn("the command of --set-with was still at work and is killed");
  for (int i = 0; i < 100 && waitpid(group, &status, WNOHANG) == 0; i++)
    sleep_until_ns(mono_ns() + 20 * NS_PER_MS);
}
