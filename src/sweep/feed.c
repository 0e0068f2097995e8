#include "config.h"

#include "sweep/feed.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A growing series. */
struct series {
  double *v;
  size_t n, cap;
};

struct kept {
  uint32_t second, bucket, count; /* second of the phase, from 0 */
};

struct feed {
  pthread_mutex_t lock;
  struct run_step *step;
  enum phase phase;
  int64_t from_ns, until_ns;
  struct series done, mean_ms, read_bytes;
  struct feed_sums sums;
  double idle_sum, steal_sum;
  int64_t idle_n, steal_n;
  struct hist *response, *lateness, *second; /* of the phase, of the phase, of the last second */
  int keep;            /* latencies of measured phases, second by second */
  struct kept *kept;
  size_t nkept, kept_cap;
  struct feed_now now;
  struct server_sample latest;
  struct feed_span span;
  struct drive *drive; /* with sampler: whose calls are counted, or NULL */
  struct sampler *sampler;
};

static void series_add(struct series *s, double v) {
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 256;
    s->v = xrealloc(s->v, s->cap, sizeof *s->v);
  }
  s->v[s->n++] = v;
}

struct feed *feed_new(void) {
  struct feed *f = xcalloc(1, sizeof *f);
  pthread_mutex_init(&f->lock, NULL);
  f->response = hist_new();
  f->lateness = hist_new();
  f->second = hist_new();
  f->until_ns = 0; /* no phase yet: nothing counts */
  f->now = (struct feed_now){NAN, NAN, NAN};
  return f;
}

void feed_free(struct feed *f) {
  if (!f)
    return;
  pthread_mutex_destroy(&f->lock);
  free(f->done.v);
  free(f->mean_ms.v);
  free(f->read_bytes.v);
  free(f->response);
  free(f->lateness);
  free(f->second);
  free(f->kept);
  free(f);
}

void feed_step(struct feed *f, struct run_step *s) {
  pthread_mutex_lock(&f->lock);
  f->step = s;
  pthread_mutex_unlock(&f->lock);
}

void feed_phase(struct feed *f, enum phase phase, int64_t from_ns) {
  pthread_mutex_lock(&f->lock);
  f->phase = phase;
  f->from_ns = from_ns;
  f->until_ns = INT64_MAX;
  f->done.n = f->mean_ms.n = f->read_bytes.n = 0;
  memset(&f->sums, 0, sizeof f->sums);
  f->idle_sum = f->steal_sum = 0;
  f->idle_n = f->steal_n = 0;
  f->nkept = 0;
  f->span.n = 0;
  hist_clear(f->response);
  hist_clear(f->lateness);
  pthread_mutex_unlock(&f->lock);
}

void feed_phase_end(struct feed *f, int64_t until_ns) {
  pthread_mutex_lock(&f->lock);
  f->until_ns = until_ns;
  pthread_mutex_unlock(&f->lock);
}

/* A whole second that lies in the phase: the collector says which phase its requests belong to, but its first and last second may
 * be partial. */
static int counts(const struct feed *f, const struct load_second *s) {
  return s->phase == (int64_t)f->phase && s->second * NS_PER_S >= f->from_ns && (s->second + 1) * NS_PER_S <= f->until_ns;
}

static void keep(struct feed *f, const struct hist_entry *e) {
  if (f->nkept == f->kept_cap) {
    f->kept_cap = f->kept_cap ? 2 * f->kept_cap : 4096;
    f->kept = xrealloc(f->kept, f->kept_cap, sizeof *f->kept);
  }
  f->kept[f->nkept++] = (struct kept){(uint32_t)f->sums.seconds, e->bucket, e->count};
}

static int64_t known(int64_t v) {
  return v == ABSENT ? 0 : v;
}

static void add_second(struct feed *f, const struct load_second *s, double sum_ms, int64_t n) {
  struct feed_sums *t = &f->sums;
  series_add(&f->done, (double)known(s->done));
  series_add(&f->mean_ms, n > 0 ? sum_ms / (double)n : NAN);
  t->seconds++;
  t->done += known(s->done);
  t->rolled_back += known(s->rolled_back);
  t->failed += known(s->failed);
  t->lost += known(s->lost);
  t->deadlocks += known(s->deadlocks);
  t->overflow += known(s->ring_overflow);
  t->client_cpu_ms += (double)known(s->client_cpu_ms);
  t->waiting_last = known(s->waiting);
  if (s->host_idle_permille != ABSENT) {
    f->idle_sum += (double)(s->host_idle_permille + known(s->host_iowait_permille));
    f->idle_n++;
  }
  if (s->host_steal_permille != ABSENT) {
    f->steal_sum += (double)s->host_steal_permille;
    f->steal_n++;
  }
}

void feed_second(void *arg, const struct load_second *s, const struct hist_record_row *row, size_t nrow) {
  struct feed *f = arg;
  double sum_ms = 0;
  int64_t n = 0;
  pthread_mutex_lock(&f->lock);
  int in = counts(f, s);
  hist_clear(f->second);
  for (size_t i = 0; i < nrow; i++) {
    if (row[i].what == HIST_RESPONSE) {
      sum_ms += (double)hist_middle_ns(row[i].e.bucket) / 1e6 * row[i].e.count;
      n += row[i].e.count;
      hist_add(f->second, row[i].e.bucket, row[i].e.count);
      if (in)
        hist_add(f->response, row[i].e.bucket, row[i].e.count);
      if (in && f->keep && f->phase == PHASE_MEASURE)
        keep(f, &row[i].e);
    } else if (row[i].what == HIST_LATENESS && in) {
      hist_add(f->lateness, row[i].e.bucket, row[i].e.count);
    }
  }
  if (in)
    add_second(f, s, sum_ms, n);
  f->now.done_per_s = s->done == ABSENT ? NAN : (double)s->done;
  f->now.p95_ms = hist_quantile_ms(f->second, 0.95);
  /* The users go on until their next phase begins: what came after the measured phase's end is none of it. */
  struct load_second kept = *s;
  if (s->phase == PHASE_MEASURE && !in)
    kept.phase = PHASE_SETTLE;
  /* The step is written to under the lock, so that feed_step(NULL) means: nobody writes to it any more. */
  if (f->step)
    run_step_second(f->step, &kept, row, nrow);
  pthread_mutex_unlock(&f->lock);
}

/* The sampler's thread: its own calls are counted up to this sample. */
static void add_to_span(struct feed *f, const struct server_sample *s) {
  if (s->at_ns < f->from_ns || s->at_ns > f->until_ns)
    return;
  int64_t ours = f->drive && f->sampler ? drive_calls(f->drive) + sampler_calls(f->sampler) : ABSENT;
  if (f->span.n++ == 0) {
    f->span.first = *s;
    f->span.ours_first = ours;
  }
  f->span.last = *s;
  f->span.ours_last = ours;
}

void feed_sample(void *arg, const struct server_sample *s) {
  struct feed *f = arg;
  pthread_mutex_lock(&f->lock);
  double bytes = NAN, span_s = NAN;
  if (f->latest.at_ns > 0 && s->at_ns > f->latest.at_ns) {
    span_s = (double)(s->at_ns - f->latest.at_ns) / (double)NS_PER_S;
    if (s->data_read_bytes != ABSENT && f->latest.data_read_bytes != ABSENT)
      bytes = (double)(s->data_read_bytes - f->latest.data_read_bytes) / span_s;
  }
  if (f->latest.at_ns >= f->from_ns && f->latest.at_ns > 0 && s->at_ns <= f->until_ns)
    series_add(&f->read_bytes, bytes);
  add_to_span(f, s);
  f->now.read_mb_s = bytes / 1e6;
  f->latest = *s;
  if (f->step)
    run_step_sample(f->step, s);
  pthread_mutex_unlock(&f->lock);
}

/* The first n values; NaN beyond what the series has. */
static double *copy(const struct series *s, size_t n) {
  double *v = xmalloc((n ? n : 1) * sizeof *v);
  for (size_t i = 0; i < n; i++)
    v[i] = i < s->n ? s->v[i] : NAN;
  return v;
}

void feed_series(struct feed *f, struct feed_series *out) {
  pthread_mutex_lock(&f->lock);
  size_t n = f->done.n;
  /* Where the server is not sampled there is no such series: then it is not waited for. */
  if (f->read_bytes.n && f->read_bytes.n < n)
    n = f->read_bytes.n;
  *out = (struct feed_series){copy(&f->done, n), copy(&f->mean_ms, n), copy(&f->read_bytes, n), n};
  pthread_mutex_unlock(&f->lock);
}

void feed_series_free(struct feed_series *s) {
  free(s->done);
  free(s->mean_ms);
  free(s->read_bytes);
}

void feed_keep(struct feed *f) {
  pthread_mutex_lock(&f->lock);
  f->keep = 1;
  pthread_mutex_unlock(&f->lock);
}

struct seconds_hist *feed_latency(struct feed *f) {
  pthread_mutex_lock(&f->lock);
  size_t n = f->nkept, seconds = (size_t)f->sums.seconds;
  struct kept *kept = xmalloc((n ? n : 1) * sizeof *kept);
  if (n)
    memcpy(kept, f->kept, n * sizeof *kept);
  pthread_mutex_unlock(&f->lock);
  struct seconds_hist *h = seconds_hist_new(seconds);
  for (size_t i = 0; i < n; i++)
    seconds_hist_add(h, kept[i].second, kept[i].bucket, kept[i].count);
  free(kept);
  return h;
}

void feed_sums(struct feed *f, struct feed_sums *out) {
  pthread_mutex_lock(&f->lock);
  *out = f->sums;
  out->p95_ms = hist_quantile_ms(f->response, 0.95);
  out->p99_ms = hist_quantile_ms(f->response, 0.99);
  out->late_p99_ms = hist_quantile_ms(f->lateness, 0.99);
  out->idle_permille = f->idle_n ? f->idle_sum / (double)f->idle_n : NAN;
  out->steal_permille = f->steal_n ? f->steal_sum / (double)f->steal_n : NAN;
  pthread_mutex_unlock(&f->lock);
}

void feed_responses(struct feed *f, struct hist *h) {
  pthread_mutex_lock(&f->lock);
  *h = *f->response;
  pthread_mutex_unlock(&f->lock);
}

void feed_span(struct feed *f, struct feed_span *span) {
  pthread_mutex_lock(&f->lock);
  *span = f->span;
  pthread_mutex_unlock(&f->lock);
}

void feed_count(struct feed *f, struct drive *drive, struct sampler *sampler) {
  pthread_mutex_lock(&f->lock);
  f->drive = drive;
  f->sampler = sampler;
  pthread_mutex_unlock(&f->lock);
}

void feed_now(struct feed *f, struct feed_now *out) {
  pthread_mutex_lock(&f->lock);
  *out = f->now;
  pthread_mutex_unlock(&f->lock);
}

void feed_latest(struct feed *f, struct server_sample *out) {
  pthread_mutex_lock(&f->lock);
  *out = f->latest;
  pthread_mutex_unlock(&f->lock);
}
