#include "config.h"

#include "check/edition.h"

#include <stdlib.h>
#include <string.h>

int64_t edition_limit_mib(const char *edition, const char *version) {
  long major = strtol(version, NULL, 10); /* "13.0.5026.0"; 0 for anything else, which then has no limit known */
  if (major < 11)
    return 0;
  if (strncmp(edition, "Standard", 8) == 0 || strncmp(edition, "Business Intelligence", 21) == 0)
    return (major == 11 ? 64 : major <= 16 ? 128 : 256) * 1024;
  if (strncmp(edition, "Web", 3) == 0)
    return 64 * 1024;
  if (strncmp(edition, "Express", 7) == 0)
    return major <= 12 ? 1024 : 1410;
  return 0;
}
