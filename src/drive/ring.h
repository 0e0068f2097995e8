/* ring: a queue of samples from one thread to one other, without locks.
 *
 * The user puts, the collector takes.  Each side's words have cache lines of their own: on a shared line every put would take the
 * line away from the other processor. */
#ifndef RK_DRIVE_RING_H
#define RK_DRIVE_RING_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

/* One request that ended.  Times are run time, ns. */
struct sample {
  int64_t intended_ns; /* when it should have begun */
  int64_t end_ns;
  int64_t busy_ns;     /* in calls to the server, without the pauses after deadlocks */
  uint32_t late_us;    /* how long after it could have it was sent */
  uint8_t type;        /* transaction type */
  uint8_t outcome;     /* enum outcome, never DEADLOCK */
  uint16_t deadlocks;  /* met on the way */
};

#define CACHE_LINE 64

struct ring {
  alignas(CACHE_LINE) _Atomic uint32_t head; /* next to be put; the user's line */
  uint32_t tail_seen;                        /* of `tail`, as the user last looked */
  _Atomic uint64_t overflow;                 /* samples that found no room */
  alignas(CACHE_LINE) _Atomic uint32_t tail; /* next to be taken; the collector's line */
  alignas(CACHE_LINE) uint32_t mask;         /* capacity - 1; a power of two; never written later */
  struct sample *slot;
};

/* Put one; without room it is counted and dropped. */
static inline void ring_put(struct ring *r, const struct sample *s) {
  uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
  if (head - r->tail_seen > r->mask) {
    r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
    if (head - r->tail_seen > r->mask) {
      uint64_t n = atomic_load_explicit(&r->overflow, memory_order_relaxed);
      atomic_store_explicit(&r->overflow, n + 1, memory_order_relaxed);
      return;
    }
  }
  r->slot[head & r->mask] = *s;
  atomic_store_explicit(&r->head, head + 1, memory_order_release);
}

/* How many are there to take, and the i-th of them; they stay until ring_drop. */
static inline uint32_t ring_ready(const struct ring *r) {
  return atomic_load_explicit(&r->head, memory_order_acquire) - atomic_load_explicit(&r->tail, memory_order_relaxed);
}
static inline const struct sample *ring_at(const struct ring *r, uint32_t i) {
  return &r->slot[(atomic_load_explicit(&r->tail, memory_order_relaxed) + i) & r->mask];
}
static inline void ring_drop(struct ring *r, uint32_t n) {
  atomic_store_explicit(&r->tail, atomic_load_explicit(&r->tail, memory_order_relaxed) + n, memory_order_release);
}

#endif
