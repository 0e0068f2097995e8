#include "config.h"

#include "sandbox/bulk_in.h"

#include "base/text.h"
#include "sandbox/utf16.h"

#include <stdlib.h>

enum { TOKEN_COLUMNS = 0x81, TOKEN_ROW = 0xD1, TOKEN_DONE = 0xFD, NO_COLUMNS = 0xFFFF, NAME_UNITS = 128 };

void bulk_in_open(struct bulk_in *b, const struct bulk_sink *sink) {
  *b = (struct bulk_in){.sink = *sink};
}

static void drop_columns(struct bulk_in *b) {
  free(b->type);
  free(b->column);
  free(b->names);
  free(b->row);
  b->type = NULL;
  b->column = NULL;
  b->names = NULL;
  b->row = NULL;
}

void bulk_in_close(struct bulk_in *b) {
  drop_columns(b);
  free(b->rest);
  arena_free(&b->arena);
}

/* One column's description; its name goes to *name, which moves on. */
static int read_column(struct cursor *c, struct type_info *t, char **name) {
  enum { FLAG_IDENTITY = 0x10, FLAG_COMPUTED = 0x20 };
  cursor_u32(c); /* user type */
  unsigned flags = cursor_u16(c);
  if (type_info_read(c, t))
    return -1;
  if (t->length == LEN_LONG) /* text and image: never announced, so never sent; rows would hold text pointers */
    return cursor_fail(c, CURSOR_UNKNOWN);
  t->column.identity = (flags & FLAG_IDENTITY) != 0;
  t->column.computed = (flags & FLAG_COMPUTED) != 0;
  size_t units = cursor_u8(c);
  if (units > NAME_UNITS)
    return cursor_fail(c, CURSOR_WRONG);
  const uint8_t *p = cursor_take(c, 2 * units);
  if (!p)
    return -1;
  t->column.name = *name;
  *name += utf8_from_utf16(*name, p, 2 * units);
  *(*name)++ = '\0';
  return 0;
}

static int read_columns(struct bulk_in *b, struct cursor *c) {
  size_t n = cursor_u16(c);
  if (c->state != CURSOR_OK)
    return -1;
  if (b->type || n == 0 || n == NO_COLUMNS || n > BULK_MOST_COLUMNS)
    return cursor_fail(c, CURSOR_WRONG);
  if (cursor_left(c) < n * 8) /* a description is no shorter: allocate nothing for a count alone */
    return cursor_fail(c, CURSOR_SHORT);
  b->type = xcalloc(n, sizeof *b->type);
  b->column = xcalloc(n, sizeof *b->column);
  b->row = xcalloc(n, sizeof *b->row);
  b->names = xmalloc(cursor_left(c) / 2 * 3 + n + 1);
  char *name = b->names;
  for (size_t i = 0; i < n; i++) {
    if (read_column(c, &b->type[i], &name)) {
      b->unknown = b->type[i].token;
      drop_columns(b); /* perhaps only the rest has not come yet */
      return -1;
    }
    b->column[i] = b->type[i].column;
  }
  b->ncol = (int)n;
  b->refused = b->sink.columns(b->sink.arg, b->column, b->ncol) < 0;
  return 0;
}

static int read_row(struct bulk_in *b, struct cursor *c) {
  if (!b->type)
    return cursor_fail(c, CURSOR_WRONG);
  arena_reset(&b->arena);
  for (int i = 0; i < b->ncol; i++)
    if (type_value_read(c, &b->type[i], &b->arena, &b->row[i]))
      return -1;
  if (!b->refused)
    b->refused = b->sink.row(b->sink.arg, b->row, b->ncol) < 0;
  return 0;
}

static int read_token(struct bulk_in *b, struct cursor *c) {
  switch (cursor_u8(c)) {
  case TOKEN_COLUMNS:
    return read_columns(b, c);
  case TOKEN_ROW:
    return read_row(b, c);
  case TOKEN_DONE: /* status, command, count: some clients end with it, others just end */
    if (!cursor_take(c, 12))
      return -1;
    b->over = 1;
    return 0;
  default:
    return cursor_fail(c, CURSOR_WRONG);
  }
}

/* Read all tokens that are whole; returns how many bytes they took. */
static size_t read_tokens(struct bulk_in *b, const uint8_t *p, size_t n) {
  size_t used = 0;
  while (used < n && b->state == CURSOR_OK) {
    struct cursor c = cursor_of(p + used, n - used);
    if (b->over)
      b->state = CURSOR_WRONG;
    else if (read_token(b, &c) == 0)
      used = (size_t)(c.p - p);
    else if (c.state == CURSOR_SHORT)
      break;
    else
      b->state = c.state;
  }
  return used;
}

static void keep(struct bulk_in *b, const uint8_t *p, size_t n) {
  if (b->len + n > b->cap) {
    b->cap = 2 * (b->len + n);
    b->rest = xrealloc(b->rest, b->cap, 1);
  }
  memcpy(b->rest + b->len, p, n);
  b->len += n;
}

int bulk_in_feed(struct bulk_in *b, const uint8_t *p, size_t n) {
  if (b->state == CURSOR_OK && b->len == 0) {
    size_t used = read_tokens(b, p, n); /* in place, as long as rows end within packets */
    p += used;
    n -= used;
    b->retry = 0;
    if (b->state == CURSOR_OK && n > 0)
      keep(b, p, n);
    return b->state == CURSOR_OK ? 0 : -1;
  }
  if (b->state != CURSOR_OK)
    return -1;
  if (b->len + n > BULK_MOST_ROW) {
    b->state = CURSOR_WRONG;
    return -1;
  }
  keep(b, p, n);
  if (b->len < b->retry)
    return 0;
  size_t used = read_tokens(b, b->rest, b->len);
  memmove(b->rest, b->rest + used, b->len - used);
  b->len -= used;
  /* A row over many packets is not parsed anew with each of them: only when there is twice as much. */
  b->retry = used == 0 ? 2 * b->len : 0;
  return b->state == CURSOR_OK ? 0 : -1;
}

int bulk_in_end(struct bulk_in *b) {
  if (b->state == CURSOR_OK && b->len > 0) {
    size_t used = read_tokens(b, b->rest, b->len);
    if (b->state == CURSOR_OK && used < b->len)
      b->state = CURSOR_SHORT;
  }
  return b->state == CURSOR_OK ? 0 : -1;
}
