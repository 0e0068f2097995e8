/* heading: what the name of a column tells: its words, its unit, its quantity.  Pure functions. */
#ifndef RK_ANALYSIS_HEADING_H
#define RK_ANALYSIS_HEADING_H

#include "analysis/points.h"

#define HEADING_WORDS 12

/* The words of a name, small: "innodb_buffer_pool_size_GiB" has five, "avgLatency (ms)" three.  A % is the word "percent"; "95th",
 * "95pct", "95%", "perc95" and "95 percentile" are "p95".  What stands behind a +/- is no part of it. */
struct heading {
  size_t n;
  char word[HEADING_WORDS][24];
};

void heading_read(struct heading *, const char *name);
int heading_has(const struct heading *, const char *word);

/* How much the name speaks for a memory setting: 0 not at all. */
int heading_memory(const struct heading *);
/* The unit of memory in the name, as it is written there ("GiB", "pages", "%"), or "". */
void heading_memory_unit(const char *name, char *unit, size_t size);
/* MiB in one unit of that name, NaN when it is no size. */
double heading_unit_mib(const char *unit);

enum quantity heading_quantity(const struct heading *);
/* Which one to judge when nobody says: the smallest is the first choice, at most HEADING_RANKS, 0: none. */
#define HEADING_RANKS 10
int heading_rank(const struct heading *);
/* Does it tell how well a cache does (a hit ratio, page life expectancy): more is better, but it is no throughput. */
int heading_is_hits(const struct heading *);
/* The time unit in the name ("ms"), or "". */
const char *heading_time_unit(const struct heading *);
/* Is it the standard error of a column of those words?  2: named so, 1: of the only metric maybe, 0: no. */
int heading_error_of(const struct heading *, const struct heading *metric);

#endif
