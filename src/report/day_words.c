/* A working day in sentences. */
#include "config.h"

#include "report/day.h"
#include "report/meta.h"
#include "report/words.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

char *day_clock(const struct day *d, double run_s, char *buf, size_t size) {
  time_t t = (time_t)llround(d->clock0_s + run_s);
  struct tm tm;
  gmtime_r(&t, &tm); /* local time is in it already */
  strftime(buf, size, d->last_s - d->first_s > 20 * 3600 ? "%a %H:%M" : d->part_s > 60 ? "%H:%M" : "%H:%M:%S", &tm);
  return buf;
}

static char *span_text(double s, char *buf, size_t size) {
  return duration_text(llround(s) * NS_PER_S, buf, size);
}

/* ---- facts ---- */

static void server_fact(struct day_told *w) {
  static const struct {
    const char *path, *fmt;
  } part[] = {{"server.name", "%s"}, {"server.version", "%s"}, {"server.edition", "%s"}};
  const json_t *m = w->run->meta;
  struct text t = {0};
  char buf[40];
  for (size_t i = 0; i < COUNT(part); i++)
    if (meta_text(m, part[i].path)) {
      text_add(&t, t.len ? ", " : "");
      text_addf(&t, part[i].fmt, meta_text(m, part[i].path));
    }
  if (meta_number(m, "server.physical_memory_mib") >= 1)
    text_addf(&t, "%s%s of memory", t.len ? ", " : "",
              size_text((int64_t)meta_number(m, "server.physical_memory_mib") * MIB, buf, sizeof buf));
  if (t.len)
    sentence_add(&w->facts, t.s, "Server");
  text_free(&t);
}

static void facts(struct day_told *w) {
  const json_t *m = w->run->meta;
  const char *started = meta_text(m, "started"), *program = meta_text(m, "program"), *database = meta_text(m, "database.name"),
             *from = meta_text(m, "memory.from");
  char *s = xprintf("a working day, nothing sent%s%s%s%s", started ? ", started " : "", started ? started : "", program ? ", ramknee " : "",
                    program ? program : "");
  sentence_add(&w->facts, s, "Run");
  free(s);
  server_fact(w);
  struct text scale = {0};
  words_scale(&scale, m);
  if (scale.len)
    sentence_add(&w->facts, scale.s, "Scale");
  text_free(&scale);
  if (meta_true(m, "database.whole"))
    sentence_add(&w->facts, "the whole instance: the files of all databases", "Scope");
  else if (database) {
    s = xprintf("the files of database %s alone", database);
    sentence_add(&w->facts, s, "Scope");
    free(s);
  }
  if (meta_number(m, "memory.mib") >= 1) {
    char buf[40];
    s = xprintf("%s (%s)", memory_text(meta_number(m, "memory.mib"), buf, sizeof buf), from ? from : "said by nobody");
    sentence_add(&w->facts, s, "Memory");
    free(s);
  }
}

/* ---- findings ---- */

static void time_finding(struct day_told *w) {
  const struct day *d = &w->day;
  char a[40], b[40], from[32], to[32], gaps[120] = "";
  if (d->n == 0) {
    sentence_add(&w->findings, NULL, "There are no two samples in a row, so there is nothing to tell.");
    return;
  }
  if (d->gaps)
    snprintf(gaps, sizeof gaps, "; %zu gap%s without an answer, together %s, the longest %s", d->gaps, d->gaps == 1 ? "" : "s",
             span_text(d->gap_s, a, sizeof a), span_text(d->longest_gap_s, b, sizeof b));
  sentence_add(&w->findings, NULL, "Sampled from %s to %s local time, %s in all%s.", day_clock(d, d->first_s, from, sizeof from),
               day_clock(d, d->last_s, to, sizeof to), span_text(d->whole.sampled_s, a, sizeof a), gaps);
}

/* The part of the day with the most, or least. */
static const struct day_row *extreme(const struct day *d, size_t offset, int least) {
  const struct day_row *found = NULL;
  double best = NAN;
  for (size_t i = 0; i < d->npart; i++) {
    double v;
    memcpy(&v, (const char *)&d->part[i] + offset, sizeof v);
    if (isfinite(v) && (isnan(best) || (least ? v < best : v > best))) {
      best = v;
      found = &d->part[i];
    }
  }
  return found;
}

static void storage_finding(struct day_told *w) {
  const struct day *d = &w->day;
  const struct day_row *r = &d->whole, *busy = extreme(d, offsetof(struct day_row, read_mb_s), 0);
  char b1[24], b2[24], b3[24], b4[24], from[32];
  if (!isfinite(r->read_mb_s))
    return;
  if (r->read_mb_s_max == 0) {
    sentence_add(&w->findings, NULL, "Nothing was read from storage.");
    return;
  }
  struct text t = {0};
  text_addf(&t, "Storage delivered %s MB/s of reads on average, %s in the busiest twentieth of the seconds and more, %s at most",
            figure_text(r->read_mb_s, b1, sizeof b1), figure_text(r->read_mb_s_p95, b2, sizeof b2), figure_text(r->read_mb_s_max, b3, sizeof b3));
  if (busy && d->npart > 1)
    text_addf(&t, "; most from %s (%s MB/s)", day_clock(d, busy->from_s, from, sizeof from), figure_text(busy->read_mb_s, b4, sizeof b4));
  if (isfinite(r->read_ms))
    text_addf(&t, "; a read took %s ms", figure_text(r->read_ms, b4, sizeof b4));
  sentence_add(&w->findings, NULL, "%s.", t.s);
  text_free(&t);
}

static void cache_finding(struct day_told *w) {
  const struct day *d = &w->day;
  const struct day_row *r = &d->whole, *least = extreme(d, offsetof(struct day_row, hit_ratio), 1);
  char b1[24], b2[24], from[32];
  struct text t = {0};
  if (isfinite(r->hit_ratio)) {
    text_addf(&t, "%.2f %% of page lookups were answered from memory", 100 * r->hit_ratio);
    if (least && d->npart > 1)
      text_addf(&t, " (least from %s: %.2f %%)", day_clock(d, least->from_s, from, sizeof from), 100 * least->hit_ratio);
  }
  if (isfinite(r->page_life_s))
    text_addf(&t, "%spage life expectancy was %s s by its median, %s s at its lowest", t.len ? "; " : "",
              figure_text(r->page_life_s, b1, sizeof b1), figure_text(r->page_life_min_s, b2, sizeof b2));
  if (t.len) {
    if (*t.s >= 'a' && *t.s <= 'z')
      *t.s = (char)(*t.s - 'a' + 'A');
    sentence_add(&w->findings, NULL, "%s.", t.s);
  }
  text_clear(&t);
  if (isfinite(r->total_gb)) {
    text_addf(&t, "The server held %s GB of memory", figure_text(r->total_gb, b1, sizeof b1));
    if (isfinite(r->cache_gb))
      text_addf(&t, ", %s GB of it data pages", figure_text(r->cache_gb, b1, sizeof b1));
    if (isfinite(r->target_gb))
      text_addf(&t, "; its target was %s GB", figure_text(r->target_gb, b1, sizeof b1));
    sentence_add(&w->findings, NULL, "%s (means of the time).", t.s);
  }
  text_free(&t);
}

static void work_finding(struct day_told *w) {
  const struct day *d = &w->day;
  const struct day_row *r = &d->whole, *busy = extreme(d, offsetof(struct day_row, batches_s), 0);
  char b1[24], b2[24], b3[24], from[32];
  struct text t = {0};
  if (isfinite(r->batches_s)) {
    text_addf(&t, "The server answered %s batches/s on average, %s in its busiest second", figure_text(r->batches_s, b1, sizeof b1),
              figure_text(r->batches_s_max, b2, sizeof b2));
    if (busy && d->npart > 1)
      text_addf(&t, ", most from %s (%s/s)", day_clock(d, busy->from_s, from, sizeof from), figure_text(busy->batches_s, b3, sizeof b3));
  }
  if (isfinite(r->cpu))
    text_addf(&t, "%s used %.1f %% of its processors", t.len ? ", and" : "The server", 100 * r->cpu);
  if (t.len)
    sentence_add(&w->findings, NULL, "%s.", t.s);
  text_free(&t);
}

static int compare_waits(const void *a, const void *b) {
  const struct wait_row *x = a, *y = b;
  return x->wait_ms != y->wait_ms ? (x->wait_ms < y->wait_ms) - (x->wait_ms > y->wait_ms) : strcmp(x->type, y->type);
}

static void waits_finding(struct day_told *w) {
  struct text t = {0};
  for (size_t i = 0; i < w->run->nstep; i++) {
    struct step_data *st = &w->run->step[i];
    char b[40];
    if (st->nwait)
      qsort(st->wait, st->nwait, sizeof *st->wait, compare_waits);
    for (size_t k = 0; k < st->nwait && k < 5 && st->wait[k].wait_ms > 0; k++)
      text_addf(&t, "%s%s %s", t.len ? ", " : "", st->wait[k].type,
                duration_text(st->wait[k].wait_ms * NS_PER_MS, b, sizeof b));
  }
  if (t.len)
    sentence_add(&w->findings, NULL, "Longest waits, of all its sessions together: %s.", t.s);
  text_free(&t);
}

/* ---- warnings ---- */

static void warnings(struct day_told *w) {
  const struct run_data *run = w->run;
  const char *why = meta_text(run->end, "why");
  w->incomplete = !run->end || meta_number(run->end, "status") != STATUS_DONE;
  if (!run->end)
    sentence_add(&w->warnings, NULL, "the sampling did not end in order (no end.json): ramknee was killed, or is still at work");
  else if (w->incomplete)
    sentence_add(&w->warnings, NULL, "the sampling ended early%s%s", why ? ": " : "", why ? why : "");
  if (w->day.restarts)
    sentence_add(&w->warnings, "its cache was empty after that; read the hours before and after apart", "the server was restarted %zu time%s",
                 w->day.restarts, w->day.restarts == 1 ? "" : "s");
  for (size_t i = 0; i < run->nstep; i++)
    for (size_t k = 0; k < run->step[i].nnote; k++)
      sentence_add(&w->warnings, NULL, "%s", run->step[i].note[k].text);
}

static void findings(struct day_told *w) {
  time_finding(w);
  storage_finding(w);
  cache_finding(w);
  work_finding(w);
  waits_finding(w);
  sentence_add(&w->findings, NULL,
               "What each transaction took is not known: nothing was sent. 'ramknee measure' with a load of its own tells latencies.");
}

void day_words(struct day_told *w) {
  facts(w);
  findings(w);
  warnings(w);
}
