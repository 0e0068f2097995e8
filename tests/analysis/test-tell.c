/* What is told: the histogram as text, the next step, the sentences. */
#include "config.h"

#include "analysis/hdr_text.h"
#include "analysis/refine.h"
#include "analysis/verdict_words.h"
#include "base/random.h"
#include "base/units.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- histogram ---- */

Test(hdr_text, each_line_is_true_of_the_histogram) {
  struct hist *h = hist_new();
  struct rng r = rng_at(31, 0, 0);
  for (int i = 0; i < 100000; i++)
    hist_record(h, (int64_t)rng_exp(&r, 3e6));
  struct text t = {0};
  hdr_text(&t, h);
  int lines = 0;
  double last = 0, level_before = -1;
  char *save = NULL;
  for (char *l = strtok_r(t.s, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
    double ms, level, inverse;
    unsigned long long n;
    int fields = sscanf(l, "%lf %lf %llu %lf", &ms, &level, &n, &inverse);
    if (l[0] == '#' || fields < 3)
      continue;
    lines++;
    uint64_t below = 0;
    for (uint32_t b = 1; b < HIST_BUCKETS && (double)hist_upper_ns(b) / 1e6 < ms + 0.0006; b++)
      below += h->count[b];
    cr_assert_eq(below, n, "at %g ms there are %llu samples, not %llu", ms, (unsigned long long)below, n);
    cr_assert(ms >= last && level > level_before);
    cr_assert_geq((double)n, level * 100000 - 1e-6);
    cr_assert(fields == 3 ? level == 1 : fabs(inverse * (1 - level) - 1) < 0.02 || inverse > 100);
    last = ms;
    level_before = level;
  }
  cr_assert_float_eq(level_before, 1, 1e-12);
  cr_assert(lines > 40 && lines < 120, "%d lines", lines);
  text_free(&t);
  hdr_text(&t, h);
  cr_expect(strstr(t.s, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n") == t.s);
  cr_expect(strstr(t.s, "Total count    =       100000]"));
  cr_expect(strstr(t.s, " 0.500000000000 ") && strstr(t.s, " 0.550000000000 ") && strstr(t.s, " 0.775000000000 "));
  text_free(&t);
  hist_clear(h);
  hdr_text(&t, h);
  cr_expect(strstr(t.s, "Total count    =            0]"));
  text_free(&t);
  free(h);
}

/* ---- next step ---- */

Test(refine, geometric_middle_in_whole_gigabytes) {
  cr_expect_eq(refine_between(16 * 1024, 32 * 1024, REFINE_RATIO), 23 * 1024);
  cr_expect_eq(refine_between(8 * 1024, 10 * 1024, REFINE_RATIO), 9 * 1024);
  cr_expect_eq(refine_between(8 * 1024, 9 * 1024, REFINE_RATIO), 0, "1 GB apart");
  cr_expect_eq(refine_between(100 * 1024, 115 * 1024, REFINE_RATIO), 0, "1.15 is narrow enough");
  cr_expect_neq(refine_between(100 * 1024, 116 * 1024, REFINE_RATIO), 0);
  cr_expect_eq(refine_between(1500, 3000, REFINE_RATIO), 2048);
  cr_expect_eq(refine_between(NAN, 3000, REFINE_RATIO), 0);
  cr_expect_eq(refine_between(0, 3000, REFINE_RATIO), 0);
}

/* Whatever the bracket: the steps lie inside, and it ends. */
Test(refine, ends) {
  struct rng r = rng_at(32, 0, 0);
  for (int i = 0; i < 2000; i++) {
    double a = 1024 * (double)rng_range(&r, 1, 500), b = a + 1024 * (double)rng_range(&r, 1, 500);
    int steps = 0;
    for (int64_t m; (m = refine_between(a, b, REFINE_RATIO)) != 0; steps++) {
      cr_assert((double)m > a && (double)m < b && m % 1024 == 0 && steps < 12);
      if (rng_range(&r, 0, 1))
        a = (double)m;
      else
        b = (double)m;
    }
    cr_assert(b / a <= REFINE_RATIO || b - a <= 1024);
  }
}

Test(refine, knee_first_then_edge) {
  struct verdict v = {.ok = 1};
  const struct bracket *of = NULL;
  v.knee = (struct bracket){.found = 1, .a_mib = 16 * 1024, .b_mib = 32 * 1024};
  v.edge = (struct bracket){.found = 1, .a_mib = 32 * 1024, .b_mib = 64 * 1024};
  cr_expect_eq(refine_next(&v, REFINE_RATIO, &of), 23 * 1024);
  cr_expect_eq(of, &v.knee);
  v.knee.a_mib = 31 * 1024;
  cr_expect_eq(refine_next(&v, REFINE_RATIO, &of), 45 * 1024);
  cr_expect_eq(of, &v.edge);
  v.edge.found = 0;
  cr_expect_eq(refine_next(&v, REFINE_RATIO, &of), 0);
  v.ok = 0;
  v.knee.a_mib = 16 * 1024;
  cr_expect_eq(refine_next(&v, REFINE_RATIO, NULL), 0);
}

/* ---- sentences ---- */

static char *gb(const void *arg, double mem, char *buf, size_t size) {
  (void)arg;
  return size_text((int64_t)(mem * 1048576), buf, size);
}

static struct text words_of(size_t n, const double *mem_gb, const double *y, enum verdict_sense sense) {
  struct verdict_point p[16];
  struct verdict_options o = VERDICT_DEFAULTS;
  struct verdict v;
  struct text t = {0};
  for (size_t i = 0; i < n; i++)
    p[i] = (struct verdict_point){mem_gb[i] * 1024, y[i], NAN, NULL, 0};
  o.sense = sense;
  cr_assert_eq(verdict_find(p, n, &o, &v), 0);
  struct verdict_subject s = {
      .metric = "the latency", .sense = sense, .tolerance = o.tolerance, .noise = o.noise, .memory = gb};
  verdict_words(&t, &v, p, n, &s);
  return t;
}

static void says(struct text *t, const char *const *what) {
  for (; *what; what++)
    cr_expect(strstr(t->s, *what), "'%s' is not in: %s", *what, t->s);
  cr_expect_null(strstr(t->s, "nan"), "%s", t->s);
  text_free(t);
}

#define SAYS(t, ...) says(&(t), (const char *const[]){__VA_ARGS__, NULL})
static const double six[] = {128, 96, 64, 32, 16, 8};

Test(words, each_answer_has_its_sentence) {
  struct text t = words_of(6, six, (double[]){2.5, 2.5, 2.5, 4.15, 12.5, 31.6}, LESS_IS_BETTER);
  SAYS(t, "Plateau edge between 32 GB and 64 GB", "at 32 GB it is 66 % worse", "Knee between 16 GB and 32 GB",
       "raises it by 66 %", "multiplies it by 3", "noise of 3 %");
  t = words_of(6, six, (double[]){2.5, 2.51, 2.5, 2.52, 2.5, 2.55}, LESS_IS_BETTER);
  SAYS(t, "Flat: down to 8 GB");
  t = words_of(6, six, (double[]){2, 2.3, 3, 4.4, 6.5, 9.6}, LESS_IS_BETTER);
  SAYS(t, "Plateau not reached", "More than 128 GB would help", "No knee: all of these steps lie below it");
  t = words_of(6, six, (double[]){100, 100, 99, 70, 40, 20}, MORE_IS_BETTER);
  SAYS(t, "Plateau edge between 32 GB and 64 GB", "lowers it by");
  t = words_of(7, (double[]){256, 128, 64, 32, 16, 8, 4}, (double[]){2, 2, 6, 6.2, 6.3, 40, 100}, LESS_IS_BETTER);
  SAYS(t, "Plateau edge between 64 GB and 128 GB", "Knee between", "A second shoulder between");
  t = words_of(4, (double[]){64, 32, 16, 8}, (double[]){100, 92, 85, 78}, MORE_IS_BETTER);
  SAYS(t, "Plateau unsure");
  t = words_of(6, six, (double[]){5, 2.5, 2.5, 2.5, 2.5, 9}, LESS_IS_BETTER);
  SAYS(t, "With more memory it looks worse, beyond noise: at 128 GB");
}

Test(words, limits) {
  struct text t = {0};
  struct verdict_subject s = {.metric = "p95", .sense = LESS_IS_BETTER, .memory = gb};
  struct slo_answer a = {32768, 32768, 29000, 28000, 30000};
  verdict_limit_words(&t, &a, "at or below 5 ms", &s);
  SAYS(t, "is 32 GB, by its 95 % interval", "crosses the limit at 28.3 GB (27.3 GB to 29.3 GB)");
  a = (struct slo_answer){65536, 32768, NAN, NAN, NAN};
  verdict_limit_words(&t, &a, "at or below 5 ms", &s);
  SAYS(t, "likely 32 GB, and surely (by its 95 % interval) 64 GB.");
  a = (struct slo_answer){NAN, 32768, NAN, NAN, NAN};
  verdict_limit_words(&t, &a, "at or below 5 ms", &s);
  SAYS(t, "likely 32 GB, but none does so");
  a = (struct slo_answer){NAN, NAN, NAN, NAN, NAN};
  verdict_limit_words(&t, &a, "at or below 5 ms", &s);
  SAYS(t, "No measured memory, together with all larger ones, keeps p95 at or below 5 ms.");
  verdict_scope_words(&t);
  SAYS(t, "workload", "operating system");
}
