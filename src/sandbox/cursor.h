/* cursor: reads little-endian values from a piece of a message and never past its end.
 *
 * After the first failure every read gives 0 and the state stays, so that a parser may read on and look at the state once.  One
 * thread at a time; nothing is owned. */
#ifndef RK_SANDBOX_CURSOR_H
#define RK_SANDBOX_CURSOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum cursor_state {
  CURSOR_OK = 0,
  CURSOR_SHORT,   /* the bytes ended too early: malformed, or the rest has not arrived yet */
  CURSOR_WRONG,   /* a length or value that no more bytes can put right */
  CURSOR_UNKNOWN, /* a data type that the sandbox does not take */
};

struct cursor {
  const uint8_t *p, *end;
  enum cursor_state state;
};

static inline struct cursor cursor_of(const void *p, size_t n) {
  return (struct cursor){p, (const uint8_t *)p + n, CURSOR_OK};
}

static inline size_t cursor_left(const struct cursor *c) {
  return (size_t)(c->end - c->p);
}

/* Set a state unless one is set; returns -1. */
static inline int cursor_fail(struct cursor *c, enum cursor_state s) {
  if (c->state == CURSOR_OK)
    c->state = s;
  return -1;
}

/* The next n bytes, which stay where they are; NULL when they are not there. */
static inline const uint8_t *cursor_take(struct cursor *c, size_t n) {
  if (c->state != CURSOR_OK || cursor_left(c) < n) {
    cursor_fail(c, CURSOR_SHORT);
    return NULL;
  }
  const uint8_t *p = c->p;
  c->p += n;
  return p;
}

/* An unsigned number of n <= 8 bytes. */
static inline uint64_t cursor_uint(struct cursor *c, size_t n) {
  const uint8_t *p = cursor_take(c, n);
  uint64_t v = 0;
  if (p)
    for (size_t i = 0; i < n; i++)
      v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static inline uint8_t cursor_u8(struct cursor *c) {
  return (uint8_t)cursor_uint(c, 1);
}

static inline uint16_t cursor_u16(struct cursor *c) {
  return (uint16_t)cursor_uint(c, 2);
}

static inline uint32_t cursor_u32(struct cursor *c) {
  return (uint32_t)cursor_uint(c, 4);
}

static inline uint64_t cursor_u64(struct cursor *c) {
  return cursor_uint(c, 8);
}

#endif
