#include "config.h"

#include "sweep/judge.h"

#include "analysis/steady.h"
#include "base/units.h"

#include <math.h>

int judge_client_bound(double late_p99_ms, double response_p99_ms, double idle_permille, double steal_permille) {
  return late_p99_ms > response_p99_ms / 2 || idle_permille < 100 || steal_permille > 100;
}

int judge_saturated(double rate, double ended, double seconds) {
  double wanted = rate * seconds;
  return rate > 0 && ended < wanted - 3 * sqrt(wanted) && ended < 0.99 * wanted;
}

/* Fill the gaps; 0: there is nothing in it. */
static int whole(double *v, size_t n) {
  size_t first = 0;
  while (first < n && isnan(v[first]))
    first++;
  for (size_t i = 0; i < n && first < n; i++)
    if (isnan(v[i]))
      v[i] = i < first ? v[first] : v[i - 1];
  return first < n;
}

int judge_steady(const struct feed_series *s) {
  double *const all[] = {s->done, s->mean_ms, s->read_bytes};
  const double *some[3];
  size_t n = 0;
  if (s->n < STEADY_MIN_S)
    return -1;
  for (int i = 0; i < 3; i++)
    if (whole(all[i], s->n))
      some[n++] = all[i];
  return n == 0 ? -1 : steady_all(some, n, s->n, 0.05, NULL).state == STEADY_YES;
}

double judge_spread(const struct estimate *e) {
  double far = fmax(e->hi - e->value, e->value - e->lo) / e->value;
  return e->value > 0 && isfinite(e->lo) && isfinite(e->hi) ? far : INFINITY;
}

int64_t judge_next_look_ns(int64_t n_ns) {
  int64_t later = n_ns / 10 / NS_PER_S * NS_PER_S;
  return n_ns + (later > 5 * NS_PER_S ? later : 5 * NS_PER_S);
}

enum digest_verdict judge_digest(uint64_t first, uint64_t digest) {
  return digest == 0 ? DIGEST_SHORT : first != 0 && digest != first ? DIGEST_DIFFERS : DIGEST_SAME;
}

double judge_think_s(int users, double target_per_s, double response_s) {
  double z = (double)users / target_per_s - response_s;
  return z > 0 ? z : 0;
}

double judge_target_per_s(double peak_per_s, double share, double cpu_s, double cpus) {
  double wanted = peak_per_s * share, client = cpu_s > 0 ? cpus / 2 / cpu_s : INFINITY;
  return wanted < client ? wanted : client;
}
