/* account: what a run says, in figures and in sentences: facts, verdicts, warnings with their remedies.  Summary, HTML, JSON and
 * pictures all draw on it, so that they cannot disagree. */
#ifndef RK_REPORT_ACCOUNT_H
#define RK_REPORT_ACCOUNT_H

#include "analysis/verdict.h"
#include "report/figures.h"
#include "report/report.h"

/* A list of texts; of warnings: each with its remedy. */
struct sentences {
  size_t n;
  struct sentence {
    char *text, *remedy; /* remedy NULL: none */
  } * item;
};

/* What is judged.  p95 is what the sentences speak of; the others stand in verdict.json. */
enum judged { JUDGED_P95, JUDGED_P50, JUDGED_MEAN, JUDGED_P99, JUDGED_READS, JUDGED_TX, JUDGED };
extern const char *const judged_name[JUDGED];

/* The smallest memory whose p95 stays below (1 + more) times that of the largest step. */
#define WITHIN 3
extern const double within_more[WITHIN]; /* 0.1, 0.25, 1 */

struct account {
  const struct run_data *run;
  struct report_options options;
  struct figures_list rows;
  char *label;                      /* of the sandbox; NULL on a real server */
  struct sentences facts;           /* text: the name, remedy: the value */
  struct verdict verdict[JUDGED];   /* ok = 0 where it could not be judged */
  struct slo_answer within[WITHIN]; /* MiB; NaN */
  double level_mib;                 /* from this memory on no step reads (verdict_options.level_mib) */
  struct estimate drift;            /* of p95, relative */
  int drifting;                     /* beyond the interval and the tolerance */
  int incomplete;
  struct sentences verdicts, warnings;
  struct sentences noted; /* what fell into the measured phases: no warnings */
};

void account_make(struct account *, const struct run_data *, const struct report_options *);
void account_free(struct account *);

/* Add a sentence; the remedy may be NULL.  Control characters in it become blanks. */
void sentence_add(struct sentences *, const char *remedy, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void sentences_free(struct sentences *);

/* "128 GB" of MiB; buf of at least 24. */
char *memory_text(double mib, char *buf, size_t size);
/* Two to three significant digits: "0.085", "2.3", "460", "1,230". */
char *figure_text(double v, char *buf, size_t size);
/* "+1.3 %", "+66 %", "-0.4 %", "+1,250 %". */
char *percent_text(double ratio, char *buf, size_t size);

#endif
