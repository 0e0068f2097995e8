/* Reading: TYPE_INFO and values. */
#include "config.h"

#include "sandbox/tds_type.h"

#include "sandbox/tds_text.h"
#include "sandbox/utf16.h"

#include <math.h>

const uint8_t tds_collation[5] = {0x09, 0x04, 0xD0, 0x00, 0x34};

enum { COLLATION_UTF8 = 0x04 /* of byte 3 */, DATE_BYTES = 3, MINUTES_PER_DAY = 1440 };

static const struct known {
  uint8_t token;
  enum type_length length;
  enum type_kind kind;
  uint8_t size; /* FIXED: bytes; BYTE: the most bytes, where the message does not say */
  enum wire_type wire;
} known[] = {
  {0x1F, LEN_FIXED, KIND_NULL, 0, W_INT},
  {0x30, LEN_FIXED, KIND_INT, 1, W_TINYINT},
  {0x32, LEN_FIXED, KIND_INT, 1, W_BIT},
  {0x34, LEN_FIXED, KIND_INT, 2, W_SMALLINT},
  {0x38, LEN_FIXED, KIND_INT, 4, W_INT},
  {0x7F, LEN_FIXED, KIND_INT, 8, W_BIGINT},
  {0x3B, LEN_FIXED, KIND_REAL, 4, W_FLOAT},
  {0x3E, LEN_FIXED, KIND_REAL, 8, W_FLOAT},
  {0x7A, LEN_FIXED, KIND_MONEY, 4, W_DECIMAL},
  {0x3C, LEN_FIXED, KIND_MONEY, 8, W_DECIMAL},
  {0x3A, LEN_FIXED, KIND_DATETIME, 4, W_DATETIME},
  {0x3D, LEN_FIXED, KIND_DATETIME, 8, W_DATETIME},
  {0x24, LEN_BYTE, KIND_GUID, 16, W_GUID},
  {0x26, LEN_BYTE, KIND_INT, 8, W_BIGINT},
  {0x68, LEN_BYTE, KIND_INT, 1, W_BIT},
  {0x6D, LEN_BYTE, KIND_REAL, 8, W_FLOAT},
  {0x6E, LEN_BYTE, KIND_MONEY, 8, W_DECIMAL},
  {0x6F, LEN_BYTE, KIND_DATETIME, 8, W_DATETIME},
  {0x6A, LEN_BYTE, KIND_DECIMAL, 17, W_DECIMAL},
  {0x6C, LEN_BYTE, KIND_DECIMAL, 17, W_DECIMAL},
  {0x28, LEN_BYTE, KIND_DATE, 3, W_DATE},
  {0x29, LEN_BYTE, KIND_TIME, 5, W_TIME},
  {0x2A, LEN_BYTE, KIND_DATETIME2, 8, W_DATETIME2},
  {0x2B, LEN_BYTE, KIND_OFFSET, 10, W_DATETIME2},
  {0xE7, LEN_SHORT, KIND_UTF16, 0, W_NVARCHAR},
  {0xEF, LEN_SHORT, KIND_UTF16, 0, W_NVARCHAR},
  {0xA7, LEN_SHORT, KIND_CHARS, 0, W_VARCHAR},
  {0xAF, LEN_SHORT, KIND_CHARS, 0, W_VARCHAR},
  {0xA5, LEN_SHORT, KIND_BYTES, 0, W_VARBINARY},
  {0xAD, LEN_SHORT, KIND_BYTES, 0, W_VARBINARY},
  {0xF1, LEN_PARTS, KIND_UTF16, 0, W_NVARCHAR},
  {0x63, LEN_LONG, KIND_UTF16, 0, W_NVARCHAR},
  {0x23, LEN_LONG, KIND_CHARS, 0, W_VARCHAR},
  {0x22, LEN_LONG, KIND_BYTES, 0, W_VARBINARY},
};

/* Bytes of a time of that scale. */
static unsigned time_bytes(int scale) {
  return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
}

/* INTN, FLTN, ...: how long a value may be, from the declared length. */
static int byte_length_info(struct cursor *c, struct type_info *t) {
  t->max = cursor_u8(c);
  int ok = t->max == 8 || t->max == 4;
  if (t->kind == KIND_INT)
    ok = t->token == 0x68 ? t->max == 1 : ok || t->max == 1 || t->max == 2;
  else if (t->kind == KIND_GUID)
    ok = t->max == 16;
  else if (t->kind == KIND_DECIMAL)
    ok = t->max >= 2 && t->max <= 17;
  if (c->state == CURSOR_OK && !ok)
    return cursor_fail(c, CURSOR_WRONG);
  if (t->token == 0x26)
    t->column.type = t->max == 1 ? W_TINYINT : t->max == 2 ? W_SMALLINT : t->max == 4 ? W_INT : W_BIGINT;
  if (t->kind == KIND_DECIMAL) {
    t->column.precision = cursor_u8(c);
    t->column.scale = cursor_u8(c);
    if (c->state == CURSOR_OK &&
        (t->column.precision < 1 || t->column.precision > DECIMAL_MOST_DIGITS || t->column.scale > t->column.precision))
      return cursor_fail(c, CURSOR_WRONG);
  }
  return c->state == CURSOR_OK ? 0 : -1;
}

static int time_info(struct cursor *c, struct type_info *t) {
  t->column.scale = cursor_u8(c);
  if (t->column.scale > 7)
    return cursor_fail(c, CURSOR_WRONG);
  t->max = time_bytes(t->column.scale);
  if (t->kind != KIND_TIME)
    t->max += DATE_BYTES;
  if (t->kind == KIND_OFFSET)
    t->max += 2;
  return c->state == CURSOR_OK ? 0 : -1;
}

static int xml_info(struct cursor *c) {
  if (cursor_u8(c)) { /* the name of a schema: database, owner, collection */
    cursor_take(c, 2 * (size_t)cursor_u8(c));
    cursor_take(c, 2 * (size_t)cursor_u8(c));
    cursor_take(c, 2 * (size_t)cursor_u16(c));
  }
  return c->state == CURSOR_OK ? 0 : -1;
}

static int string_info(struct cursor *c, struct type_info *t) {
  if (t->token == 0xF1)
    return xml_info(c);
  t->max = t->length == LEN_LONG ? cursor_u32(c) : cursor_u16(c);
  if (t->kind != KIND_BYTES) {
    const uint8_t *collation = cursor_take(c, sizeof tds_collation);
    t->utf8 = collation && (collation[3] & COLLATION_UTF8) != 0;
  }
  if (c->state != CURSOR_OK)
    return -1;
  if (t->length == LEN_SHORT && t->max == 0xFFFF)
    t->length = LEN_PARTS;
  else if (t->length == LEN_SHORT)
    t->column.size = (int)(t->kind == KIND_UTF16 ? t->max / 2 : t->max);
  return 0;
}

int type_info_read(struct cursor *c, struct type_info *t) {
  *t = (struct type_info){.token = cursor_u8(c), .column.name = ""};
  if (c->state != CURSOR_OK)
    return -1;
  const struct known *k = known, *end = known + sizeof known / sizeof *known;
  while (k < end && k->token != t->token)
    k++;
  if (k == end)
    return cursor_fail(c, CURSOR_UNKNOWN);
  t->length = k->length;
  t->kind = k->kind;
  t->max = k->size;
  t->column.type = k->wire;
  if (t->kind == KIND_MONEY) {
    t->column.precision = 19;
    t->column.scale = 4;
  }
  if (t->length == LEN_FIXED || t->kind == KIND_DATE)
    return 0;
  if (t->kind == KIND_TIME || t->kind == KIND_DATETIME2 || t->kind == KIND_OFFSET)
    return time_info(c, t);
  if (t->length == LEN_BYTE)
    return byte_length_info(c, t);
  return string_info(c, t);
}

static int64_t get_signed(const uint8_t *p, size_t n) {
  uint64_t v = 0;
  for (size_t i = 0; i < n; i++)
    v |= (uint64_t)p[i] << (8 * i);
  if (n < 8 && n > 0 && (p[n - 1] & 0x80))
    v |= ~UINT64_C(0) << (8 * n);
  return (int64_t)v;
}

static uint64_t get_unsigned(const uint8_t *p, size_t n) {
  uint64_t v = 0;
  for (size_t i = 0; i < n; i++)
    v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static double get_real(const uint8_t *p, size_t n) {
  uint64_t bits = get_unsigned(p, n);
  if (n == 8) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
  }
  uint32_t half = (uint32_t)bits;
  float f;
  memcpy(&f, &half, sizeof f);
  return f;
}

static void field_instant(struct field *f, struct arena *a, struct instant t, int date, int time, int digits) {
  char *text = arena_alloc(a, INSTANT_TEXT);
  *f = (struct field){.type = F_DATETIME, .p = text, .len = instant_text(text, t, date, time, digits)};
}

static int read_datetime(const uint8_t *p, size_t n, struct arena *a, struct field *f) {
  struct instant t;
  if (n == 4) { /* smalldatetime: days, minutes */
    t.day = (int32_t)get_unsigned(p, 2) + DAY_1900;
    int64_t minutes = (int64_t)get_unsigned(p + 2, 2);
    if (minutes >= MINUTES_PER_DAY)
      return -1;
    t.tick = minutes * 60 * 10000000;
    field_instant(f, a, t, 1, 1, 0);
    return 0;
  }
  int64_t day = get_signed(p, 4) + DAY_1900, third = (int64_t)get_unsigned(p + 4, 4);
  if (day < DAY_1753 || day > DAY_LAST || third >= INT64_C(300) * 86400)
    return -1;
  t.day = (int32_t)day;
  t.tick = (third * 10 + 1) / 3 * 10000; /* three-hundredths of a second to whole milliseconds, as SQL Server shows them */
  field_instant(f, a, t, 1, 1, 3);
  return 0;
}

/* date, time, datetime2, datetimeoffset (its local time is not worked out: the text is UTC) */
static int read_date_time(const struct type_info *ti, const uint8_t *p, size_t n, struct arena *a, struct field *f) {
  struct instant t = {.day = DAY_1900};
  if (n != ti->max)
    return -1;
  int with_date = ti->kind != KIND_TIME, with_time = ti->kind != KIND_DATE;
  if (with_time) {
    size_t nt = time_bytes(ti->column.scale);
    int64_t unit = (int64_t)power10(7 - ti->column.scale);
    uint64_t units = get_unsigned(p, nt);
    if (units >= (uint64_t)(TICKS_PER_DAY / unit))
      return -1;
    t.tick = (int64_t)units * unit;
    p += nt;
  }
  if (with_date) {
    t.day = (int32_t)get_unsigned(p, DATE_BYTES);
    if (t.day > DAY_LAST)
      return -1;
  }
  field_instant(f, a, t, with_date, with_time, ti->column.scale);
  return 0;
}

static int read_decimal(const struct type_info *t, const uint8_t *p, size_t n, struct arena *a, struct field *f) {
  int negative = 0;
  uint128 v = 0;
  if (t->kind == KIND_MONEY) {
    int64_t m = n == 4 ? get_signed(p, 4) : (int64_t)(get_unsigned(p, 4) << 32 | get_unsigned(p + 4, 4));
    negative = m < 0;
    v = negative ? -(uint64_t)m : (uint64_t)m;
  } else {
    if (n < 2 || n > t->max || p[0] > 1)
      return -1;
    negative = p[0] == 0;
    for (size_t i = n - 1; i > 0; i--)
      v = v << 8 | p[i];
    if (v >= power10(t->column.precision))
      return -1;
  }
  char *text = arena_alloc(a, DECIMAL_TEXT);
  *f = (struct field){.type = F_DECIMAL, .p = text, .len = decimal_text(text, v, negative && v, t->column.scale)};
  return 0;
}

static void read_text(const struct type_info *t, const uint8_t *p, size_t n, struct arena *a, struct field *f) {
  *f = (struct field){.type = t->kind == KIND_BYTES ? F_BIN : F_TEXT, .p = (const char *)p, .len = n};
  if (t->kind == KIND_BYTES || (t->kind == KIND_CHARS && ascii_only(p, n)))
    return;
  uint8_t *wide = NULL;
  if (t->kind == KIND_CHARS && t->utf8) { /* by way of UTF-16, which leaves only what is well formed */
    wide = arena_alloc(a, 2 * n);
    n = utf16_from_utf8(wide, (const char *)p, n);
  }
  char *text = arena_alloc(a, t->kind == KIND_CHARS && !wide ? 3 * n : UTF8_FROM_UTF16(n));
  if (wide)
    f->len = utf8_from_utf16(text, wide, n);
  else if (t->kind == KIND_CHARS)
    f->len = utf8_from_1252(text, p, n);
  else
    f->len = utf8_from_utf16(text, p, n);
  arena_trim(a, text, f->len);
  f->p = text;
}

/* One value whose bytes are all there. */
static int read_bytes(const struct type_info *t, const uint8_t *p, size_t n, struct arena *a, struct field *f) {
  *f = (struct field){.type = F_INT};
  switch (t->kind) {
  case KIND_NULL:
    f->type = F_NULL;
    return 0;
  case KIND_INT:
    if (n != 1 && n != 2 && n != 4 && n != 8)
      return -1;
    f->i = n == 1 ? p[0] : get_signed(p, n); /* tinyint alone has no sign */
    if (t->column.type == W_BIT)
      f->i = f->i != 0;
    return 0;
  case KIND_REAL:
    if (n != 4 && n != 8)
      return -1;
    *f = (struct field){.type = F_REAL, .r = get_real(p, n)};
    return isfinite(f->r) ? 0 : -1;
  case KIND_MONEY:
    if (n != 4 && n != 8)
      return -1;
    return read_decimal(t, p, n, a, f);
  case KIND_DECIMAL:
    return read_decimal(t, p, n, a, f);
  case KIND_DATETIME:
    if (n != 4 && n != 8)
      return -1;
    return read_datetime(p, n, a, f);
  case KIND_DATE:
  case KIND_TIME:
  case KIND_DATETIME2:
  case KIND_OFFSET:
    return read_date_time(t, p, n, a, f);
  case KIND_GUID: {
    if (n != 16)
      return -1;
    char *text = arena_alloc(a, GUID_TEXT);
    guid_text(text, p);
    *f = (struct field){.type = F_GUID, .p = text, .len = GUID_TEXT};
    return 0;
  }
  case KIND_UTF16:
    if (n % 2 != 0)
      return -1;
    read_text(t, p, n, a, f);
    return 0;
  case KIND_CHARS:
  case KIND_BYTES:
    read_text(t, p, n, a, f);
    return 0;
  }
  return -1;
}

/* Partially length-prefixed: a total (or "unknown"), parts, an empty part ([MS-TDS] 2.2.5.2.3). */
static int read_parts(struct cursor *c, const struct type_info *t, struct arena *a, struct field *f) {
  const uint64_t null = UINT64_MAX, unknown = UINT64_MAX - 1;
  uint64_t total = cursor_u64(c);
  if (c->state != CURSOR_OK)
    return -1;
  if (total == null) {
    *f = (struct field){.type = F_NULL};
    return 0;
  }
  struct cursor ahead = *c;
  size_t n = 0, parts = 0;
  const uint8_t *first = NULL;
  for (uint32_t k; (k = cursor_u32(&ahead)) != 0; n += k, parts++) {
    const uint8_t *p = cursor_take(&ahead, k);
    if (!first)
      first = p;
  }
  if (ahead.state != CURSOR_OK)
    return cursor_fail(c, ahead.state);
  if (total != unknown && total != n)
    return cursor_fail(c, CURSOR_WRONG);
  if (parts > 1) {
    uint8_t *whole = arena_alloc(a, n), *w = whole;
    for (uint32_t k; (k = cursor_u32(c)) != 0; w += k)
      memcpy(w, cursor_take(c, k), k);
    first = whole;
  }
  c->p = ahead.p;
  if (read_bytes(t, first ? first : c->p, n, a, f) < 0)
    return cursor_fail(c, CURSOR_WRONG);
  return 0;
}

int type_value_read(struct cursor *c, const struct type_info *t, struct arena *a, struct field *f) {
  size_t n = t->max;
  int null = 0;
  if (t->length == LEN_PARTS)
    return read_parts(c, t, a, f);
  if (t->length == LEN_BYTE) {
    n = cursor_u8(c);
    null = n == 0;
  } else if (t->length == LEN_SHORT) {
    n = cursor_u16(c);
    null = n == 0xFFFF;
  } else if (t->length == LEN_LONG) {
    n = cursor_u32(c);
    null = n == 0xFFFFFFFF;
  }
  if (c->state != CURSOR_OK)
    return -1;
  if (null) {
    *f = (struct field){.type = F_NULL};
    return 0;
  }
  if (n > t->max && t->length != LEN_LONG) /* some clients declare ntext by its characters */
    return cursor_fail(c, CURSOR_WRONG);
  const uint8_t *p = cursor_take(c, n);
  if (!p)
    return -1;
  return read_bytes(t, p, n, a, f) < 0 ? cursor_fail(c, CURSOR_WRONG) : 0;
}
