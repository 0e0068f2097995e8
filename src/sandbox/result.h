/* result: the engine's columns and values as the wire has them. */
#ifndef RK_SANDBOX_RESULT_H
#define RK_SANDBOX_RESULT_H

#include "base/sqltext.h"
#include "sandbox/field.h"

#include <mysql.h>

struct result_column {
  struct column column;
  enum field_type as; /* how its text is to be read */
  int latin1;         /* F_TEXT that is not UTF-8 yet */
};

/* What a column of the engine is to a client: latin1 text is VARCHAR, other text NVARCHAR, tinyint(1) is BIT. */
void result_column(const MYSQL_FIELD *, struct result_column *);
/* The kind that a statement's header declares overrides it. */
void result_declare(struct result_column *, const struct sql_column *);
/* A value from its text, NULL for NULL.  `buf` (3 x len + 1 bytes) is used for latin1 text only. */
void result_field(const struct result_column *, const char *p, size_t len, char *buf, struct field *);

#endif
