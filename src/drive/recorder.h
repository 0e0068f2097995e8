/* recorder: a ring for each user, and the making of a second out of what is in them.
 *
 * It knows no clock: a second is whatever samples say that they ended in.  recorder_second is for one thread (the collector). */
#ifndef RK_DRIVE_RECORDER_H
#define RK_DRIVE_RECORDER_H

#include "drive/ring.h"
#include "run/record.h"

#include <stddef.h>

struct recorder;

/* Rings for `users` users (1..10000) and histograms for `ntype` types (1..RECORD_TYPES_MAX).  All rings together hold half a
 * million samples (16 MiB) where each gets between 128 and 32,768. */
struct recorder *recorder_new(int users, int ntype);
void recorder_free(struct recorder *);

struct ring *recorder_ring(struct recorder *, int user);
/* Samples that one ring holds. */
uint32_t recorder_capacity(const struct recorder *);

/* Take all samples that ended before the end of run second `second` (those that were put too late for the second before are among
 * them) and fill in: second, done, rolled_back, deadlocks, failed, lost, late_*, lateness_*, ring_overflow, by_type; the rest of
 * *out is left alone.  *row is the recorder's, valid until the next call. */
void recorder_second(struct recorder *, int64_t second, struct load_second *out, const struct hist_record_row **row, size_t *nrow);

#endif
