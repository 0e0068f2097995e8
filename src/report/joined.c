/* What points that were joined leave behind in their runs, and what those runs have to say of it: drift, the size of their data, where
 * a descent ended.  join.c writes it into run.json. */
#include "config.h"

#include "report/words.h"
#include "report/join.h"
#include "report/meta.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *number(double v) {
  return isfinite(v) ? json_real(v) : json_null();
}

json_t *joined_entry(const struct run_data *run) {
  struct account f;
  double from = NAN, to = NAN;
  const char *why = NULL;
  account_make(&f, run, &REPORT_DEFAULTS);
  int64_t stopped = run_stopped_mib(run, &why);
  words_data_size(run, &from, &to);
  json_t *j = json_pack("{s:s, s:b, s:o, s:o}", "run", run->folder, "stationary", meta_true(run->meta, "database.stationary"), "data_from_bytes",
                        number(from), "data_to_bytes", number(to));
  if (meta_text(run->meta, "started"))
    json_object_set_new(j, "started", json_string(meta_text(run->meta, "started")));
  if (isfinite(f.drift.value))
    json_object_set_new(j, "drift", json_pack("{s:o, s:o, s:o}", "change", number(f.drift.value), "lo", number(f.drift.lo), "hi", number(f.drift.hi)));
  if (stopped > 0)
    json_object_set_new(j, "stopped", json_pack("{s:I, s:s}", "mib", (json_int_t)stopped, "why", why));
  account_free(&f);
  return j;
}

static const json_t *runs_of(const struct account *f) {
  return meta_is_joined(f->run->meta) ? meta_at(f->run->meta, "runs") : NULL;
}

static const char *name_of(const json_t *run) {
  const char *name = meta_text(run, "run");
  return name ? name : "a run";
}

size_t joined_started(struct text *t, const struct account *f) {
  const json_t *all = runs_of(f);
  size_t n = json_array_size(all);
  for (size_t i = 0; i < n; i++) {
    const char *started = meta_text(json_array_get(all, i), "started");
    if (i == 0)
      text_addf(t, "%zu runs joined, started ", n);
    text_addf(t, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", started ? started : "?");
  }
  return n;
}

/* ---- drift ---- */

static struct estimate drift_of(const json_t *run) {
  return (struct estimate){meta_number(run, "drift.change"), meta_number(run, "drift.lo"), meta_number(run, "drift.hi")};
}

void joined_doubts(struct account *f) {
  const json_t *all = runs_of(f), *run;
  size_t i;
  json_array_foreach(all, i, run) {
    struct estimate e = drift_of(run);
    if (!account_drifts(f, &e))
      continue;
    sentence_add(&f->verdicts, NULL, "Doubtful, for %s drifts (by how much is told below), and no interval here knows of that.", name_of(run));
    sentence_add(&f->warnings, "look for other work on the server or its storage, burn in longer, and measure it again", "%s drifts",
                 name_of(run));
  }
}

void joined_drift(struct account *f) {
  const json_t *all = runs_of(f), *run;
  size_t i, known = 0;
  struct text t = {0};
  char p[24], lo[24], hi[24];
  json_array_foreach(all, i, run) {
    struct estimate e = drift_of(run);
    text_addf(&t, "%s%s", t.len ? "; " : "", name_of(run));
    known += isfinite(e.value);
    if (isnan(e.value)) {
      text_add(&t, " has no such step");
      continue;
    }
    text_addf(&t, " %s", percent_text(e.value, p, sizeof p));
    if (isfinite(e.lo) && e.hi <= 9.99)
      text_addf(&t, " (%s to %s)", percent_text(e.lo, lo, sizeof lo), percent_text(e.hi, hi, sizeof hi));
    text_add(&t, account_drifts(f, &e) ? ", drifting" : fabs(e.value) <= f->options.tolerance ? ", within the tolerance" : ", no drift is proved");
  }
  if (known > 0)
    sentence_add(&f->verdicts, NULL, "Drift within each run, of the p95 latency of its first step when that was measured again (95 %% interval): %s.", t.s);
  else if (all)
    sentence_add(&f->verdicts, NULL, "Drift is not known: none of the joined runs measured its first step again.");
  text_free(&t);
}

/* ---- data ---- */

#define DIFFERS 0.02 /* from run to run */

int joined_growth(struct account *f) {
  const json_t *all = runs_of(f), *run;
  size_t i;
  int stationary = 1;
  double least = INFINITY, most = 0;
  struct text t = {0};
  char a[32], b[32], p[24];
  json_array_foreach(all, i, run) {
    double from = meta_number(run, "data_from_bytes"), to = meta_number(run, "data_to_bytes");
    if (!(from > 0 && to > 0 && fmax(from, to) < 1e18))
      continue;
    size_text(llround(from), a, sizeof a);
    size_text(llround(to), b, sizeof b);
    stationary &= meta_true(run, "stationary");
    least = fmin(least, fmin(from, to));
    most = fmax(most, fmax(from, to));
    if (strcmp(a, b) == 0)
      text_addf(&t, "%s%s in %s", t.len ? "; " : "", b, name_of(run));
    else
      text_addf(&t, "%s%s to %s (%s) in %s", t.len ? "; " : "", a, b, percent_text(to / from - 1, p, sizeof p), name_of(run));
  }
  if (t.len && most / least - 1 < 0.0005)
    sentence_add(&f->verdicts, NULL, "The data files had one size in all runs, %s with the room in them.", b);
  else if (t.len)
    sentence_add(&f->verdicts, NULL, "Sizes of the data files, with the room in them: %s%s.", t.s,
                 stationary ? "; the mix is stationary, so its rows did not grow: files take room for versions and splits" : "");
  if (t.len && most / least - 1 > DIFFERS && !stationary)
    sentence_add(&f->warnings, "load the database again before each run, or use --stationary=on",
                 "the data files were %s larger at one time than at another: some points had another database to hold than others",
                 percent_text(most / least - 1, p, sizeof p) + 1);
  text_free(&t);
  return meta_is_joined(f->run->meta);
}

/* ---- descents that ended ---- */

void joined_stopped(struct account *f) {
  const json_t *all = runs_of(f), *run;
  size_t i;
  json_array_foreach(all, i, run) {
    const char *why = meta_text(run, "stopped.why");
    char memory[24];
    if (why)
      sentence_add(&f->verdicts, NULL, "The descent of %s ended at %s, as asked: its %s; smaller steps were not measured there.", name_of(run),
                   memory_text(meta_number(run, "stopped.mib"), memory, sizeof memory), why);
  }
}
