/* edition: what an edition of SQL Server can use. */
#ifndef RK_CHECK_EDITION_H
#define RK_CHECK_EDITION_H

#include <stdint.h>

/* The buffer pool limit in MiB of an edition ("Standard Edition (64-bit)") of a version ("13.0.5026.0"), 0 when it has none or is not
 * known.  From Microsoft's "Editions and supported features" of each version. */
int64_t edition_limit_mib(const char *edition, const char *version);

#endif
