/* pool: a step that was measured several times (sweep --passes, or the same memory in joined runs) becomes one row.
 *
 * Its latencies are those of all transactions together, its rates those of all seconds together, what the server counted is weighted by
 * seconds or transactions.  The errors of all rows then come from how visits of one step differ (analysis/visits.h), not from their seconds
 * alone.  A visit whose client was busy is left out where another of that step has an idle one. */
#ifndef RK_REPORT_POOL_H
#define RK_REPORT_POOL_H

#include "report/figures.h"

/* Rows of kind ROW_STEP and the same memory, which stand one behind the other, become one.  Where no memory comes twice nothing changes.
 * Pure in (the rows, seed). */
void pool_visits(struct figures_list *, uint64_t seed);

#endif
