/* analysis: what `ramknee analyze` has found out about a table, and how it is told. */
#ifndef RK_CMD_ANALYSIS_H
#define RK_CMD_ANALYSIS_H

#include "analysis/points.h"
#include "analysis/verdict.h"

#include <stdint.h>
#include <stdio.h>

/* A limit that somebody asked for, on a column of the table. */
struct analysis_limit {
  char *words;  /* "at or below 5 ms" */
  double limit; /* in the column's unit */
  struct points points;
  struct slo_answer answer;
};

struct analysis {
  const char *name; /* of the table */
  struct points points;
  struct verdict_options options;
  struct verdict verdict;
  size_t nlimit;
  struct analysis_limit *limit;
};

/* A heading, the points, the sentences. */
void analysis_print_text(FILE *, const struct analysis *);
/* The same as one JSON object. */
void analysis_print_json(FILE *, const struct analysis *);

#endif
