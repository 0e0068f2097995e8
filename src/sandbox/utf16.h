/* utf16: between UTF-8 and the two encodings that TDS carries: UTF-16LE (NVARCHAR, names) and Windows-1252 (VARCHAR under the
 * collation that the sandbox states).  Pure functions; what is not well formed becomes U+FFFD, what 1252 lacks '?'. */
#ifndef RK_SANDBOX_UTF16_H
#define RK_SANDBOX_UTF16_H

#include <stddef.h>
#include <stdint.h>

/* `n` bytes of UTF-16LE (an odd last byte is ignored) into at most UTF8_FROM_UTF16(n) bytes; returns how many. */
#define UTF8_FROM_UTF16(n) ((n) / 2 * 3)
size_t utf8_from_utf16(char *out, const uint8_t *p, size_t n);

/* `n` bytes of UTF-8 into at most 2 * n bytes; returns how many. */
size_t utf16_from_utf8(uint8_t *out, const char *s, size_t n);

/* 1252: at most 3 * n, and at most n bytes. */
size_t utf8_from_1252(char *out, const uint8_t *p, size_t n);
size_t utf8_to_1252(uint8_t *out, const char *s, size_t n);

/* True when all bytes are ASCII: then 1252 and UTF-8 are the same. */
int ascii_only(const void *p, size_t n);

#endif
