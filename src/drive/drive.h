/* drive: the users, their demand, and the recording of what they see.
 *
 * A user is a thread with a connection of its own.  Closed: it draws, sends, waits for the answer, thinks (exponential).  Under a
 * rate: request i of one seeded Poisson schedule starts at t_i on the next free user, and waiting for one counts as response time.
 * A phase has its own stream of requests that begins at 0: every step's measured phase sends the same requests.
 * Users put samples into a ring each; one collector drains them each second into sparse histograms and hands a second on.
 * Deadlocks are sent again with the same draws after a random pause and counted apart; the response time includes those tries and
 * pauses, the service time the tries.  A failed transaction is never counted as done.  A lost connection is opened again with
 * back-off; its request is counted as lost and not sent again. */
#ifndef RK_DRIVE_DRIVE_H
#define RK_DRIVE_DRIVE_H

#include "mix/mix.h"
#include "run/record.h"

struct drive;

struct demand {
  int users;        /* 1..10000 */
  double think_s;   /* mean think time, closed users; 0: none */
  double rate;      /* arrivals a second; > 0 makes it open, think_s is then ignored */
  uint64_t seed;
};

/* A second is over: the counts and the sparse histogram rows in it (the rows are borrowed).  Called by the collector's thread, some
 * 20 ms after the second's end, for each second of run time in which users were to send or a request ended; not while all rest. */
typedef void second_fn(void *arg, const struct load_second *, const struct hist_record_row *, size_t nrow);

/* Open the connections (16 at a time, after server_init) and start the threads; nobody sends yet.  `mix`, `load` and what `arg`
 * points at are borrowed until drive_close; the target is copied. */
int drive_open(struct drive **, const struct target *, const struct mix *, const struct mix_load *, const struct demand *,
               int64_t run_start_ns, second_fn *, void *arg, struct cause *);
/* End all users (interrupt after 5 s, hard after 10 s), hand on what they recorded, join, close.  NULL is fine. */
void drive_close(struct drive *);

/* Change the demand from the next drive_phase on: think time, rate or seed; the number of users cannot grow beyond drive_open's. */
void drive_demand(struct drive *, const struct demand *);

/* Begin a phase.  Returns at once with the instant from which samples count (run time, ns), the next whole second or the one after
 * it.  Until then users go on with what they do; then each one enters the stream of (seed, key) at its beginning with the first
 * request that is meant to start at that instant or later, so that a running load neither stops nor bunches up.  Users that rested
 * begin with a think time.  Under a rate arrivals of the phase before that were still waiting are dropped.  The key is the same for
 * the measured phase of every step.  A request belongs to the second in which it ended, whatever phase it began in. */
int64_t drive_phase(struct drive *, enum phase, uint64_t key);
/* Stop sending after the present requests; the connections stay open.  Waits until all are idle (query time-out + 10 s at most, then
 * -1) and every second with a request in it was handed on, so that the caller may end the step: that takes up to a second.  The
 * tail after the phase's end, requests that were under way then, comes in seconds of the same phase. */
int drive_pause(struct drive *, struct cause *);

/* Totals since the last drive_phase, of the requests of its stream, exact whatever became of their samples:
 *   sent = done + rolled_back + failed + lost + under way.  A deadlock is tried again, at most 9 times, then it has failed. */
struct drive_totals {
  int64_t sent, done, rolled_back, deadlocks, failed, lost;
  int64_t overflow;          /* samples that did not fit a ring, since drive_open */
  int64_t digest_requests;   /* how many really sent requests the digest covers: of each user's first ceil(1000 / users), or 1000 under a rate */
  uint64_t digest;           /* 0: fewer than 1,000 were really sent; then digest_requests is 0 too.  A user that has sent fewer than its
                                share counts with the stream that it stands in, when what it did send agrees with that stream. */
  int64_t digest_long_requests; /* closed users: of each user's first 1,000, once all have sent them */
  uint64_t digest_long;
  struct cause first_error;  /* of the first FAILED or LOST; text empty when none */
};
void drive_totals(struct drive *, struct drive_totals *);

/* Calls sent so far by all users. */
int64_t drive_calls(struct drive *);

#endif
