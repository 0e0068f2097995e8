#include "config.h"

#include "cmd/locate.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *beside(const char *name) {
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0)
    return NULL;
  self[n] = '\0';
  char *slash = strrchr(self, '/');
  if (!slash)
    return NULL;
  *slash = '\0';
  return xprintf("%s/%s", self, name);
}

char *locate_sandbox(struct cause *c) {
  const char *given = getenv("RAMKNEE_SANDBOX");
  if (given && *given)
    return xstrdup(given);
  char *p = beside("ramknee-sandbox");
  if (p && access(p, X_OK) == 0)
    return p;
  free(p);
  p = xstrdup(RK_LIBEXECDIR "/ramknee-sandbox");
  if (access(p, X_OK) == 0)
    return p;
  free(p);
  cause_set(c, STATUS_SETUP, "the program ramknee-sandbox is neither beside this one nor in %s", RK_LIBEXECDIR);
  cause_remedy(c, "install the whole package, or copy ramknee-sandbox beside ramknee");
  return NULL;
}
