/* property: SERVERPROPERTY. */
#ifndef RK_SANDBOX_PROPERTY_H
#define RK_SANDBOX_PROPERTY_H

#include "sandbox/server.h"

/* The name of property i, NULL after the last. */
const char *property_name(int i);

/* The value of a property, which may stand in buf; NULL for one that there is not, or that is NULL here.  *number: it is a
 * number. */
const char *property_value(const struct server *, const char *name, int *number, char *buf, size_t size);

/* SERVERPROPERTY(name) as SQL: a quoted text, a number, NULL.  Returns buf. */
char *property_sql(const struct server *, const char *name, char *buf, size_t size);

#endif
