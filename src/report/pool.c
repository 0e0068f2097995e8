#include "config.h"

#include "report/pool.h"
#include "report/moderate.h"
#include "report/resample.h"
#include "analysis/visits.h"
#include "base/random.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The visits that a row rests on: itself when it was measured once. */
static size_t members(struct figures *row, struct figures **m) {
  size_t k = 0;
  if (row->nvisit == 0)
    m[k++] = row;
  for (size_t i = 0; i < row->nvisit; i++)
    if (!figures_leave_out(row, &row->visit[i]))
      m[k++] = &row->visit[i];
  return k;
}

/* ---- the records of several visits as one ---- */

static void add_wait(struct step_data *to, const struct wait_row *w) {
  for (size_t i = 0; i < to->nwait; i++) {
    struct wait_row *own = &to->wait[i];
    if (strcmp(own->type, w->type) != 0)
      continue;
    own->tasks = own->tasks == ABSENT || w->tasks == ABSENT ? ABSENT : own->tasks + w->tasks;
    own->wait_ms = own->wait_ms == ABSENT || w->wait_ms == ABSENT ? ABSENT : own->wait_ms + w->wait_ms;
    own->signal_ms = own->signal_ms == ABSENT || w->signal_ms == ABSENT ? ABSENT : own->signal_ms + w->signal_ms;
    return;
  }
  to->wait = xrealloc(to->wait, to->nwait + 1, sizeof *to->wait);
  to->wait[to->nwait++] = *w;
}

static void add_step(struct step_data *to, const struct step_data *st) {
  to->second = xrealloc(to->second, to->nsecond + st->nsecond, sizeof *to->second);
  to->hist = xrealloc(to->hist, to->nhist + st->nhist, sizeof *to->hist);
  struct seconds x;
  seconds_index(&x, st);
  for (size_t i = 0; i < st->nsecond; i++)
    if (figures_measured(st, &st->second[i]))
      to->second[to->nsecond++] = st->second[i];
  for (size_t i = 0; i < st->nhist; i++)
    if (seconds_slot(&x, st->hist[i].second) >= 0)
      to->hist[to->nhist++] = st->hist[i];
  free(x.slot);
  for (size_t i = 0; i < st->nwait; i++)
    add_wait(to, &st->wait[i]);
}

/* Facts of the first, but for what has to be added up; texts are borrowed. */
static void pool_records(struct step_data *to, struct figures *const *v, size_t k) {
  *to = (struct step_data){.name = v[0]->step->name, .facts = v[0]->step->facts};
  struct step_facts *f = &to->facts;
  f->rate_reached = 0;
  for (size_t i = 0; i < k; i++) {
    const struct step_facts *g = &v[i]->step->facts;
    add_step(to, v[i]->step);
    if (g->end_ns[PHASE_MEASURE] > f->end_ns[PHASE_MEASURE])
      f->end_ns[PHASE_MEASURE] = g->end_ns[PHASE_MEASURE];
    f->rate_reached += g->rate_reached / (double)k;
    if (i == 0)
      continue;
    f->sent = f->sent == ABSENT || g->sent == ABSENT ? ABSENT : f->sent + g->sent;
    f->row_lock_wait_ms = f->row_lock_wait_ms == ABSENT || g->row_lock_wait_ms == ABSENT ? ABSENT : f->row_lock_wait_ms + g->row_lock_wait_ms;
  }
}

/* ---- figures ---- */

enum weight { BY_SECONDS, BY_TRANSACTIONS, BY_READS };

static double weight_of(const struct figures *f, enum weight by) {
  return by == BY_SECONDS ? (double)f->nsecond : by == BY_TRANSACTIONS ? f->done : f->reads_s * (double)f->nsecond;
}

#define F(field) offsetof(struct figures, field)
static const struct {
  size_t offset;
  enum weight by;
} averaged[] = {{F(reached_gb), BY_SECONDS},
                {F(cache_gb), BY_SECONDS},
                {F(read_mb_s.value), BY_SECONDS},
                {F(reads_s), BY_SECONDS},
                {F(write_mb_s), BY_SECONDS},
                {F(log_write_mb_s), BY_SECONDS},
                {F(hit_ratio), BY_SECONDS},
                {F(page_life_s), BY_SECONDS},
                {F(cpu), BY_SECONDS},
                {F(read_ms), BY_READS},
                {F(reads_per_tx.value), BY_TRANSACTIONS},
                {F(read_stall_ms_per_tx), BY_TRANSACTIONS},
                {F(row_lock_ms_per_tx), BY_TRANSACTIONS}};

static double average(struct figures *const *v, size_t k, size_t offset, enum weight by) {
  double sum = 0, weights = 0;
  for (size_t i = 0; i < k; i++) {
    double x, w = weight_of(v[i], by);
    memcpy(&x, (const char *)v[i] + offset, sizeof x);
    if (!isfinite(x) || !(w > 0))
      continue;
    sum += w * x;
    weights += w;
  }
  return weights > 0 ? sum / weights : NAN;
}

static void pool_figures(struct figures *f, const struct step_data *records, struct figures *const *v, size_t k) {
  f->step = records;
  f->kind = ROW_STEP;
  memcpy(f->memory, v[0]->memory, sizeof f->memory);
  f->memory_gb = v[0]->memory_gb;
  f->begin_s = v[0]->begin_s;
  f->end_s = v[k - 1]->end_s;
  figures_users(f);
  for (size_t i = 0; i < sizeof averaged / sizeof *averaged; i++) {
    double x = average(v, k, averaged[i].offset, averaged[i].by);
    memcpy((char *)f + averaged[i].offset, &x, sizeof x);
  }
  for (int p = 0; p < PRESSURES; p++)
    f->wait_ms_per_tx[p] = average(v, k, F(wait_ms_per_tx) + (size_t)p * sizeof(double), BY_TRANSACTIONS);
  for (size_t i = 0; i < k; i++) {
    f->marks |= v[i]->marks;
    f->grants_pending = isnan(f->grants_pending) ? v[i]->grants_pending : fmax(f->grants_pending, v[i]->grants_pending);
  }
}

/* ---- errors ---- */

/* What one visit says of a quantity; 0: nothing. */
static int visit_of(struct visit *v, struct figures *f, size_t step, int which) {
  struct quantity q = quantity_of(f, which);
  if (!(q.e->value > 0) || !isfinite(q.e->value))
    return 0;
  *v = (struct visit){step, log(q.e->value), q.v->se_log, q.v->df};
  return 1;
}

static void set_error(struct figures *f, int which, struct visits_error e, uint64_t seed) {
  struct quantity q = quantity_of(f, which);
  double half = stats_t(0.975, e.df) * e.se;
  if (!(q.e->value > 0) || !isfinite(half))
    return;
  *q.e = (struct estimate){q.e->value, q.e->value * exp(-half), q.e->value * exp(half)};
  *q.v = (struct stats_value){*q.e, e.se, e.df};
  if (which == MS_P90 || which == MS_P999 || which == MS_MAX)
    return; /* no verdict asks for replicates */
  free(*q.draw);
  f->ndraw = RESAMPLE_DRAWS;
  *q.draw = xcalloc(f->ndraw, sizeof(double));
  for (size_t d = 0; d < f->ndraw; d++) {
    struct rng r = rng_at(seed, (uint64_t)f->step->facts.index, d);
    (*q.draw)[d] = q.e->value * exp(half / stats_t(0.975, INFINITY) * stats_normal(&r));
  }
}

static void pool_errors(struct figures_list *l, int which, uint64_t seed) {
  size_t most = l->n + l->nvisit, n = 0;
  struct visit *v = xcalloc(most, sizeof *v), *own = xcalloc(most, sizeof *own);
  struct figures **m = xcalloc(most, sizeof(struct figures *));
  for (size_t i = 0; i < l->n && l->row[i].kind == ROW_STEP; i++) {
    size_t k = members(&l->row[i], m);
    for (size_t j = 0; j < k; j++)
      n += (size_t)visit_of(&v[n], m[j], i, which);
  }
  struct visits_spread s = visits_spread(v, n);
  if (which == MS_P95 && s.known && !s.absolute)
    l->spread = s.scale;
  for (size_t i = 0; s.known && i < l->n; i++) {
    if (l->row[i].kind == ROW_BROKEN)
      continue;
    size_t k = members(&l->row[i], m), known = 0;
    for (size_t j = 0; j < k; j++)
      known += (size_t)visit_of(&own[known], m[j], i, which);
    if (known > 0)
      set_error(&l->row[i], which, visits_error(&s, own, known), seed);
  }
  free(v);
  free(own);
  free(m);
}

/* ---- rows ---- */

static int same_memory(const struct figures *a, const struct figures *b) {
  return a->kind == ROW_STEP && b->kind == ROW_STEP && a->memory_gb == b->memory_gb;
}

/* How many rows from row[i] on are visits of one step. */
static size_t run_length(const struct figures_list *l, size_t i) {
  size_t k = 1;
  while (i + k < l->n && same_memory(&l->row[i], &l->row[i + k]))
    k++;
  return k;
}

static void pool_row(struct figures *row, struct step_data *records, struct figures *visit, size_t k) {
  struct figures **use = xcalloc(k, sizeof(struct figures *));
  size_t busy = 0;
  for (size_t i = 0; i < k; i++)
    busy += (visit[i].marks & MARK_CLIENT_BOUND) != 0;
  figures_blank(row);
  row->visit = visit;
  row->nvisit = k;
  row->nleft_out = busy < k ? busy : 0;
  size_t n = members(row, use);
  pool_records(records, use, n);
  pool_figures(row, records, use, n);
  free(use);
}

void pool_visits(struct figures_list *l, uint64_t seed) {
  size_t repeated = 0, groups = 0, n = 0;
  l->spread = NAN;
  for (size_t i = 0, k; i < l->n; i += k) {
    k = run_length(l, i);
    repeated += k > 1 ? k : 0;
    groups += k > 1;
  }
  if (repeated == 0)
    return;
  l->visit = xcalloc(repeated, sizeof *l->visit);
  l->pooled = xcalloc(groups, sizeof *l->pooled);
  struct figures *row = xcalloc(l->n, sizeof *row);
  for (size_t i = 0, k; i < l->n; i += k) {
    k = run_length(l, i);
    if (k > 1) {
      struct figures *visit = &l->visit[l->nvisit];
      memcpy(visit, &l->row[i], k * sizeof *visit);
      l->nvisit += k;
      pool_row(&row[n++], &l->pooled[l->npooled++], visit, k);
    } else
      row[n++] = l->row[i];
  }
  free(l->row);
  l->row = row;
  l->n = n;
  for (int which = 0; which < QUANTITIES; which++)
    pool_errors(l, which, mix64(seed ^ mix64((uint64_t)which + 1)));
}
