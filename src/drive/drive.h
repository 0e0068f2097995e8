/* drive: the users, their demand, and the recording of what they see.
 *
 * A user is a thread with a connection of its own.  Closed: it draws, sends, waits for the answer, thinks (exponential).  Under a
 * rate: request i of one seeded Poisson schedule starts at t_i on the next free user, and waiting for one counts as response time.
 * A phase has its own stream of requests that begins at 0: every step's measured phase sends the same requests.
 * Users put samples into a ring each; one collector drains them each second into sparse histograms and hands a second on.
 * Deadlocks are sent again with the same draws and counted apart; a failed transaction is never counted as done. */
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

/* A second is over: the counts and the sparse histogram rows in it.  Called by the collector's thread. */
typedef void second_fn(void *arg, const struct load_second *, const struct hist_record_row *, size_t nrow);

/* Open the connections (in parallel where that is safe) and start the threads; nobody sends yet. */
int drive_open(struct drive **, const struct target *, const struct mix *, const struct mix_load *, const struct demand *,
               int64_t run_start_ns, second_fn *, void *arg, struct cause *);
/* End all users (interrupt after 5 s, hard after 10 s), join, close.  NULL is fine. */
void drive_close(struct drive *);

/* Change the demand between phases: think time or rate; the number of users cannot grow. */
void drive_demand(struct drive *, const struct demand *);

/* Begin a phase: each user ends its present request, then goes on with the stream of (seed, phase key) from 0.  The key is the
 * same for the measured phase of every step.  Returns the instant from which samples count (run time, ns). */
int64_t drive_phase(struct drive *, enum phase, uint64_t key);
/* Stop sending after the present requests; the connections stay open.  Waits until all are idle (bounded; -1 when some hang). */
int drive_pause(struct drive *, struct cause *);

/* Totals since the last drive_phase. */
struct drive_totals {
  int64_t sent, done, rolled_back, deadlocks, failed, lost;
  int64_t overflow;          /* samples that did not fit a ring */
  int64_t digest_requests;   /* how many requests the digest covers: the first ceil(1000 / users) of each user, or 1..1000 under a rate */
  uint64_t digest;           /* 0: fewer were really sent */
  struct cause first_error;  /* of the first FAILED or LOST; text empty when none */
};
void drive_totals(struct drive *, struct drive_totals *);

/* Calls sent so far by all users. */
int64_t drive_calls(struct drive *);

#endif
