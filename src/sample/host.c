#include "config.h"

#include "base/clock.h"
#include "base/units.h"
#include "sample/sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int64_t timeval_ns(struct timeval t) {
  return (int64_t)t.tv_sec * NS_PER_S + (int64_t)t.tv_usec * NS_PER_US;
}

/* "cpu  user nice system idle iowait irq softirq steal guest guest_nice": guest time is in user time already, so the total is of
 * the first eight.  Older kernels give fewer fields. */
int host_parse_stat(const char *text, struct host_sample *h) {
  enum { IDLE = 3, IOWAIT = 4, STEAL = 7, FIELDS = 8 };
  int64_t v[FIELDS] = {0};
  int n = 0;
  if (strncmp(text, "cpu ", 4) != 0)
    return -1;
  const char *p = text + 4;
  while (n < FIELDS) {
    while (*p == ' ')
      p++;
    if (*p < '0' || *p > '9')
      break;
    for (; *p >= '0' && *p <= '9'; p++)
      v[n] = v[n] < INT64_C(100000000000000000) ? v[n] * 10 + (*p - '0') : v[n];
    n++;
  }
  if (n <= IDLE)
    return -1;
  h->total = 0;
  for (int i = 0; i < n; i++)
    h->total += v[i];
  h->idle = v[IDLE];
  h->iowait = n > IOWAIT ? v[IOWAIT] : ABSENT;
  h->steal = n > STEAL ? v[STEAL] : ABSENT;
  return 0;
}

void host_sample(struct host_sample *h) {
  struct rusage r;
  char buf[256];
  *h = (struct host_sample){.at_ns = mono_ns(), .process_cpu_ns = ABSENT, .total = ABSENT, .idle = ABSENT, .iowait = ABSENT, .steal = ABSENT};
  if (getrusage(RUSAGE_SELF, &r) == 0)
    h->process_cpu_ns = timeval_ns(r.ru_utime) + timeval_ns(r.ru_stime);
  int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  ssize_t n = read(fd, buf, sizeof buf - 1);
  close(fd);
  if (n > 0) {
    buf[n] = '\0';
    host_parse_stat(buf, h);
  }
}
