/* field: one value on the sandbox's side, as it came off the wire or as it goes onto it. */
#ifndef RK_SANDBOX_FIELD_H
#define RK_SANDBOX_FIELD_H

#include <stddef.h>
#include <stdint.h>

enum field_type {
  F_NULL,     /* a NULL whose type the column or parameter says */
  F_INT,      /* i; any of tinyint..bigint, bit */
  F_REAL,     /* r */
  F_TEXT,     /* p, len: UTF-8 */
  F_BIN,      /* p, len: bytes */
  F_DATETIME, /* p, len: text "YYYY-MM-DD HH:MM:SS[.fff...]"; a date alone "YYYY-MM-DD", a time alone "HH:MM:SS[.fff...]" */
  F_DECIMAL,  /* p, len: text "-12.34" */
  F_GUID,     /* p, len: text of 36 characters */
};

struct field {
  enum field_type type;
  int64_t i;
  double r;
  const char *p; /* not owned */
  size_t len;
};

/* A column of a result, or the declared type of a parameter. */
enum wire_type {
  W_TINYINT,
  W_SMALLINT,
  W_INT,
  W_BIGINT,
  W_BIT,
  W_FLOAT,
  W_NVARCHAR,
  W_VARCHAR,
  W_VARBINARY,
  W_DATETIME,
  W_DATETIME2,
  W_DECIMAL,
  W_GUID,
  W_DATE,
  W_TIME,
};
struct column {
  const char *name; /* UTF-8, "" for none */
  enum wire_type type;
  int size;         /* NVARCHAR: characters, VARCHAR/VARBINARY: bytes; 0: MAX */
  int precision, scale; /* DECIMAL (1..38, 0..precision); DATETIME2, TIME: scale 0..7 */
  int identity, computed;
};

#endif
