/* units: sizes, durations and numbers as people write them.  Pure functions; the locale is never consulted. */
#ifndef RK_BASE_UNITS_H
#define RK_BASE_UNITS_H

#include "base/cause.h"

#include <stddef.h>
#include <stdint.h>

#define KIB INT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

/* Parse a size: digits, an optional decimal part, and one of K M G T (binary, any case; "B" or "iB" may follow).  A bare number
 * is refused: nobody knows its unit.  Result in bytes, 1 <= *bytes <= 2^60.  On failure -1 with a sentence that quotes the text. */
int size_parse(const char *text, int64_t *bytes, struct cause *);

/* Parse a duration: digits, an optional decimal part, and ms, s, m or h ("90s", "5m", "1.5h", "250ms"); a bare 0 is allowed.
 * Result in nanoseconds, 0 <= *ns <= 366 days. */
int duration_parse(const char *text, int64_t *ns, struct cause *);

/* Parse a whole number in [min, max]; `what` names it in the sentence. */
int int_parse(const char *text, const char *what, int64_t min, int64_t max, int64_t *value, struct cause *);

/* Parse a finite number in [min, max] with a decimal point. */
int real_parse(const char *text, const char *what, double min, double max, double *value, struct cause *);

/* Parse a share in [min, max]: "5%" or "0.05". */
int share_parse(const char *text, const char *what, double min, double max, double *value, struct cause *);

/* "128 GB", "1.5 GB", "512 MB", "8 KB": binary units with the names SQL Server's tools use.  Returns buf. */
char *size_text(int64_t bytes, char *buf, size_t size);

/* "128G", "1536M": the shortest form that size_parse takes back exactly, for file names and options.  Returns buf. */
char *size_key(int64_t bytes, char *buf, size_t size);

/* "250 ms", "12 s", "3 min 20 s", "1 h 05 min".  Returns buf. */
char *duration_text(int64_t ns, char *buf, size_t size);

/* "1,234,567".  Returns buf. */
char *count_text(int64_t n, char *buf, size_t size);

#endif
