/* points: which columns of a table are memory and metric, in which units, and the points that its rows give.  Pure functions. */
#ifndef RK_ANALYSIS_POINTS_H
#define RK_ANALYSIS_POINTS_H

#include "analysis/sheet.h"
#include "analysis/verdict.h"
#include "base/cause.h"

#include <stddef.h>

/* What the user says about the table; NULL or < 0: found out from the names in the heading. */
struct points_options {
  const char *memory, *metric, *error; /* columns, by name or number */
  const char *memory_unit; /* "GB", "MB", "KB", "TB", "bytes", or any word ("pages"): then only ratios of memory are known */
  const char *unit;        /* of a latency: "ms", "us", "s", "ns" */
  int sense;               /* enum verdict_sense, or -1 */
};

enum quantity { QUANTITY_OTHER, QUANTITY_LATENCY, QUANTITY_READS, QUANTITY_THROUGHPUT };

/* A row that could not be used, or a remark about one. */
struct points_note {
  size_t line;
  char *text; /* a sentence without a full stop */
};

struct points {
  size_t n;
  /* In the order of memory, each memory once; mem_mib in MiB, or in the table's unit when that is no size. */
  struct verdict_point *point;
  char *memory_name, *metric_name;
  char *memory_unit;  /* "" when unknown; "pages" or the like when it is no size */
  int sized;          /* mem_mib is MiB */
  char *unit;         /* of the metric, as the heading or the user has it; "" when unknown */
  double ms_per_unit; /* of a latency with a known unit, else NaN */
  enum quantity quantity;
  enum verdict_sense sense;
  int has_error;         /* standard errors come from a column, or stand behind a +/- */
  size_t merged;         /* rows that were averaged (geometric mean) into another one of the same memory */
  double merged_apart;   /* the largest of them / the smallest, of one memory; 0: none was averaged */
  size_t zeros;          /* rows without any reads, which count as zero_as: half of the smallest value above 0 */
  double zero_as;
  size_t nbad, nmissing; /* rows left out: unreadable; without a value */
  size_t nnote;
  struct points_note *note; /* one for each row left out, in their order */
};

/* Take the points.  0, or -1 with a cause: no such column, columns that can't be told, fewer than three points (the first row
 * that could not be used is then named).  points_free in either case. */
int points_take(struct points *, const struct sheet *, const struct points_options *, struct cause *);
void points_free(struct points *);

/* The column that a person means by `name`: the column of that name or number, else the only one that has it among its words
 * ("p95"; the metric before others).  -1 with a cause when there is none or more than one. */
int points_column(const struct sheet *, const char *name, const char *metric, struct cause *);

/* "128 GB", or "125000 pages", of a memory in the points' unit; buf of at least 40. */
char *points_memory_text(const struct points *, double mem, char *buf, size_t size);

/* Milliseconds of one "ms", "us", "s", "ns" or "min" (and their longer names), else NaN. */
double points_unit_ms(const char *unit);

#endif
