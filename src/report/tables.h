/* tables: the derived TSVs of a run folder.  A header line, tabs, C locale; unknown is an empty field, never zero. */
#ifndef RK_REPORT_TABLES_H
#define RK_REPORT_TABLES_H

#include "base/text.h"
#include "report/account.h"

/* All have a last column "label": the sandbox's sentence, so that no figure of it is taken for a SQL Server's; empty (label NULL)
 * on a real server. */

/* steps.tsv: a line a row of the table.  GB are 2^30 bytes, MB 10^6.  *_lo and *_hi: 95 % interval.  Memories that are no size stand
 * in a column "memory" instead of "memory_gb". */
void table_steps(struct text *, const struct account *);
/* samples.tsv: a line a second of the run, burn-in, settling and warm-up included.  Latency rows must stand in the order of their
 * seconds, as the recorder writes them. */
void table_samples(struct text *, const struct run_data *, const char *label);
/* latency.tsv: percentiles of the measured phases, a line a step, transaction type ("all" first) and kind of time. */
void table_latency(struct text *, const struct run_data *, const struct figures_list *, const char *label);

/* What ends the names of the latency columns of steps.tsv: "_ms", or nothing where the unit is not known. */
const char *table_latency_suffix(const struct account *);
/* A number with at most that many decimals; NaN is an empty field. */
void tsv_number(struct text *, double, int decimals);

#endif
