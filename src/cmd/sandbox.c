#include "config.h"

#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/locate.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* The rehearsal server in the foreground: this process becomes it; the options are its own. */
int cmd_sandbox(int argc, char **argv) {
  struct cause c;
  (void)argc;
  char *path = locate_sandbox(&c);
  if (path) {
    execv(path, argv);
    cause_errno(&c, STATUS_SETUP, errno, "cannot run %s", path);
    free(path);
  }
  say_cause(&c);
  return STATUS_SETUP;
}
