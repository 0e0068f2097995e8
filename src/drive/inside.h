/* inside: what drive.c, user.c and collector.c share, and what tests need to put something else in the place of the server. */
#ifndef RK_DRIVE_INSIDE_H
#define RK_DRIVE_INSIDE_H

#include "base/random.h"
#include "base/thread.h"
#include "drive/drive.h"
#include "drive/recorder.h"
#include "drive/schedule.h"

#include <semaphore.h>
#include <stdatomic.h>

/* The connection's side of the world: conn.h's functions, or a test's. */
struct drive_ops {
  int (*open)(struct conn **, const struct target *, struct cause *);
  void (*close)(struct conn *);
  void (*interrupt)(struct conn *, int hard);
  int64_t (*calls)(const struct conn *);
};

/* drive_open with other operations than the server's. */
int drive_open_with(const struct drive_ops *, struct drive **, const struct target *, const struct mix *, const struct mix_load *,
                    const struct demand *, int64_t run_start_ns, second_fn *, void *arg, struct cause *);

#define DIGEST_REQUESTS 1000

/* What all users are told: one phase, or to rest.  Guarded by drive.lock; a change of it raises drive.gen. */
struct order {
  uint64_t epoch;   /* counts drive_phase calls; 0: none yet */
  int running, quit;
  int64_t from_ns;  /* run time: requests meant to start then or later belong to this epoch */
  struct demand demand;
  uint64_t seed;    /* of (demand.seed, key): the stream of requests, think times and arrivals */
  int64_t digest_each; /* closed: ceil(1000 / users) */
};

/* One user's counts of one epoch: sent = done + rolled_back + failed + lost, and one more while a request is under way.  Written by
 * the user alone, read by drive_totals.  `mark` is the digest of its first order.digest_each requests, of those it has sent while they
 * are fewer; `mark_long` that of its first 1,000, valid once `sent` says so. */
struct tally {
  alignas(CACHE_LINE) _Atomic int64_t sent;
  _Atomic int64_t done, rolled_back, deadlocks, failed, lost;
  _Atomic uint64_t mark, mark_long;
};

/* Where the chain of a user's digests begins. */
static inline uint64_t user_chain(int index) {
  return mix64((uint64_t)index + 1);
}

struct user {
  alignas(CACHE_LINE) struct drive *drive;
  struct ring *ring;
  int index;
  /* The user's own. */
  uint64_t gen;             /* of `order` */
  struct order order, plan; /* as last told; as being done */
  uint64_t seq;             /* next request of the plan (under a rate: the ticket's index) */
  uint64_t chain;           /* digest of the requests sent so far */
  int64_t intended_ns;      /* when that request is to start, monotonic clock */
  int64_t free_ns;          /* since when the user has been able to start one */
  int have_ticket;
  int attempts;             /* to connect, in a row */
  int64_t next_attempt_ns;
  int64_t calls_before;     /* calls of connections that are closed */
  uint64_t drawn_epoch, drawn_seq; /* what `request` is */
  uint64_t request_mark;    /* its digest, for the first 1,000 */
  /* Shared. */
  alignas(CACHE_LINE) _Atomic uint64_t epoch; /* that tally[epoch & 1] counts */
  _Atomic int64_t calls;
  _Atomic int working;      /* connected and not resting */
  struct tally tally[2];
  pthread_mutex_t lock;     /* for conn, against drive_close's interrupt; and for waiting on wake */
  pthread_cond_t wake;      /* drive.gen has changed */
  struct conn *conn;
  pthread_t thread;
  int started;
  struct request request;
  struct cause cause;
};

/* The arrivals of one epoch under a rate. */
struct arrivals {
  uint64_t epoch;
  struct schedule schedule; /* what users take from */
};

/* Digest of request i of an epoch under a rate. */
struct arrival_mark {
  _Atomic uint64_t epoch, digest;
};

struct drive {
  const struct drive_ops *ops;
  struct target target;
  const struct mix *mix;
  const struct mix_load *load;
  int64_t run_start_ns;
  second_fn *second;
  void *arg;
  int users;
  struct user *user;
  struct recorder *recorder;
  sem_t logins;             /* connections that may be opened at once */
  _Atomic uint64_t gen;     /* of `order` */
  _Atomic int closing;      /* no deadlock is tried again */
  int64_t patience_ns[2];   /* of drive_close: until calls are interrupted, and hard */

  pthread_mutex_t lock;     /* for all below */
  pthread_cond_t go;        /* resting users wait for a new `gen` */
  pthread_cond_t changed;   /* drive's caller waits for resting, opened, failed_open or told_second; one waiter */
  pthread_cond_t end;       /* the collector waits for the end of a second, or for last_second */
  struct order order, before; /* before: the epoch before it, for seconds that are told late */
  struct demand next_demand;
  enum phase phase, phase_before;
  int64_t idle_ns;          /* run time since when all have rested; INT64_MAX while they do not */
  int resting, opened, failed_open;
  int64_t told_second;      /* all seconds before it were handed on */
  int64_t last_second;      /* the collector ends before it; INT64_MAX while it is to go on */
  struct cause first_error;

  pthread_mutex_t ticket_lock;
  struct arrivals arrivals[2];
  struct arrival_mark mark[DIGEST_REQUESTS];

  pthread_t collector;
  int collecting;
};

void *user_main(void *user);
void *collector_main(void *drive);

/* Keep the first error since drive_phase. */
void drive_first_error(struct drive *, const struct cause *);

#endif
