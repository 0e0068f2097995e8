/* The whole load path at once, for the thread sanitizer: users, collector, phases that change under way, lost connections, deadlocks,
 * the run folder's writer and a second writer beside it.  Speaks TAP by itself: Criterion does not start under TSan. */
#include "config.h"

#include "fake.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>

static int n, bad;

static void ok(int good, const char *what) {
  printf("%sok %d - %s\n", good ? "" : "not ", ++n, what);
  bad += !good;
}

static enum outcome mixed(struct conn *conn, const struct request *r, int64_t v, struct cause *c) {
  (void)r;
  sleep_until_ns(mono_ns() + v % 200 * NS_PER_US);
  if (v % 401 == 0)
    return cause_set(c, 0, "connection %d is dead", conn->number), LOST;
  if (v % 97 == 0)
    return cause_set(c, 0, "no more room"), FAILED;
  return v % 50 == 3 && conn->calls % 2 ? DEADLOCK : v % 100 == 7 ? ROLLED_BACK : DONE;
}

static void *sample(void *arg) {
  struct server_sample s = {0};
  for (int i = 0; i < 300; i++, sleep_ms(10))
    run_step_sample(arg, &s);
  return NULL;
}

static const struct step_facts facts = {.reached = 1, .steady = 1};

/* Phases of either kind of demand, one into the other. */
static void phases(struct drive *d, struct told *told) {
  struct drive_totals t;
  struct cause c = {0};
  drive_phase(d, PHASE_SETTLE, 1);
  sleep_ms(1200);
  drive_phase(d, PHASE_WARM, 2);
  drive_phase(d, PHASE_WARM, 3); /* before the other has begun */
  for (int i = 0; i < 60; i++, sleep_ms(20))
    drive_totals(d, &t);
  drive_demand(d, &(struct demand){.users = 20, .rate = 3000, .seed = 1});
  drive_phase(d, PHASE_MEASURE, 4);
  sleep_ms(1800);
  drive_totals(d, &t);
  ok(t.sent > 0 && drive_calls(d) >= t.sent, "totals can be had while users send");
  ok(drive_pause(d, &c) == 0, "all users come to rest");
  drive_totals(d, &t);
  ok(t.sent == t.done + t.rolled_back + t.failed + t.lost, "each request sent has one end");
  drive_demand(d, &(struct demand){.users = 10, .think_s = 0.002, .seed = 1});
  drive_phase(d, PHASE_MEASURE, 4);
  sleep_ms(2100);
  ok(drive_pause(d, &c) == 0, "and again");
  drive_totals(d, &t);
  ok(t.done > 0 && t.sent == t.done + t.rolled_back + t.failed + t.lost, "each request sent has one end");
  ok(told->sum.ring_overflow == 0 && told->sum.lost > 0 && told->sum.failed > 0 && told->sum.deadlocks > 0, "all kinds came about");
}

int main(void) {
  char folder[] = "/var/tmp/ramknee-load-path-XXXXXX";
  struct run *run;
  struct run_step *step;
  struct run_data *data;
  struct told told;
  pthread_t t;
  if (!mkdtemp(folder))
    return 99;
  json_t *meta = json_pack("{s:i, s:[s, s, s]}", "schema", 1, "types", "a", "b", "c");
  fake.run = mixed;
  if (run_create(&run, folder, meta, NULL) != 0 || run_step_begin(run, &step, 1, 8192, STEP_MEASURED, NULL) != 0)
    return 99;
  struct drive *d = fake_open(&(struct demand){.users = 20, .think_s = 0.002, .seed = 1}, &told);
  told.step = step;
  thread_start(&t, 0, "sample", sample, step);
  phases(d, &told);
  drive_phase(d, PHASE_MEASURE, 5);
  sleep_ms(1500);
  drive_close(d); /* in full run */
  pthread_join(t, NULL);
  ok(fake.opened == fake.closed, "every connection was closed");
  ok(run_step_end(step, &facts, NULL, 0, NULL) == 0, "the step is written");
  run_close(run);
  ok(run_read(&data, folder, NULL) == 0 && data->nstep == 1 && data->step[0].nsecond == (size_t)told.seconds &&
         data->step[0].nsample == 300, "and read back whole");
  int64_t done = 0;
  for (size_t i = 0; i < data->step[0].nsecond; i++)
    done += data->step[0].second[i].done;
  ok(done == told.sum.done, "with every transaction");
  run_data_free(data);
  json_decref(meta);
  folder_remove(folder, NULL);
  printf("1..%d\n", n);
  return bad != 0;
}
