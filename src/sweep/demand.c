#include "config.h"

#include "base/log.h"
#include "base/units.h"
#include "base/clock.h"
#include "sweep/judge.h"
#include "sweep/work.h"

#include <math.h>
#include <sched.h>
#include <unistd.h>

static double client_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (double)n : 1;
}

struct probed {
  double per_s, cpu_s; /* transactions a second; this process's CPU for each */
};

/* Of the peak at the largest step.  A server reads by itself; in the sandbox a page read costs the processors that client, front door and
 * engine share, so that half of the peak in memory would be more than the smallest step can do. */
static const double server_share = 0.5, sandbox_share = 1.0 / 3;

/* Run the present demand for the plan's time, and measure over its second half. */
static int probe(struct work *w, uint64_t key, struct probed *out, struct cause *c) {
  struct drive_totals a, b;
  struct host_sample ha, hb;
  drive_phase(w->drive, PHASE_WARM, key);
  if (sweep_hold(w, mono_ns() + w->plan.probe_ns / 2, c) != 0)
    return -1;
  drive_totals(w->drive, &a);
  host_sample(&ha);
  int64_t t = mono_ns();
  if (sweep_hold(w, t + w->plan.probe_ns / 2, c) != 0)
    return -1;
  drive_totals(w->drive, &b);
  host_sample(&hb);
  double done = (double)(b.done + b.rolled_back - a.done - a.rolled_back);
  if (done < 1) {
    cause_set(c, STATUS_INCOMPLETE, "not one transaction ended in the probe that sets the demand");
    return cause_remedy(c, "name the demand (--users and --think, or --rate), and look at what the server waits for");
  }
  out->per_s = done / ((double)(mono_ns() - t) / (double)NS_PER_S);
  out->cpu_s = (double)(hb.process_cpu_ns - ha.process_cpu_ns) / (double)NS_PER_S / done;
  return 0;
}

static int probe_both(struct work *w, struct cause *c) {
  struct probed peak, half;
  if (probe(w, 1, &peak, c) != 0)
    return -1;
  double target = judge_target_per_s(peak.per_s, w->o->target.is_sandbox ? sandbox_share : server_share, peak.cpu_s, client_cpus());
  w->demand.think_s = judge_think_s(w->demand.users, target, 0);
  drive_demand(w->drive, &w->demand);
  if (probe(w, 2, &half, c) != 0)
    return -1;
  double response_s = fmax(0, (double)w->demand.users / half.per_s - w->demand.think_s);
  w->demand.think_s = judge_think_s(w->demand.users, target, response_s);
  say("demand: %d users thinking %.1f ms, for %.0f transactions a second (peak without thinking: %.0f)", w->demand.users,
      w->demand.think_s * 1e3, target, peak.per_s);
  return 0;
}

int sweep_probe(struct work *w, struct cause *c) {
  w->doing = "probe";
  w->doing_until_ns = mono_ns() + 2 * w->plan.probe_ns;
  w->demand.think_s = 0;
  if (drive_open(&w->drive, &w->o->target, w->mix, &w->load, &w->demand, w->run_start_ns, feed_second, w->feed, c) != 0)
    return -1;
  int rc = probe_both(w, c);
  drive_close(w->drive);
  w->drive = NULL;
  return rc;
}
