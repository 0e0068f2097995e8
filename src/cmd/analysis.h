/* analysis: how `ramknee analyze` prints what it has found out about a table. */
#ifndef RK_CMD_ANALYSIS_H
#define RK_CMD_ANALYSIS_H

#include "base/text.h"
#include "report/outside.h"

/* A heading, the points, the sentences. */
void analysis_text(struct text *, const struct outside *);
/* The same as one JSON object. */
void analysis_json(struct text *, const struct outside *);

#endif
