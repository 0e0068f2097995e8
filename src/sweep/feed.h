/* feed: where the collector's seconds and the sampler's samples come together: on to the step that is being written, and into the
 * series and sums of the present phase, by which a sweep judges steadiness and what a step is worth.
 *
 * The two take functions are called by threads of drive and sample; the others by the main thread. */
#ifndef RK_SWEEP_FEED_H
#define RK_SWEEP_FEED_H

#include "analysis/stats.h"
#include "drive/drive.h"
#include "run/run.h"
#include "sample/sample.h"

struct feed;

struct feed *feed_new(void);
void feed_free(struct feed *); /* NULL is fine */

/* Everything that comes goes to this step from now on; NULL: to none. */
void feed_step(struct feed *, struct run_step *);
/* A phase begins, from the given instant of run time: series and sums are emptied. */
void feed_phase(struct feed *, enum phase, int64_t from_ns);
/* It ends: what comes from `until_ns` on no longer counts. */
void feed_phase_end(struct feed *, int64_t until_ns);

/* second_fn of drive.h and sample_fn of sample.h; arg is the feed. */
void feed_second(void *feed, const struct load_second *, const struct hist_record_row *, size_t nrow);
void feed_sample(void *feed, const struct server_sample *);

/* One-second series of the phase, new memory (free each): transactions done, mean response in ms (NaN in a second without any), read
 * bytes (NaN where they could not be sampled).  Returns the number of whole seconds that all of them have. */
struct feed_series {
  double *done, *mean_ms, *read_bytes;
  size_t n;
};
void feed_series(struct feed *, struct feed_series *);
void feed_series_free(struct feed_series *);

/* Keep the latencies of measured phases second by second, from the next phase on: what feed_latency needs. */
void feed_keep(struct feed *);
/* The response times of the phase so far, new memory (seconds_hist_free): empty when they are not kept.  Some milliseconds of work for a
 * quarter of an hour; the collector is kept waiting for a copy alone. */
struct seconds_hist *feed_latency(struct feed *);

/* Sums over the phase so far. */
struct feed_sums {
  int64_t seconds, done, rolled_back, failed, lost, deadlocks, overflow;
  double p95_ms, p99_ms;         /* of response times, NaN without any */
  double late_p99_ms;            /* of start lateness, NaN without any */
  double idle_permille;          /* mean of idle and iowait of the client's host, NaN when not known */
  double steal_permille;         /* mean of what a hypervisor took from that host, NaN when not known */
  double client_cpu_ms;
  int64_t waiting_last;          /* arrivals that waited at the end of the last second */
};
void feed_sums(struct feed *, struct feed_sums *);

/* The last second, for the live line. */
struct feed_now {
  double done_per_s, p95_ms, read_mb_s; /* NaN when not known */
};
void feed_now(struct feed *, struct feed_now *);

/* What the phase's responses were, merged: *h is overwritten. */
void feed_responses(struct feed *, struct hist *h);

/* First and last sample of the phase, and what this program had sent by then. */
struct feed_span {
  struct server_sample first, last;
  int64_t ours_first, ours_last; /* batches, ABSENT when not counted */
  int64_t n;                     /* samples in the phase */
};
void feed_span(struct feed *, struct feed_span *);
/* Whose batches are this program's: counted with each sample from now on.  NULL, NULL ends that: before they are closed. */
void feed_count(struct feed *, struct drive *, struct sampler *);

/* Newest sample; at_ns is 0 before the first. */
void feed_latest(struct feed *, struct server_sample *);

#endif
