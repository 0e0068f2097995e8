#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "analysis/verdict_words.h"
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
    text_addf(t, think > 0 ? "%smean think time %s" : "%sno think time", t->len ? ", " : "", duration_text((int64_t)(think * 1e9), buf, sizeof buf));
  else if (!(rate > 0) && meta_at(m, "runs"))
    text_addf(t, "%svarying think times", t->len ? ", " : "");
  if (!meta_at(m, "demand.users") && meta_at(m, "runs"))
    text_addf(t, "%svarying numbers of users", t->len ? ", " : "");
}

void words_scale(struct text *t, const json_t *m) {
  double scale = meta_number(m, "server.scale");
  char buf[32];
  if (scale > 1 && scale < 1e9)
    text_addf(t, "memory and data are shown %s times as large as they are; MB/s, counts and times are as measured",
              count_text(llround(scale), buf, sizeof buf));
}

void words_facts(struct account *f) {
  const json_t *m = f->run->meta;
  struct text t = {0};
  if (joined_started(&t, f) == 0)
    add_text(&t, m, "started", "started %s");
  add_text(&t, m, "program", "ramknee %s");
  add_number(&t, m, "demand.seed", "seed %s");
  fact(f, "Run", &t);
  add_text(&t, m, "server.name", "%s");
  add_text(&t, m, "server.version", "%s");
  add_text(&t, m, "server.edition", "%s");
  add_size(&t, m, "server.physical_memory_mib", (double)MIB, "%s of memory");
  fact(f, "Server", &t);
  words_scale(&t, m);
  fact(f, "Scale", &t);
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

/* "64 GB, 96 GB to be sure", "none". */
static void within_text(const struct account *f, const struct slo_answer *s, char *buf, size_t size) {
  char likely[24], sure[24];
  if (isnan(s->likely_mib))
    snprintf(buf, size, "none");
  else if (s->sure_mib > s->likely_mib)
    snprintf(buf, size, "%s, %s to be sure", memory_text(s->likely_mib, likely, sizeof likely), memory_text(s->sure_mib, sure, sizeof sure));
  else
    snprintf(buf, size, "%s%s", memory_text(s->likely_mib, likely, sizeof likely),
             isnan(s->sure_mib) && s->likely_mib < f->rows.row[0].memory_gb * 1024 ? ", none for sure" : "");
}

/* "by 10 %: none; by 25 % or 100 %: 64 GB, 96 GB to be sure". */
static void within_words(struct account *f) {
  struct text t = {0};
  char answer[WITHIN + 1][64] = {{0}}, level[24];
  int any = 0;
  for (int w = 0; w < WITHIN; w++) {
    within_text(f, &f->within[w], answer[w], sizeof answer[w]);
    any |= isfinite(f->within[w].likely_mib);
  }
  for (int w = 0, first = 1; w < WITHIN; w++) {
    int last = strcmp(answer[w], answer[w + 1]) != 0;
    text_addf(&t, "%s%.0f %%", !first ? last ? " or " : ", " : w > 0 ? "; by " : "by ", 100 * within_more[w]);
    if (last)
      text_addf(&t, ": %s", answer[w]);
    first = last;
  }
  figure_text(f->verdict[JUDGED_MAIN].plateau_y, level, sizeof level);
  if (any)
    sentence_add(&f->verdicts, NULL, "The smallest measured memory, if p95 may exceed its level at the top, %s ms, %s.", level, t.s);
  else
    sentence_add(&f->verdicts, NULL,
                 "How little memory would do if p95 might exceed its level at the top, %s ms, is not known: the largest step exceeds it itself, "
                 "by more than %.0f %%.", level, 100 * within_more[WITHIN - 1]);
  text_free(&t);
}

/* How many steps do not tell a percentile: too few transactions, or none. */
static size_t unknown_at(const struct account *f, int stat) {
  size_t n = 0;
  for (size_t i = 0; i < f->rows.nstep; i++)
    n += !isfinite(f->rows.row[i].ms[stat].value);
  return n;
}

static void limit_words(struct account *f) {
  struct text t = {0};
  for (size_t i = 0; i < f->nlimit; i++) {
    const struct account_limit *l = &f->limit[i];
    size_t unknown = unknown_at(f, l->stat);
    struct verdict_subject s;
    account_subject(&s, f, l->metric);
    if (unknown == f->rows.nstep) {
      text_addf(&t, "Whether %s stays %s is not known: no step has enough transactions to tell it.\n", l->metric, l->words);
      continue;
    }
    verdict_limit_words(&t, &l->answer, l->words, &s);
    if (unknown > 0)
      text_addf(&t, "%zu step%s too few transactions to tell %s.\n", unknown, unknown == 1 ? " has" : "s have", l->metric);
  }
  sentences_add_lines(&f->verdicts, &t);
  text_free(&t);
}

/* "128 GB, measured again at the end, has a p95 of 4.41 ms after 4.21 ms (+4.8 %, 95 % interval -11 % to +24 %)"; empty: not known. */
static void drift_text(const struct account *f, struct text *t) {
  const struct figures *again = NULL, *first = NULL;
  for (size_t i = f->rows.nstep; i < f->rows.n; i++)
    if (f->rows.row[i].kind == ROW_AGAIN)
      again = &f->rows.row[i];
  if (again)
    first = account_row(f, again->memory_gb * 1024);
  if (!again || !first || !isfinite(f->drift.value))
    return;
  char b1[24], b2[24], p[24], lo[24], hi[24], interval[80] = "";
  if (f->drift.hi > 9.99)
    snprintf(interval, sizeof interval, ", interval unknown: the seconds scatter too much");
  else if (isfinite(f->drift.lo))
    snprintf(interval, sizeof interval, ", 95 %% interval %s to %s", percent_text(f->drift.lo, lo, sizeof lo),
             percent_text(f->drift.hi, hi, sizeof hi));
  text_addf(t, "%s measured again at the end gives a p95 latency of %s ms after %s ms (%s%s)", again->memory,
            figure_text(again->ms[MS_P95].value, b1, sizeof b1), figure_text(first->ms[MS_P95].value, b2, sizeof b2),
            percent_text(f->drift.value, p, sizeof p), interval);
}

/* What a drift does to the verdict that follows: its intervals know of what changes within a step, not of what changed since. */
static void drifting_words(struct account *f) {
  struct text t = {0};
  if (f->drifting)
    drift_text(f, &t);
  if (t.len > 0)
    sentence_add(&f->verdicts, NULL, "Doubtful, for the sweep drifts: %s, and no interval below knows of that.", t.s);
  text_free(&t);
}

/* A drift that makes a verdict doubtful has been told above it. */
static void drift_words(struct account *f) {
  struct text t = {0};
  if (!f->drifting || !f->verdict[JUDGED_MAIN].ok)
    drift_text(f, &t);
  if (t.len > 0)
    sentence_add(&f->verdicts, NULL, "Drift: %s: %s.", t.s,
                 f->drifting                                    ? "the sweep is drifting"
                 : fabs(f->drift.value) <= f->options.tolerance ? "within the tolerance"
                                                                : "no drift is proved");
  text_free(&t);
}

/* Why there is no verdict. */
static void no_verdict_words(struct account *f) {
  if (f->rows.nstep == 0)
    sentence_add(&f->verdicts, NULL, "No step was measured whole, so there is nothing to judge, and no picture against memory.");
  else if (f->rows.nstep == 1)
    sentence_add(&f->verdicts, NULL,
                 "One point, at %s: no verdict. A bend needs at least three whole steps; 'ramknee report' joins the run folders of "
                 "points that were measured at other settings.",
                 f->rows.row[0].memory);
  else
    sentence_add(&f->verdicts, NULL, "No verdict: %s.",
                 f->rows.nstep < 3 ? "a bend needs at least three whole steps" : "not every step has a latency to judge by");
}

static void scope_words(struct account *f) {
  double cpus = meta_number(f->run->meta, "server.cpus");
  struct text t = {0};
  verdict_scope_words(&t);
  /* The default of 'max worker threads' on 64 bits, with 2 MB of stack each. */
  if (!f->label && cpus >= 1 && cpus <= 1024) {
    double workers = cpus <= 4 ? 512 : cpus <= 64 ? 512 + 16 * (cpus - 4) : 512 + 32 * (cpus - 4);
    text_addf(&t,
              "What this server's %.0f processors add, by Microsoft's rules of thumb: %.1f GB of stacks at most (%.0f worker threads "
              "of 2 MB), and 1 to 4 GB or more for the operating system.\n",
              cpus, workers * 2 / 1024, workers);
  }
  sentences_add_lines(&f->verdicts, &t);
  text_free(&t);
}

/* What a busy client does to the verdict that follows. */
static void client_words(struct account *f) {
  struct text t = {0};
  size_t n = 0;
  for (size_t i = 0; i < f->rows.nstep; i++)
    if (f->rows.row[i].marks & MARK_CLIENT_BOUND && n++ < 4)
      text_addf(&t, "%s%s", n > 1 ? ", " : "", f->rows.row[i].memory);
  if (n > 4)
    text_addf(&t, " and %zu more", n - 4);
  if (n > 0 && f->busy_left_out)
    sentence_add(&f->verdicts, NULL, "Left out of this verdict: %s, where the client was the bottleneck, so that its own time is in the latency.", t.s);
  else if (n > 0)
    sentence_add(&f->verdicts, NULL,
                 "Doubtful, for the client was the bottleneck at %s, and fewer than three other steps are left to judge by: what follows may "
                 "be the client's doing, not the memory's.", t.s);
  text_free(&t);
}

/* What a knee costs may be the latency of a queue that grew as long as it was watched. */
static void queue_words(struct account *f) {
  for (size_t i = 0; i < f->rows.nstep; i++)
    if (f->rows.row[i].marks & MARK_SATURATED && !account_leaves_out(f, &f->rows.row[i])) {
      sentence_add(&f->verdicts, NULL,
                   "Where the rate was not held the latency is a lower bound: losses that are told of such steps are the least that they "
                   "can be.");
      return;
    }
}

/* Why the plateau is taken for reached where the largest steps differ. */
static void level_words(struct account *f) {
  char from[40];
  if (!(f->level_mib > 0))
    return;
  memory_text(f->level_mib, from, sizeof from);
  if (f->level_mib < f->rows.row[0].memory_gb * 1024)
    sentence_add(&f->verdicts, NULL,
                 "From %s on next to nothing is read from storage (at most a page in 200 transactions): more memory saves nothing there, and "
                 "what these steps differ by has other causes.", from);
  else
    sentence_add(&f->verdicts, NULL,
                 "At %s next to nothing is read from storage (at most a page in 200 transactions): more memory than that would save nothing.",
                 from);
}

void words_verdicts(struct account *f) {
  const struct verdict *v = &f->verdict[JUDGED_MAIN];
  if (v->ok) {
    struct verdict_subject s;
    struct text t = {0};
    client_words(f);
    drifting_words(f);
    joined_doubts(f);
    account_subject(&s, f, NULL);
    verdict_words(&t, v, f->point, f->npoint, &s);
    sentences_add_lines(&f->verdicts, &t);
    text_free(&t);
    queue_words(f);
    level_words(f);
  } else
    no_verdict_words(f);
  if (f->rows.nstep > 0)
    limit_words(f);
  if (v->ok && v->plateau != PLATEAU_FLAT)
    within_words(f);
  words_refined(f);
  drift_words(f);
  joined_drift(f);
  words_visits(f);
  words_why(f);
  if (v->ok)
    scope_words(f);
}
