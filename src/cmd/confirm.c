#include "config.h"

#include "cmd/confirm.h"

#include <stdio.h>
#include <strings.h>
#include <string.h>
#include <unistd.h>

int confirm(int yes, struct cause *c) {
  char answer[16] = "";
  if (yes)
    return 0;
  if (!isatty(STDIN_FILENO)) {
    cause_set(c, STATUS_SETUP, "not confirmed: nothing was changed, for there is no terminal to ask on");
    return cause_remedy(c, "say --yes");
  }
  fprintf(stderr, "Go on? [y/N] ");
  if (fgets(answer, sizeof answer, stdin))
    answer[strcspn(answer, "\n")] = '\0';
  if (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0)
    return 0;
  return cause_set(c, STATUS_SETUP, "not confirmed: nothing was changed");
}
