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
