#include "config.h"

#include "analysis/verdict_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *verdict_percent(double ratio, char *buf, size_t size) {
  double p = 100 * ratio, a = fabs(p);
  if (isnan(p))
    snprintf(buf, size, "n/a");
  else
    snprintf(buf, size, "%+.*f %%", a < 9.95 ? 1 : 0, a < 0.05 ? 0.0 : p);
  return buf;
}

/* Without the sign. */
static char *share(double ratio, char *buf, size_t size) {
  double a = fabs(100 * ratio);
  snprintf(buf, size, "%.*f %%", a < 9.95 ? 1 : 0, a);
  return buf;
}

static char *memory(const struct verdict_subject *s, double mem, char *buf, size_t size) {
  return s->memory(s->memory_arg, mem, buf, size);
}

static const struct verdict_point *at(const struct verdict_point *p, size_t n, double mem) {
  for (size_t i = 0; i < n; i++)
    if (fabs(p[i].mem_mib / mem - 1) < 1e-9)
      return p + i;
  return NULL;
}

/* How much worse y is than at `base`: 0.66 is 66 % more latency, or 66 % of the throughput gone. */
static double worse(const struct verdict_subject *s, double y, double base) {
  return s->sense == MORE_IS_BETTER ? 1 - y / base : y / base - 1;
}

static char *sure(const struct bracket *b, char *buf, size_t size) {
  const char *doubt = b->confidence < 0.5 && b->near < 0.7 ? ": too uncertain to plan by, measure longer or on quieter machines" : "";
  if (b->near > b->confidence + 0.005)
    snprintf(buf, size, "%.0f %% of the resamples agree, %.0f %% within a step%s", 100 * b->confidence, 100 * b->near, doubt);
  else
    snprintf(buf, size, "%.0f %% of the resamples agree%s", 100 * b->confidence, doubt);
  return buf;
}

/* What a halving does to the metric. */
static char *cost(const struct verdict_subject *s, double lost, char *buf, size_t size) {
  char p[24];
  if (s->sense == LESS_IS_BETTER && lost >= 0.995)
    snprintf(buf, size, 1 + lost < 9.95 ? "multiplies it by %.1f" : "multiplies it by %.0f", 1 + lost);
  else if (lost < 0.005)
    snprintf(buf, size, "costs nothing");
  else
    snprintf(buf, size, s->sense == LESS_IS_BETTER ? "raises it by %s" : "lowers it by %s", share(lost, p, sizeof p));
  return buf;
}

/* Beyond this an end of an interval says no more than that nothing is known. */
#define KNOWN 9.99

static void gain_words(struct text *t, const struct verdict *v) {
  char g[24], lo[24], hi[24];
  if (fabs(v->top_gain_lo) > KNOWN || fabs(v->top_gain_hi) > KNOWN)
    text_addf(t, "%s (95 %% interval unknown: the points there scatter too much)", verdict_percent(v->top_gain, g, sizeof g));
  else
    text_addf(t, "%s (95 %% interval %s to %s)", verdict_percent(v->top_gain, g, sizeof g),
              verdict_percent(v->top_gain_lo, lo, sizeof lo), verdict_percent(v->top_gain_hi, hi, sizeof hi));
}

static void edge_words(struct text *t, const struct verdict *v, const struct verdict_point *p, size_t n,
                       const struct verdict_subject *s, const char *top, double top_y) {
  char a[40], b[40], w[24], agree[160];
  const struct verdict_point *pa = at(p, n, v->edge.a_mib);
  memory(s, v->edge.a_mib, a, sizeof a);
  memory(s, v->edge.b_mib, b, sizeof b);
  text_addf(t, "Plateau edge between %s and %s (%s): down to %s, %s stays within %.3g %% of that at %s", a, b,
            sure(&v->edge, agree, sizeof agree), b, s->metric, 100 * s->tolerance, top);
  if (pa)
    text_addf(t, "; at %s it is %s worse", a, share(worse(s, pa->y, top_y), w, sizeof w));
  text_add(t, ".\n");
}

static void plateau_words(struct text *t, const struct verdict *v, const struct verdict_point *p, size_t n,
                          const struct verdict_subject *s) {
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < n; i++) {
    low = fmin(low, p[i].mem_mib);
    high = fmax(high, p[i].mem_mib);
  }
  char lowest[40], top[40], from[40];
  memory(s, low, lowest, sizeof lowest);
  memory(s, high, top, sizeof top);
  memory(s, v->top_from_mib, from, sizeof from);
  switch (v->plateau) {
  case PLATEAU_FLAT:
    text_addf(t,
              "Flat: down to %s, %s shows no loss beyond %.3g %% and the noise: the smallest step suffices, and less was not "
              "tried.\n",
              lowest, s->metric, 100 * s->tolerance);
    break;
  case PLATEAU_EDGE: edge_words(t, v, p, n, s, top, v->plateau_y); break;
  case PLATEAU_NOT_REACHED:
    text_addf(t, "Plateau not reached: from %s to %s a doubling of memory still improves %s by ", from, top, s->metric);
    gain_words(t, v);
    text_addf(t, ". More than %s would help; how much more, these steps cannot tell.\n", top);
    break;
  case PLATEAU_UNSURE:
    if (v->edge.found) {
      edge_words(t, v, p, n, s, top, v->plateau_y);
      text_add(t, "That it is level from there is not proved: by the steps at the top a doubling of memory would gain ");
    } else
      text_addf(t,
                "Plateau unsure: no smaller step stays within %.3g %% of %s at %s; whether more memory would help is not proved: "
                "a doubling would gain ",
                100 * s->tolerance, s->metric, top);
    gain_words(t, v);
    text_add(t, ". Measure longer, or add larger steps.\n");
    break;
  }
}

static void knee_words(struct text *t, const struct bracket *k, const char *name, const struct verdict_subject *s) {
  char a[40], b[40], above[64], below[64], agree[160];
  memory(s, k->a_mib, a, sizeof a);
  memory(s, k->b_mib, b, sizeof b);
  text_addf(t, "%s between %s and %s (%s): halving the memory down to %s %s, halving it from there %s.\n", name, a, b,
            sure(k, agree, sizeof agree), b, cost(s, k->lost_above, above, sizeof above),
            cost(s, k->lost_below, below, sizeof below));
}

void verdict_words(struct text *t, const struct verdict *v, const struct verdict_point *p, size_t n,
                   const struct verdict_subject *s) {
  char a[40], b[40];
  if (!v->ok)
    return;
  plateau_words(t, v, p, n, s);
  if (v->knee.found)
    knee_words(t, &v->knee, "Knee", s);
  else if (v->below_knee)
    text_addf(t, "No knee: all of these steps lie below it; try larger ones.\n");
  else if (v->plateau != PLATEAU_FLAT)
    text_addf(t, "No knee: %s has no corner that stands out of its noise.\n", s->metric);
  if (v->knee2.found)
    knee_words(t, &v->knee2, "A second shoulder", s);
  if (v->rise_mib > 0)
    text_addf(t,
              "With more memory it looks worse, beyond noise: at %s than at %s. Something else changed between these steps: look "
              "for other work on the server or its storage, and measure again.\n",
              memory(s, v->rise_mib, a, sizeof a), memory(s, v->rise_than_mib, b, sizeof b));
  if (v->noise_assumed && v->noise > s->noise * 1.0001)
    text_addf(t,
              "The points scatter more than the %.3g %% of noise that was to be assumed: by %.2g %% about a curve that falls "
              "with memory, and that is reckoned with.\n",
              100 * s->noise, 100 * v->noise);
  else if (v->noise_assumed)
    text_addf(t, "Where no standard error is known, a noise of %.3g %% a point is assumed: the shares of resamples rest on it.\n",
              100 * s->noise);
}

void verdict_limit_words(struct text *t, const struct slo_answer *l, const char *limit, const struct verdict_subject *s) {
  char m[40], x[40], lo[40], hi[40];
  if (isnan(l->likely_mib))
    text_addf(t, "No measured memory, together with all larger ones, keeps %s %s.\n", s->metric, limit);
  else if (l->sure_mib == l->likely_mib)
    text_addf(t, "The smallest measured memory that keeps %s %s is %s, by its 95 %% interval", s->metric, limit,
              memory(s, l->sure_mib, m, sizeof m));
  else if (isnan(l->sure_mib))
    text_addf(t, "The smallest measured memory that keeps %s %s is likely %s, but none does so by its 95 %% interval", s->metric,
              limit, memory(s, l->likely_mib, m, sizeof m));
  else
    text_addf(t, "The smallest measured memory that keeps %s %s is likely %s, and surely (by its 95 %% interval) %s", s->metric,
              limit, memory(s, l->likely_mib, m, sizeof m), memory(s, l->sure_mib, x, sizeof x));
  if (isnan(l->likely_mib))
    return;
  if (isfinite(l->at_mib)) {
    text_addf(t, "; the fit crosses the limit at %s", memory(s, l->at_mib, m, sizeof m));
    if (isfinite(l->at_lo_mib) && isfinite(l->at_hi_mib))
      text_addf(t, " (%s to %s)", memory(s, l->at_lo_mib, lo, sizeof lo), memory(s, l->at_hi_mib, hi, sizeof hi));
  }
  text_add(t, ".\n");
}

void verdict_scope_words(struct text *t) {
  text_add(t, "This belongs to the workload, the data and their size, the demand and the storage that were measured: when one of "
              "them changes, so may the knee.\n");
  text_add(t, "The figures are of the memory setting alone: a machine needs besides what the operating system takes and what the "
              "server keeps outside of the setting (thread stacks, connections, other programs), and the data will grow.\n");
}
