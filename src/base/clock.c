#include "config.h"

#include "base/clock.h"

#include <errno.h>
#include <time.h>

static int64_t now(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t mono_ns(void) {
  return now(CLOCK_MONOTONIC);
}

int64_t wall_ns(void) {
  return now(CLOCK_REALTIME);
}

void sleep_until_ns(int64_t ns) {
  struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
    ;
}

char *wall_text(int64_t wall, char *buf, size_t size) {
  time_t s = (time_t)(wall / 1000000000);
  struct tm tm;
  gmtime_r(&s, &tm);
  if (strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0 && size)
    buf[0] = '\0';
  return buf;
}
