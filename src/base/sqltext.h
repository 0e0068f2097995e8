/* sqltext: the compiled-in statements of sql/, by tag.  A tag is the path without "sql/" and ".sql": "server/counters".
 *
 * Every file begins with these lines, and is sent as it is, header included, so that a DBA's trace names the sender:
 *
 *     / * ramknee:server/counters * /
 *     / * params: @db nvarchar(128), @mb int * /                 (only when there are parameters; the declaration that sp_executesql gets)
 *     / * result: obj text, cnt text, inst text, cntr_value int * /   (one line for each result set, in order; none: no rows come back)
 *
 * (without the blanks inside the comment marks).  Column kinds: int (any whole number or bit), real (float, decimal, numeric), text,
 * bin, time.  The client refuses a result whose number, names or kinds of columns differ.  A column whose name ends in '?' in the
 * header may be NULL; the others may not.  Those of scripts/ are for a DBA and never sent: they may hold GO.  Pure; the table is built
 * once, by sqltext_init, before threads start. */
#ifndef RK_BASE_SQLTEXT_H
#define RK_BASE_SQLTEXT_H

#include "base/cause.h"

#include <stddef.h>

enum sql_kind { SQL_INT, SQL_REAL, SQL_TEXT, SQL_BIN, SQL_TIME };

struct sql_column {
  const char *name;
  enum sql_kind kind;
  int nullable;
};

struct sql_result {
  int ncol;
  struct sql_column *col;
};

struct sqltext {
  const char *tag;    /* "server/counters" */
  const char *text;   /* the whole file, NUL-terminated */
  size_t size;        /* bytes of text */
  const char *params; /* "@db nvarchar(128), @mb int", or NULL */
  int nparam;
  const char **param; /* "@db", "@mb": nparam names */
  int nresult;
  struct sql_result *result;
};

/* Parse the headers of all embedded files below sql/ but those below sql/sandbox/.  Idempotent.  A malformed header is our own
 * mistake: it fails with a sentence that names the file, and a test keeps that from being released. */
int sqltext_init(struct cause *);

/* The statement of that tag, or NULL. */
const struct sqltext *sqltext_find(const char *tag);

/* All of them in the order of their paths; *n is their number. */
const struct sqltext *sqltext_all(size_t *n);

#endif
