/* schedule: the arrivals of a Poisson process, a pure function of (seed, rate): t_i = from + sum over j <= i of an exponential
 * gap drawn from (seed, j).  Two schedules of the same seed, rate and start give the same times whoever asks, and when. */
#ifndef RK_DRIVE_SCHEDULE_H
#define RK_DRIVE_SCHEDULE_H

#include <stdint.h>

struct schedule {
  uint64_t seed;
  double gap_ns;    /* mean */
  int64_t from_ns;
  uint64_t next;    /* index of the next arrival, from 0 */
  double offset_ns; /* of that arrival; a double counts nanoseconds exactly for 104 days */
};

/* rate: arrivals a second, > 0. */
void schedule_start(struct schedule *, uint64_t seed, double rate, int64_t from_ns);
/* The time of the next arrival; *i is its index. */
int64_t schedule_next(struct schedule *, uint64_t *i);
/* Go on behind all arrivals up to `now_ns`; how many there were since the start. */
uint64_t schedule_due(struct schedule *, int64_t now_ns);

#endif
