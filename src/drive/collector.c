/* The collector: a thread that turns what is in the rings into a second's record, each second, and hands it on. */
#include "config.h"

#include "base/clock.h"
#include "base/units.h"
#include "drive/inside.h"
#include "sample/sample.h"

#include <sys/prctl.h>

/* After the end of a second, for samples that are being put just then; a later one goes into the next second. */
#define GRACE_NS (20 * NS_PER_MS)

/* The collector's own way through the arrivals of an epoch, so that users never wait while it counts. */
struct ahead {
  uint64_t epoch;
  struct schedule schedule;
};

/* Arrivals whose time had come at `at_ns` (run time) and that nobody has taken. */
static int64_t count_waiting(struct drive *d, struct ahead *ahead, uint64_t epoch, int64_t at_ns) {
  struct arrivals *a = &d->arrivals[epoch & 1];
  pthread_mutex_lock(&d->ticket_lock);
  const struct schedule taken = a->schedule;
  const int ours = a->epoch == epoch;
  pthread_mutex_unlock(&d->ticket_lock);
  if (!ours)
    return 0;
  if (ahead->epoch != epoch) {
    schedule_start(&ahead->schedule, taken.seed, 1e9 / taken.gap_ns, taken.from_ns);
    ahead->epoch = epoch;
  }
  uint64_t due = schedule_due(&ahead->schedule, at_ns);
  return due > taken.next ? (int64_t)(due - taken.next) : 0;
}

static int64_t permille(int64_t before, int64_t now, int64_t total) {
  return before == ABSENT || now == ABSENT || total <= 0 ? ABSENT : 1000 * (now - before) / total;
}

static void add_host(struct load_second *s, const struct host_sample *a, const struct host_sample *b) {
  int64_t total = a->total == ABSENT || b->total == ABSENT ? 0 : b->total - a->total;
  s->client_cpu_ms = (b->process_cpu_ns - a->process_cpu_ns) / NS_PER_MS;
  s->host_idle_permille = permille(a->idle, b->idle, total);
  s->host_iowait_permille = permille(a->iowait, b->iowait, total);
  s->host_steal_permille = permille(a->steal, b->steal, total);
}

/* Sleep until the second is over and its samples are in: 1; 0 when the collector is to end before that second. */
static int await_second(struct drive *d, int64_t second) {
  const int64_t until = d->run_start_ns + (second + 1) * NS_PER_S + GRACE_NS;
  pthread_mutex_lock(&d->lock);
  while (second < d->last_second && mono_ns() < until)
    cond_wait_until(&d->end, &d->lock, until);
  int go_on = second < d->last_second;
  pthread_mutex_unlock(&d->lock);
  return go_on;
}

/* The phase that a second belongs to, and whether it belongs to one at all. */
static int phase_of(struct drive *d, int64_t second, struct load_second *s, uint64_t *epoch) {
  const int64_t begin_ns = second * NS_PER_S;
  pthread_mutex_lock(&d->lock);
  int new_one = begin_ns >= d->order.from_ns;
  const struct order *o = new_one ? &d->order : &d->before;
  s->phase = new_one ? d->phase : d->phase_before;
  *epoch = o->demand.rate > 0 ? o->epoch : 0;
  int belongs = o->epoch > 0 && (new_one ? begin_ns < d->idle_ns : d->before.running);
  pthread_mutex_unlock(&d->lock);
  return belongs;
}

static int ended(const struct load_second *s) {
  return s->done || s->rolled_back || s->failed || s->lost || s->ring_overflow;
}

void *collector_main(void *arg) {
  struct drive *d = arg;
  struct host_sample before, now;
  struct ahead ahead = {0};
  int64_t second = (mono_ns() - d->run_start_ns) / NS_PER_S;
  prctl(PR_SET_TIMERSLACK, 1UL);
  host_sample(&before);
  for (; await_second(d, second); second++) {
    struct load_second s = {0};
    const struct hist_record_row *row;
    size_t nrow;
    uint64_t epoch;
    int tell = phase_of(d, second, &s, &epoch);
    recorder_second(d->recorder, second, &s, &row, &nrow);
    for (int u = 0; u < d->users; u++)
      s.users += atomic_load_explicit(&d->user[u].working, memory_order_relaxed);
    s.waiting = epoch ? count_waiting(d, &ahead, epoch, (second + 1) * NS_PER_S) : 0;
    host_sample(&now);
    add_host(&s, &before, &now);
    before = now;
    if (tell || ended(&s))
      d->second(d->arg, &s, row, nrow);
    pthread_mutex_lock(&d->lock);
    d->told_second = second + 1;
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->lock);
  }
  return NULL;
}
