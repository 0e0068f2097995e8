/* tsv: read a table of whole numbers (and a few other kinds of fields) into an array of structs, columns found by their names. */
#ifndef RK_RUN_TSV_H
#define RK_RUN_TSV_H

#include "base/cause.h"

#include <stddef.h>
#include <stdint.h>

enum tsv_kind {
  TSV_I64,  /* int64_t; an empty field and a column that is not there are ABSENT */
  TSV_I32,  /* int32_t, uint32_t, uint8_t: must be there, within [min, max] */
  TSV_U32,
  TSV_U8,
  TSV_WHAT, /* uint8_t enum hist_what from r, s, l */
  TSV_TEXT, /* char[max] with its NUL */
};

struct tsv_column {
  const char *name;
  enum tsv_kind kind;
  size_t offset;
  int64_t min, max;
};

/* Read the file into *row (new memory, `size` bytes a row, the rest zero).  A last line without its newline is dropped; a file
 * without a whole header line is damaged (number -ENODATA).  Unknown columns are passed over.  A damaged line is a cause that names file and line;
 * a file that is not there is one too, with number -ENOENT. */
int tsv_read(const char *path, const struct tsv_column *, size_t ncol, size_t size, void **row, size_t *n, struct cause *);

#endif
