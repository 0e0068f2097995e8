/* verdict_json: the account for programs: verdict.json.  Unknown is null. */
#ifndef RK_REPORT_VERDICT_JSON_H
#define RK_REPORT_VERDICT_JSON_H

#include "report/account.h"

#include <jansson.h>

/* New object: schema, label, tolerance, seed, incomplete, drift, verdict (by what is judged), within, steps (memory and what is
 * judged, with intervals), sentences, warnings. */
json_t *verdict_json(const struct account *);

#endif
