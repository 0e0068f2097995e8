/* make-run KIND FOLDER: write a run folder as a sweep would, with a curve that is known, for the tests and to look at the
 * pictures. Pure in KIND: the same bytes every time. */
#include "config.h"

#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
  double gb;
  double hit_ms;       /* median of a transaction that reads nothing */
  double reads_per_tx; /* physical reads */
  double read_ms;
};

struct scenario {
  const char *kind;
  struct point point[48];
  size_t n;
  double tx_s;
  int measure_s;
  int drift;           /* measure the first step again ... */
  double drift_factor; /* ... so much slower */
  int broken;          /* the last step is broken off, and there is no end */
  int absent;          /* no counters, no files */
  double rate;         /* arrivals a second */
  int saturated_from;  /* from this step on the rate is not held */
  int marked;          /* every step has some mark */
  unsigned busy;       /* bit i: the client was the bottleneck at step i */
  int evil;            /* names from outside that bite */
  int real_server;     /* no label */
  size_t added;        /* so many of the points, from the second on, are measured after the others, as --refine does */
  int grows;           /* the data files do */
  double wander;       /* how far latency strays from second to second */
  size_t passes;       /* each step is visited so often ... */
  double pace[3];      /* ... at so many times the latency */
};

static struct scenario scenario_of(const char *kind) {
  struct scenario s = {.kind = kind, .tx_s = 400, .measure_s = 30, .drift = 1, .drift_factor = 1, .wander = 0.02, .passes = 1, .pace = {1, 1, 1}};
  /* StorageReview's shape: 128 to 64 GB level, 32 GB two thirds more, 16 GB three times that, 8 GB again two and a half. */
  static const struct point knee[] = {{128, 2.2, 0.10, 0.5}, {96, 2.2, 0.12, 0.5}, {64, 2.2, 0.18, 0.5},
                                      {32, 2.2, 2.6, 0.6},   {16, 2.2, 9, 1.0},    {8, 2.2, 21, 1.2}};
  memcpy(s.point, knee, sizeof knee);
  s.n = 6;
  if (strcmp(kind, "flat") == 0)
    for (size_t i = 0; i < s.n; i++)
      s.point[i].reads_per_tx = 0.02;
  else if (strcmp(kind, "drift") == 0)
    s.drift_factor = 1.3;
  else if (strcmp(kind, "incomplete") == 0)
    s.broken = 1;
  else if (strcmp(kind, "saturated") == 0) {
    s.rate = 500;
    s.tx_s = 500;
    s.saturated_from = 4;
  } else if (strcmp(kind, "absent") == 0)
    s.absent = s.real_server = 1;
  else if (strcmp(kind, "one") == 0) {
    s.n = 1;
    s.drift = 0;
  } else if (strcmp(kind, "many") == 0) {
    s.n = 40;
    s.measure_s = 12;
    for (size_t i = 0; i < s.n; i++) {
      double gb = 256 - 6.4 * (double)i;
      s.point[i] = (struct point){round(gb * 1024) / 1024, 2.2, 0.1 + 20 * exp(-gb / 14), 0.5};
    }
  } else if (strcmp(kind, "huge") == 0) {
    for (size_t i = 0; i < s.n; i++) {
      s.point[i].hit_ms = 900;
      s.point[i].read_ms = 3000;
    }
    s.tx_s = 40;
  } else if (strcmp(kind, "short") == 0)
    s.measure_s = 6;
  else if (strcmp(kind, "micro") == 0) {
    for (size_t i = 0; i < s.n; i++) {
      s.point[i].hit_ms = 0.011;
      s.point[i].read_ms = 0.004;
      s.point[i].gb /= 1024;
    }
    s.tx_s = 3000;
    s.measure_s = 10;
  } else if (strcmp(kind, "shoulders") == 0) {
    static const double reads[] = {0.1, 0.1, 6, 6.2, 6.4, 60, 150};
    s.n = sizeof reads / sizeof *reads;
    for (size_t i = 0; i < s.n; i++)
      s.point[i] = (struct point){exp2(8 - (double)i), 2.2, reads[i], 0.6};
  } else if (strcmp(kind, "rising") == 0) {
    for (size_t i = 0; i < s.n; i++) {
      s.point[i].hit_ms = 0.1;
      s.point[i].reads_per_tx = 600 / s.point[i].gb;
      s.point[i].read_ms = 0.6;
    }
  } else if (strcmp(kind, "full") == 0) { /* the two largest steps hold all of it, and one of them had a worse day */
    s.point[0].reads_per_tx = s.point[1].reads_per_tx = 0;
    s.point[1].hit_ms *= 1.2;
  } else if (strcmp(kind, "grown") == 0)
    s.grows = 1;
  else if (strcmp(kind, "noisy") == 0) {
    s.wander = 1.2;
    s.measure_s = 12;
  } else if (strcmp(kind, "marked") == 0)
    s.marked = 1;
  else if (strcmp(kind, "busy") == 0) { /* a neighbour at 64 GB */
    s.point[2].hit_ms *= 4;
    s.busy = 4;
  } else if (strcmp(kind, "busier") == 0) /* and at 64 GB and below */
    s.busy = 0x3c;
  else if (strcmp(kind, "evil") == 0)
    s.evil = 1;
  else if (strcmp(kind, "refined") == 0)
    s.added = 2;
  else if (strcmp(kind, "passes") == 0 || strcmp(kind, "busypass") == 0) { /* a machine whose speed wanders; a neighbour at 16 GB, once */
    s.passes = 3;
    s.pace[1] = 1.5;
    s.pace[2] = 0.75;
    s.measure_s = 12;
    s.busy = kind[0] == 'b' ? 16 : 0;
  } else if (strcmp(kind, "apart") == 0) { /* one visit of each is much slower */
    s.passes = 2;
    s.pace[1] = 6;
    s.measure_s = 12;
  } else if (strcmp(kind, "alike") == 0 || strcmp(kind, "halfway") == 0) { /* the last visit of the last is broken off */
    s.passes = 2;
    s.measure_s = 12;
    s.broken = kind[0] == 'h';
  }
  else if (strcmp(kind, "real") == 0) {
    s.real_server = 1;
    s.measure_s = 300;
    s.tx_s = 1500;
  } else if (strcmp(kind, "knee") != 0)
    s.n = 0;
  return s;
}

static const char evil_name[] = "<script>alert(1)</script>&\"'`touch pwned`$(touch pwned) _{x}^2 \\n @GPVAL %s \033[31m";

static json_t *meta_of(const struct scenario *s) {
  json_t *steps = json_array(), *types = json_array();
  for (size_t i = 0; i < s->n; i++)
    if (i == 0 || i > s->added)
      json_array_append_new(steps, json_integer(llround(s->point[i].gb * 1024)));
  static const char *const name[] = {"new_order", "payment", "order_status", "delivery", "stock_level"};
  for (size_t i = 0; i < 5; i++)
    json_array_append_new(types, json_string(name[i]));
  json_t *m = json_object();
  json_object_set_new(m, "schema", json_integer(1));
  json_object_set_new(m, "program", json_string("0.1.0"));
  json_object_set_new(m, "started", json_string("2026-11-30T15:04:05Z"));
  json_object_set_new(m, "label",
                      s->real_server ? json_null() : json_string("sandbox (InnoDB, 1:1024, one shared machine), not SQL Server"));
  json_object_set_new(m, "server",
                      json_pack("{s:s, s:s, s:s, s:i, s:i}", "name",
                                s->evil          ? evil_name
                                : s->real_server ? "SQL07\\OLTP"
                                                 : "SANDBOX",
                                "version", "15.0.4345.5", "edition", "Developer Edition (64-bit)", "physical_memory_mib",
                                262144, "cpus", 8));
  json_object_set_new(m, "database",
                      json_pack("{s:s, s:s, s:i, s:f, s:i, s:b, s:I}", "name", "ramknee_orders", "mix", "orders", "scale", 64,
                                "density", 0.05, "seed", 1, "stationary", !s->grows, "data_bytes", (json_int_t)200 * GIB));
  json_object_set_new(m, "demand", json_pack("{s:i, s:f, s:f, s:i}", "users", 64, "think_s", 0.15, "rate", s->rate, "seed", 1));
  json_object_set_new(m, "types", types);
  json_object_set_new(m, "plan",
                      json_pack("{s:o, s:i, s:i, s:i, s:b}", "steps_mib", steps, "settle_s", 3, "warm_s", 5, "measure_s",
                                s->measure_s, "drift", s->drift));
  if (s->added)
    json_object_set_new(json_object_get(m, "plan"), "precision", json_real(0.03));
  if (s->passes > 1)
    json_object_set_new(json_object_get(m, "plan"), "passes", json_integer((json_int_t)s->passes));
  return m;
}

static double normal(struct rng *r) {
  return sqrt(-2 * log(1 - rng_unit(r))) * cos(6.283185307179586 * rng_unit(r));
}

/* The world as it goes on from second to second. */
struct world {
  const struct scenario *s;
  int64_t second;
  double cache_gb, wander;
  struct server_sample now;
  struct rng rng;
  struct hist *hist[5], *late;
};

static void sample(struct world *w, struct run_step *step) {
  struct server_sample x = w->now;
  x.at_ns = w->second * NS_PER_S + 1700000;
  if (w->s->absent) {
#define X(name, kind) x.name = ABSENT;
    SERVER_FIELDS(X)
#undef X
    x.at_ns = w->second * NS_PER_S + 1700000;
  }
  run_step_sample(step, &x);
}

static size_t latencies(struct world *w, const struct point *p, double factor, int64_t n, struct load_second *l,
                        struct hist_record_row **row) {
  size_t nrow = 0, cap = 0;
  *row = NULL;
  for (int64_t i = 0; i < n; i++) {
    int type = (int)rng_range(&w->rng, 0, 99);
    type = type < 45 ? 0 : type < 88 ? 1 : type < 92 ? 2 : type < 96 ? 3 : 4;
    double ms =
        p->hit_ms * (0.4 + 0.6 * exp(0.5 * normal(&w->rng))) + p->reads_per_tx * p->read_ms * exp(0.6 * normal(&w->rng) - 0.18);
    hist_record(w->hist[type], llround(ms * factor * exp(w->wander) * 1e6));
    l->by_type[type]++;
  }
  for (int64_t i = 0; i < n; i++)
    hist_record(w->late, llround(80e3 * exp(0.4 * normal(&w->rng))));
  for (int what = HIST_RESPONSE; what <= HIST_SERVICE; what++)
    for (int type = 0; type < 5; type++)
      for (uint32_t b = 0; b < HIST_BUCKETS; b++)
        if (w->hist[type]->count[b]) {
          if (nrow == cap)
            *row = xrealloc(*row, cap = cap ? 2 * cap : 256, sizeof **row);
          (*row)[nrow++] =
              (struct hist_record_row){(int32_t)w->second, (uint8_t)type, (uint8_t)what, {b, (uint32_t)w->hist[type]->count[b]}};
        }
  for (uint32_t b = 0; b < HIST_BUCKETS; b++)
    if (w->late->count[b]) {
      if (nrow == cap)
        *row = xrealloc(*row, cap = cap ? 2 * cap : 256, sizeof **row);
      (*row)[nrow++] = (struct hist_record_row){(int32_t)w->second, 0, HIST_LATENESS, {b, (uint32_t)w->late->count[b]}};
    }
  for (int type = 0; type < 5; type++)
    hist_clear(w->hist[type]);
  hist_clear(w->late);
  return nrow;
}

/* One second of users and server. */
static void second(struct world *w, struct run_step *step, const struct point *p, enum phase phase, double factor, double held) {
  w->wander = 0.7 * w->wander + w->s->wander * normal(&w->rng);
  double tx = w->s->tx_s * held;
  int64_t n = phase == PHASE_SETTLE ? 0 : llround(tx + sqrt(tx) * normal(&w->rng));
  n = n < 0 ? 0 : n;
  struct load_second l = {.second = w->second,
                          .phase = phase,
                          .users = 64,
                          .done = n,
                          .rolled_back = n / 200,
                          .late_count = n,
                          .lateness_p50_us = 80,
                          .lateness_p99_us = 260,
                          .lateness_max_us = 900,
                          .client_cpu_ms = n / 50,
                          .host_idle_permille = 610,
                          .host_iowait_permille = 120,
                          .host_steal_permille = 0};
  struct hist_record_row *row;
  size_t nrow = latencies(w, p, factor, n, &l, &row);
  run_step_second(step, &l, row, nrow);
  free(row);
  struct server_sample *x = &w->now;
  int64_t reads = llround((double)n * p->reads_per_tx + (p->reads_per_tx > 0 ? 3 * fabs(normal(&w->rng)) : 0));
  x->data_reads += reads;
  x->data_read_bytes += reads * 8192;
  x->data_read_stall_ms += llround((double)reads * p->read_ms * factor);
  x->page_reads += reads;
  x->page_lookups += n * 60 + 10;
  x->data_writes += n;
  x->data_write_bytes += n * 8192;
  x->log_writes += n;
  x->log_write_bytes += n * 2600;
  x->cpu_ms += n / 2;
  w->cache_gb += (p->gb * 0.93 - w->cache_gb) * (p->gb < w->cache_gb ? 0.9 : 0.3);
  x->database_cache_kb = llround(w->cache_gb * 1048576);
  x->total_memory_kb = llround((w->cache_gb + 0.05 * p->gb) * 1048576);
  x->page_life_expectancy_s = llround(40 + 4000 * w->cache_gb / 128 * exp(-p->reads_per_tx / 3));
  x->data_size_bytes += w->s->grows ? 100 * MIB : 0;
  w->second++;
  sample(w, step);
}

static void step_marks(const struct scenario *s, size_t i, enum step_role role, struct step_facts *f) {
  if (s->saturated_from && (int)i >= s->saturated_from && role == STEP_MEASURED) {
    f->saturated = 1;
    f->rate_reached = s->rate * 0.62;
  }
  f->client_bound = role == STEP_MEASURED && i < 32 && s->busy >> i & 1;
  if (!s->marked || role != STEP_MEASURED)
    return;
  f->client_bound = i % 2 == 1;
  f->steady = i % 3 != 1;
  f->reached = i % 4 != 3;
}

static int one_step(struct world *w, struct run *r, int index, size_t i, enum step_role role, size_t pass, struct cause *c) {
  const struct scenario *s = w->s;
  const struct point *p = &s->point[i];
  struct run_step *step;
  int broken = s->broken && i == s->n - 1 && pass == s->passes - 1 && role == STEP_MEASURED;
  struct step_facts f = {.index = index,
                         .role = role,
                         .setting_mib = llround(p->gb * 1024),
                         .reached_kib = llround(p->gb * 0.98 * 1048576),
                         .reached = 1,
                         .steady = 1,
                         .rate_wanted = s->rate,
                         .rate_reached = s->rate,
                         .digest_requests = 1024,
                         .digest = 0x1234567890abcdef,
                         .row_lock_wait_ms = 210,
                         .incomplete = broken};
  step_marks(s, i, role, &f);
  f.client_bound &= s->passes == 1 || pass == 1;
  double pace = role == STEP_MEASURED ? s->pace[pass] * (s->passes > 1 && f.client_bound ? 4 : 1) : 1;
  double factor = role == STEP_DRIFT ? s->drift_factor : f.saturated ? 40 : pace, held = f.saturated ? 0.62 : 1;
  if (run_step_begin(r, &step, index, f.setting_mib, role, c) != 0)
    return -1;
  int length[PHASES] = {3, 5, s->measure_s};
  if (broken)
    length[PHASE_MEASURE] /= 3;
  for (int ph = 0; ph < PHASES; ph++) {
    if (role == STEP_BURN_IN && ph != PHASE_WARM) {
      f.begin_ns[ph] = f.end_ns[ph] = ABSENT;
      continue;
    }
    f.begin_ns[ph] = w->second * NS_PER_S;
    for (int k = 0; k < length[ph]; k++)
      second(w, step, p, (enum phase)ph, factor * (ph == PHASE_WARM ? 1 + 1.5 * exp(-k) : 1), held);
    f.end_ns[ph] = w->second * NS_PER_S;
  }
  f.sent = (int64_t)(s->tx_s * length[PHASE_MEASURE]);
  f.cache_kib = s->absent ? ABSENT : w->now.database_cache_kb;
  if (s->marked && i == 2)
    run_step_note(step, "other-work", "another program sent 1,200 batches while the step was measured");
  if (s->passes > 1 && pass == 1 && i == 3)
    run_step_note(step, "other-work", "another program was at work");
  if (s->added && i < 2)
    run_step_note(step, "precision", "p95 was to be known better");
  if (s->evil && i == 1)
    run_step_note(step, "evil", "%s", evil_name);
  const double reads = s->tx_s * s->measure_s * p->reads_per_tx;
  const struct wait_row wait[] = {
      {.type = "PAGEIOLATCH_SH", .tasks = llround(reads), .wait_ms = llround(reads * p->read_ms), .signal_ms = 10},
      {.type = "WRITELOG", .tasks = 12000, .wait_ms = 1200, .signal_ms = 20},
      {.type = "LCK_M_X", .tasks = 30, .wait_ms = 210, .signal_ms = 1}};
  return run_step_end(step, &f, wait, s->absent ? 0 : 3, c);
}

static int write_refine(const struct scenario *s, struct run *r, struct cause *c) {
  json_t *added = json_array();
  for (size_t i = 1; i <= s->added; i++)
    json_array_append_new(added, json_pack("{s:I, s:s}", "mib", (json_int_t)llround(s->point[i].gb * 1024), "why", "a test"));
  json_t *j = json_pack("{s:f, s:o, s:s, s:s}", "budget_s", 300.0, "added", added, "state", "done", "end",
                        "the plateau edge is between 60 GB and 64 GB: narrow enough");
  int rc = run_refine(r, j, c);
  json_decref(j);
  return rc;
}

static int write_run(const struct scenario *s, const char *folder, struct cause *c) {
  struct run *r = NULL;
  json_t *meta = meta_of(s);
  struct world w = {
      .s = s, .rng = rng_at(1, 2, 3), .cache_gb = s->point[0].gb * 0.5, .now = {.schedulers = 8, .start_ticks = 1000, .data_size_bytes = 200 * GIB}};
  w.late = hist_new();
  for (int type = 0; type < 5; type++)
    w.hist[type] = hist_new();
  int rc = run_create(&r, folder, meta, c), index = 1;
  if (rc == 0)
    rc = one_step(&w, r, 0 + index++, 0, STEP_BURN_IN, 0, c);
  for (size_t pass = 0; pass < s->passes; pass++)
    for (size_t i = 0; rc == 0 && i < s->n; i++)
      if (i == 0 || i > s->added)
        rc = one_step(&w, r, index++, i, STEP_MEASURED, pass, c);
  if (rc == 0 && s->added)
    rc = write_refine(s, r, c);
  for (size_t i = 1; rc == 0 && i <= s->added; i++)
    rc = one_step(&w, r, index++, i, STEP_MEASURED, 0, c);
  if (rc == 0 && s->drift && !s->broken)
    rc = one_step(&w, r, index++, 0, STEP_DRIFT, 0, c);
  if (rc == 0 && !s->broken)
    rc = run_end(r, 0, 1, NULL, c);
  for (int type = 0; type < 5; type++)
    free(w.hist[type]);
  free(w.late);
  run_close(r);
  json_decref(meta);
  return rc;
}

int main(int argc, char **argv) {
  struct cause c;
  struct scenario s = scenario_of(argc == 3 ? argv[1] : "");
  if (s.n == 0) {
    fprintf(stderr, "usage: make-run knee|flat|drift|incomplete|saturated|absent|one|many|huge|micro|marked|busy|busier|evil|real|"
                    "refined|shoulders|rising|full|grown|noisy|passes|busypass|apart|alike|halfway|short FOLDER\n");
    return 1;
  }
  if (write_run(&s, argv[2], &c) != 0) {
    fprintf(stderr, "make-run: %s\n", c.text);
    return 1;
  }
  return 0;
}
