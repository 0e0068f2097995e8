#include "config.h"

#include "cmd/sandbox_child.h"
#include "cmd/locate.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* After a crash its engine goes through the log first. */
#define START_NS (300 * NS_PER_S)

static void child(const char *path, char *const argv[], int out, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  setpgid(0, 0);
  int null = open("/dev/null", O_RDONLY);
  if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
    _exit(126);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execv(path, argv);
  _exit(127);
}

static int start(struct sandbox_child *s, const char *path, const char *const *options, struct cause *c) {
  int fd[2], n = 0;
  if (pipe2(fd, O_CLOEXEC) != 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot start the sandbox");
  while (options[n])
    n++;
  char **argv = xcalloc((size_t)n + 2, sizeof *argv);
  argv[0] = xstrdup("ramknee-sandbox");
  for (int i = 0; i < n; i++)
    argv[i + 1] = xstrdup(options[i]);
  pid_t parent = getpid();
  s->pid = fork();
  if (s->pid == 0)
    child(path, argv, fd[1], parent);
  int err = errno;
  for (int i = 0; i <= n; i++)
    free(argv[i]);
  free(argv);
  close(fd[1]);
  s->out = fd[0];
  return s->pid > 0 ? 0 : cause_errno(c, STATUS_SETUP, err, "cannot start the sandbox");
}

/* Its message on standard error, "ramknee-sandbox: error: TEXT" and perhaps "ramknee-sandbox:   REMEDY", as a cause. */
static void its_sentence(const char *said, struct cause *c) {
  static const char mark[] = "error: ", next[] = "\nramknee-sandbox:   ";
  const char *p = strstr(said, mark);
  if (!p) {
    cause_set(c, STATUS_SETUP, "the sandbox ended without a word");
    return;
  }
  p += sizeof mark - 1;
  size_t n = strcspn(p, "\n");
  cause_set(c, STATUS_SETUP, "%.*s", (int)n, p);
  if (strncmp(p + n, next, sizeof next - 1) == 0)
    cause_remedy(c, "%.*s", (int)strcspn(p + n + sizeof next - 1, "\n"), p + n + sizeof next - 1);
}

/* Read until its line "listening on 127.0.0.1:PORT, folder DIR". */
static int wait_ready(struct sandbox_child *s, struct cause *c) {
  struct text said = {0};
  char buf[1024];
  int rc = 1;
  for (int64_t until = mono_ns() + START_NS; rc > 0;) {
    struct pollfd p = {.fd = s->out, .events = POLLIN};
    int64_t left = (until - mono_ns()) / NS_PER_MS;
    if (left <= 0 || (poll(&p, 1, (int)left) < 0 && errno != EINTR)) {
      rc = cause_set(c, STATUS_SETUP, "the sandbox did not start within %d minutes", (int)(START_NS / NS_PER_S / 60));
      break;
    }
    ssize_t n = p.revents ? read(s->out, buf, sizeof buf) : -1;
    if (n < 0)
      continue;
    if (n == 0) {
      its_sentence(said.s ? said.s : "", c);
      rc = -1;
      break;
    }
    text_addn(&said, buf, (size_t)n);
    char *line = strstr(said.s, "listening on 127.0.0.1:"), *folder;
    if (line && strchr(line, '\n') && (folder = strstr(line, ", folder "))) {
      s->port = (int)strtol(line + strlen("listening on 127.0.0.1:"), NULL, 10);
      folder += strlen(", folder ");
      s->folder = xprintf("%.*s", (int)strcspn(folder, "\n"), folder);
      rc = 0;
    }
  }
  text_free(&said);
  return rc;
}

int sandbox_child_start(struct sandbox_child *s, const char *const *options, struct cause *c) {
  *s = (struct sandbox_child){.out = -1};
  char *path = locate_sandbox(c);
  if (!path)
    return -1;
  int rc = start(s, path, options, c);
  free(path);
  if (rc == 0 && (rc = wait_ready(s, c)) != 0)
    sandbox_child_stop(s, NULL);
  return rc;
}

int sandbox_child_stop(struct sandbox_child *s, struct cause *c) {
  int status = 0, rc = 0;
  if (s->pid > 0) {
    kill(s->pid, SIGTERM);
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
      ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      rc = cause_set(c, STATUS_INCOMPLETE, "the sandbox ended in disorder");
  }
  if (s->out >= 0)
    close(s->out);
  free(s->folder);
  *s = (struct sandbox_child){.out = -1};
  return rc;
}
