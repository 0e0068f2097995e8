#include "config.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "drive/inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOGINS_AT_ONCE 16
#define USER_STACK ((size_t)(512 * KIB)) /* address space; what is touched is a few pages */
#define NOTICE_NS (20 * NS_PER_MS)       /* a phase begins at the next whole second that all users can hear of in time */

void drive_first_error(struct drive *d, const struct cause *c) {
  pthread_mutex_lock(&d->lock);
  if (!d->first_error.text[0])
    d->first_error = *c;
  pthread_mutex_unlock(&d->lock);
}

static int64_t run_now(const struct drive *d) {
  return mono_ns() - d->run_start_ns;
}

/* The order was changed: whoever waits for something else has to look.  Without drive.lock. */
static void wake_all(struct drive *d) {
  pthread_mutex_lock(&d->lock);
  pthread_cond_broadcast(&d->go);
  pthread_mutex_unlock(&d->lock);
  for (int u = 0; u < d->users; u++) {
    pthread_mutex_lock(&d->user[u].lock);
    pthread_cond_signal(&d->user[u].wake);
    pthread_mutex_unlock(&d->user[u].lock);
  }
}

/* With drive.lock held. */
static void new_order(struct drive *d) {
  atomic_fetch_add(&d->gen, 1);
}

/* ---- open ---- */

static int check_demand(const struct demand *m, struct cause *c) {
  if (m->users < 1 || m->users > 10000)
    return cause_set(c, STATUS_SETUP, "between 1 and 10,000 users can be driven, not %d", m->users);
  if (!(m->think_s >= 0 && m->think_s <= 3600) || !(m->rate >= 0 && m->rate <= 1e6))
    return cause_set(c, STATUS_SETUP, "a think time is between 0 and 3,600 s, a rate between 0 and 1,000,000 a second");
  return 0;
}

static void init_user(struct drive *d, int index) {
  struct user *u = &d->user[index];
  memset(u, 0, sizeof *u);
  u->drive = d;
  u->index = index;
  u->ring = recorder_ring(d->recorder, index);
  pthread_mutex_init(&u->lock, NULL);
  cond_init(&u->wake);
}

static struct drive *drive_new(const struct drive_ops *ops, const struct target *t, const struct mix *mix, const struct mix_load *load,
                               const struct demand *m, int64_t run_start_ns, second_fn *fn, void *arg) {
  struct drive *d = xcalloc(1, sizeof *d);
  void *users;
  d->ops = ops;
  target_copy(&d->target, t);
  d->mix = mix;
  d->load = load;
  d->run_start_ns = run_start_ns;
  d->second = fn;
  d->arg = arg;
  d->users = m->users;
  d->next_demand = *m;
  d->last_second = INT64_MAX;
  d->patience_ns[0] = 5 * NS_PER_S;
  d->patience_ns[1] = 10 * NS_PER_S;
  d->recorder = recorder_new(m->users, mix->ntype);
  sem_init(&d->logins, 0, LOGINS_AT_ONCE);
  pthread_mutex_init(&d->lock, NULL);
  pthread_mutex_init(&d->ticket_lock, NULL);
  pthread_cond_init(&d->go, NULL);
  cond_init(&d->changed);
  cond_init(&d->end);
  if (posix_memalign(&users, CACHE_LINE, (size_t)m->users * sizeof *d->user) != 0)
    users = xmalloc(SIZE_MAX); /* says so and ends */
  d->user = users;
  for (int u = 0; u < d->users; u++)
    init_user(d, u);
  return d;
}

static int start_threads(struct drive *d, struct cause *c) {
  for (int i = 0; i < d->users; i++) {
    char name[16];
    snprintf(name, sizeof name, "rk-user-%u", (unsigned)i % 100000);
    int err = thread_start(&d->user[i].thread, USER_STACK, name, user_main, &d->user[i]);
    if (err) {
      cause_errno(c, STATUS_SETUP, err, "cannot start user %d of %d", i + 1, d->users);
      return cause_remedy(c, "ask for fewer users, or raise the limit on threads (ulimit -u)");
    }
    d->user[i].started = 1;
  }
  int err = thread_start(&d->collector, 0, "rk-collector", collector_main, d);
  if (err)
    return cause_errno(c, STATUS_SETUP, err, "cannot start the thread that collects samples");
  d->collecting = 1;
  return 0;
}

static int await_connections(struct drive *d, struct cause *c) {
  int rc = 0;
  pthread_mutex_lock(&d->lock);
  while (d->opened < d->users && !d->failed_open)
    pthread_cond_wait(&d->changed, &d->lock);
  if (d->failed_open) {
    *c = d->first_error;
    rc = cause_prefix(c, "%d of %d users are connected, then", d->opened, d->users);
  }
  pthread_mutex_unlock(&d->lock);
  return rc;
}

int drive_open_with(const struct drive_ops *ops, struct drive **out, const struct target *t, const struct mix *mix,
                    const struct mix_load *load, const struct demand *m, int64_t run_start_ns, second_fn *fn, void *arg,
                    struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  if (check_demand(m, c) != 0)
    return -1;
  struct drive *d = drive_new(ops, t, mix, load, m, run_start_ns, fn, arg);
  d->idle_ns = 0;
  if (start_threads(d, c) != 0 || await_connections(d, c) != 0) {
    drive_close(d);
    return -1;
  }
  *out = d;
  return 0;
}

/* ---- phases ---- */

void drive_demand(struct drive *d, const struct demand *m) {
  pthread_mutex_lock(&d->lock);
  d->next_demand = *m;
  if (d->next_demand.users > d->users)
    d->next_demand.users = d->users;
  pthread_mutex_unlock(&d->lock);
}

/* A stream of requests for each phase key. */
static uint64_t phase_seed(uint64_t seed, uint64_t key) {
  return mix64(seed ^ mix64(key + UINT64_C(0x9E3779B97F4A7C15)));
}

/* With drive.lock held: the schedule of the new order. */
static void start_arrivals(struct drive *d) {
  const struct order *o = &d->order;
  struct arrivals *a = &d->arrivals[o->epoch & 1];
  pthread_mutex_lock(&d->ticket_lock);
  a->epoch = 0;
  if (o->demand.rate > 0) {
    schedule_start(&a->schedule, o->seed, o->demand.rate, o->from_ns);
    a->epoch = o->epoch;
  }
  pthread_mutex_unlock(&d->ticket_lock);
}

int64_t drive_phase(struct drive *d, enum phase phase, uint64_t key) {
  pthread_mutex_lock(&d->lock);
  const struct demand *m = &d->next_demand;
  const int64_t from_ns = ((run_now(d) + NOTICE_NS) / NS_PER_S + 1) * NS_PER_S;
  d->before = d->order;
  d->phase_before = d->phase;
  d->phase = phase;
  d->order = (struct order){
      .epoch = d->before.epoch + 1,
      .running = 1,
      .from_ns = from_ns,
      .demand = *m,
      .seed = phase_seed(m->seed, key),
      .digest_each = (DIGEST_REQUESTS + m->users - 1) / m->users,
  };
  d->idle_ns = INT64_MAX;
  cause_clear(&d->first_error);
  start_arrivals(d);
  new_order(d);
  pthread_mutex_unlock(&d->lock);
  wake_all(d);
  return from_ns;
}

/* Wait until the collector has handed on all seconds up to that run time. */
static void await_told(struct drive *d, int64_t until_ns) {
  pthread_mutex_lock(&d->lock);
  while (d->told_second * NS_PER_S <= until_ns)
    pthread_cond_wait(&d->changed, &d->lock);
  pthread_mutex_unlock(&d->lock);
}

int drive_pause(struct drive *d, struct cause *c) {
  const int64_t limit = mono_ns() + (d->target.query_timeout_s + 10) * NS_PER_S;
  int err = 0;
  pthread_mutex_lock(&d->lock);
  if (!d->order.running) {
    pthread_mutex_unlock(&d->lock);
    return 0;
  }
  d->order.running = 0;
  new_order(d);
  pthread_mutex_unlock(&d->lock);
  wake_all(d);
  pthread_mutex_lock(&d->lock);
  while (d->resting < d->users && err != ETIMEDOUT)
    err = cond_wait_until(&d->changed, &d->lock, limit);
  int busy = d->users - d->resting;
  d->idle_ns = run_now(d);
  const int64_t idle_ns = d->idle_ns;
  pthread_mutex_unlock(&d->lock);
  await_told(d, idle_ns);
  if (!busy)
    return 0;
  cause_set(c, STATUS_INCOMPLETE, "%d of %d users still wait for the server's answer after %d s", busy, d->users,
            d->target.query_timeout_s + 10);
  return cause_remedy(c, "look for blocking or a stalled disk on the server; --query-timeout sets how long an answer may take");
}

/* ---- totals ---- */

struct sum {
  int marked_long;
  int64_t covered; /* requests that `mark` stands on */
  uint64_t mark, mark_long;
};

/* The digest of a user's whole share when it has sent only `sent` of it, with the digest `mark` (of one more while that one is being
 * counted): one slow user must not cost a step.  What it sent is held against its stream, drawn again; when they differ so does the
 * result. */
static uint64_t share_mark(const struct drive *d, const struct order *o, int user, int64_t sent, uint64_t mark) {
  struct request r;
  uint64_t chain = user_chain(user);
  int agrees = sent == 0;
  for (int64_t seq = 0; seq < o->digest_each; seq++) {
    d->mix->draw(d->load, o->seed, (uint64_t)user, (uint64_t)seq, &r);
    chain = mix64(chain ^ request_digest(&r));
    agrees |= chain == mark && (seq + 1 == sent || seq == sent);
  }
  return agrees ? chain : chain ^ mark;
}

static void add_user(struct drive *d, struct drive_totals *t, struct sum *sum, struct user *u, const struct order *o) {
  struct tally *y = &u->tally[o->epoch & 1];
  int64_t sent = 0; /* a user may still be at its last request of the phase before */
  if (atomic_load_explicit(&u->epoch, memory_order_acquire) == o->epoch)
    sent = atomic_load_explicit(&y->sent, memory_order_acquire);
  if (o->demand.rate <= 0 && u->index < o->demand.users) {
    uint64_t mark = atomic_load_explicit(&y->mark, memory_order_relaxed);
    sum->covered += sent < o->digest_each ? sent : o->digest_each;
    sum->mark = mix64(sum->mark ^ (sent < o->digest_each ? share_mark(d, o, u->index, sent, mark) : mark));
  }
  if (sent == 0)
    return;
  t->sent += sent;
  t->done += atomic_load_explicit(&y->done, memory_order_acquire);
  t->rolled_back += atomic_load_explicit(&y->rolled_back, memory_order_acquire);
  t->deadlocks += atomic_load_explicit(&y->deadlocks, memory_order_acquire);
  t->failed += atomic_load_explicit(&y->failed, memory_order_acquire);
  t->lost += atomic_load_explicit(&y->lost, memory_order_acquire);
  if (sent >= DIGEST_REQUESTS) {
    sum->marked_long++;
    sum->mark_long = mix64(sum->mark_long ^ atomic_load_explicit(&y->mark_long, memory_order_relaxed));
  }
}

/* 0 stands for "none". */
static uint64_t not_zero(uint64_t digest) {
  return digest ? digest : 1;
}

static void digest_arrivals(struct drive *d, const struct order *o, struct drive_totals *t) {
  uint64_t h = 1;
  for (int i = 0; i < DIGEST_REQUESTS; i++) {
    if (atomic_load_explicit(&d->mark[i].epoch, memory_order_acquire) != o->epoch)
      return;
    h = mix64(h ^ atomic_load_explicit(&d->mark[i].digest, memory_order_relaxed));
  }
  t->digest = not_zero(h);
  t->digest_requests = DIGEST_REQUESTS;
}

void drive_totals(struct drive *d, struct drive_totals *t) {
  memset(t, 0, sizeof *t);
  pthread_mutex_lock(&d->lock);
  const struct order o = d->order;
  t->first_error = d->first_error;
  pthread_mutex_unlock(&d->lock);
  if (o.epoch == 0)
    return;
  struct sum sum = {.mark = 1, .mark_long = 1};
  for (int u = 0; u < d->users; u++) {
    add_user(d, t, &sum, &d->user[u], &o);
    t->overflow += (int64_t)atomic_load_explicit(&d->user[u].ring->overflow, memory_order_relaxed);
  }
  if (o.demand.rate > 0) {
    digest_arrivals(d, &o, t);
    return;
  }
  if (t->sent >= DIGEST_REQUESTS) {
    t->digest = not_zero(sum.mark);
    t->digest_requests = sum.covered;
  }
  if (sum.marked_long == o.demand.users) {
    t->digest_long = not_zero(sum.mark_long);
    t->digest_long_requests = (int64_t)DIGEST_REQUESTS * o.demand.users;
  }
}

int64_t drive_calls(struct drive *d) {
  int64_t n = 0;
  for (int u = 0; u < d->users; u++)
    n += atomic_load_explicit(&d->user[u].calls, memory_order_relaxed);
  return n;
}

/* ---- close ---- */

/* End what users wait for. */
static void interrupt_all(struct drive *d, int hard) {
  for (int i = 0; i < d->users; i++) {
    struct user *u = &d->user[i];
    pthread_mutex_lock(&u->lock);
    if (u->conn)
      d->ops->interrupt(u->conn, hard);
    pthread_mutex_unlock(&u->lock);
  }
}

static int started_users(const struct drive *d) {
  int n = 0;
  for (int u = 0; u < d->users; u++)
    n += d->user[u].started;
  return n;
}

/* Wait until all rest, interrupting those that hang. */
static void await_rest(struct drive *d) {
  const int64_t begin = mono_ns();
  const int users = started_users(d);
  for (int hard = 0; hard < 2; hard++) {
    int err = 0;
    pthread_mutex_lock(&d->lock);
    while (d->resting < users && err != ETIMEDOUT)
      err = cond_wait_until(&d->changed, &d->lock, begin + d->patience_ns[hard]);
    int busy = d->resting < users;
    pthread_mutex_unlock(&d->lock);
    if (!busy)
      return;
    interrupt_all(d, hard);
  }
}

static void stop_collector(struct drive *d) {
  if (!d->collecting)
    return;
  pthread_mutex_lock(&d->lock);
  d->last_second = d->order.epoch ? d->idle_ns / NS_PER_S + 1 : 0;
  pthread_cond_signal(&d->end);
  pthread_mutex_unlock(&d->lock);
  pthread_join(d->collector, NULL);
}

static void drive_free(struct drive *d) {
  for (int i = 0; i < d->users; i++) {
    pthread_mutex_destroy(&d->user[i].lock);
    pthread_cond_destroy(&d->user[i].wake);
  }
  recorder_free(d->recorder);
  pthread_mutex_destroy(&d->lock);
  pthread_mutex_destroy(&d->ticket_lock);
  pthread_cond_destroy(&d->go);
  pthread_cond_destroy(&d->changed);
  pthread_cond_destroy(&d->end);
  sem_destroy(&d->logins);
  target_free(&d->target);
  free(d->user);
  free(d);
}

void drive_close(struct drive *d) {
  if (!d)
    return;
  /* First rest, so that a request under way ends and is recorded; only then quit. */
  atomic_store(&d->closing, 1);
  pthread_mutex_lock(&d->lock);
  int rested = d->resting == d->users;
  d->order.running = 0;
  new_order(d);
  pthread_mutex_unlock(&d->lock);
  wake_all(d);
  await_rest(d);
  pthread_mutex_lock(&d->lock);
  d->order.quit = 1;
  new_order(d);
  pthread_mutex_unlock(&d->lock);
  wake_all(d);
  for (int u = 0; u < d->users; u++)
    if (d->user[u].started)
      pthread_join(d->user[u].thread, NULL);
  if (!rested)
    d->idle_ns = run_now(d);
  stop_collector(d);
  drive_free(d);
}
