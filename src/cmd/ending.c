#include "config.h"

#include "cmd/ending.h"
#include "base/log.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
  volatile sig_atomic_t status;
  const char *volatile sentence;
} ending;

/* Only what a handler may call. */
static void end(int sig) {
  static const char first[] = "\nramknee: error: ", last[] = "\n";
  (void)sig;
  if (ending.sentence) {
    ssize_t n = write(STDERR_FILENO, first, sizeof first - 1);
    n += write(STDERR_FILENO, ending.sentence, strlen(ending.sentence));
    n += write(STDERR_FILENO, last, sizeof last - 1);
    (void)n;
  }
  _exit(ending.status);
}

void ending_by_signal(int status, const char *sentence) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  ending.status = status;
  ending.sentence = sentence;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction now, then = {.sa_handler = end};
    sigfillset(&then.sa_mask);
    if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaction(ends[i], &then, NULL);
  }
}

int ending_report(const char *folder, const struct report_options *o, int status) {
  struct cause c = {0};
  say("the run is in %s", folder);
  int rc = report_run(folder, o, stdout, &c);
  if (rc < 0)
    say_cause(&c);
  return rc != STATUS_DONE && status == STATUS_DONE ? STATUS_INCOMPLETE : status;
}
