/* Why a step is slower than another: reads, locks, waits, throughput; and whether the data stayed as they were. */
#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STANDS_OUT 0.2 /* a kind of wait that makes so much of the mean latency */
#define BUSY 0.8       /* processors of the server in use */
#define GREW 0.02      /* of the data: as much as a mix may grow without being stationary */

/* ---- the rise ---- */

/* The largest and the smallest step of the verdict, for what is said about the rise of latency; the same where there is one memory only. */
static void ends(const struct account *f, const struct figures **top, const struct figures **low) {
  *top = *low = NULL;
  for (size_t i = 0; i < f->rows.nstep; i++) {
    const struct figures *r = &f->rows.row[i];
    if (account_leaves_out(f, r))
      continue;
    if (!*top)
      *top = *low = r;
    if (strcmp(r->memory, (*top)->memory) != 0)
      *low = r;
  }
  if (!*top)
    *top = *low = &f->rows.row[0];
}

/* How much of the rise of the mean latency are read stalls, how much row locks?  They can overlap, with each other too: who waits for a
 * lock waits for the reads of its holder. */
static void explain_words(struct account *f, const struct figures *top, const struct figures *low) {
  double rise = low->ms[MS_MEAN].value - top->ms[MS_MEAN].value;
  double stall = low->read_stall_ms_per_tx - top->read_stall_ms_per_tx, lock = low->row_lock_ms_per_tx - top->row_lock_ms_per_tx;
  char b1[24], b2[24], b3[24];
  /* Of a growing queue the reads are only the beginning. */
  if (low->marks & MARK_SATURATED || !(rise > f->options.tolerance * top->ms[MS_MEAN].value) || !isfinite(stall))
    return;
  struct text t = {0};
  lock = isfinite(lock) ? fmax(0, lock) : lock;
  stall = fmax(0, stall);
  text_addf(&t, "Of the rise of the mean latency from %s to %s, %s ms a transaction, read stalls account for ", top->memory,
            low->memory, figure_text(rise, b1, sizeof b1));
  if (stall + (isfinite(lock) ? lock : 0) <= 1.005 * rise) {
    text_addf(&t, "%s ms (%.0f %%)", figure_text(stall, b2, sizeof b2), 100 * stall / rise);
    if (lock > 0.005 * rise)
      text_addf(&t, " and waits for row locks for %s ms (%.0f %%)", figure_text(lock, b3, sizeof b3), 100 * lock / rise);
    else if (isfinite(lock))
      text_add(&t, ", waits for row locks for next to nothing");
  } else if (isfinite(lock) && lock > 0.005 * rise)
    text_addf(&t, "%s ms and waits for row locks for %s ms: together more than all of it, since they overlap",
              figure_text(stall, b2, sizeof b2), figure_text(lock, b3, sizeof b3));
  else
    text_addf(&t, "%s ms: more than all of it, since reads overlap", figure_text(stall, b2, sizeof b2));
  double rest = 100 - round(100 * stall / rise) - (isfinite(lock) ? round(100 * lock / rise) : 0);
  if (rest > 20)
    text_addf(&t, "; the other %.0f %% are neither", rest);
  sentence_add(&f->verdicts, NULL, "%s.", t.s);
  text_free(&t);
}

/* ---- pressure ---- */

unsigned words_pressures(const struct figures *r) {
  unsigned kinds = 0;
  for (int k = 0; k < PRESSURES; k++)
    if (r->wait_ms_per_tx[k] >= STANDS_OUT * r->ms[MS_MEAN].value)
      kinds |= 1u << k;
  if (r->cpu >= BUSY)
    kinds |= 1u << PRESSURE_CPU;
  if (r->grants_pending > 0)
    kinds |= 1u << PRESSURE_GRANTS;
  return kinds;
}

/* "reads (38 % of the mean latency)", "reads (38 to 62 % ...)": over the rows from..to, all of the same kinds. */
static void kinds_text(struct text *t, const struct account *f, size_t from, size_t to, unsigned kinds) {
  static const char *const name[PRESSURES] = {
      [PRESSURE_READS] = "reads from data files", [PRESSURE_GRANTS] = "memory grants", [PRESSURE_CPU] = "processors",
      [PRESSURE_LOG] = "the log",                 [PRESSURE_LOCKS] = "locks",          [PRESSURE_LATCHES] = "latches",
      [PRESSURE_THREADS] = "worker threads",      [PRESSURE_CLIENT] = "the client"};
  int n = 0;
  for (int k = 0; k < PRESSURES; k++) {
    double lo = INFINITY, hi = 0;
    if (!(kinds >> k & 1))
      continue;
    for (size_t i = from; i <= to; i++) {
      const struct figures *r = &f->rows.row[i];
      double share = fmin(1, r->wait_ms_per_tx[k] / r->ms[MS_MEAN].value);
      lo = fmin(lo, share);
      hi = fmax(hi, share);
    }
    text_addf(t, "%s%s", n++ ? ", " : "", name[k]);
    if (lo >= 0.005 && hi - lo < 0.01)
      text_addf(t, " (%.0f %%)", 100 * hi);
    else if (hi >= 0.005 && isfinite(lo))
      text_addf(t, " (%.0f to %.0f %%)", 100 * lo, 100 * hi);
    else
      text_add(t, k == PRESSURE_CPU ? " (they are busy)" : " (some queries waited)");
  }
  if (n == 0)
    text_add(t, "nothing that stands out");
}

static int knows_waits(const struct figures *r) {
  for (int k = 0; k < PRESSURES; k++)
    if (isfinite(r->wait_ms_per_tx[k]) && r->ms[MS_MEAN].value > 0)
      return 1;
  return 0;
}

/* Most of a latency with a growing queue is the queue: no share of it says anything. */
#define IN_QUEUE (1u << 31)

static unsigned pressures_or_queue(const struct figures *r) {
  return r->marks & MARK_SATURATED ? IN_QUEUE : words_pressures(r);
}

/* Each step's kind of pressure; neighbours of the same kinds in one go. */
static void pressure_words(struct account *f) {
  struct text t = {0};
  for (size_t i = 0; i < f->rows.nstep; i++) {
    unsigned kinds = pressures_or_queue(&f->rows.row[i]);
    size_t to = i;
    if (!knows_waits(&f->rows.row[i]))
      continue;
    while (to + 1 < f->rows.nstep && knows_waits(&f->rows.row[to + 1]) && pressures_or_queue(&f->rows.row[to + 1]) == kinds)
      to++;
    int several = strcmp(f->rows.row[to].memory, f->rows.row[i].memory) != 0;
    text_addf(&t, "%s%s %s", t.len ? "; " : "", several ? "from" : "at", f->rows.row[i].memory);
    if (several)
      text_addf(&t, " to %s", f->rows.row[to].memory);
    text_add(&t, " ");
    if (kinds == IN_QUEUE)
      text_add(&t, "the queue (the rate was not held)");
    else
      kinds_text(&t, f, i, to, kinds);
    i = to;
  }
  if (t.len > 0)
    sentence_add(&f->verdicts, NULL,
                 "Pressure, what transactions wait for (kinds that make a fifth of the mean latency or more, and their shares): %s.",
                 t.s);
  text_free(&t);
}

static int compare_waits(const void *a, const void *b) {
  const struct wait_row *x = *(const struct wait_row *const *)a, *y = *(const struct wait_row *const *)b;
  return x->wait_ms != y->wait_ms ? (x->wait_ms < y->wait_ms) - (x->wait_ms > y->wait_ms) : strcmp(x->type, y->type);
}

/* What the smallest step waits for most: at most three types that make a tenth of all waits or more.  Where nobody counted transactions,
 * by the second. */
static void waits_words(struct account *f, const struct figures *low) {
  size_t n = low->step->nwait;
  const struct wait_row **w = xcalloc(n, sizeof *w);
  double all = 0;
  struct text t = {0};
  int counted = low->done > 0;
  double per = counted ? low->done : low->end_s - low->begin_s;
  for (size_t i = 0; i < n; i++) {
    w[i] = &low->step->wait[i];
    all += w[i]->wait_ms > 0 ? (double)w[i]->wait_ms : 0;
  }
  if (n > 0)
    qsort(w, n, sizeof *w, compare_waits);
  for (size_t i = 0; i < n && i < 3 && per > 0 && all > 0 && (double)w[i]->wait_ms >= 0.1 * all; i++) {
    char ms[24];
    text_addf(&t, "%s%s %s ms", t.len ? ", " : "", w[i]->type, figure_text((double)w[i]->wait_ms / per, ms, sizeof ms));
  }
  if (t.len > 0)
    sentence_add(&f->verdicts, NULL, "Longest waits of the server at %s, a %s: %s.", low->memory, counted ? "transaction" : "second",
                 t.s);
  text_free(&t);
  free(w);
}

/* None at all is no matter of digits. */
static char *reads_text(double v, char *buf, size_t size) {
  if (v == 0)
    snprintf(buf, size, "0");
  else
    figure_text(v, buf, size);
  return buf;
}

static void storage_words(struct account *f, const struct figures *top, const struct figures *low) {
  char b1[24], b2[24], b3[24], b4[24], b5[24], b6[24];
  if (!isfinite(top->read_mb_s.value) || !isfinite(low->read_mb_s.value))
    return;
  struct text t = {0};
  if (low == top) {
    text_addf(&t, "Storage delivers %s MB/s of reads at %s", reads_text(top->read_mb_s.value, b1, sizeof b1), top->memory);
    if (isfinite(top->reads_per_tx.value))
      text_addf(&t, ", %s reads a transaction", reads_text(top->reads_per_tx.value, b3, sizeof b3));
    if (isfinite(top->read_ms))
      text_addf(&t, "; a read takes %s ms", reads_text(top->read_ms, b5, sizeof b5));
    sentence_add(&f->verdicts, NULL, "%s.", t.s);
    text_free(&t);
    return;
  }
  text_addf(&t, "Storage delivers %s MB/s of reads at %s and %s MB/s at %s", reads_text(top->read_mb_s.value, b1, sizeof b1),
            top->memory, reads_text(low->read_mb_s.value, b2, sizeof b2), low->memory);
  if (isfinite(top->reads_per_tx.value) && isfinite(low->reads_per_tx.value))
    text_addf(&t, ", %s and %s reads a transaction", reads_text(top->reads_per_tx.value, b3, sizeof b3),
              reads_text(low->reads_per_tx.value, b4, sizeof b4));
  if (isfinite(top->read_ms) && isfinite(low->read_ms))
    text_addf(&t, "; a read takes %s and %s ms", reads_text(top->read_ms, b5, sizeof b5),
              reads_text(low->read_ms, b6, sizeof b6));
  sentence_add(&f->verdicts, NULL, "%s.", t.s);
  text_free(&t);
}

static void throughput_words(struct account *f, const struct figures *top, const struct figures *low) {
  double lo = INFINITY, hi = 0, tolerance = f->options.tolerance;
  char b1[24], b2[24], p[24];
  for (size_t i = 0; i < f->rows.nstep; i++)
    if (!account_leaves_out(f, &f->rows.row[i])) {
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

/* ---- the data ---- */

int words_data_size(const struct run_data *run, double *from, double *to) {
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
  for (size_t i = 0; i < run->nstep; i++)
    for (size_t k = 0; k < run->step[i].nsample; k++) {
      const struct server_sample *s = &run->step[i].sample[k];
      if (s->at_ns == ABSENT || s->data_size_bytes == ABSENT || s->data_size_bytes <= 0)
        continue;
      if (s->at_ns < first_ns) {
        first_ns = s->at_ns;
        *from = (double)s->data_size_bytes;
      }
      if (s->at_ns > last_ns) {
        last_ns = s->at_ns;
        *to = (double)s->data_size_bytes;
      }
    }
  return last_ns > first_ns;
}

static void growth_words(struct account *f) {
  double from = NAN, to = NAN;
  char a[32], b[32], p[24];
  if (joined_growth(f) || !words_data_size(f->run, &from, &to))
    return;
  size_text(llround(from), a, sizeof a);
  size_text(llround(to), b, sizeof b);
  double grew = to / from - 1;
  int stationary = meta_true(f->run->meta, "database.stationary");
  if (fabs(grew) < 0.0005)
    sentence_add(&f->verdicts, NULL, "The data files kept their size, %s with the room in them.", b);
  else
    sentence_add(&f->verdicts, NULL, "The data files went from %s to %s during the run (%s, with the room in them)%s.", a, b,
                 percent_text(grew, p, sizeof p),
                 stationary ? "; the mix is stationary, so its rows did not grow: files take room for versions and splits" : "");
  if (fabs(grew) > GREW && !stationary)
    sentence_add(&f->warnings, "use --stationary=on, or measure for a shorter time",
                 "the data files changed by %s during the run: later steps had another database to hold than earlier ones",
                 percent_text(grew, p, sizeof p));
}

void words_why(struct account *f) {
  if (f->rows.nstep > 0) {
    const struct figures *top, *low;
    ends(f, &top, &low);
    storage_words(f, top, low);
    if (low != top)
      explain_words(f, top, low);
    pressure_words(f);
    waits_words(f, low);
    if (low != top)
      throughput_words(f, top, low);
  }
  growth_words(f);
}
