#include "config.h"

#include "base/random.h"

#include <math.h>

uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

struct rng rng_at(uint64_t seed, uint64_t stream, uint64_t seq) {
  /* Each number passes the mixer before the next comes in, so that neighbours do not share parts of their streams. */
  uint64_t h = mix64(seed + GOLDEN);
  h = mix64(h ^ (stream + 2 * GOLDEN));
  h = mix64(h ^ (seq + 3 * GOLDEN));
  return (struct rng){h};
}

uint64_t rng_u64(struct rng *r) {
  r->state += GOLDEN;
  return mix64(r->state);
}

int64_t rng_range(struct rng *r, int64_t lo, int64_t hi) {
  uint64_t n = (uint64_t)hi - (uint64_t)lo + 1;
  if (n == 0)
    return (int64_t)rng_u64(r);
  uint64_t reject = (0 - n) % n; /* 2^64 mod n */
  uint64_t v;
  do
    v = rng_u64(r);
  while (v < reject);
  return (int64_t)((uint64_t)lo + v % n);
}

double rng_unit(struct rng *r) {
  return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

double rng_exp(struct rng *r, double mean) {
  return -mean * log1p(-rng_unit(r));
}
