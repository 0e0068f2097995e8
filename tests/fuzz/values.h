/* values: what must hold of any value that a parser has taken. */
#ifndef RK_TESTS_FUZZ_VALUES_H
#define RK_TESTS_FUZZ_VALUES_H

#include "fuzz.h"

#include "../sandbox/build.h"
#include "sandbox/tds_type.h"

/* A text is well-formed UTF-8: by way of UTF-16 it comes back the same. */
static inline void value_text_holds(const struct field *f) {
  uint8_t *wide = xmalloc(2 * f->len + 1);
  size_t n = utf16_from_utf8(wide, f->p, f->len);
  char *back = xmalloc(UTF8_FROM_UTF16(n) + 1);
  FUZZ_MUST(utf8_from_utf16(back, wide, n) == f->len);
  FUZZ_MUST(f->len == 0 || memcmp(back, f->p, f->len) == 0);
  free(wide);
  free(back);
}

/* Written for its own column a value fits, is read again, and written once more gives the same bytes. */
static inline void value_holds(const struct column *col, const struct field *f) {
  struct packet_out out[2];
  struct arena a = {0};
  struct type_info t;
  struct field back = *f;
  if (f->type == F_TEXT)
    value_text_holds(f);
  for (int i = 0; i < 2; i++) {
    packet_out_open(&out[i], -1);
    packet_out_resize(&out[i], 4 * f->len + 4096); /* nothing is ever sent */
    type_info_write(&out[i], col);
    FUZZ_MUST(type_value_write(&out[i], col, &back) == 0);
    struct cursor c = cursor_of(out[i].buf + PACKET_HEADER, out[i].len - PACKET_HEADER);
    FUZZ_MUST(type_info_read(&c, &t) == 0);
    FUZZ_MUST(type_value_read(&c, &t, &a, &back) == 0);
    FUZZ_MUST(cursor_left(&c) == 0);
    FUZZ_MUST(back.type == f->type);
  }
  FUZZ_MUST(out[0].len == out[1].len);
  FUZZ_MUST(memcmp(out[0].buf + PACKET_HEADER, out[1].buf + PACKET_HEADER, out[0].len - PACKET_HEADER) == 0);
  arena_free(&a);
  packet_out_close(&out[0]);
  packet_out_close(&out[1]);
}

/* One parameter or column of each type, with a value. */
static const struct value_seed {
  const char *bytes;
  size_t info, n; /* bytes of TYPE_INFO; with the value */
} value_seed[] = {
#define VALUE(info, value) {info value, sizeof info - 1, sizeof info + sizeof value - 2}
#define COLLATION "\x09\x04\xD0\x00\x34"
  VALUE("\x26\x08", "\x08\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF"),
  VALUE("\x38", "\x01\x02\x03\x04"),
  VALUE("\x68\x01", "\x01\x01"),
  VALUE("\x6D\x08", "\x08\0\0\0\0\0\0\xF8\x3F"),
  VALUE("\x6E\x08", "\x08\xFF\xFF\xFF\xFF\xF0\xD8\xFF\xFF"),
  VALUE("\x6A\x09\x12\x04", "\x09\x00\x01\x02\x03\x04\x05\x06\x07\x00"),
  VALUE("\x6F\x08", "\x08\x01\0\0\0\x2C\x01\0\0"),
  VALUE("\x6F\x04", "\x04\x01\0\x2C\x01"),
  VALUE("\x28", "\x03\x01\x02\x03"),
  VALUE("\x29\x07", "\x05\x01\x02\x03\x04\x05"),
  VALUE("\x2A\x03", "\x07\x01\x02\x03\x04\x05\x06\x07"),
  VALUE("\x2B\x07", "\x0A\x01\x02\x03\x04\x05\x06\x07\x08\x3C\x00"),
  VALUE("\x24\x10", "\x10" "0123456789ABCDEF"),
  VALUE("\xE7\x20\x00" COLLATION, "\x06\x00" "a\0\x3D\xD8\x00\xDE"),
  VALUE("\xA7\x20\x00" COLLATION, "\x03\x00" "\xE9\x80" "b"),
  VALUE("\xA7\x20\x00\x09\x04\xD0\x04\x34", "\x03\x00" "\xC3\xA9" "b"),
  VALUE("\xA5\x20\x00", "\x02\x00\x01\xFF"),
  VALUE("\xE7\xFF\xFF" COLLATION, "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02\0\0\0" "a\0" "\x02\0\0\0" "b\0" "\0\0\0\0"),
  VALUE("\xA7\xFF\xFF" COLLATION, "\x02\0\0\0\0\0\0\0\x02\0\0\0" "ab" "\0\0\0\0"),
  VALUE("\x23\xFF\xFF\xFF\x7F" COLLATION, "\x02\0\0\0" "ab"),
#undef VALUE
#undef COLLATION
};
enum { VALUE_SEEDS = sizeof value_seed / sizeof *value_seed };

#endif
