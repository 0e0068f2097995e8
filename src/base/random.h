/* random: a generator that can be set up anywhere in its stream, so that a draw is a pure function of (seed, stream, sequence).
 *
 * The state is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), started from a
 * hash of the three numbers.  Not for secrets.  No allocation; one generator a thread. */
#ifndef RK_BASE_RANDOM_H
#define RK_BASE_RANDOM_H

#include <stdint.h>

struct rng {
  uint64_t state;
};

/* The generator of (seed, stream, seq): equal arguments, equal draws, on every machine. */
struct rng rng_at(uint64_t seed, uint64_t stream, uint64_t seq);

uint64_t rng_u64(struct rng *);

/* Uniform whole number in [lo, hi], both ends in; lo <= hi.  Without bias (rejection). */
int64_t rng_range(struct rng *, int64_t lo, int64_t hi);

/* Uniform in [0, 1) with 53 bits. */
double rng_unit(struct rng *);

/* Exponential with the given mean (>= 0). */
double rng_exp(struct rng *, double mean);

/* A good 64-bit mix of one word (the finaliser of SplitMix64), for hashes and digests. */
uint64_t mix64(uint64_t);

#endif
