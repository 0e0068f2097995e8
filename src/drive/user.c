/* One virtual user: a thread with a connection, that waits for its time, sends a request and records what it saw.
 *
 * Between the two clock readings around mix->run nothing allocates, locks or logs.  A request is drawn before the wait for its
 * time.  A phase is entered at a request's boundary: a user that is told of a new one goes on with the old stream until the first
 * request that is meant to start at or after the new phase's beginning, so that the load neither stops nor bunches up. */
#include "config.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/units.h"
#include "drive/inside.h"

#include <sys/prctl.h>

/* Streams of draws that are not requests. */
#define STREAM_THINK UINT64_C(0x7414E0000)
#define STREAM_BACKOFF UINT64_C(0xBAC0FF0000)
#define SEQ_FIRST_THINK UINT64_MAX /* the pause before a user's first request */

#define DEADLOCK_TRIES 10
#define THINK_CUT 10.0 /* x mean */

/* A counter with one writer: no locked instruction. */
static void count(_Atomic int64_t *c, int64_t n) {
  atomic_store_explicit(c, atomic_load_explicit(c, memory_order_relaxed) + n, memory_order_release);
}

/* Wait until `ns` of the monotonic clock: 1; or 0 as soon as there is a newer order. */
static int wait_until(struct user *u, int64_t ns) {
  int news = 0;
  if (mono_ns() >= ns)
    return 1;
  pthread_mutex_lock(&u->lock);
  while (!(news = atomic_load(&u->drive->gen) != u->gen) && mono_ns() < ns)
    cond_wait_until(&u->wake, &u->lock, ns);
  pthread_mutex_unlock(&u->lock);
  return !news;
}

/* ---- orders ---- */

static int64_t think_ns(const struct user *u, uint64_t seq) {
  const double mean = u->plan.demand.think_s * 1e9;
  struct rng r = rng_at(u->plan.seed ^ STREAM_THINK, (uint64_t)u->index, seq);
  double t = rng_exp(&r, mean);
  return (int64_t)(t < THINK_CUT * mean ? t : THINK_CUT * mean);
}

static int pending(const struct user *u) {
  return u->order.epoch != u->plan.epoch;
}

static int64_t begin_ns(const struct user *u, const struct order *o) {
  return u->drive->run_start_ns + o->from_ns;
}

/* Whether this user is to send.  One that a new phase does without still ends the one before. */
static int wanted(const struct user *u) {
  if (!u->order.running)
    return 0;
  if (u->index < u->order.demand.users)
    return 1;
  return pending(u) && u->index < u->plan.demand.users && mono_ns() < begin_ns(u, &u->order);
}

/* Begin the ordered phase. */
static void adopt(struct user *u, int rested) {
  const double think_before = u->plan.demand.rate > 0 ? -1 : u->plan.demand.think_s; /* -1: there was none */
  u->plan = u->order;
  u->seq = 0;
  u->chain = user_chain(u->index);
  u->have_ticket = 0;
  struct tally *t = &u->tally[u->plan.epoch & 1];
  _Atomic int64_t *const counter[] = {&t->sent, &t->done, &t->rolled_back, &t->deadlocks, &t->failed, &t->lost};
  for (size_t i = 0; i < sizeof counter / sizeof *counter; i++)
    atomic_store_explicit(counter[i], 0, memory_order_relaxed);
  atomic_store_explicit(&u->epoch, u->plan.epoch, memory_order_release);
  const int64_t from = begin_ns(u, &u->plan);
  if (rested || u->free_ns < from)
    u->free_ns = from;
  /* After a rest all would start at one instant: the first pause spreads them.  A pause of another demand is not sat out. */
  const int64_t start = from + think_ns(u, SEQ_FIRST_THINK);
  if (rested || think_before < 0 || (think_before != u->plan.demand.think_s && start < u->intended_ns))
    u->intended_ns = start;
}

/* Until there is something to do. */
static void rest(struct user *u) {
  struct drive *d = u->drive;
  atomic_store(&u->working, 0);
  pthread_mutex_lock(&d->lock);
  d->resting++;
  pthread_cond_signal(&d->changed);
  while (atomic_load(&d->gen) == u->gen)
    pthread_cond_wait(&d->go, &d->lock);
  d->resting--;
  pthread_mutex_unlock(&d->lock);
}

/* Take the newest order; rest while it says so.  0: quit. */
static int obey(struct user *u) {
  struct drive *d = u->drive;
  int rested = u->plan.epoch == 0;
  for (;;) {
    if (atomic_load_explicit(&d->gen, memory_order_acquire) != u->gen) {
      pthread_mutex_lock(&d->lock);
      u->order = d->order;
      u->gen = atomic_load(&d->gen);
      pthread_mutex_unlock(&d->lock);
    }
    if (u->order.quit)
      return 0;
    if (wanted(u))
      break;
    rest(u);
    rested = 1;
  }
  if (rested && pending(u))
    adopt(u, 1);
  return 1;
}

/* ---- the connection ---- */

static void set_conn(struct user *u, struct conn *conn) {
  pthread_mutex_lock(&u->lock);
  u->conn = conn;
  pthread_mutex_unlock(&u->lock);
}

static void disconnect(struct user *u) {
  struct conn *conn = u->conn;
  if (!conn)
    return;
  set_conn(u, NULL);
  u->calls_before += u->drive->ops->calls(conn);
  u->drive->ops->close(conn);
}

/* Open a connection, a few users at a time: a server takes a thousand log-ins at once for an attack.  1: not tried, since there was a
 * newer order when this user's turn came. */
static int connect_once(struct user *u) {
  struct drive *d = u->drive;
  struct conn *conn = NULL;
  int rc = 1;
  while (sem_wait(&d->logins) != 0)
    ;
  if (atomic_load(&d->gen) == u->gen)
    rc = d->ops->open(&conn, &d->target, &u->cause);
  sem_post(&d->logins);
  if (rc == 0)
    set_conn(u, conn);
  return rc;
}

/* Have a connection: 1; 0 when one could not be had or there is a newer order.  Back-off 0.1 to 5 s, spread at random. */
static int reconnect(struct user *u) {
  if (u->conn)
    return 1;
  atomic_store(&u->working, 0);
  if (!wait_until(u, u->next_attempt_ns))
    return 0;
  const int rc = connect_once(u);
  if (rc < 0) {
    struct rng r = rng_at(STREAM_BACKOFF, (uint64_t)u->index, (uint64_t)u->attempts);
    double most = 0.1 * (double)(1 << (u->attempts < 6 ? u->attempts : 6));
    most = most < 5 ? most : 5;
    u->attempts++;
    u->next_attempt_ns = mono_ns() + (int64_t)(1e9 * most * (0.5 + rng_unit(&r) / 2));
    drive_first_error(u->drive, &u->cause);
  }
  if (rc != 0)
    return 0;
  u->attempts = 0;
  const int64_t now = mono_ns();
  u->free_ns = u->free_ns > now ? u->free_ns : now;
  u->intended_ns = u->intended_ns > now ? u->intended_ns : now;
  return 1;
}

/* ---- one request ---- */

/* Draw the next request and the digest that it may need, unless that was done. */
static void prepare(struct user *u) {
  const struct drive *d = u->drive;
  if (u->drawn_epoch == u->plan.epoch && u->drawn_seq == u->seq)
    return;
  const int open = u->plan.demand.rate > 0;
  d->mix->draw(d->load, u->plan.seed, open ? 0 : (uint64_t)u->index, u->seq, &u->request);
  if (u->seq < DIGEST_REQUESTS)
    u->request_mark = request_digest(&u->request);
  u->drawn_epoch = u->plan.epoch;
  u->drawn_seq = u->seq;
}

/* The next arrival becomes this user's: 1; 0 when the plan's schedule is over. */
static int take_ticket(struct user *u) {
  struct drive *d = u->drive;
  struct arrivals *a = &d->arrivals[u->plan.epoch & 1];
  pthread_mutex_lock(&d->ticket_lock);
  int ours = a->epoch == u->plan.epoch;
  if (ours)
    u->intended_ns = d->run_start_ns + schedule_next(&a->schedule, &u->seq);
  pthread_mutex_unlock(&d->ticket_lock);
  u->have_ticket = ours;
  return ours;
}

/* What the user would do next belongs to the ordered phase: enter it, or wait for its beginning to rest then.  0. */
static int next_phase(struct user *u) {
  if (u->index < u->order.demand.users)
    adopt(u, 0);
  else
    wait_until(u, begin_ns(u, &u->order));
  return 0;
}

/* Wait until it is time to send the prepared request: 1; 0 when something has to be looked at again. */
static int await_start(struct user *u) {
  const int open = u->plan.demand.rate > 0;
  if (open && !u->have_ticket) {
    if (pending(u) && mono_ns() >= begin_ns(u, &u->order))
      return next_phase(u);
    if (!take_ticket(u)) {
      wait_until(u, begin_ns(u, &u->order)); /* the schedule was ended by a newer order */
      return 0;
    }
  }
  if (pending(u) && u->intended_ns >= begin_ns(u, &u->order))
    return next_phase(u);
  prepare(u);
  return wait_until(u, u->intended_ns);
}

/* The request is about to be sent: into the counts and the digests. */
static void count_sent(struct user *u, struct tally *t) {
  if (u->seq < DIGEST_REQUESTS) {
    if (u->plan.demand.rate > 0) {
      struct arrival_mark *m = &u->drive->mark[u->seq];
      atomic_store_explicit(&m->digest, u->request_mark, memory_order_relaxed);
      atomic_store_explicit(&m->epoch, u->plan.epoch, memory_order_release);
    } else {
      u->chain = mix64(u->chain ^ u->request_mark);
      if (u->seq < (uint64_t)u->plan.digest_each)
        atomic_store_explicit(&t->mark, u->chain, memory_order_relaxed);
      if (u->seq + 1 == DIGEST_REQUESTS)
        atomic_store_explicit(&t->mark_long, u->chain, memory_order_relaxed);
    }
  }
  count(&t->sent, 1);
}

static void back_off(const struct user *u, int deadlocks, int64_t now) {
  struct rng r = rng_at(u->plan.seed ^ STREAM_BACKOFF, (uint64_t)u->index, u->seq * DEADLOCK_TRIES + (uint64_t)deadlocks);
  double most_ms = 2.0 * (double)(1 << (deadlocks < 6 ? deadlocks : 6)); /* 4 ms to 128 ms */
  sleep_until_ns(now + (int64_t)(1e6 * most_ms * rng_unit(&r)));
}

/* Send it, again after each deadlock; fills busy_ns, end_ns, deadlocks and outcome of *s. */
static void run_request(struct user *u, struct sample *s) {
  struct drive *d = u->drive;
  int64_t begin = mono_ns(), end;
  int64_t could = u->intended_ns > u->free_ns ? u->intended_ns : u->free_ns;
  int64_t late_us = (begin - could) / NS_PER_US;
  s->late_us = late_us < 0 ? 0 : late_us > UINT32_MAX ? UINT32_MAX : (uint32_t)late_us;
  enum outcome o;
  for (;;) {
    o = d->mix->run(u->conn, &u->request, &u->cause);
    end = mono_ns();
    s->busy_ns += end - begin;
    if (o != DEADLOCK)
      break;
    if (++s->deadlocks == DEADLOCK_TRIES || atomic_load_explicit(&d->closing, memory_order_relaxed)) {
      cause_prefix(&u->cause, "a transaction was rolled back for a deadlock %d times in a row", s->deadlocks);
      o = FAILED;
      break;
    }
    back_off(u, s->deadlocks, end);
    begin = mono_ns();
  }
  s->outcome = (uint8_t)o;
  s->end_ns = end;
}

static void send_request(struct user *u) {
  struct drive *d = u->drive;
  struct tally *t = &u->tally[u->plan.epoch & 1];
  struct sample s = {.type = u->request.type};
  count_sent(u, t);
  run_request(u, &s);
  const int64_t end = s.end_ns;
  s.intended_ns = u->intended_ns - d->run_start_ns;
  s.end_ns -= d->run_start_ns;
  ring_put(u->ring, &s);
  if (s.deadlocks)
    count(&t->deadlocks, s.deadlocks);
  count(s.outcome == DONE          ? &t->done
        : s.outcome == ROLLED_BACK ? &t->rolled_back
        : s.outcome == LOST        ? &t->lost
                                   : &t->failed,
        1);
  atomic_store_explicit(&u->calls, u->calls_before + d->ops->calls(u->conn), memory_order_relaxed);
  if (s.outcome == FAILED || s.outcome == LOST)
    drive_first_error(d, &u->cause);
  if (s.outcome == LOST) {
    disconnect(u);
    u->next_attempt_ns = end;
  }
  u->free_ns = end;
  if (u->plan.demand.rate > 0)
    u->have_ticket = 0;
  else
    u->intended_ns = end + think_ns(u, u->seq++);
}

/* The first connection: drive_open waits for all of them. */
static void first_connection(struct user *u) {
  struct drive *d = u->drive;
  int rc = connect_once(u);
  pthread_mutex_lock(&d->lock);
  if (rc == 0)
    d->opened++;
  else if (rc < 0 && d->failed_open++ == 0)
    d->first_error = u->cause;
  pthread_cond_signal(&d->changed);
  pthread_mutex_unlock(&d->lock);
}

void *user_main(void *arg) {
  struct user *u = arg;
  /* The default slack of 50 us would be late by itself. */
  prctl(PR_SET_TIMERSLACK, 1UL);
  first_connection(u);
  while (obey(u)) {
    if (!reconnect(u))
      continue;
    atomic_store_explicit(&u->working, 1, memory_order_relaxed);
    if (await_start(u))
      send_request(u);
  }
  atomic_store(&u->working, 0);
  disconnect(u);
  return NULL;
}
