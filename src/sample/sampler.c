/* The sampler: a thread with a connection of its own that takes a sample at each whole second. */
#include "config.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/units.h"
#include "sample/inside.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define PATIENCE_NS (5 * NS_PER_S) /* of sampler_stop, before it interrupts, and again before it does so hard */

struct sampler {
  struct target target;
  char *database;
  struct sample_scope scope;
  int64_t run_start_ns;
  sample_fn *fn;
  void *arg;
  pthread_t thread;
  _Atomic int64_t calls;
  int64_t calls_before; /* of connections that are closed; the thread's own */

  pthread_mutex_t lock; /* for all below */
  pthread_cond_t changed;
  struct conn *conn; /* changed by the thread alone; NULL while it is lost */
  struct server_sample latest;
  int opened, stop, ended;
  int failed; /* the connection is lost, why says so */
  struct cause why;
  struct cause starved; /* of the first statement that the server had no memory for; its number is 0 before */
};

/* ---- the thread ---- */

static void set_conn(struct sampler *s, struct conn *conn) {
  pthread_mutex_lock(&s->lock);
  s->conn = conn;
  if (conn) {
    s->opened = 1;
    s->failed = 0;
  }
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
}

static void fail(struct sampler *s, const struct cause *why) {
  pthread_mutex_lock(&s->lock);
  s->failed = 1;
  s->why = *why;
  pthread_mutex_unlock(&s->lock);
}

static void count_calls(struct sampler *s) {
  atomic_store_explicit(&s->calls, s->calls_before + conn_calls(s->conn), memory_order_relaxed);
}

/* A lost connection is a failure only once it cannot be had again. */
static int have_connection(struct sampler *s) {
  struct conn *conn;
  struct cause c = {0};
  if (s->conn)
    return 1;
  if (conn_open(&conn, &s->target, &c) != 0) {
    if (s->opened)
      cause_prefix(&c, "the sampler's connection was lost and cannot be had again");
    fail(s, &c);
    return 0;
  }
  set_conn(s, conn);
  return 1;
}

static void take(struct sampler *s) {
  struct server_sample sample;
  struct conn *conn = s->conn;
  struct cause c;
  int rc = sample_take_scope(conn, &s->scope, s->run_start_ns, &sample, &c);
  count_calls(s);
  if (rc != 0) {
    s->calls_before += conn_calls(conn);
    set_conn(s, NULL); /* out of sight first: sampler_stop may be about to interrupt it */
    conn_close(conn);
    return;
  }
  pthread_mutex_lock(&s->lock);
  if (c.number && !s->starved.number)
    s->starved = c;
  s->latest = sample;
  pthread_mutex_unlock(&s->lock);
  s->fn(s->arg, &sample);
}

/* Wait for the instant (monotonic clock): 1; 0 when it is to stop. */
static int wait_until(struct sampler *s, int64_t ns) {
  pthread_mutex_lock(&s->lock);
  while (!s->stop && mono_ns() < ns)
    cond_wait_until(&s->changed, &s->lock, ns);
  int go_on = !s->stop;
  pthread_mutex_unlock(&s->lock);
  return go_on;
}

/* The whole second of run time to sample at after `due`: the next one; when that has passed, the last one that has, at once. */
static int64_t next_due(const struct sampler *s, int64_t due, int64_t now) {
  int64_t last = s->run_start_ns + (now - s->run_start_ns) / NS_PER_S * NS_PER_S;
  return due + NS_PER_S > last ? due + NS_PER_S : last;
}

static void *sampler_main(void *arg) {
  struct sampler *s = arg;
  prctl(PR_SET_TIMERSLACK, 1UL);
  int first = have_connection(s);
  int64_t due = s->run_start_ns + ((mono_ns() - s->run_start_ns) / NS_PER_S + 1) * NS_PER_S;
  while (first && wait_until(s, due)) {
    if (have_connection(s))
      take(s);
    due = next_due(s, due, mono_ns());
  }
  pthread_mutex_lock(&s->lock);
  struct conn *conn = s->conn;
  s->conn = NULL;
  s->ended = 1;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  if (conn)
    conn_close(conn);
  return NULL;
}

/* ---- its owner ---- */

static void sampler_free(struct sampler *s) {
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->changed);
  target_free(&s->target);
  free(s->database);
  free(s);
}

int sampler_start(struct sampler **out, const struct target *target, const char *database, int64_t run_start_ns, sample_fn *fn,
                  void *arg, struct cause *c) {
  const struct sample_scope scope = {.database = database};
  return sampler_start_scope(out, target, &scope, run_start_ns, fn, arg, c);
}

int sampler_start_scope(struct sampler **out, const struct target *target, const struct sample_scope *scope, int64_t run_start_ns,
                        sample_fn *fn, void *arg, struct cause *c) {
  struct sampler *s = xcalloc(1, sizeof *s);
  target_copy(&s->target, target);
  free(s->target.database);
  s->target.database = xstrdup(scope->database);
  s->database = xstrdup(scope->database);
  s->scope = (struct sample_scope){.database = s->database, .whole = scope->whole};
  s->run_start_ns = run_start_ns;
  s->fn = fn;
  s->arg = arg;
  sample_clear(&s->latest);
  pthread_mutex_init(&s->lock, NULL);
  cond_init(&s->changed);
  int err = thread_start(&s->thread, 0, "rk-sampler", sampler_main, s);
  if (err) {
    sampler_free(s);
    return cause_errno(c, STATUS_SETUP, err, "cannot start the sampler's thread");
  }
  pthread_mutex_lock(&s->lock);
  while (!s->opened && !s->ended)
    pthread_cond_wait(&s->changed, &s->lock);
  int opened = s->opened;
  if (!opened && c)
    *c = s->why;
  pthread_mutex_unlock(&s->lock);
  if (!opened) {
    pthread_join(s->thread, NULL);
    sampler_free(s);
    return -1;
  }
  *out = s;
  return 0;
}

void sampler_latest(struct sampler *s, struct server_sample *sample) {
  pthread_mutex_lock(&s->lock);
  *sample = s->latest;
  pthread_mutex_unlock(&s->lock);
}

int sampler_failed(struct sampler *s, struct cause *c) {
  pthread_mutex_lock(&s->lock);
  int failed = s->failed;
  if (failed && c)
    *c = s->why;
  pthread_mutex_unlock(&s->lock);
  return failed ? -1 : 0;
}

int sampler_starved(struct sampler *s, struct cause *c) {
  pthread_mutex_lock(&s->lock);
  int starved = s->starved.number != 0;
  if (starved && c)
    *c = s->starved;
  pthread_mutex_unlock(&s->lock);
  return starved ? -1 : 0;
}

int64_t sampler_calls(struct sampler *s) {
  return atomic_load_explicit(&s->calls, memory_order_relaxed);
}

void sampler_stop(struct sampler *s) {
  if (!s)
    return;
  pthread_mutex_lock(&s->lock);
  s->stop = 1;
  pthread_cond_broadcast(&s->changed);
  for (int hard = 0; hard < 2 && !s->ended; hard++) {
    const int64_t until = mono_ns() + PATIENCE_NS;
    int err = 0;
    while (!s->ended && err != ETIMEDOUT)
      err = cond_wait_until(&s->changed, &s->lock, until);
    if (!s->ended && s->conn)
      conn_interrupt(s->conn, hard);
  }
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->thread, NULL);
  sampler_free(s);
}
