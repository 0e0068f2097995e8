#include "config.h"

#include "sandbox/tds_in.h"

#include "base/text.h"
#include "sandbox/tds_type.h"
#include "sandbox/utf16.h"

#include <stdio.h>

int prelogin_read(const uint8_t *p, size_t n, int *encryption) {
  enum { ENCRYPTION = 1, END = 0xFF };
  struct cursor c = cursor_of(p, n);
  *encryption = 2;
  for (;;) {
    uint8_t option = cursor_u8(&c);
    if (c.state != CURSOR_OK)
      return -1;
    if (option == END)
      return 0;
    const uint8_t *h = cursor_take(&c, 4); /* offset and length, in network order */
    if (!h)
      return -1;
    size_t offset = (size_t)h[0] << 8 | h[1], len = (size_t)h[2] << 8 | h[3];
    if (offset > n || len > n - offset)
      return -1;
    if (option == ENCRYPTION) {
      if (len != 1)
        return -1;
      *encryption = p[offset];
    }
  }
}

enum { LOGIN_FIXED = 94, LOGIN_NAME_UNITS = 128 };

/* The string at an (offset, length in UTF-16 units) pair of LOGIN7. */
static int login_string(const uint8_t *p, size_t n, size_t at, int secret, char *out) {
  struct cursor c = cursor_of(p + at, 4);
  size_t offset = cursor_u16(&c), units = cursor_u16(&c);
  out[0] = '\0';
  if (units == 0)
    return 0;
  if (units > LOGIN_NAME_UNITS || offset < LOGIN_FIXED || offset > n || units * 2 > n - offset)
    return -1;
  uint8_t b[LOGIN_NAME_UNITS * 2];
  memcpy(b, p + offset, units * 2);
  if (secret) /* 2.2.6.4: nibbles swapped, then XOR A5 */
    for (size_t i = 0; i < units * 2; i++) {
      uint8_t x = b[i] ^ 0xA5;
      b[i] = (uint8_t)(x << 4 | x >> 4);
    }
  out[utf8_from_utf16(out, b, units * 2)] = '\0';
  if (secret)
    wipe(b, sizeof b);
  return 0;
}

int login_read(const uint8_t *p, size_t n, struct login_in *in) {
  enum { HOST = 36, USER = 40, PASSWORD = 44, APP = 48, LANGUAGE = 64, DATABASE = 68, SSPI = 78, OPTIONS2 = 25, INTEGRATED = 0x80 };
  memset(in, 0, sizeof *in);
  if (n < LOGIN_FIXED)
    return -1;
  struct cursor c = cursor_of(p, n);
  if (cursor_u32(&c) != n)
    return -1;
  in->tds_version = cursor_u32(&c);
  in->packet_size = cursor_u32(&c);
  struct login *l = &in->login;
  if (login_string(p, n, HOST, 0, l->host) || login_string(p, n, USER, 0, l->user) ||
      login_string(p, n, PASSWORD, 1, l->password) || login_string(p, n, APP, 0, l->app) ||
      login_string(p, n, LANGUAGE, 0, l->language) || login_string(p, n, DATABASE, 0, l->database)) {
    wipe(l->password, sizeof l->password);
    return -1;
  }
  in->integrated = (p[OPTIONS2] & INTEGRATED) != 0;
  return 0;
}

int headers_skip(struct cursor *c) {
  struct cursor h = *c;
  size_t total = cursor_u32(&h);
  if (h.state != CURSOR_OK || total < 4 || total - 4 > cursor_left(&h))
    return cursor_fail(c, CURSOR_WRONG);
  struct cursor inner = cursor_of(h.p, total - 4);
  while (cursor_left(&inner) > 0) { /* each: its length, itself counted, a type, data */
    uint32_t len = cursor_u32(&inner);
    if (len < 6 || !cursor_take(&inner, len - 4))
      return cursor_fail(c, CURSOR_WRONG);
  }
  cursor_take(c, total);
  return 0;
}

/* UTF-16 of `units` units as UTF-8 with a NUL. */
static const char *name_of(struct cursor *c, size_t units, struct arena *a, size_t *len) {
  const uint8_t *p = cursor_take(c, 2 * units);
  size_t n = 0;
  char *s = arena_alloc(a, p ? UTF8_FROM_UTF16(2 * units) + 1 : 1);
  if (p)
    n = utf8_from_utf16(s, p, 2 * units);
  s[n] = '\0';
  arena_trim(a, s, n + 1);
  if (len)
    *len = n;
  return s;
}

int batch_read(const uint8_t *p, size_t n, struct arena *a, const char **text, size_t *len) {
  struct cursor c = cursor_of(p, n);
  if (headers_skip(&c) || cursor_left(&c) % 2 != 0)
    return -1;
  *text = name_of(&c, cursor_left(&c) / 2, a, len);
  return 0;
}

int transaction_read(const uint8_t *p, size_t n, struct arena *a, struct transaction_in *t) {
  struct cursor c = cursor_of(p, n);
  *t = (struct transaction_in){.name = ""};
  if (headers_skip(&c))
    return -1;
  t->request = cursor_u16(&c);
  if (t->request == TM_COMMIT || t->request == TM_ROLLBACK || t->request == TM_SAVE)
    t->name = name_of(&c, cursor_u8(&c) / 2, a, NULL); /* its length is in bytes */
  if (t->request == TM_COMMIT || t->request == TM_ROLLBACK)
    t->begin_again = cursor_u8(&c) & 1;
  if (t->request == TM_BEGIN || t->begin_again) {
    t->isolation = cursor_u8(&c);
    cursor_take(&c, cursor_u8(&c)); /* the name of the new one means nothing */
  }
  return c.state != CURSOR_OK || t->isolation > 5 ? -1 : 0;
}

/* The procedures that have a number instead of a name (2.2.6.6). */
static const char *const proc_names[] = {
  NULL,            "sp_cursor",       "sp_cursoropen",  "sp_cursorprepare", "sp_cursorexecute", "sp_cursorprepexec",
  "sp_cursorunprepare", "sp_cursorfetch", "sp_cursoroption", "sp_cursorclose", "sp_executesql", "sp_prepare",
  "sp_execute",    "sp_prepexec",     "sp_prepexecrpc", "sp_unprepare",
};

enum { BATCH_FLAG = 0xFF, NO_EXEC_FLAG = 0xFE, NAME_UNITS = 128, PROC_UNITS = 1046 };

int rpc_start(struct rpc_in *r, const uint8_t *p, size_t n, struct arena *a) {
  *r = (struct rpc_in){.cur = cursor_of(p, n), .arena = a, .first = 1};
  return headers_skip(&r->cur);
}

static int read_param(struct rpc_in *r, struct rpc_param *p) {
  enum { BY_REF = 1, DEFAULT = 2, ENCRYPTED = 8 };
  struct cursor *c = &r->cur;
  size_t units = cursor_u8(c);
  if (units > NAME_UNITS)
    return cursor_fail(c, CURSOR_WRONG);
  *p = (struct rpc_param){.name = units ? name_of(c, units, r->arena, NULL) : ""};
  uint8_t status = cursor_u8(c);
  if (status & ENCRYPTED)
    return cursor_fail(c, CURSOR_WRONG);
  p->by_ref = (status & BY_REF) != 0;
  p->is_default = (status & DEFAULT) != 0;
  struct type_info t;
  if (type_info_read(c, &t)) {
    r->type = t.token;
    return -1;
  }
  p->column = t.column;
  if (type_value_read(c, &t, r->arena, &p->value))
    return -1;
  if (p->is_default)
    p->value = (struct field){.type = F_NULL};
  return 0;
}

/* The array grows by doubling; the old one stays in the arena until the request is over. */
static void grow(struct rpc_in *r) {
  int room = r->room ? 2 * r->room : 32;
  struct rpc_param *p = arena_alloc(r->arena, (size_t)room * sizeof *p);
  if (r->room)
    memcpy(p, r->param, (size_t)r->room * sizeof *p);
  r->param = p;
  r->room = room;
}

int rpc_next(struct rpc_in *r, struct rpc *rpc) {
  struct cursor *c = &r->cur;
  if (!r->first && cursor_left(c) == 0)
    return 0;
  r->first = 0;
  size_t units = cursor_u16(c);
  *rpc = (struct rpc){.name = ""};
  if (units == 0xFFFF) {
    unsigned id = cursor_u16(c);
    if (c->state == CURSOR_OK && (id == 0 || id >= sizeof proc_names / sizeof *proc_names))
      return cursor_fail(c, CURSOR_WRONG);
    rpc->name = proc_names[id];
  } else if (units > PROC_UNITS) {
    return cursor_fail(c, CURSOR_WRONG);
  } else {
    rpc->name = name_of(c, units, r->arena, NULL);
  }
  cursor_u16(c); /* options: recompile, no metadata: nothing to do */
  if (c->state != CURSOR_OK)
    return -1;
  while (cursor_left(c) > 0) {
    if (*c->p == BATCH_FLAG || *c->p == NO_EXEC_FLAG) {
      cursor_u8(c);
      break;
    }
    if (rpc->nparam == RPC_MOST_PARAMS)
      return cursor_fail(c, CURSOR_WRONG);
    if (rpc->nparam == r->room)
      grow(r);
    if (read_param(r, &r->param[rpc->nparam]))
      return -1;
    rpc->nparam++;
  }
  rpc->param = r->param;
  return 1;
}
