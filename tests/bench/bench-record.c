/* bench-record: what recording a sample costs, for the user who puts it and for the collector who takes it, and what the rings of 1,000
 * users hold in memory when all of them are full.  Needs no server (an argument is passed over). */
#include "config.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/units.h"
#include "drive/recorder.h"
#include "server/conn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of /proc/self/status in KiB. */
static long status_kib(const char *name) {
  FILE *f = fopen("/proc/self/status", "re");
  char line[200];
  long kib = -1;
  size_t n = strlen(name);
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, name, n) == 0 && line[n] == ':')
      kib = strtol(line + n + 1, NULL, 10);
  if (f)
    fclose(f);
  return kib;
}

/* Log-normal latencies around 2 ms, five types, as a step has them. */
static struct sample *make_samples(int n) {
  struct sample *s = calloc((size_t)n, sizeof *s);
  struct rng r = rng_at(1, 2, 3);
  for (int i = 0; s && i < n; i++) {
    double normal = sqrt(rng_exp(&r, 2)) * cos(6.283185307179586 * rng_unit(&r));
    int64_t ns = (int64_t)(2e6 * exp(0.8 * normal));
    s[i] = (struct sample){.end_ns = 500000000, .intended_ns = 500000000 - ns, .busy_ns = ns - 20000, .late_us = (uint32_t)(i % 90),
                           .type = (uint8_t)(i % 5), .outcome = DONE};
  }
  return s;
}

/* `each` samples of each user, rounds times; the least of the rounds: the others were disturbed.  What a user's request costs is held
 * against the clock, which every client that measures has to read twice. */
static void measure(int users, int each, int rounds, double clock_ns) {
  const int n = users * each;
  struct recorder *r = recorder_new(users, 5);
  struct sample *s = make_samples(n);
  double put = INFINITY, take = INFINITY;
  size_t rows = 0;
  int64_t done = 0;
  for (int k = 0; s && k < rounds; k++) {
    struct load_second second = {0};
    const struct hist_record_row *row;
    int64_t a = mono_ns();
    for (int i = 0; i < n; i++)
      ring_put(recorder_ring(r, i / each), &s[i]);
    int64_t b = mono_ns();
    recorder_second(r, 0, &second, &row, &rows);
    int64_t c = mono_ns();
    put = fmin(put, (double)(b - a) / n);
    take = fmin(take, (double)(c - b) / n);
    done += second.done;
  }
  printf("record: %4d users, %6d samples in a second: %5.1f ns to put one, ratio %.2f of reading the clock twice; %6.1f ns to take one "
         "(%zu histogram rows); %.3f %% of a processor a thousand requests a second%s\n", users, n, put, put / (2 * clock_ns), take, rows,
         (2 * clock_ns + put + take) * 1000 / 1e9 * 100, done == (int64_t)n * rounds ? "" : "; SAMPLES ARE MISSING");
  free(s);
  recorder_free(r);
}

static double clock_cost(void) {
  enum { N = 1000000 };
  volatile int64_t sink = 0;
  int64_t a = mono_ns();
  for (int i = 0; i < N; i++)
    sink = mono_ns();
  return (double)(sink - a) / N;
}

static void memory(int users) {
  const long before = status_kib("VmRSS");
  struct recorder *r = recorder_new(users, 5);
  const long empty = status_kib("VmRSS");
  const struct sample s = {.outcome = DONE};
  for (int u = 0; u < users; u++)
    for (uint32_t i = 0; i < recorder_capacity(r); i++)
      ring_put(recorder_ring(r, u), &s);
  const long full = status_kib("VmRSS");
  printf("record: %d users: %.1f MB resident with empty rings, %.1f MB with full ones (%u samples each)\n", users,
         (double)(empty - before) / 1024, (double)(full - before) / 1024, recorder_capacity(r));
  recorder_free(r);
}

int main(void) {
  memory(1000);
  const double clock_ns = clock_cost();
  printf("record: %.1f ns to read the clock (twice a request)\n", clock_ns);
  measure(64, 100, 200, clock_ns);
  measure(8, 4000, 50, clock_ns);
  measure(1000, 20, 50, clock_ns);
  return 0;
}
