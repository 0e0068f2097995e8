#include "config.h"

#include "sandbox/tds_text.h"

#include <string.h>

uint128 power10(int n) {
  uint128 v = 1;
  while (n-- > 0)
    v *= 10;
  return v;
}

size_t decimal_text(char *out, uint128 magnitude, int negative, int scale) {
  char digits[40];
  int n = 0;
  while (magnitude > UINT64_MAX) {
    digits[n++] = (char)('0' + (int)(magnitude % 10));
    magnitude /= 10;
  }
  uint64_t small = (uint64_t)magnitude; /* 128-bit division is slow, and seldom needed */
  while (small > 0 || n <= scale) {
    digits[n++] = (char)('0' + small % 10);
    small /= 10;
  }
  char *o = out;
  if (negative)
    *o++ = '-';
  while (n > 0) {
    if (n == scale)
      *o++ = '.';
    *o++ = digits[--n];
  }
  return (size_t)(o - out);
}

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

static void trim(const char **p, size_t *n) {
  for (; *n > 0 && **p == ' '; (*p)++)
    (*n)--;
  for (; *n > 0 && (*p)[*n - 1] == ' ';)
    (*n)--;
}

enum text_result decimal_parse(const char *p, size_t n, int scale, uint128 *magnitude, int *negative) {
  trim(&p, &n);
  *negative = n > 0 && *p == '-';
  if (n > 0 && (*p == '-' || *p == '+'))
    p++, n--;
  const uint128 limit = power10(DECIMAL_MOST_DIGITS);
  uint128 v = 0;
  int digits = 0, fraction = -1, up = 0;
  for (size_t i = 0; i < n; i++) {
    if (p[i] == '.' && fraction < 0) {
      fraction = 0;
      continue;
    }
    if (!is_digit(p[i]))
      return TEXT_BAD;
    digits++;
    if (fraction >= 0 && fraction++ >= scale) {
      if (fraction == scale + 1)
        up = p[i] >= '5';
      continue;
    }
    v = v * 10 + (unsigned)(p[i] - '0');
    if (v >= limit)
      return TEXT_RANGE;
  }
  if (digits == 0)
    return TEXT_BAD;
  for (int f = fraction < 0 ? 0 : fraction; f < scale; f++) {
    v *= 10;
    if (v >= limit)
      return TEXT_RANGE;
  }
  v += (unsigned)up;
  *magnitude = v;
  if (v == 0)
    *negative = 0;
  return v >= limit ? TEXT_RANGE : TEXT_OK;
}

static int leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static const int days_before[2][13] = {
  {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
  {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
};

static char *put_number(char *o, int64_t v, int width) {
  for (int i = width; i-- > 0; v /= 10)
    o[i] = (char)('0' + v % 10);
  return o + width;
}

static char *put_date(char *o, int32_t day) {
  /* The last year of four, of a hundred and of four hundred is the longer one: hence the caps at 3. */
  int r = day % 146097;
  int century = r / 36524 < 3 ? r / 36524 : 3;
  r -= century * 36524;
  int four = r / 1461;
  r %= 1461;
  int one = r / 365 < 3 ? r / 365 : 3;
  r -= one * 365;
  int year = day / 146097 * 400 + century * 100 + four * 4 + one + 1;
  int month = 1;
  while (r >= days_before[leap(year)][month])
    month++;
  o = put_number(o, year, 4);
  *o++ = '-';
  o = put_number(o, month, 2);
  *o++ = '-';
  return put_number(o, r - days_before[leap(year)][month - 1] + 1, 2);
}

size_t instant_text(char *out, struct instant t, int date, int time, int digits) {
  char *o = out;
  if (date)
    o = put_date(o, t.day);
  if (date && time)
    *o++ = ' ';
  if (time) {
    int64_t s = t.tick / 10000000;
    o = put_number(o, s / 3600, 2);
    *o++ = ':';
    o = put_number(o, s / 60 % 60, 2);
    *o++ = ':';
    o = put_number(o, s % 60, 2);
    if (digits > 0) {
      *o++ = '.';
      put_number(o, t.tick % 10000000, 7);
      o += digits;
    }
  }
  return (size_t)(o - out);
}

struct scan {
  const char *p;
  size_t left;
};

/* A number of 1 to `most` digits, -1 for none. */
static int scan_number(struct scan *s, int most) {
  int v = 0, n = 0;
  for (; n < most && s->left > 0 && is_digit(*s->p); n++, s->left--)
    v = v * 10 + (*s->p++ - '0');
  return n > 0 ? v : -1;
}

static int scan_char(struct scan *s, char c) {
  if (s->left == 0 || *s->p != c)
    return 0;
  s->p++;
  s->left--;
  return 1;
}

static enum text_result scan_date(struct scan *s, int year, struct instant *t) {
  int month = scan_number(s, 2);
  if (month < 0 || !scan_char(s, '-'))
    return TEXT_BAD;
  int day = scan_number(s, 2);
  if (day < 0)
    return TEXT_BAD;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_before[leap(year)][month] - days_before[leap(year)][month - 1])
    return TEXT_RANGE;
  int before = year - 1;
  t->day = before * 365 + before / 4 - before / 100 + before / 400 + days_before[leap(year)][month - 1] + day - 1;
  return TEXT_OK;
}

static enum text_result scan_time(struct scan *s, int hour, struct instant *t) {
  int minute = scan_number(s, 2), second = 0;
  int64_t fraction = 0;
  if (minute < 0)
    return TEXT_BAD;
  if (scan_char(s, ':')) {
    second = scan_number(s, 2);
    if (second < 0)
      return TEXT_BAD;
    if (scan_char(s, '.')) {
      int n = 0, up = 0;
      for (; s->left > 0 && is_digit(*s->p); n++, s->p++, s->left--) {
        if (n < 7)
          fraction = fraction * 10 + (*s->p - '0');
        else if (n == 7)
          up = *s->p >= '5';
      }
      if (n == 0)
        return TEXT_BAD;
      for (; n < 7; n++)
        fraction *= 10;
      fraction += up;
    }
  }
  if (hour > 23 || minute > 59 || second > 59)
    return TEXT_RANGE;
  t->tick = ((int64_t)hour * 3600 + minute * 60 + second) * 10000000 + fraction;
  if (t->tick >= TICKS_PER_DAY) { /* 23:59:59.99999995 */
    t->tick -= TICKS_PER_DAY;
    t->day++;
  }
  return t->day > DAY_LAST ? TEXT_RANGE : TEXT_OK;
}

enum text_result instant_parse(const char *p, size_t n, struct instant *t) {
  trim(&p, &n);
  struct scan s = {p, n};
  *t = (struct instant){.day = DAY_1900};
  int first = scan_number(&s, 4);
  enum text_result rc = TEXT_BAD;
  if (first >= 0 && scan_char(&s, '-')) {
    rc = scan_date(&s, first, t);
    if (rc != TEXT_OK || s.left == 0)
      return rc;
    if (!scan_char(&s, ' ') && !scan_char(&s, 'T'))
      return TEXT_BAD;
    first = scan_number(&s, 2);
  }
  if (first < 0 || !scan_char(&s, ':'))
    return TEXT_BAD;
  rc = scan_time(&s, first, t);
  return rc == TEXT_OK && s.left > 0 ? TEXT_BAD : rc;
}

/* The place of each byte of the text in the wire's order: the first three groups are little-endian. */
static const uint8_t guid_place[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

static int guid_dash(int byte) {
  return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

void guid_text(char *out, const uint8_t *wire) {
  static const char hex[] = "0123456789ABCDEF";
  for (int i = 0; i < 16; i++) {
    if (guid_dash(i))
      *out++ = '-';
    *out++ = hex[wire[guid_place[i]] >> 4];
    *out++ = hex[wire[guid_place[i]] & 15];
  }
}

static int hex_value(char c) {
  if (is_digit(c))
    return c - '0';
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

enum text_result guid_parse(const char *p, size_t n, uint8_t *wire) {
  trim(&p, &n);
  if (n == GUID_TEXT + 2 && p[0] == '{' && p[n - 1] == '}')
    p++, n -= 2;
  if (n != GUID_TEXT)
    return TEXT_BAD;
  for (int i = 0; i < 16; i++) {
    if (guid_dash(i) && *p++ != '-')
      return TEXT_BAD;
    int high = hex_value(*p++), low = hex_value(*p++);
    if (high < 0 || low < 0)
      return TEXT_BAD;
    wire[guid_place[i]] = (uint8_t)(high << 4 | low);
  }
  return TEXT_OK;
}
