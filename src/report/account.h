/* account: what a run says, in figures and in sentences: facts, verdicts, warnings with their remedies.  Summary, HTML, JSON and
 * pictures all draw on it, so that they cannot disagree.  report/outside.h makes one of a table that others measured. */
#ifndef RK_REPORT_ACCOUNT_H
#define RK_REPORT_ACCOUNT_H

#include "analysis/verdict.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/report.h"

/* A list of texts; of warnings: each with its remedy. */
struct sentences {
  size_t n;
  struct sentence {
    char *text, *remedy; /* remedy NULL: none */
  } * item;
};

/* What is judged.  The first is what sentences and brackets speak of: p95 of a run, the chosen column of a table; the others stand
 * in a run's verdict.json. */
enum judged { JUDGED_MAIN, JUDGED_P50, JUDGED_MEAN, JUDGED_P99, JUDGED_READS, JUDGED_TX, JUDGED };
extern const char *const judged_name[JUDGED];

/* The smallest memory whose p95 stays below (1 + more) times that of the largest step. */
#define WITHIN 3
extern const double within_more[WITHIN]; /* 0.1, 0.25, 1 */

/* How the things are called that the account speaks of.  Strings belong to it. */
struct subject {
  int outside;               /* a table of others: no server, no seconds */
  char *title;               /* "Memory sweep of SQL07" */
  char *source;              /* the server, or the table's name; "" */
  char *metric;              /* in sentences: "the p95 latency" */
  char *brief;               /* in pictures: "p95" */
  enum verdict_sense sense;
  int main, upper, lower;    /* enum latency_stat that are drawn against memory; -1: none */
  char *memory;              /* "max server memory" */
  char *memory_unit;         /* of memories that are no size ("pages", "" where nobody knows); NULL: they are sizes */
  char *latency, *latency_unit, *tx, *reads; /* of the axes; latency_unit NULL: ms or s as it fits */
};

/* A limit that somebody asked for. */
struct account_limit {
  char *metric, *words; /* "the p95 latency", "at or below 5 ms" */
  int stat;             /* enum latency_stat, -1: no latency in ms */
  double limit;         /* ms, or the column's unit */
  struct slo_answer answer;
};

struct account {
  const struct run_data *run;
  struct report_options options;
  struct subject subject;
  struct figures_list rows;
  char *label;                      /* of the sandbox; NULL on a real server */
  struct sentences facts;           /* text: the name, remedy: the value */
  size_t npoint;                    /* what the main verdict was found from */
  struct verdict_point *point;
  struct verdict verdict[JUDGED];   /* ok = 0 where it could not be judged */
  struct slo_answer within[WITHIN]; /* MiB; NaN */
  size_t busy_clients;              /* steps that are client-bound */
  int busy_left_out;                /* the verdicts on latency and throughput leave them out: three others are there */
  double level_mib;                 /* from this memory on no step reads (verdict_options.level_mib) */
  size_t nlimit;
  struct account_limit *limit;
  struct estimate drift;            /* of p95, relative */
  int drifting;                     /* beyond the interval and the tolerance */
  int incomplete;
  struct sentences verdicts, warnings;
  struct sentences noted; /* what fell into the measured phases: no warnings */
};

void account_make(struct account *, const struct run_data *, const struct report_options *);
void account_free(struct account *);

/* The step of that memory, NULL when none was measured whole. */
const struct figures *account_row(const struct account *, double mib);
/* Do the verdicts on latency and throughput leave that row out (busy_left_out)? */
int account_leaves_out(const struct account *, const struct figures *row);
/* Is a change of the first step, measured again, beyond its interval (where it has one) and the tolerance? */
int account_drifts(const struct account *, const struct estimate *);

/* Add a sentence; the remedy may be NULL.  Control characters in both are shown as \xHH. */
void sentence_add(struct sentences *, const char *remedy, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Each line of the text as a sentence. */
void sentences_add_lines(struct sentences *, const struct text *);
void sentences_free(struct sentences *);

/* What stands in a sentence about the main verdict, or about another metric (NULL: the main one). */
struct verdict_subject;
void account_subject(struct verdict_subject *, const struct account *, const char *metric);
/* A memory of this account: "128 GB", "125,000 pages"; `account` is one.  buf of 40. */
char *account_memory(const void *account, double mib, char *buf, size_t size);

/* "128 GB" of MiB; buf of at least 24. */
char *memory_text(double mib, char *buf, size_t size);
/* Two to three significant digits: "0.085", "2.3", "460", "1,230". */
char *figure_text(double v, char *buf, size_t size);
/* "+1.3 %", "+66 %", "-0.4 %", "+1,250 %". */
char *percent_text(double ratio, char *buf, size_t size);

#endif
