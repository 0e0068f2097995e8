/* clock: time.  Intervals come from the monotonic clock only; the wall clock is for labels. */
#ifndef RK_BASE_CLOCK_H
#define RK_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC.  Cheap (no system call on Linux). */
int64_t mono_ns(void);

/* Nanoseconds of the wall clock since 1970, UTC. */
int64_t wall_ns(void);

/* Sleep until the monotonic instant `ns`; returns at once when it is past.  A signal does not end it early. */
void sleep_until_ns(int64_t ns);

/* "2026-11-30T15:04:05Z" of a wall time.  Returns buf (size >= 21). */
char *wall_text(int64_t wall, char *buf, size_t size);

#endif
