#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void words_label(struct account *f) {
  const char *label = meta_text(f->run->meta, "label");
  if (!label)
    return;
  struct sentences s = {0};
  sentence_add(&s, NULL, "%s", label);
  f->label = xstrdup(s.item[0].text);
  sentences_free(&s);
}

/* ---- facts ---- */

static void fact(struct account *f, const char *name, struct text *value) {
  if (value->len > 0)
    sentence_add(&f->facts, value->s, "%s", name);
  text_clear(value);
}

/* Add "SEPARATOR FORMAT" of a text member that is there. */
static void add_text(struct text *t, const json_t *j, const char *path, const char *fmt) {
  const char *s = meta_text(j, path);
  if (!s)
    return;
  if (t->len > 0)
    text_add(t, ", ");
  text_addf(t, fmt, s);
}

static void add_number(struct text *t, const json_t *j, const char *path, const char *fmt) {
  double v = meta_number(j, path);
  char buf[40];
  if (!isfinite(v))
    return;
  if (t->len > 0)
    text_add(t, ", ");
  if (v == floor(v) && fabs(v) < 1e15)
    count_text((int64_t)v, buf, sizeof buf);
  else
    snprintf(buf, sizeof buf, "%.4g", v);
  text_addf(t, fmt, buf);
}

static void add_size(struct text *t, const json_t *j, const char *path, double factor, const char *fmt) {
  double v = meta_number(j, path) * factor;
  char buf[40];
  if (!isfinite(v) || v < 1 || v > 1e18)
    return;
  if (t->len > 0)
    text_add(t, ", ");
  text_addf(t, fmt, size_text((int64_t)v, buf, sizeof buf));
}

static void demand_fact(struct text *t, const json_t *m) {
  double rate = meta_number(m, "demand.rate"), think = meta_number(m, "demand.think_s");
  char buf[40];
  if (rate > 0)
    text_addf(t, "%s tx/s (Poisson arrivals)", figure_text(rate, buf, sizeof buf));
  add_number(t, m, "demand.users", rate > 0 ? "at most %s users" : "%s users");
  if (!(rate > 0) && isfinite(think) && think >= 0)
    text_addf(t, think > 0 ? ", mean think time %s" : ", no think time", duration_text((int64_t)(think * 1e9), buf, sizeof buf));
}

void words_facts(struct account *f) {
  const json_t *m = f->run->meta;
  struct text t = {0};
  add_text(&t, m, "started", "started %s");
  add_text(&t, m, "program", "ramknee %s");
  add_number(&t, m, "demand.seed", "seed %s");
  fact(f, "Run", &t);
  add_text(&t, m, "server.name", "%s");
  add_text(&t, m, "server.version", "%s");
  add_text(&t, m, "server.edition", "%s");
  add_size(&t, m, "server.physical_memory_mib", (double)MIB, "%s of memory");
  fact(f, "Server", &t);
  add_text(&t, m, "database.name", "%s");
  add_text(&t, m, "database.mix", "mix %s");
  add_number(&t, m, "database.scale", "scale %s");
  add_number(&t, m, "database.density", "density %s");
  add_size(&t, m, "database.data_bytes", 1, "%s of data");
  if (meta_at(m, "database.stationary"))
    text_addf(&t, "%s%s", t.len ? ", " : "", meta_true(m, "database.stationary") ? "stationary" : "growing");
  fact(f, "Data", &t);
  demand_fact(&t, m);
  fact(f, "Demand", &t);
  /* Of a measured point, and of points that were joined. */
  add_size(&t, m, "memory.mib", (double)MIB, "%s");
  add_text(&t, m, "memory.from", "from %s");
  fact(f, "Memory", &t);
  add_text(&t, m, "points", "%s");
  fact(f, "Points", &t);
  text_free(&t);
}

/* ---- verdicts ---- */

static const struct figures *row_of(const struct account *f, double mib) {
  for (size_t i = 0; i < f->rows.nstep; i++)
    if (fabs(f->rows.row[i].memory_gb * 1024 - mib) < 0.5)
      return &f->rows.row[i];
  return NULL;
}

static char *agree_text(const struct bracket *b, char *buf, size_t size) {
  if (!isfinite(b->confidence))
    buf[0] = '\0';
  else if (isfinite(b->near) && b->confidence < 0.795 && b->near > b->confidence)
    snprintf(buf, size, " (%.0f %% of the resamples agree, %.0f %% within a step)", 100 * b->confidence, 100 * b->near);
  else
    snprintf(buf, size, " (%.0f %% of the resamples agree)", 100 * b->confidence);
  return buf;
}

/* What to add where less than half of the resamples agree. */
static const char *doubt(const struct bracket *b) {
  return b->confidence < 0.5 ? "; too uncertain to plan by: measure longer, or on quieter machines" : "";
}

static void plateau_words(struct account *f, const struct verdict *v) {
  const char *top = f->rows.row[0].memory, *low = f->rows.row[f->rows.nstep - 1].memory;
  char a[24], b[24], agree[96], gain[24], lo[24], hi[24], tolerance[24];
  snprintf(tolerance, sizeof tolerance, "%.3g %%", 100 * f->options.tolerance);
  percent_text(v->top_gain, gain, sizeof gain);
  percent_text(v->top_gain_lo, lo, sizeof lo);
  percent_text(v->top_gain_hi, hi, sizeof hi);
  switch (v->plateau) {
  case PLATEAU_FLAT:
    sentence_add(&f->verdicts, NULL,
                 "Flat: down to %s the p95 latency stays within %s of that at %s, or moves by no more than its noise: this "
                 "workload gets by with %s, and less was not tried.",
                 low, tolerance, top, low);
    break;
  case PLATEAU_EDGE:
    memory_text(v->edge.a_mib, a, sizeof a);
    memory_text(v->edge.b_mib, b, sizeof b);
    if (strcmp(b, top) == 0)
      sentence_add(&f->verdicts, NULL,
                   "Plateau edge between %s and %s%s: no smaller step stays within %s of the p95 latency at %s%s.", a, b,
                   agree_text(&v->edge, agree, sizeof agree), tolerance, top, doubt(&v->edge));
    else
      sentence_add(&f->verdicts, NULL,
                   "Plateau edge between %s and %s%s: down to %s the p95 latency stays within %s of that at %s, at %s it does "
                   "not%s.",
                   a, b, agree_text(&v->edge, agree, sizeof agree), b, tolerance, top, a, doubt(&v->edge));
    break;
  case PLATEAU_NOT_REACHED:
    sentence_add(&f->verdicts, NULL,
                 "Plateau not reached: at the top the p95 latency still gains %s with each doubling (95 %% interval %s to %s): "
                 "more memory than %s would help.",
                 gain, lo, hi, top);
    break;
  case PLATEAU_UNSURE:
    if (v->edge.found) {
      memory_text(v->edge.b_mib, b, sizeof b);
      sentence_add(&f->verdicts, NULL,
                   "Plateau unsure: down to %s the p95 latency stays within %s of that at %s, but whether that is level is not proved (at the "
                   "top %s a doubling, 95 %% interval %s to %s): measure longer, or add larger steps.",
                   b, tolerance, top, gain, lo, hi);
      break;
    }
    sentence_add(&f->verdicts, NULL,
                 "Plateau unsure: no smaller step stays within %s of the p95 latency at %s, and whether more memory would help "
                 "is not proved (%s a doubling, 95 %% interval %s to %s): measure longer, or add larger steps.",
                 tolerance, top, gain, lo, hi);
    break;
  }
}

static void knee_words(struct account *f, const struct bracket *k, const char *name) {
  char a[24], b[24], agree[96], above[40], below[40];
  const struct figures *low = row_of(f, k->a_mib);
  memory_text(k->a_mib, a, sizeof a);
  memory_text(k->b_mib, b, sizeof b);
  sentence_add(&f->verdicts, NULL,
               "%s between %s and %s%s: halving the memory down to %s costs %s of p95 latency, halving it once more %s%s%s.",
               name, a, b, agree_text(k, agree, sizeof agree), b, percent_text(k->lost_above, above, sizeof above),
               low && low->marks & MARK_SATURATED ? "at least " : "", percent_text(k->lost_below, below, sizeof below), doubt(k));
}

static void within_words(struct account *f) {
  struct text t = {0};
  char likely[24], sure[24];
  for (int w = 0; w < WITHIN; w++) {
    const struct slo_answer *s = &f->within[w];
    if (!isfinite(s->likely_mib))
      continue;
    text_addf(&t, "%s%.0f %%: %s", t.len ? "; " : "", 100 * within_more[w], memory_text(s->likely_mib, likely, sizeof likely));
    if (isfinite(s->sure_mib) && s->sure_mib > s->likely_mib)
      text_addf(&t, ", %s to be sure", memory_text(s->sure_mib, sure, sizeof sure));
  }
  if (t.len > 0)
    sentence_add(&f->verdicts, NULL, "The smallest measured memory, if p95 may exceed that at %s by so much: %s.",
                 f->rows.row[0].memory, t.s);
  text_free(&t);
}

/* How much of the rise of the mean latency are read stalls, how much row locks? */
static void explain_words(struct account *f, const struct figures *top, const struct figures *low) {
  double rise = low->ms[MS_MEAN].value - top->ms[MS_MEAN].value;
  double stall = low->read_stall_ms_per_tx - top->read_stall_ms_per_tx, lock = low->row_lock_ms_per_tx - top->row_lock_ms_per_tx;
  char b1[24], b2[24], locks[80] = "";
  /* Of a growing queue the reads are only the beginning. */
  if (low->marks & MARK_SATURATED || !(rise > f->options.tolerance * top->ms[MS_MEAN].value) || !isfinite(stall))
    return;
  if (isfinite(lock))
    snprintf(locks, sizeof locks, ", waits for row locks for %.0f %%", 100 * fmax(0, lock) / rise);
  sentence_add(&f->verdicts, NULL,
               "Of the rise of the mean latency from %s to %s, %s ms a transaction, read stalls account for %s ms (%.0f %%%s)%s.",
               top->memory, low->memory, figure_text(rise, b1, sizeof b1), figure_text(stall, b2, sizeof b2), 100 * stall / rise,
               stall > 1.05 * rise ? ": reads overlap" : "", locks);
}

static int compare_waits(const void *a, const void *b) {
  const struct wait_row *x = *(const struct wait_row *const *)a, *y = *(const struct wait_row *const *)b;
  return x->wait_ms != y->wait_ms ? (x->wait_ms < y->wait_ms) - (x->wait_ms > y->wait_ms) : strcmp(x->type, y->type);
}

/* What the smallest step waits for most: at most three types that make a tenth of all waits or more. */
static void waits_words(struct account *f, const struct figures *low) {
  size_t n = low->step->nwait;
  const struct wait_row **w = xcalloc(n, sizeof *w);
  double all = 0;
  struct text t = {0};
  for (size_t i = 0; i < n; i++) {
    w[i] = &low->step->wait[i];
    all += w[i]->wait_ms > 0 ? (double)w[i]->wait_ms : 0;
  }
  if (n > 0)
    qsort(w, n, sizeof *w, compare_waits);
  for (size_t i = 0; i < n && i < 3 && low->done > 0 && all > 0 && (double)w[i]->wait_ms >= 0.1 * all; i++) {
    char ms[24];
    text_addf(&t, "%s%s %s ms", t.len ? ", " : "", w[i]->type, figure_text((double)w[i]->wait_ms / low->done, ms, sizeof ms));
  }
  if (t.len > 0)
    sentence_add(&f->verdicts, NULL, "Longest waits of the server at %s, a transaction: %s.", low->memory, t.s);
  text_free(&t);
  free(w);
}

static void storage_words(struct account *f, const struct figures *top, const struct figures *low) {
  char b1[24], b2[24], b3[24], b4[24], b5[24], b6[24];
  if (!isfinite(top->read_mb_s.value) || !isfinite(low->read_mb_s.value))
    return;
  struct text t = {0};
  text_addf(&t, "Storage delivers %s MB/s of reads at %s and %s MB/s at %s", figure_text(top->read_mb_s.value, b1, sizeof b1),
            top->memory, figure_text(low->read_mb_s.value, b2, sizeof b2), low->memory);
  if (isfinite(top->reads_per_tx.value) && isfinite(low->reads_per_tx.value))
    text_addf(&t, ", %s and %s reads a transaction", figure_text(top->reads_per_tx.value, b3, sizeof b3),
              figure_text(low->reads_per_tx.value, b4, sizeof b4));
  if (isfinite(top->read_ms) && isfinite(low->read_ms))
    text_addf(&t, "; a read takes %s and %s ms", figure_text(top->read_ms, b5, sizeof b5),
              figure_text(low->read_ms, b6, sizeof b6));
  sentence_add(&f->verdicts, NULL, "%s.", t.s);
  text_free(&t);
}

static void throughput_words(struct account *f, const struct figures *top, const struct figures *low) {
  double lo = INFINITY, hi = 0, tolerance = f->options.tolerance;
  char b1[24], b2[24], p[24];
  for (size_t i = 0; i < f->rows.nstep; i++) {
    lo = fmin(lo, f->rows.row[i].tx_s.value);
    hi = fmax(hi, f->rows.row[i].tx_s.value);
  }
  if (!(top->tx_s.value > 0) || !isfinite(low->tx_s.value))
    return;
  double change = low->tx_s.value / top->tx_s.value - 1;
  if (hi <= (1 + 2 * tolerance) * lo)
    sentence_add(&f->verdicts, NULL, "Throughput stays at %s to %s tx/s: the same demand was held at each step.",
                 figure_text(lo, b1, sizeof b1), figure_text(hi, b2, sizeof b2));
  else if (change > -tolerance)
    sentence_add(&f->verdicts, NULL,
                 "Throughput moves between %s and %s tx/s, not with memory: the demand was not the same at each step, so the "
                 "latencies compare badly.",
                 figure_text(lo, b1, sizeof b1), figure_text(hi, b2, sizeof b2));
  else
    sentence_add(&f->verdicts, NULL, "Throughput from %s to %s: %s to %s tx/s (%s)%s.", top->memory, low->memory,
                 figure_text(top->tx_s.value, b1, sizeof b1), figure_text(low->tx_s.value, b2, sizeof b2),
                 percent_text(change, p, sizeof p),
                 meta_number(f->run->meta, "demand.rate") > 0
                     ? ""
                     : "; the users wait for their answers, so slower answers mean fewer requests, and at a fixed rate of "
                       "arrivals latency would rise more");
}

static void drift_words(struct account *f) {
  const struct figures *again = NULL, *first = NULL;
  for (size_t i = f->rows.nstep; i < f->rows.n; i++)
    if (f->rows.row[i].kind == ROW_AGAIN)
      again = &f->rows.row[i];
  if (again)
    first = row_of(f, again->memory_gb * 1024);
  if (!again || !first || !isfinite(f->drift.value))
    return;
  char b1[24], b2[24], p[24], lo[24], hi[24], interval[80] = "";
  if (isfinite(f->drift.lo))
    snprintf(interval, sizeof interval, ", 95 %% interval %s to %s", percent_text(f->drift.lo, lo, sizeof lo),
             percent_text(f->drift.hi, hi, sizeof hi));
  sentence_add(&f->verdicts, NULL, "Drift: %s measured again at the end gives a p95 latency of %s ms after %s ms (%s%s): %s.",
               again->memory, figure_text(again->ms[MS_P95].value, b1, sizeof b1),
               figure_text(first->ms[MS_P95].value, b2, sizeof b2), percent_text(f->drift.value, p, sizeof p), interval,
               f->drifting                                    ? "the sweep is drifting"
               : fabs(f->drift.value) <= f->options.tolerance ? "within the tolerance"
                                                              : "not proved");
}

void words_verdicts(struct account *f) {
  if (f->rows.nstep == 0) {
    sentence_add(&f->verdicts, NULL, "No step was measured whole, so there is nothing to judge.");
    return;
  }
  const struct figures *top = &f->rows.row[0], *low = &f->rows.row[f->rows.nstep - 1];
  const struct verdict *v = &f->verdict[JUDGED_P95];
  if (!v->ok)
    sentence_add(&f->verdicts, NULL, "No verdict: %s.",
                 f->rows.nstep < 3 ? "a bend needs at least three whole steps" : "not every step has a latency to judge by");
  else {
    plateau_words(f, v);
    if (v->knee.found)
      knee_words(f, &v->knee, "Knee");
    else if (v->below_knee)
      sentence_add(&f->verdicts, NULL, "No knee: all of these steps lie below it; try larger ones.");
    else if (v->plateau != PLATEAU_FLAT)
      sentence_add(&f->verdicts, NULL, "No knee: the p95 latency has no corner that stands out of its noise.");
    if (v->knee2.found)
      knee_words(f, &v->knee2, "A second shoulder");
    if (v->plateau != PLATEAU_FLAT)
      within_words(f);
  }
  words_refined(f);
  if (low != top) {
    storage_words(f, top, low);
    explain_words(f, top, low);
    waits_words(f, low);
    throughput_words(f, top, low);
  }
  drift_words(f);
}
