/* verdict_json: the account for programs: verdict.json.  Unknown is null. */
#ifndef RK_REPORT_VERDICT_JSON_H
#define RK_REPORT_VERDICT_JSON_H

#include "report/account.h"

#include <jansson.h>

/* New object: schema, label, judged, tolerance, seed, verdict (by what is judged; the sentences speak of `judged`), limits, steps
 * (memory and what was measured, with intervals), sentences, warnings; of a run also incomplete, drift, p95_within, and each step's
 * marks and pressure. */
json_t *verdict_json(const struct account *);

#endif
