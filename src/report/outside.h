/* outside: what was found out about a table that others measured, and its report: the same files as a run's, where its columns allow. */
#ifndef RK_REPORT_OUTSIDE_H
#define RK_REPORT_OUTSIDE_H

#include "analysis/points.h"
#include "analysis/verdict.h"
#include "base/text.h"

/* A limit that somebody asked for, on a column of the table. */
struct outside_limit {
  char *words;  /* "at or below 5 ms" */
  double limit; /* in the column's unit */
  struct points points;
  struct slo_answer answer;
};

struct outside {
  const char *name; /* of the table */
  struct points points;
  struct verdict_options options;
  struct verdict verdict;
  size_t judged; /* of the points, in the order of memory: those above are worse than with less memory, and are not judged */
  size_t nlimit;
  struct outside_limit *limit;
};

/* The verdict on `points` by `options`.  More memory does not hurt, unless a machine has no more: where the largest memories are worse
 * than less, by more than twice the tolerance and noise, the points are judged up to there.  0, or -1: they cannot be judged. */
int outside_judge(struct outside *);

/* All sentences, one a line. */
void outside_words(struct text *, const struct outside *);

/* Write steps.tsv, verdict.json, summary.txt (`summary`), plots/ and report.html into `folder`, which is made.  Refused where a run is
 * kept.  Other columns of the sheet that are latencies, throughput or reads stand beside the one that was judged.  *drawn: pictures that
 * are there afterwards. */
int outside_report(const char *folder, const struct outside *, const struct sheet *, const struct points_options *, int pictures,
                   const struct text *summary, int *drawn, struct cause *);

#endif
