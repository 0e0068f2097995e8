/* Values of ours as db-lib's parameters and bulk columns. */
#include "config.h"

#include "base/units.h"
#include "server/impl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int misfit(struct cause *c, const char *what, const char *why) {
  return cause_set(c, STATUS_SETUP, "the value of %s %s", what, why);
}

static int bind_int(struct bound *b, union slot *s, enum proc_type type, const struct val *v, const char *what, struct cause *c) {
  static const struct { int64_t min, max; } range[] = {
    [P_TINYINT] = {0, 255}, [P_SMALLINT] = {INT16_MIN, INT16_MAX}, [P_INT] = {INT32_MIN, INT32_MAX}, [P_BIGINT] = {INT64_MIN, INT64_MAX},
    [P_BIT] = {0, 1},
  };
  if (v->type != VAL_INT)
    return misfit(c, what, "is not a whole number");
  if (v->i < range[type].min || v->i > range[type].max)
    return misfit(c, what, "is out of range");
  switch (type) {
  case P_TINYINT: s->i1 = (DBTINYINT)v->i; break;
  case P_SMALLINT: s->i2 = (DBSMALLINT)v->i; break;
  case P_INT: s->i4 = (DBINT)v->i; break;
  case P_BIT: s->bit = (DBBIT)v->i; break;
  default: s->i8 = v->i; break;
  }
  b->at = (BYTE *)s;
  b->len = -1;
  return 0;
}

static int bind_bytes(struct bound *b, enum proc_type type, const struct val *v, const char *what, struct cause *c) {
  int text = type == P_VARCHAR;
  if (v->type != (text ? VAL_TEXT : VAL_BIN))
    return misfit(c, what, text ? "is not a text" : "is not a string of bytes");
  if (v->len <= 0)
    return misfit(c, what, "is empty, which would arrive as NULL");
  if (v->len > (text ? TEXT_PARAM_MAX : BIN_PARAM_MAX))
    return misfit(c, what, "is too long");
  b->at = (BYTE *)(uintptr_t)v->p; /* db-lib reads only */
  b->len = v->len;
  return 0;
}

static int64_t days_since_1970(int64_t y, int64_t m, int64_t d) {
  y -= m <= 2; /* years begin in March, so that the leap day comes last */
  int64_t era = y / 400, of_era = y - era * 400;
  int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Exactly `n` digits, then `end` ('\0' here means that the text may go on or stop: the caller looks). */
static const char *digits(const char *p, const char *stop, int n, int64_t *v) {
  *v = 0;
  for (int i = 0; i < n; i++, p++) {
    if (p >= stop || *p < '0' || *p > '9')
      return NULL;
    *v = *v * 10 + (*p - '0');
  }
  return p;
}

static const char *after(const char *p, const char *stop, char mark) {
  return p && p < stop && *p == mark ? p + 1 : NULL;
}

/* "YYYY-MM-DD[ hh:mm:ss[.mmm]]" in milliseconds since 1970. */
static int parse_time(const char *p, int len, int64_t *ms) {
  const char *stop = p + len;
  int64_t y, mo, d, h = 0, mi = 0, s = 0, f = 0;
  if (!(p = digits(p, stop, 4, &y)) || !(p = after(p, stop, '-')) || !(p = digits(p, stop, 2, &mo)) || !(p = after(p, stop, '-')) ||
      !(p = digits(p, stop, 2, &d)))
    return -1;
  if (p < stop) {
    if (*p != ' ' && *p != 'T')
      return -1;
    if (!(p = digits(p + 1, stop, 2, &h)) || !(p = after(p, stop, ':')) || !(p = digits(p, stop, 2, &mi)) || !(p = after(p, stop, ':')) ||
        !(p = digits(p, stop, 2, &s)))
      return -1;
    if (p < stop && (!(p = after(p, stop, '.')) || !(p = digits(p, stop, 3, &f))))
      return -1;
  }
  if (p != stop || mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 59)
    return -1;
  *ms = (days_since_1970(y, mo, d) * 86400 + h * 3600 + mi * 60 + s) * 1000 + f;
  return 0;
}

static int bind_time(struct bound *b, union slot *slot, const struct val *v, const char *what, struct cause *c) {
  enum { DAYS_1900_TO_1970 = 25567, DAY_MS = 86400000 };
  int64_t ms = v->i;
  if (v->type == VAL_TEXT ? parse_time(v->p, v->len, &ms) != 0 : v->type != VAL_INT)
    return misfit(c, what, "is not a time");
  int64_t day = ms / DAY_MS - (ms % DAY_MS < 0), in_day = ms - day * DAY_MS;
  int64_t ticks = (in_day * 3 + 5) / 10; /* of 1/300 s */
  if (ticks == 300 * 86400) {
    ticks = 0;
    day++;
  }
  if (day < days_since_1970(1753, 1, 1) || day > days_since_1970(9999, 12, 31))
    return misfit(c, what, "is out of range");
  slot->when.dtdays = (DBINT)(day + DAYS_1900_TO_1970);
  slot->when.dttime = (DBINT)ticks;
  b->at = (BYTE *)slot;
  b->len = sizeof slot->when;
  return 0;
}

/* "-12.34" in units of 10^-scale; more digits after the point than that are refused, not rounded. */
static int parse_decimal(const char *p, int len, int scale, int64_t *units) {
  const char *stop = p + len;
  int negative = p < stop && *p == '-', after_point = -1, n = 0;
  int64_t u = 0;
  for (p += negative; p < stop; p++) {
    if (*p == '.' && after_point < 0) {
      after_point = 0;
      continue;
    }
    if (*p < '0' || *p > '9' || ++n > DECIMAL_DIGITS || (after_point >= 0 && ++after_point > scale))
      return -1;
    u = u * 10 + (*p - '0');
  }
  if (n == 0)
    return -1;
  for (int i = after_point < 0 ? 0 : after_point; i < scale; i++, n++) {
    if (n >= DECIMAL_DIGITS && u != 0)
      return -1;
    u *= 10;
  }
  *units = negative ? -u : u;
  return 0;
}

static int bind_decimal(struct bound *b, union slot *slot, int scale, const struct val *v, const char *what, struct cause *c) {
  const int64_t most = INT64_C(999999999999999999);
  int64_t units = v->i;
  if (v->type == VAL_REAL) {
    double scaled = round(v->r * pow(10, scale));
    if (!(fabs(scaled) <= (double)most))
      return misfit(c, what, "is out of range");
    units = (int64_t)scaled;
  } else if (v->type == VAL_TEXT ? parse_decimal(v->p, v->len, scale, &units) != 0 : v->type != VAL_INT)
    return misfit(c, what, "is not a decimal number that fits");
  if (units > most || units < -most)
    return misfit(c, what, "is out of range");
  DBNUMERIC *d = &slot->dec;
  memset(d, 0, sizeof *d);
  d->precision = DECIMAL_DIGITS;
  d->scale = (BYTE)scale;
  d->array[0] = units < 0; /* then eight bytes, the highest first */
  uint64_t u = (uint64_t)(units < 0 ? -units : units);
  for (int i = 8; i >= 1; i--, u >>= 8)
    d->array[i] = (BYTE)(u & 0xFF);
  b->at = (BYTE *)d;
  b->len = sizeof *d;
  return 0;
}

int bind_type(enum proc_type type) {
  static const int types[] = {
    [P_TINYINT] = SYBINT1, [P_SMALLINT] = SYBINT2, [P_INT] = SYBINT4, [P_BIGINT] = SYBINT8, [P_REAL8] = SYBFLT8, [P_BIT] = SYBBIT,
    [P_VARCHAR] = SYBVARCHAR, [P_VARBINARY] = SYBVARBINARY, [P_DATETIME] = SYBDATETIME, [P_DECIMAL] = SYBNUMERIC,
  };
  return types[type];
}

int bind_value(struct bound *b, union slot *s, enum proc_type type, int size, const struct val *v, const char *what, struct cause *c) {
  b->type = bind_type(type);
  if (v->type == VAL_NULL) {
    /* A NULL decimal would travel with a precision of 0, which servers refuse; a NULL int converts to anything. */
    if (type == P_DECIMAL)
      b->type = SYBINT4;
    b->len = 0;
    b->at = NULL;
    return 0;
  }
  switch (type) {
  case P_VARCHAR:
  case P_VARBINARY: return bind_bytes(b, type, v, what, c);
  case P_DATETIME: return bind_time(b, s, v, what, c);
  case P_DECIMAL: return bind_decimal(b, s, size, v, what, c);
  case P_REAL8:
    if (v->type != VAL_REAL && v->type != VAL_INT)
      return misfit(c, what, "is not a number");
    s->f8 = v->type == VAL_REAL ? v->r : (double)v->i;
    b->at = (BYTE *)s;
    b->len = sizeof s->f8;
    return 0;
  default: return bind_int(b, s, type, v, what, c);
  }
}
