/* build: pieces of TDS messages for tests, as a client would send them. */
#ifndef RK_TESTS_SANDBOX_BUILD_H
#define RK_TESTS_SANDBOX_BUILD_H

#include "base/text.h"
#include "sandbox/utf16.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void put_uint(struct text *t, uint64_t v, int n) {
  for (int i = 0; i < n; i++, v >>= 8) {
    char b = (char)v;
    text_addn(t, &b, 1);
  }
}

static inline void put_wide(struct text *t, const char *s) {
  uint8_t *b = xmalloc(2 * strlen(s) + 1);
  text_addn(t, (const char *)b, utf16_from_utf8(b, s, strlen(s)));
  free(b);
}

/* The units of s, and s: with a count of n bytes in front. */
static inline void put_name(struct text *t, const char *s, int n) {
  uint8_t b[4096];
  put_uint(t, utf16_from_utf8(b, s, strlen(s)) / 2, n);
  put_wide(t, s);
}

/* ALL_HEADERS with a transaction descriptor. */
static inline void put_headers(struct text *t) {
  put_uint(t, 22, 4);
  put_uint(t, 18, 4);
  put_uint(t, 2, 2);
  put_uint(t, 0, 8);
  put_uint(t, 1, 4);
}

static inline void put_batch(struct text *t, const char *sql) {
  put_headers(t);
  put_wide(t, sql);
}

enum { BUILD_LOGIN_FIXED = 94 };

struct build_login {
  const char *user, *password, *app, *database;
  uint32_t version, packet_size;
  int integrated;
};

static inline void put_login(struct text *t, const struct build_login *l) {
  const char *name[9] = {"host", l->user, l->password, l->app, "server", "", "library", "", l->database};
  struct text body = {0};
  size_t start = t->len;
  uint32_t version = l->version ? l->version : 0x74000004;
  uint8_t place[36];
  for (int i = 0; i < 9; i++) {
    uint8_t b[1024];
    const char *s = name[i] ? name[i] : "";
    size_t n = utf16_from_utf8(b, s, strlen(s)), at = BUILD_LOGIN_FIXED + body.len;
    for (size_t k = 0; i == 2 && k < n; k++)
      b[k] = (uint8_t)((b[k] << 4 | b[k] >> 4) ^ 0xA5);
    place[4 * i] = (uint8_t)at;
    place[4 * i + 1] = (uint8_t)(at >> 8);
    place[4 * i + 2] = (uint8_t)(n / 2);
    place[4 * i + 3] = (uint8_t)(n / 2 >> 8);
    text_addn(&body, (const char *)b, n);
  }
  put_uint(t, BUILD_LOGIN_FIXED + body.len, 4);
  put_uint(t, version, 4);
  put_uint(t, l->packet_size, 4);
  put_uint(t, 7, 4);
  put_uint(t, 1234, 4);
  put_uint(t, 0, 4);
  put_uint(t, 0xE0, 1);
  put_uint(t, l->integrated ? 0x83 : 0x03, 1);
  put_uint(t, 0, 2);
  put_uint(t, 0, 8);
  text_addn(t, (const char *)place, sizeof place);
  while (t->len - start < BUILD_LOGIN_FIXED)
    put_uint(t, 0, 1);
  if (body.len)
    text_addn(t, body.s, body.len);
  text_free(&body);
}

/* An RPC's beginning; parameters follow. */
static inline void put_rpc(struct text *t, const char *name) {
  put_name(t, name, 2);
  put_uint(t, 0, 2);
}

/* A parameter's beginning; TYPE_INFO and value follow. */
static inline void put_param(struct text *t, const char *name, int status) {
  put_name(t, name, 1);
  put_uint(t, (uint64_t)status, 1);
}

static inline void put_int_param(struct text *t, const char *name, int status, int32_t v) {
  put_param(t, name, status);
  put_uint(t, 0x040426, 3);
  put_uint(t, (uint32_t)v, 4);
}

static const uint8_t build_collation[5] = {0x09, 0x04, 0xD0, 0x00, 0x34};

static inline void put_text_param(struct text *t, const char *name, const char *s) {
  uint8_t b[4096];
  size_t n = utf16_from_utf8(b, s, strlen(s));
  put_param(t, name, 0);
  put_uint(t, 0xE7, 1);
  put_uint(t, 8000, 2);
  text_addn(t, (const char *)build_collation, 5);
  put_uint(t, n, 2);
  text_addn(t, (const char *)b, n);
}

/* Bulk: COLMETADATA of an int and a varchar(30), and its rows. */
static inline void put_bulk_columns(struct text *t, const char *first) {
  put_uint(t, 0x81, 1);
  put_uint(t, 2, 2);
  put_uint(t, 0, 4);
  put_uint(t, 8, 2);
  put_uint(t, 0x0426, 2);
  put_name(t, first, 1);
  put_uint(t, 0, 4);
  put_uint(t, 9, 2);
  put_uint(t, 0xA7, 1);
  put_uint(t, 30, 2);
  text_addn(t, (const char *)build_collation, 5);
  put_name(t, "name", 1);
}

static inline void put_bulk_row(struct text *t, int32_t id, const char *name) {
  put_uint(t, 0xD1, 1);
  put_uint(t, 4, 1);
  put_uint(t, (uint32_t)id, 4);
  put_uint(t, name ? strlen(name) : 0xFFFF, 2);
  if (name)
    text_add(t, name);
}

#endif
