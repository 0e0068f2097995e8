/* verdict_words: the verdict in sentences that a planner can paste.  Pure functions. */
#ifndef RK_ANALYSIS_VERDICT_WORDS_H
#define RK_ANALYSIS_VERDICT_WORDS_H

#include "analysis/verdict.h"
#include "base/text.h"

/* What the sentences speak of.  All borrowed. */
struct verdict_subject {
  const char *metric; /* "the p95 latency", "throughput_tps" */
  enum verdict_sense sense;
  double tolerance, noise;
  char *(*memory)(const void *arg, double mem, char *buf, size_t size); /* "128 GB"; buf of 40 */
  const void *memory_arg;
};

/* Add a sentence a line, without marks in front: the plateau; the knee, with what a halving above and below it costs; a second
 * shoulder; the gain by still more memory; steps that are worse with more memory; the noise that was assumed.  Nothing when
 * !v->ok. */
void verdict_words(struct text *, const struct verdict *, const struct verdict_point *, size_t n, const struct verdict_subject *);

/* One sentence about a limit ("at most 5 ms"): the smallest measured memory that keeps it, surely and likely, and where the fit
 * crosses it. */
void verdict_limit_words(struct text *, const struct slo_answer *, const char *limit, const struct verdict_subject *);

/* What the verdict is good for: this workload, data and storage; and what memory comes on top of the setting. */
void verdict_scope_words(struct text *);

/* "+1.3 %", "-40 %": three significant digits at most; "n/a" for NaN. */
char *verdict_percent(double ratio, char *buf, size_t size);

#endif
