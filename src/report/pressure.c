/* What a transaction waits for at a step.
 *
 * Wait types tell it (the sessions' own time, so that overlapping reads are not counted twice); where the server lists none of a kind, its
 * counters do: stalls of reads and of log writes a transaction, which may overlap. */
#include "config.h"

#include "report/figures.h"

#include <math.h>
#include <string.h>

const char *const pressure_name[PRESSURES] = {"reads", "memory_grants", "cpu", "log", "locks", "latches", "threads", "client"};

static const struct {
  const char *prefix;
  enum pressure kind;
} types[] = {
    {"PAGEIOLATCH_", PRESSURE_READS},        {"IO_QUEUE_LIMIT", PRESSURE_READS}, {"RESOURCE_SEMAPHORE", PRESSURE_GRANTS},
    {"SOS_SCHEDULER_YIELD", PRESSURE_CPU},   {"WRITELOG", PRESSURE_LOG},         {"LOGBUFFER", PRESSURE_LOG},
    {"HADR_SYNC_COMMIT", PRESSURE_LOG},      {"LCK_M_", PRESSURE_LOCKS},         {"PAGELATCH_", PRESSURE_LATCHES},
    {"CMEMTHREAD", PRESSURE_LATCHES},        {"THREADPOOL", PRESSURE_THREADS},   {"ASYNC_NETWORK_IO", PRESSURE_CLIENT},
};

static int kind_of(const char *type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(type, types[i].prefix, strlen(types[i].prefix)) == 0)
      return (int)types[i].kind;
  return -1;
}

/* Once a wait is over, its signal time is spent waiting for a processor. */
static void add_waits(double *ms, const struct step_data *st) {
  for (size_t i = 0; i < st->nwait; i++) {
    const struct wait_row *w = &st->wait[i];
    int k = kind_of(w->type);
    if (k < 0 || w->wait_ms == ABSENT || w->wait_ms < 0)
      continue;
    double signal = w->signal_ms == ABSENT || w->signal_ms < 0 ? 0 : fmin((double)w->signal_ms, (double)w->wait_ms);
    ms[k] = (isnan(ms[k]) ? 0 : ms[k]) + (double)w->wait_ms - signal;
    ms[PRESSURE_CPU] = (isnan(ms[PRESSURE_CPU]) ? 0 : ms[PRESSURE_CPU]) + signal;
  }
}

/* What a count grew by in the measured phase. */
static double log_stall(const struct step_data *st, int64_t begin_ns, int64_t end_ns) {
  const struct server_sample *from = NULL, *to = NULL;
  for (size_t i = 0; i < st->nsample; i++) {
    const struct server_sample *s = &st->sample[i];
    if (s->at_ns == ABSENT || s->at_ns < begin_ns || s->at_ns > end_ns || s->log_write_stall_ms == ABSENT)
      continue;
    from = from ? from : s;
    to = s;
  }
  return from && to != from && to->log_write_stall_ms >= from->log_write_stall_ms
             ? (double)(to->log_write_stall_ms - from->log_write_stall_ms) * (double)(end_ns - begin_ns) /
                   (double)(to->at_ns - from->at_ns)
             : NAN;
}

void figures_pressure(struct figures *f) {
  const struct step_data *st = f->step;
  int64_t begin, end;
  if (!figures_window(st, &begin, &end))
    return;
  for (size_t i = 0; i < st->nsample; i++) {
    const struct server_sample *s = &st->sample[i];
    if (s->at_ns >= begin && s->at_ns <= end && s->grants_pending != ABSENT)
      f->grants_pending = fmax(isnan(f->grants_pending) ? 0 : f->grants_pending, (double)s->grants_pending);
  }
  if (!(f->done > 0))
    return;
  double *ms = f->wait_ms_per_tx;
  add_waits(ms, st);
  for (int k = 0; k < PRESSURES; k++)
    ms[k] /= f->done;
  if (isnan(ms[PRESSURE_READS]))
    ms[PRESSURE_READS] = f->read_stall_ms_per_tx;
  if (isnan(ms[PRESSURE_LOG]))
    ms[PRESSURE_LOG] = log_stall(st, begin, end) / f->done;
  if (isnan(ms[PRESSURE_LOCKS]))
    ms[PRESSURE_LOCKS] = f->row_lock_ms_per_tx;
}
