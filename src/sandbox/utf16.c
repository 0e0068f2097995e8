#include "config.h"

#include "sandbox/utf16.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* Windows-1252 from 0x80 to 0x9F; 0 where it has nothing. */
static const uint16_t cp1252[32] = {
  0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
  0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

static size_t put_utf8(char *out, uint32_t c) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xC0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xE0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3F));
    out[2] = (char)(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = (char)(0xF0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 0x3F));
  out[2] = (char)(0x80 | (c >> 6 & 0x3F));
  out[3] = (char)(0x80 | (c & 0x3F));
  return 4;
}

/* The character at *s, which moves on by one byte at least; REPLACEMENT for what is cut, overlong, a surrogate or out of range. */
static uint32_t get_utf8(const uint8_t **s, const uint8_t *end) {
  const uint8_t *p = *s;
  uint32_t c = *p++;
  int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
  if (more > 0) {
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    c &= 0x3Fu >> more;
    int i = 0;
    for (; i < more && p < end && (*p & 0xC0) == 0x80; i++)
      c = c << 6 | (*p++ & 0x3F);
    if (i < more || c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
      more = -1;
  }
  *s = p;
  return more < 0 ? REPLACEMENT : c;
}

size_t utf8_from_utf16(char *out, const uint8_t *p, size_t n) {
  char *o = out;
  for (size_t i = 0; i + 1 < n; i += 2) {
    uint32_t c = p[i] | (uint32_t)p[i + 1] << 8;
    if (c >= 0xD800 && c < 0xE000) {
      uint32_t low = i + 3 < n ? p[i + 2] | (uint32_t)p[i + 3] << 8 : 0;
      if (c < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      } else {
        c = REPLACEMENT;
      }
    }
    o += put_utf8(o, c);
  }
  return (size_t)(o - out);
}

size_t utf16_from_utf8(uint8_t *out, const char *s, size_t n) {
  const uint8_t *p = (const uint8_t *)s, *end = p + n;
  uint8_t *o = out;
  while (p < end) {
    uint32_t c = get_utf8(&p, end);
    if (c >= 0x10000) {
      uint32_t high = 0xD800 + ((c - 0x10000) >> 10);
      *o++ = (uint8_t)high;
      *o++ = (uint8_t)(high >> 8);
      c = 0xDC00 + ((c - 0x10000) & 0x3FF);
    }
    *o++ = (uint8_t)c;
    *o++ = (uint8_t)(c >> 8);
  }
  return (size_t)(o - out);
}

size_t utf8_from_1252(char *out, const uint8_t *p, size_t n) {
  char *o = out;
  for (size_t i = 0; i < n; i++) {
    uint32_t c = p[i];
    if (c >= 0x80 && c < 0xA0)
      c = cp1252[c - 0x80] ? cp1252[c - 0x80] : REPLACEMENT;
    o += put_utf8(o, c);
  }
  return (size_t)(o - out);
}

size_t utf8_to_1252(uint8_t *out, const char *s, size_t n) {
  const uint8_t *p = (const uint8_t *)s, *end = p + n;
  uint8_t *o = out;
  while (p < end) {
    uint32_t c = get_utf8(&p, end);
    if (c >= 0x80 && c < 0xA0)
      c = '?'; /* C1 controls have no place of their own in 1252 */
    else if (c > 0xFF) {
      uint32_t found = '?';
      for (uint32_t i = 0; i < 32; i++)
        if (cp1252[i] == c)
          found = 0x80 + i;
      c = found;
    }
    *o++ = (uint8_t)c;
  }
  return (size_t)(o - out);
}

int ascii_only(const void *p, size_t n) {
  const uint8_t *s = p;
  for (; n >= 8; n -= 8, s += 8) {
    uint64_t w;
    memcpy(&w, s, 8);
    if (w & UINT64_C(0x8080808080808080))
      return 0;
  }
  for (; n > 0; n--, s++)
    if (*s & 0x80)
      return 0;
  return 1;
}
