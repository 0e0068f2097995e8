/* tds_text: decimals, dates and GUIDs between their text (field.h) and the numbers that TDS carries.  Pure functions; texts are not
 * NUL-terminated. */
#ifndef RK_SANDBOX_TDS_TEXT_H
#define RK_SANDBOX_TDS_TEXT_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

enum { DECIMAL_TEXT = 48, INSTANT_TEXT = 32, GUID_TEXT = 36, DECIMAL_MOST_DIGITS = 38 };

enum text_result { TEXT_OK = 0, TEXT_BAD = -1 /* not such a text */, TEXT_RANGE = -2 /* outside of what the type holds */ };

/* 10^n, 0 <= n <= 38. */
uint128 power10(int n);

/* "-12.34" of magnitude / 10^scale (0 <= scale <= 38); returns the length, at most DECIMAL_TEXT. */
size_t decimal_text(char *out, uint128 magnitude, int negative, int scale);
/* The magnitude of the text times 10^scale, rounded half away from zero; blanks around are taken, exponents are not. */
enum text_result decimal_parse(const char *p, size_t n, int scale, uint128 *magnitude, int *negative);

/* A point in time: whole days since 0001-01-01 (proleptic Gregorian calendar) and units of 100 ns in the day. */
struct instant {
  int32_t day;
  int64_t tick;
};
enum { DAY_1753 = 639905, DAY_1900 = 693595, DAY_LAST = 3652058 /* 9999-12-31 */ };
#define TICKS_PER_DAY INT64_C(864000000000)

/* "YYYY-MM-DD HH:MM:SS.fff" with `digits` (0..7) of the second's fraction, cut; without the date or the time when those are not
 * wanted.  day in 0..DAY_LAST, tick in the day.  Returns the length, at most INSTANT_TEXT. */
size_t instant_text(char *out, struct instant, int date, int time, int digits);
/* The reverse; a date alone is its midnight, a time alone is of 1900-01-01, 'T' may stand between, digits beyond the seventh are
 * rounded. */
enum text_result instant_parse(const char *p, size_t n, struct instant *);

/* 36 characters, upper case, of the 16 bytes in the order of the wire, and back (braces and lower case are taken). */
void guid_text(char *out, const uint8_t *wire);
enum text_result guid_parse(const char *p, size_t n, uint8_t *wire);

#endif
