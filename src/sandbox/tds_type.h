/* tds_type: TYPE_INFO and the values of TDS types ([MS-TDS] 2.2.5.4 to 2.2.5.6), read into fields and written from them. */
#ifndef RK_SANDBOX_TDS_TYPE_H
#define RK_SANDBOX_TDS_TYPE_H

#include "sandbox/arena.h"
#include "sandbox/cursor.h"
#include "sandbox/field.h"
#include "sandbox/packet.h"

/* The collation that the sandbox states: SQL_Latin1_General_CP1_CI_AS, whose code page is 1252. */
extern const uint8_t tds_collation[5];

/* How a value's length is told. */
enum type_length { LEN_FIXED, LEN_BYTE, LEN_SHORT, LEN_LONG, LEN_PARTS };
/* What the bytes of a value mean. */
enum type_kind { KIND_NULL, KIND_INT, KIND_REAL, KIND_MONEY, KIND_DECIMAL, KIND_DATETIME, KIND_DATE, KIND_TIME, KIND_DATETIME2, KIND_OFFSET,
                 KIND_GUID, KIND_UTF16, KIND_CHARS, KIND_BYTES };

struct type_info {
  uint8_t token;
  enum type_length length;
  enum type_kind kind;
  uint32_t max;         /* bytes of a value, at most */
  int utf8;             /* CHARS in a UTF-8 collation */
  struct column column; /* what field.h calls it; name "" */
};

/* Read a TYPE_INFO.  0, or -1 with the cursor's state: UNKNOWN for a type that is not taken (legacy, table-valued, UDT, variant). */
int type_info_read(struct cursor *, struct type_info *);

/* Read one value of that type; what a field points at lies in the message or the arena.  0, or -1 with the cursor's state. */
int type_value_read(struct cursor *, const struct type_info *, struct arena *, struct field *);

/* Write a column's TYPE_INFO: always the nullable form. */
void type_info_write(struct packet_out *, const struct column *);

/* Write a value of that column.  0, or the number of the error that says what is wrong with it (8114 does not convert, 8115 does not
 * fit: NULL was written; 8152: a text or binary was cut). */
int type_value_write(struct packet_out *, const struct column *, const struct field *);

/* "nvarchar": what T-SQL calls the column's type. */
const char *type_name(const struct column *);

#endif
