/* Writing: TYPE_INFO and values. */
#include "config.h"

#include "sandbox/tds_type.h"

#include "base/text.h"
#include "sandbox/tds_text.h"
#include "sandbox/utf16.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { E_CONVERT = 8114, E_OVERFLOW = 8115, E_CUT = 8152 };
enum { MOST_SHORT = 8000 /* bytes of a string that is not MAX */, NUMBER_TEXT = 64 };

static const char *const names[] = {
  [W_TINYINT] = "tinyint", [W_SMALLINT] = "smallint", [W_INT] = "int",           [W_BIGINT] = "bigint",
  [W_BIT] = "bit",         [W_FLOAT] = "float",       [W_NVARCHAR] = "nvarchar", [W_VARCHAR] = "varchar",
  [W_VARBINARY] = "varbinary", [W_DATETIME] = "datetime", [W_DATETIME2] = "datetime2", [W_DECIMAL] = "decimal",
  [W_GUID] = "uniqueidentifier", [W_DATE] = "date",   [W_TIME] = "time",
};

const char *type_name(const struct column *col) {
  return names[col->type];
}

static int is_max(const struct column *col) {
  return col->size <= 0 || col->size > (col->type == W_NVARCHAR ? MOST_SHORT / 2 : MOST_SHORT);
}

static unsigned decimal_bytes(int precision) {
  return precision <= 9 ? 5 : precision <= 19 ? 9 : precision <= 28 ? 13 : 17;
}

static unsigned time_bytes(int scale) {
  return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
}

static unsigned int_bytes(enum wire_type t) {
  return t == W_BIGINT ? 8 : t == W_INT ? 4 : t == W_SMALLINT ? 2 : 1;
}

static void string_info(struct packet_out *o, unsigned token, const struct column *col) {
  out_u8(o, token);
  out_u16(o, is_max(col) ? 0xFFFF : (size_t)col->size * (col->type == W_NVARCHAR ? 2 : 1));
  if (col->type != W_VARBINARY)
    out_bytes(o, tds_collation, sizeof tds_collation);
}

void type_info_write(struct packet_out *o, const struct column *col) {
  switch (col->type) {
  case W_TINYINT:
  case W_SMALLINT:
  case W_INT:
  case W_BIGINT:
    out_u8(o, 0x26);
    out_u8(o, int_bytes(col->type));
    break;
  case W_BIT:
    out_u16(o, 0x0168);
    break;
  case W_FLOAT:
    out_u16(o, 0x086D);
    break;
  case W_NVARCHAR:
    string_info(o, 0xE7, col);
    break;
  case W_VARCHAR:
    string_info(o, 0xA7, col);
    break;
  case W_VARBINARY:
    string_info(o, 0xA5, col);
    break;
  case W_DATETIME:
    out_u16(o, 0x086F);
    break;
  case W_DATETIME2:
    out_u8(o, 0x2A);
    out_u8(o, (unsigned)col->scale);
    break;
  case W_TIME:
    out_u8(o, 0x29);
    out_u8(o, (unsigned)col->scale);
    break;
  case W_DATE:
    out_u8(o, 0x28);
    break;
  case W_DECIMAL:
    out_u8(o, 0x6A);
    out_u8(o, decimal_bytes(col->precision));
    out_u8(o, (unsigned)col->precision);
    out_u8(o, (unsigned)col->scale);
    break;
  case W_GUID:
    out_u16(o, 0x1024);
    break;
  }
}

static void write_null(struct packet_out *o, const struct column *col) {
  if (col->type != W_NVARCHAR && col->type != W_VARCHAR && col->type != W_VARBINARY)
    out_u8(o, 0);
  else if (is_max(col))
    out_uint(o, UINT64_MAX, 8);
  else
    out_u16(o, 0xFFFF);
}

static int has_text(const struct field *f) {
  return f->type == F_TEXT || f->type == F_DECIMAL || f->type == F_DATETIME || f->type == F_GUID;
}

/* Text that stands for a float, without anything behind it. */
static int text_real(const struct field *f, double *r) {
  char s[NUMBER_TEXT];
  if (f->len == 0 || f->len >= sizeof s)
    return E_CONVERT;
  memcpy(s, f->p, f->len);
  s[f->len] = '\0';
  char *end;
  *r = strtod(s, &end);
  if (*end != '\0' || end == s)
    return E_CONVERT;
  return isfinite(*r) ? 0 : E_OVERFLOW;
}

static int field_real(const struct field *f, double *r) {
  if (f->type == F_INT)
    *r = (double)f->i;
  else if (f->type == F_REAL)
    *r = f->r;
  else if (f->type == F_TEXT || f->type == F_DECIMAL)
    return text_real(f, r);
  else
    return E_CONVERT;
  return isfinite(*r) ? 0 : E_OVERFLOW;
}

/* A whole number; a fraction is cut, as a cast of SQL Server does. */
static int field_int(const struct field *f, int64_t *i) {
  if (f->type == F_INT) {
    *i = f->i;
    return 0;
  }
  if (f->type == F_TEXT || f->type == F_DECIMAL) {
    size_t whole = 0;
    while (whole < f->len && f->p[whole] != '.')
      whole++;
    uint128 v;
    int negative;
    enum text_result rc = decimal_parse(f->p, whole, 0, &v, &negative);
    if (rc == TEXT_OK && v <= (uint128)INT64_MAX + (unsigned)negative) {
      *i = negative ? (int64_t)-(uint64_t)v : (int64_t)v;
      return 0;
    }
    if (rc != TEXT_BAD)
      return E_OVERFLOW;
  }
  double r;
  int rc = field_real(f, &r); /* "1e3", too */
  if (rc == 0 && fabs(r) < 9.2e18)
    *i = (int64_t)r;
  else if (rc == 0)
    rc = E_OVERFLOW;
  return rc;
}

static int write_int(struct packet_out *o, const struct column *col, const struct field *f) {
  int64_t i;
  int rc = field_int(f, &i);
  if (rc == 0 && ((col->type == W_TINYINT && (i < 0 || i > UINT8_MAX)) || (col->type == W_SMALLINT && i != (int16_t)i) ||
                  (col->type == W_INT && i != (int32_t)i)))
    rc = E_OVERFLOW;
  if (rc)
    return rc;
  unsigned n = int_bytes(col->type);
  out_u8(o, n);
  out_uint(o, col->type == W_BIT ? i != 0 : (uint64_t)i, n);
  return 0;
}

static int write_float(struct packet_out *o, const struct field *f) {
  double r;
  int rc = field_real(f, &r);
  if (rc)
    return rc;
  uint64_t bits;
  memcpy(&bits, &r, sizeof bits);
  out_u8(o, 8);
  out_uint(o, bits, 8);
  return 0;
}

/* The text of a number, in a buffer of NUMBER_TEXT bytes. */
static size_t number_text(char *s, const struct field *f) {
  int n = f->type == F_INT ? snprintf(s, NUMBER_TEXT, "%lld", (long long)f->i) : snprintf(s, NUMBER_TEXT, "%.15g", f->r);
  return n > 0 ? (size_t)n : 0;
}

static int write_decimal(struct packet_out *o, const struct column *col, const struct field *f) {
  char s[NUMBER_TEXT];
  const char *p = f->p;
  size_t n = f->len;
  if (f->type == F_INT) {
    n = number_text(s, f);
    p = s;
  } else if (f->type == F_REAL) {
    int k = isfinite(f->r) && fabs(f->r) < 1e20 ? snprintf(s, sizeof s, "%.15f", f->r) : -1;
    if (k < 0)
      return E_OVERFLOW;
    n = (size_t)k;
    p = s;
  } else if (f->type != F_TEXT && f->type != F_DECIMAL) {
    return E_CONVERT;
  }
  uint128 v;
  int negative;
  enum text_result rc = decimal_parse(p, n, col->scale, &v, &negative);
  if (rc == TEXT_BAD)
    return E_CONVERT;
  if (rc == TEXT_RANGE || v >= power10(col->precision))
    return E_OVERFLOW;
  unsigned bytes = decimal_bytes(col->precision);
  out_u8(o, bytes);
  out_u8(o, !negative);
  for (unsigned i = 1; i < bytes; i++, v >>= 8)
    out_u8(o, (unsigned)v & 0xFF);
  return 0;
}

static int write_time(struct packet_out *o, const struct column *col, const struct field *f) {
  struct instant t;
  if (f->type != F_DATETIME && f->type != F_TEXT)
    return E_CONVERT;
  enum text_result rc = instant_parse(f->p, f->len, &t);
  if (rc != TEXT_OK)
    return rc == TEXT_RANGE ? E_OVERFLOW : E_CONVERT;
  if (col->type == W_DATETIME) {
    if (t.day < DAY_1753)
      return E_OVERFLOW;
    int64_t third = (t.tick * 3 + 50000) / 100000; /* to three-hundredths of a second, rounded */
    if (third >= INT64_C(300) * 86400) {
      if (t.day == DAY_LAST)
        return E_OVERFLOW;
      third = 0;
      t.day++;
    }
    out_u8(o, 8);
    out_uint(o, (uint64_t)(int64_t)(t.day - DAY_1900), 4);
    out_uint(o, (uint64_t)third, 4);
    return 0;
  }
  unsigned nt = col->type == W_DATE ? 0 : time_bytes(col->scale);
  unsigned nd = col->type == W_TIME ? 0 : 3;
  out_u8(o, nt + nd);
  if (nt)
    out_uint(o, (uint64_t)(t.tick / (int64_t)power10(7 - col->scale)), nt);
  if (nd)
    out_uint(o, (uint64_t)t.day, nd);
  return 0;
}

static int write_guid(struct packet_out *o, const struct field *f) {
  uint8_t wire[16];
  if (f->type != F_GUID && f->type != F_TEXT)
    return E_CONVERT;
  if (guid_parse(f->p, f->len, wire) != TEXT_OK)
    return E_CONVERT;
  out_u8(o, sizeof wire);
  out_bytes(o, wire, sizeof wire);
  return 0;
}

/* The bytes of a string as the column carries them; at most 2 * n of them. */
static size_t encode(uint8_t *out, enum wire_type type, const char *p, size_t n) {
  if (type == W_NVARCHAR)
    return utf16_from_utf8(out, p, n);
  if (type == W_VARCHAR)
    return utf8_to_1252(out, p, n);
  memcpy(out, p, n);
  return n;
}

/* Cut to the column's size, not within a pair of surrogates. */
static int cut(const struct column *col, const uint8_t *b, size_t *n) {
  size_t most = (size_t)col->size * (col->type == W_NVARCHAR ? 2 : 1);
  if (*n <= most)
    return 0;
  if (col->type == W_NVARCHAR && most >= 2 && (b[most - 1] & 0xFC) == 0xD8)
    most -= 2;
  *n = most;
  return E_CUT;
}

/* A string that is not MAX.  Usually its bytes are made in the packet itself. */
static int write_short(struct packet_out *o, const struct column *col, const char *p, size_t n) {
  uint8_t *room = out_room(o, 2 + 2 * n);
  uint8_t *b = room ? room + 2 : xmalloc(2 * n + 1);
  size_t k = encode(b, col->type, p, n);
  int rc = cut(col, b, &k);
  if (room) {
    room[0] = (uint8_t)k;
    room[1] = (uint8_t)(k >> 8);
    o->len += 2 + k;
  } else {
    out_u16(o, k);
    out_bytes(o, b, k);
    free(b);
  }
  return rc;
}

static void write_max(struct packet_out *o, const struct column *col, const char *p, size_t n) {
  uint8_t *b = NULL;
  if (col->type != W_VARBINARY) {
    b = xmalloc(2 * n + 1);
    n = encode(b, col->type, p, n);
    p = (const char *)b;
  }
  out_uint(o, n, 8);
  if (n > 0) {
    out_u32(o, n);
    out_bytes(o, p, n);
  }
  out_u32(o, 0);
  free(b);
}

static int write_string(struct packet_out *o, const struct column *col, const struct field *f) {
  char s[NUMBER_TEXT];
  const char *p = f->p;
  size_t n = f->len;
  if (f->type == F_INT || f->type == F_REAL) {
    if (col->type == W_VARBINARY)
      return E_CONVERT;
    n = number_text(s, f);
    p = s;
  } else if (f->type == F_BIN ? col->type != W_VARBINARY : !has_text(f)) {
    return E_CONVERT;
  }
  if (n == 0)
    p = "";
  if (!is_max(col))
    return write_short(o, col, p, n);
  write_max(o, col, p, n);
  return 0;
}

int type_value_write(struct packet_out *o, const struct column *col, const struct field *f) {
  int rc = E_CONVERT;
  if (f->type == F_NULL) {
    write_null(o, col);
    return 0;
  }
  switch (col->type) {
  case W_TINYINT:
  case W_SMALLINT:
  case W_INT:
  case W_BIGINT:
  case W_BIT:
    rc = write_int(o, col, f);
    break;
  case W_FLOAT:
    rc = write_float(o, f);
    break;
  case W_DECIMAL:
    rc = write_decimal(o, col, f);
    break;
  case W_DATETIME:
  case W_DATETIME2:
  case W_DATE:
  case W_TIME:
    rc = write_time(o, col, f);
    break;
  case W_GUID:
    rc = write_guid(o, f);
    break;
  case W_NVARCHAR:
  case W_VARCHAR:
  case W_VARBINARY:
    rc = write_string(o, col, f);
    break;
  }
  if (rc != 0 && rc != E_CUT)
    write_null(o, col);
  return rc;
}
