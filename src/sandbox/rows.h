/* rows: rows for a table of the engine's, as one statement: readers see the old ones or the new ones.  All statements of one refresh go to
 * the engine at once: under load a way there and back takes longer than the work. */
#ifndef RK_SANDBOX_ROWS_H
#define RK_SANDBOX_ROWS_H

#include "base/text.h"

#include <stdint.h>

/* Begin with the table, of sys and maybe with its columns, all else zero. */
struct rows {
  struct text sql;
  const char *table;
  int n;
};

void rows_open(struct rows *); /* a new row, then its fields in their order */
void rows_int(struct rows *, int64_t);
void rows_text(struct rows *, const char *); /* NULL is NULL */
/* The statement into the script, when there are rows. */
void rows_put(struct rows *, struct text *script);

#endif
