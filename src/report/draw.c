/* Running gnuplot: a child in a process group of its own, with a time limit, its words caught in a pipe. */
#include "config.h"

#include "report/plot.h"
#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND 127

/* The child: async-signal-safe calls only, the program may have threads. */
static _Noreturn void child(const char *folder, char *const argv[], int words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* a signal may end us while it draws */
  setpgid(0, 0);
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || chdir(folder) != 0 || dup2(null, 0) < 0 || dup2(words, 1) < 0 || dup2(words, 2) < 0)
    _exit(126);
  signal(SIGPIPE, SIG_DFL);
  execvp(argv[0], argv);
  _exit(errno == ENOENT ? NOT_FOUND : 126);
}

/* Read what it says until it closes the pipe or time is up; the first bytes are kept.  1: time is up. */
static int listen_to(int fd, char *words, size_t size, int64_t until_ns) {
  size_t len = 0;
  char buf[512];
  for (;;) {
    int64_t left = until_ns - mono_ns();
    if (left <= 0)
      return 1;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int r = poll(&p, 1, (int)(left / NS_PER_MS) + 1);
    if (r < 0 && errno != EINTR)
      return 0;
    if (r <= 0)
      continue;
    ssize_t n = read(fd, buf, sizeof buf);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return 0;
    size_t keep = (size_t)n < size - 1 - len ? (size_t)n : size - 1 - len;
    memcpy(words + len, buf, keep);
    len += keep;
    words[len] = '\0';
  }
}

/* Its status; after `until_ns` the whole group is killed. */
static int wait_for(pid_t pid, int64_t until_ns, int *timed_out) {
  int status;
  for (;;) {
    pid_t r = waitpid(pid, &status, *timed_out ? 0 : WNOHANG);
    if (r == pid)
      return status;
    if (r < 0 && errno != EINTR)
      return -1;
    if (!*timed_out && mono_ns() >= until_ns) {
      *timed_out = 1;
      kill(-pid, SIGKILL);
      kill(pid, SIGKILL);
    } else if (!*timed_out)
      sleep_until_ns(mono_ns() + 2 * NS_PER_MS);
  }
}

/* One line of what gnuplot said: the last one that is no echo of the script or marker (^). */
static void last_words(const char *words, char *line, size_t size) {
  line[0] = '\0';
  while (*words) {
    size_t n = strcspn(words, "\n"), skip = strspn(words, " \t^\r");
    if (skip < n && n - skip < size) {
      memcpy(line, words + skip, n - skip);
      line[n - skip] = '\0';
    }
    words += n + (words[n] == '\n');
  }
  for (char *p = line; *p; p++)
    if ((unsigned char)*p < 0x20)
      *p = ' ';
}

static int run_gnuplot(const char *folder, const char *script, int timeout_s, struct cause *c) {
  char *const argv[] = {(char[]){"gnuplot"}, (char[]){"--default-settings"}, (char *)(uintptr_t)script, NULL};
  int pipe_fd[2];
  if (pipe2(pipe_fd, O_CLOEXEC) != 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot start gnuplot");
  pid_t pid = fork();
  if (pid < 0) {
    int err = errno;
    close(pipe_fd[0]);
    close(pipe_fd[1]);
    return cause_errno(c, STATUS_SETUP, err, "cannot start gnuplot");
  }
  if (pid == 0)
    child(folder, argv, pipe_fd[1]);
  setpgid(pid, pid); /* whoever comes first */
  close(pipe_fd[1]);
  char words[4096] = "", line[300];
  int64_t until = mono_ns() + timeout_s * NS_PER_S;
  listen_to(pipe_fd[0], words, sizeof words, until);
  int timed_out = 0, status = wait_for(pid, until, &timed_out);
  close(pipe_fd[0]);
  if (timed_out) {
    cause_set(c, STATUS_SETUP, "gnuplot took longer than %d s for %s", timeout_s, script);
    return cause_remedy(c, "see what 'gnuplot %s' in the run folder waits for", script);
  }
  if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 0;
  if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
    cause_set(c, STATUS_SETUP, "gnuplot was not found, so there are no pictures");
    return cause_remedy(c, "install it (Debian: gnuplot-nox) and run 'ramknee report' again");
  }
  last_words(words, line, sizeof line);
  cause_set(c, STATUS_SETUP, "gnuplot failed on %s%s%s", script, *line ? ": " : "", line);
  return cause_remedy(c, "run 'gnuplot %s' in the run folder to see all that it says", script);
}

int plot_draw(const char *folder, const struct plot *p, int timeout_s, struct cause *c) {
  char *script = xprintf("plots/%s.gp", p->name), *png = xprintf("%s/plots/%s.png", folder, p->name);
  /* gnuplot truncates its output first and fails later: start from nothing, so that what is there is whole. */
  unlink(png);
  int rc = run_gnuplot(folder, script, timeout_s, c);
  struct stat st;
  if (rc == 0 && (stat(png, &st) != 0 || st.st_size == 0)) {
    cause_set(c, STATUS_SETUP, "gnuplot drew nothing for %s", script);
    rc = cause_remedy(c, "run 'gnuplot %s' in the run folder to see what it says", script);
  }
  if (rc != 0)
    unlink(png);
  free(script);
  free(png);
  return rc;
}
