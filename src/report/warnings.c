#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "base/cause.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "128 GB", "16 GB and 8 GB", "32 GB, 16 GB and 8 GB": the rows that carry a mark. */
static size_t list_marked(const struct account *f, unsigned mark, struct text *t) {
  size_t total = 0, n = 0;
  for (size_t i = 0; i < f->rows.n; i++)
    total += (f->rows.row[i].marks & mark) != 0;
  text_clear(t);
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    if (!(r->marks & mark))
      continue;
    n++;
    text_addf(t, "%s%s%s", n == 1 ? "" : n == total ? " and " : ", ", r->memory, r->kind == ROW_AGAIN ? " (again)" : "");
  }
  return total;
}

static void mark_warnings(struct account *f) {
  struct text t = {0};
  size_t n;
  if ((n = list_marked(f, MARK_SATURATED, &t)) > 0)
    sentence_add(&f->warnings,
                 "lower --rate until every step holds it, or read these steps as \"this memory is too small for this demand\"",
                 "%s could not hold the rate that was wanted: the queue grew all the time, so the latency there is only a lower "
                 "bound",
                 t.s);
  if ((n = list_marked(f, MARK_CLIENT_BOUND, &t)) > 0)
    sentence_add(&f->warnings, "run ramknee from a host with more free processors, or with fewer users or a longer think time",
                 "the client was the bottleneck at %s: part of the latency there is its own", t.s);
  if ((n = list_marked(f, MARK_NOT_STEADY, &t)) > 0)
    sentence_add(&f->warnings, "give a longer warm-up and a longer measurement",
                 "%s did not become steady: %s figures still moved while they were taken", t.s, n > 1 ? "their" : "its");
  if ((n = list_marked(f, MARK_NOT_REACHED, &t)) > 0)
    sentence_add(&f->warnings, "look at the cache that was really held, and allow more time to settle",
                 "the server had not come to its setting in time at %s", t.s);
  text_free(&t);
}

/* ---- incomplete ---- */

/* How often a memory was measured whole. */
static size_t visits_of(const struct account *f, double mib) {
  const struct figures *r = account_row(f, mib);
  return !r ? 0 : r->nvisit ? r->nvisit : 1;
}

static void add_if_missing(const struct account *f, double mib, size_t wanted, struct text *t, size_t *n) {
  char buf[24];
  size_t have = isfinite(mib) ? visits_of(f, mib) : wanted;
  if (have >= wanted)
    return;
  text_addf(t, "%s%s", (*n)++ ? ", " : "", memory_text(mib, buf, sizeof buf));
  if (have > 0)
    text_addf(t, " (%zu of %zu times)", wanted - have, wanted);
}

/* The steps that are not there, of the plan and those that were added to it, as text. */
static size_t list_missing(const struct account *f, struct text *t) {
  const json_t *plan = meta_at(f->run->meta, "plan.steps_mib");
  int64_t stopped = run_stopped_mib(f->run, NULL); /* what lies below was not wanted any more */
  double passes = meta_number(f->run->meta, "plan.passes");
  size_t n = 0, wanted = passes >= 1 && passes <= 1000 ? (size_t)passes : 1;
  for (size_t i = 0; i < json_array_size(plan); i++) {
    const json_t *v = json_array_get(plan, i);
    double mib = json_is_number(v) ? json_number_value(v) : NAN;
    if (!(mib < (double)stopped))
      add_if_missing(f, mib, wanted, t, &n);
  }
  for (size_t i = 0; i < refined_count(f); i++)
    add_if_missing(f, refined_mib(f, i), 1, t, &n);
  int again = 0;
  for (size_t i = 0; i < f->rows.n; i++)
    again |= f->rows.row[i].kind == ROW_AGAIN;
  if (meta_true(f->run->meta, "plan.drift") && !again)
    text_addf(t, "%sthe first step again", n++ ? ", " : "");
  return n;
}

static void incomplete_warnings(struct account *f) {
  const json_t *end = f->run->end;
  struct text t = {0};
  double status = meta_number(end, "status");
  const char *why = meta_text(end, "why");
  size_t missing = list_missing(f, &t);
  f->incomplete = missing > 0 || !end || status == STATUS_INCOMPLETE;
  if (!end)
    sentence_add(&f->warnings, meta_text(f->run->meta, "kind") ? NULL : "run 'ramknee restore' with the same -S and -U to see whether the server's setting was put back",
                 "the run did not end in order (no end.json): ramknee was killed, or is still at work");
  else if (meta_at(end, "put_back") && !meta_true(end, "put_back"))
    sentence_add(&f->warnings, "run 'ramknee restore' with the same -S and -U", "the server's setting was not put back at the end of this run%s%s",
                 why ? ": " : "", why ? why : "");
  else if (status == STATUS_INCOMPLETE)
    sentence_add(&f->warnings, NULL, "%s%s", why ? "the run ended early: " : "the run went to its end, but not every step can be judged",
                 why ? why : "");
  if (missing > 0)
    sentence_add(&f->warnings, "measure them, or read the verdict as one about fewer steps",
                 "results are incomplete; missing: %s", t.s);
  text_free(&t);
}

/* Steps with a file that could not be read. */
static void damage_warnings(struct account *f) {
  for (size_t i = 0; i < f->run->nstep; i++) {
    const struct step_data *st = &f->run->step[i];
    if (!st->damage)
      continue;
    f->incomplete = 1;
    sentence_add(&f->warnings, "restore the file from a copy, or measure the step again",
                 "step %s is not judged: %s", st->name, st->damage);
  }
}

/* ---- data ---- */

/* Has a step a note of that code?  Then the sweep has said it already, with more detail. */
static int noted(const struct account *f, const char *code) {
  for (size_t i = 0; i < f->run->nstep; i++)
    for (size_t k = 0; k < f->run->step[i].nnote; k++)
      if (strcmp(f->run->step[i].note[k].code, code) == 0)
        return 1;
  return 0;
}

/* What the server did not tell at any step. */
static void absent_warnings(struct account *f) {
  int reads = 0, hit = 0;
  if (noted(f, "absent"))
    return;
  for (size_t i = 0; i < f->rows.n; i++) {
    reads += isfinite(f->rows.row[i].read_mb_s.value);
    hit += isfinite(f->rows.row[i].hit_ratio);
  }
  if (f->rows.nstep > 0 && reads == 0)
    sentence_add(&f->warnings, "grant the login VIEW SERVER STATE (2022 on: VIEW SERVER PERFORMANCE STATE)",
                 "storage reads could not be sampled, so nothing is said about them");
  if (f->rows.nstep > 0 && hit == 0)
    sentence_add(&f->warnings,
                 "grant the login VIEW SERVER STATE; where the counters are switched off, see error 3409 in the server's log",
                 "performance counters could not be sampled, so hit ratio and page life expectancy are missing");
}

/* A percentile needs ten transactions beyond it, or it is left out.  Those of the table are spoken of. */
static void thin_warnings(struct account *f) {
  static const struct {
    const char *name;
    enum latency_stat stat;
  } shown[] = {{"p95", MS_P95}, {"p99", MS_P99}};
  for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
    const struct figures *thin = NULL;
    for (size_t i = 0; i < f->rows.nstep; i++)
      if (f->rows.row[i].latencies > 0 && isnan(f->rows.row[i].ms[shown[k].stat].value) &&
          (!thin || f->rows.row[i].latencies < thin->latencies))
        thin = &f->rows.row[i];
    char b[32];
    if (thin) {
      sentence_add(&f->warnings, "measure longer, or with more users",
                   "%s rests on %s transactions, fewer than ten of them beyond its %s, which is left out", thin->memory,
                   count_text((int64_t)thin->latencies, b, sizeof b), shown[k].name);
      return;
    }
  }
}

/* Intervals and shares of resamples come from the seconds of a step. */
static void short_warnings(struct account *f) {
  size_t n = 0, total = 0;
  struct text t = {0};
  for (size_t i = 0; i < f->rows.nstep; i++)
    total += f->rows.row[i].nsecond > 0 && f->rows.row[i].nsecond < STATS_MIN;
  for (size_t i = 0; i < f->rows.nstep; i++) {
    const struct figures *r = &f->rows.row[i];
    if (r->nsecond > 0 && r->nsecond < STATS_MIN) {
      n++;
      text_addf(&t, "%s%s", n == 1 ? "" : n == total ? " and " : ", ", r->memory);
    }
  }
  char remedy[80];
  /* The phase begins and ends within a second. */
  snprintf(remedy, sizeof remedy, "measure for at least %d s (--measure %ds) to get intervals", STATS_MIN + 2, STATS_MIN + 2);
  if (n > 0)
    sentence_add(&f->warnings, remedy, "there are no intervals at %s: fewer than %d whole seconds were measured", t.s, STATS_MIN);
  text_free(&t);
}

static void failed_warnings(struct account *f) {
  double failed = 0, lost = 0, deadlocks = 0, done = 0;
  char b1[32], b2[32], b3[32];
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    if (r->kind == ROW_BROKEN || !isfinite(r->done))
      continue;
    failed += r->failed;
    lost += r->lost;
    deadlocks += r->deadlocks;
    done += r->done;
  }
  if (failed + lost > 0)
    sentence_add(&f->warnings, "look at log.txt for the server's words",
                 "%s transactions failed and %s lost their connection in the measured phases; they are not among the %s that "
                 "count",
                 count_text((int64_t)failed, b1, sizeof b1), count_text((int64_t)lost, b2, sizeof b2),
                 count_text((int64_t)done, b3, sizeof b3));
  if (deadlocks > 0.001 * done)
    sentence_add(&f->warnings, "see what else works on this database",
                 "%s deadlocks among %s transactions: waits for each other blur the effect of memory",
                 count_text((int64_t)deadlocks, b1, sizeof b1), count_text((int64_t)done, b3, sizeof b3));
}

static void overflow_warnings(struct account *f) {
  double overflow = 0;
  char b[32];
  for (size_t i = 0; i < f->rows.n; i++)
    overflow += isfinite(f->rows.row[i].overflow) ? f->rows.row[i].overflow : 0;
  if (overflow > 0 && !noted(f, "overflow"))
    sentence_add(&f->warnings, "run ramknee from a host with more free processors",
                 "%s transactions could not be recorded in time and are missing from the latencies",
                 count_text((int64_t)overflow, b, sizeof b));
}

/* The requests must be the same at each step. */
static void digest_warnings(struct account *f) {
  uint64_t first = 0;
  char b[40];
  for (size_t i = 0; i < f->run->nstep && !noted(f, "digest"); i++) {
    const struct step_facts *s = &f->run->step[i].facts;
    uint64_t d = s->incomplete || s->role == STEP_BURN_IN ? 0 : s->digest;
    if (first == 0)
      first = d;
    else if (d != 0 && d != first) {
      sentence_add(&f->warnings, "compare only steps of one run with one seed and one program version",
                   "the requests at %s were not the same as at the steps before", memory_name(s->setting_mib, b, sizeof b));
      return;
    }
  }
}

static void drift_warnings(struct account *f) {
  if (f->drifting)
    sentence_add(&f->warnings, "look for other work on the server or its storage, burn in longer, and run again", "the sweep is drifting");
}

/* ", visit 2" of a step that was measured more often than once; "" else. */
static const char *visit_text(const struct account *f, const struct step_data *st, char *buf, size_t size) {
  *buf = '\0';
  if (st->facts.role == STEP_MEASURED && visits_of(f, (double)st->facts.setting_mib) > 1) {
    size_t k = 1;
    for (const struct step_data *s = f->run->step; s < st; s++)
      k += s->facts.role == STEP_MEASURED && s->facts.setting_mib == st->facts.setting_mib;
    snprintf(buf, size, ", visit %zu", k);
  }
  return buf;
}

static void note_warnings(struct account *f) {
  static const char *const role[] = {" (burn-in)", "", " (again)"};
  for (size_t i = 0; i < f->run->nstep; i++) {
    const struct step_data *st = &f->run->step[i];
    char memory[24], visit[40];
    memory_text((double)st->facts.setting_mib, memory, sizeof memory);
    visit_text(f, st, visit, sizeof visit);
    for (size_t k = 0; k < st->nnote; k++) {
      if (strcmp(st->note[k].code, "ended") == 0 && meta_text(f->run->end, "why"))
        continue; /* the run's end tells the same */
      if (strcmp(st->note[k].code, NOTE_STOP_ABOVE) == 0 || strncmp(st->note[k].code, "saw-", 4) == 0)
        continue; /* no warnings: noted.c */
      if (strcmp(st->note[k].code, NOTE_PRECISION) == 0)
        continue; /* one sentence for all */
      int of_all = strcmp(st->note[k].code, NOTE_JOINED) == 0;
      size_t n = strlen(st->note[k].text);
      n -= n > 0 && st->note[k].text[n - 1] == '.';
      if (of_all)
        sentence_add(&f->warnings, NULL, "%.*s", (int)n, st->note[k].text);
      else
        sentence_add(&f->warnings, NULL, "%s%s%s: %.*s", memory, role[st->facts.role > STEP_DRIFT ? STEP_MEASURED : st->facts.role], visit,
                     (int)n, st->note[k].text);
    }
  }
}

void words_warnings(struct account *f) {
  incomplete_warnings(f);
  damage_warnings(f);
  mark_warnings(f);
  drift_warnings(f);
  absent_warnings(f);
  thin_warnings(f);
  short_warnings(f);
  failed_warnings(f);
  overflow_warnings(f);
  digest_warnings(f);
  words_precision(f);
  note_warnings(f);
}
