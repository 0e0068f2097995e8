/* text: a growing string, and small helpers.  Running out of memory ends the program with a sentence: there is no honest way on. */
#ifndef RK_BASE_TEXT_H
#define RK_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* A string under construction; zero-initialise it.  `s` is NULL while empty, else NUL-terminated; free(t.s) or text_free. */
struct text {
  char *s;
  size_t len, cap;
};

void text_add(struct text *, const char *s);
void text_addn(struct text *, const char *s, size_t n);
void text_addf(struct text *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Add text from outside so that a terminal, a table or a page shows it as one line and does nothing else: control characters (C0, DEL,
 * C1), those that turn the direction of text, and bytes that are no UTF-8 become \xHH, byte by byte. */
void text_visible(struct text *, const char *s);
/* The length in bytes of the UTF-8 character at s, 0 when there is none (overlong forms and surrogates included); *code: its code
 * point. */
size_t text_utf8(const char *s, uint32_t *code);
/* Forget the content, keep the memory. */
void text_clear(struct text *);
void text_free(struct text *);

/* malloc, calloc, realloc, strdup, printf into new memory that never return NULL; the caller frees. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Overwrite memory in a way that the compiler keeps: for passwords. */
void wipe(void *p, size_t n);

#endif
