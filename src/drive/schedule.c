#include "config.h"

#include "drive/schedule.h"
#include "base/random.h"

/* A stream that no user's requests or think times come from. */
#define STREAM_ARRIVALS UINT64_C(0xA221DA15)

static double gap(const struct schedule *s) {
  struct rng r = rng_at(s->seed, STREAM_ARRIVALS, s->next);
  return rng_exp(&r, s->gap_ns);
}

void schedule_start(struct schedule *s, uint64_t seed, double rate, int64_t from_ns) {
  *s = (struct schedule){.seed = seed, .gap_ns = 1e9 / rate, .from_ns = from_ns};
  s->offset_ns = gap(s);
}

int64_t schedule_next(struct schedule *s, uint64_t *i) {
  int64_t at = s->from_ns + (int64_t)s->offset_ns;
  *i = s->next++;
  s->offset_ns += gap(s);
  return at;
}

uint64_t schedule_due(struct schedule *s, int64_t now_ns) {
  uint64_t i;
  while (s->from_ns + (int64_t)s->offset_ns <= now_ns)
    schedule_next(s, &i);
  return s->next;
}
