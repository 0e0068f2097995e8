/* judge: what a measured phase is worth.  Pure functions of what was counted; their limits are those of the manual. */
#ifndef RK_SWEEP_JUDGE_H
#define RK_SWEEP_JUDGE_H

#include "sweep/feed.h"

#include <stdint.h>

#define DIGEST_REQUESTS 1000 /* a digest stands on so many requests */

/* The client was the bottleneck: its p99 start lateness exceeds half of the p99 response, or less than 10 % of its processors were
 * idle or waiting for I/O, or a hypervisor gave more than 10 % of them to others (steal).  What is not known (NaN) proves nothing. */
int judge_client_bound(double late_p99_ms, double response_p99_ms, double idle_permille, double steal_permille);

/* A rate was not held over n seconds: fewer ended than arrived by more than chance (three standard deviations of a Poisson count)
 * and by more than 1 %. */
int judge_saturated(double rate_wanted, double ended, double seconds);

/* Have throughput, mean response and read bytes become steady (analysis/steady.h, within 5 %)?  1 yes, 0 no, -1: too short to be judged.
 * A value that is missing is taken as the one before; a series without any is left out. */
int judge_steady(const struct feed_series *);

/* How far the farther end of the interval lies from an estimate, relative to it: 0.05 is 5 % up or down.  INFINITY when not known. */
double judge_spread(const struct estimate *);

/* When to look for the first time after the n-th second whether the measured phase is precise enough: a tenth later, by 5 s at least: so
 * the looks cost nothing to speak of, and are too few to stop by chance (a test holds that the intervals still cover). */
int64_t judge_next_look_ns(int64_t n_ns);

/* Of two digests (0: fewer than DIGEST_REQUESTS were sent). */
enum digest_verdict { DIGEST_SAME, DIGEST_DIFFERS, DIGEST_SHORT };
enum digest_verdict judge_digest(uint64_t first, uint64_t digest);

/* Think time (s) that makes n closed users work at `target` transactions a second when one takes `response_s` at that load:
 * X = n / (Z + R).  Never negative. */
double judge_think_s(int users, double target_per_s, double response_s);

/* Throughput wanted of the default demand: that share of the peak (0 < share < 1), and no more than keeps the client at half of `cpus`
 * processors when a transaction costs it `cpu_s` seconds. */
double judge_target_per_s(double peak_per_s, double share, double cpu_s, double cpus);

#endif
