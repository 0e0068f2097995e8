#include "config.h"

#include "base/embed.h"

#include <string.h>

const struct embed *embed_find(const char *path) {
  for (const struct embed *e = embed_files; e->path; e++)
    if (strcmp(e->path, path) == 0)
      return e;
  return NULL;
}
