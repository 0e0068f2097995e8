#include "config.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void no_memory(void) {
  static const char msg[] = "ramknee: out of memory\n";
  if (write(STDERR_FILENO, msg, sizeof msg - 1) < 0)
    abort();
  abort(); /* not exit(): a supervising parent must see that this was no orderly end */
}

void *xmalloc(size_t n) {
  void *p = malloc(n ? n : 1);
  if (!p)
    no_memory();
  return p;
}

void *xcalloc(size_t n, size_t size) {
  void *p = calloc(n ? n : 1, size ? size : 1);
  if (!p)
    no_memory();
  return p;
}

void *xrealloc(void *p, size_t n, size_t size) {
  if (size && n > SIZE_MAX / size)
    no_memory();
  size_t bytes = n * size;
  p = realloc(p, bytes > 0 ? bytes : 1);
  if (!p)
    no_memory();
  return p;
}

char *xstrdup(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(xmalloc(n), s, n);
}

char *xprintf(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *s;
  int n = vasprintf(&s, fmt, ap);
  va_end(ap);
  if (n < 0)
    no_memory();
  return s;
}

static void reserve(struct text *t, size_t more) {
  if (t->len + more + 1 <= t->cap)
    return;
  size_t cap = t->cap ? t->cap : 64;
  while (cap < t->len + more + 1)
    cap *= 2;
  t->s = xrealloc(t->s, cap, 1);
  t->cap = cap;
}

void text_addn(struct text *t, const char *s, size_t n) {
  reserve(t, n);
  memcpy(t->s + t->len, s, n);
  t->len += n;
  t->s[t->len] = '\0';
}

void text_add(struct text *t, const char *s) {
  text_addn(t, s, strlen(s));
}

void text_addf(struct text *t, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n > 0) {
    reserve(t, (size_t)n);
    vsnprintf(t->s + t->len, (size_t)n + 1, fmt, again);
    t->len += (size_t)n;
  }
  va_end(again);
}

size_t text_utf8(const char *text, uint32_t *code) {
  const unsigned char *s = (const unsigned char *)text;
  static const struct {
    unsigned char mask, lead;
    size_t n;
    uint32_t least;
  } form[] = {{0x80, 0, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
  for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
    if ((s[0] & form[i].mask) != form[i].lead)
      continue;
    uint32_t v = s[0] & (unsigned char)~form[i].mask;
    for (size_t k = 1; k < form[i].n; k++) {
      if ((s[k] & 0xc0) != 0x80)
        return 0;
      v = v << 6 | (s[k] & 0x3f);
    }
    *code = v;
    return v < form[i].least || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff) ? 0 : form[i].n;
  }
  return 0;
}

void text_visible(struct text *t, const char *s) {
  text_add(t, "");
  while (*s) {
    uint32_t v = 0;
    size_t n = text_utf8(s, &v), hidden = n ? n : 1;
    int bad = n == 0 || v < 0x20 || (v >= 0x7f && v < 0xa0) || v == 0x200e || v == 0x200f || v == 0x2028 || v == 0x2029 ||
              (v >= 0x202a && v <= 0x202e) || (v >= 0x2066 && v <= 0x2069);
    for (size_t i = 0; bad && i < hidden; i++)
      text_addf(t, "\\x%02x", (unsigned char)s[i]);
    if (!bad)
      text_addn(t, s, n);
    s += hidden;
  }
}

void text_clear(struct text *t) {
  t->len = 0;
  if (t->s)
    t->s[0] = '\0';
}

void text_free(struct text *t) {
  free(t->s);
  *t = (struct text){0};
}

void wipe(void *p, size_t n) {
  explicit_bzero(p, n);
}
