/* meta: what run.json and end.json tell, taken out with care: any member may be missing or of another type. */
#ifndef RK_REPORT_META_H
#define RK_REPORT_META_H

#include <jansson.h>

/* The member at "server.name"; NULL when it is not there (or null). */
const json_t *meta_at(const json_t *, const char *path);
/* Its text, or NULL. */
const char *meta_text(const json_t *, const char *path);
/* Its number, or NaN. */
double meta_number(const json_t *, const char *path);
/* true, or a number that is not 0. */
int meta_true(const json_t *, const char *path);
/* Of run.json: does it hold the points of several runs (report/join.h)? */
int meta_is_joined(const json_t *);

#endif
