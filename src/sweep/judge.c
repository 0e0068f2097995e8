#include "config.h"

#include "sweep/judge.h"

#include <math.h>

int judge_client_bound(double late_p99_ms, double response_p99_ms, double idle_permille) {
  return late_p99_ms > response_p99_ms / 2 || idle_permille < 100;
}

int judge_saturated(double rate, double ended, double seconds) {
  double wanted = rate * seconds;
  return rate > 0 && ended < wanted - 3 * sqrt(wanted) && ended < 0.99 * wanted;
}

enum digest_verdict judge_digest(uint64_t first, uint64_t digest) {
  return digest == 0 ? DIGEST_SHORT : first != 0 && digest != first ? DIGEST_DIFFERS : DIGEST_SAME;
}

double judge_think_s(int users, double target_per_s, double response_s) {
  double z = (double)users / target_per_s - response_s;
  return z > 0 ? z : 0;
}

double judge_target_per_s(double peak_per_s, double cpu_s, double cpus) {
  double half = peak_per_s / 2, client = cpu_s > 0 ? cpus / 2 / cpu_s : INFINITY;
  return half < client ? half : client;
}
