#include "config.h"

#include "build.h"
#include "sandbox/tds_type.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct packet_out out;
static struct arena arena;

static void set_up(void) {
  packet_out_open(&out, -1);
  packet_out_resize(&out, 1 << 16); /* large enough that nothing is ever sent */
}

static void tear_down(void) {
  packet_out_close(&out);
  arena_free(&arena);
}

TestSuite(type, .init = set_up, .fini = tear_down);

#define TEXT(kind, s) ((struct field){.type = kind, .p = s, .len = sizeof s - 1})
#define INT(v) ((struct field){.type = F_INT, .i = v})
#define REAL(v) ((struct field){.type = F_REAL, .r = v})
#define COLUMN(t, ...) ((struct column){.name = "", .type = t, __VA_ARGS__})

/* Write a column and a value of it, read both back. */
static int round_trip(const struct column *col, const struct field *in, struct type_info *t, struct field *back) {
  out.len = PACKET_HEADER;
  type_info_write(&out, col);
  int rc = type_value_write(&out, col, in);
  struct cursor c = cursor_of(out.buf + PACKET_HEADER, out.len - PACKET_HEADER);
  cr_assert_eq(type_info_read(&c, t), 0, "type %d", col->type);
  cr_assert_eq(type_value_read(&c, t, &arena, back), 0, "type %d", col->type);
  cr_assert_eq(cursor_left(&c), 0, "type %d leaves %zu bytes", col->type, cursor_left(&c));
  return rc;
}

static void comes_back_as(const struct column *col, struct field in, struct field want, int error) {
  struct type_info t;
  struct field f;
  char name[96];
  snprintf(name, sizeof name, "%s(%d,%d,%d) of %.*s", type_name(col), col->size, col->precision, col->scale, (int)in.len, in.len ? in.p : "");
  cr_assert_eq(round_trip(col, &in, &t, &f), error, "%s", name);
  cr_assert_eq(f.type, want.type, "%s is of type %d", name, f.type);
  cr_assert_eq(f.i, want.i, "%s is %lld", name, (long long)f.i);
  cr_assert(f.r == want.r, "%s is %g", name, f.r);
  cr_assert_eq(f.len, want.len, "%s is of length %zu: %.*s", name, f.len, (int)f.len, f.len ? f.p : "");
  if (f.len)
    cr_assert_arr_eq(f.p, want.p, f.len, "%s is '%.*s'", name, (int)f.len, f.p);
}

Test(type, values_come_back) {
  const struct {
    struct column col;
    struct field f;
  } v[] = {
    {COLUMN(W_TINYINT), INT(255)},
    {COLUMN(W_SMALLINT), INT(-32768)},
    {COLUMN(W_INT), INT(-2147483647 - 1)},
    {COLUMN(W_BIGINT), INT(INT64_MIN)},
    {COLUMN(W_BIT), INT(1)},
    {COLUMN(W_FLOAT), REAL(-1.25e300)},
    {COLUMN(W_NVARCHAR, .size = 10), TEXT(F_TEXT, "Zo\xC3\xAB \xF0\x9F\x98\x80")},
    {COLUMN(W_NVARCHAR), TEXT(F_TEXT, "Zo\xC3\xAB \xF0\x9F\x98\x80")},
    {COLUMN(W_NVARCHAR, .size = 10), TEXT(F_TEXT, "")},
    {COLUMN(W_NVARCHAR), TEXT(F_TEXT, "")},
    {COLUMN(W_VARCHAR, .size = 10), TEXT(F_TEXT, "caf\xC3\xA9 \xE2\x82\xAC")},
    {COLUMN(W_VARCHAR), TEXT(F_TEXT, "caf\xC3\xA9")},
    {COLUMN(W_VARBINARY, .size = 4), TEXT(F_BIN, "\0\1\xFE\xFF")},
    {COLUMN(W_VARBINARY), TEXT(F_BIN, "\0\1\xFE\xFF")},
    {COLUMN(W_DATETIME), TEXT(F_DATETIME, "1753-01-01 00:00:00.003")},
    {COLUMN(W_DATETIME), TEXT(F_DATETIME, "9999-12-31 23:59:59.997")},
    {COLUMN(W_DATETIME2, .scale = 7), TEXT(F_DATETIME, "0001-01-01 23:59:59.9999999")},
    {COLUMN(W_DATETIME2, .scale = 3), TEXT(F_DATETIME, "2026-11-30 15:04:05.123")},
    {COLUMN(W_DATETIME2), TEXT(F_DATETIME, "9999-12-31 15:04:05")},
    {COLUMN(W_DATE), TEXT(F_DATETIME, "2026-11-30")},
    {COLUMN(W_TIME, .scale = 4), TEXT(F_DATETIME, "15:04:05.1234")},
    {COLUMN(W_DECIMAL, .precision = 9, .scale = 2), TEXT(F_DECIMAL, "-9999999.99")},
    {COLUMN(W_DECIMAL, .precision = 19, .scale = 0), TEXT(F_DECIMAL, "9999999999999999999")},
    {COLUMN(W_DECIMAL, .precision = 28, .scale = 28), TEXT(F_DECIMAL, "-0.0000000000000000000000000001")},
    {COLUMN(W_DECIMAL, .precision = 38, .scale = 5), TEXT(F_DECIMAL, "999999999999999999999999999999999.99999")},
    {COLUMN(W_GUID), TEXT(F_GUID, "6F9619FF-8B86-D011-B42D-00C04FC964FF")},
  };
  for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
    struct type_info t;
    struct field f;
    comes_back_as(&v[i].col, v[i].f, v[i].f, 0);
    cr_assert_eq(round_trip(&v[i].col, &(struct field){.type = F_NULL}, &t, &f), 0);
    cr_assert_eq(f.type, F_NULL);
    cr_assert_eq(t.column.type, v[i].col.type);
    cr_assert_eq(t.column.size, v[i].col.size);
    cr_assert_eq(t.column.scale, v[i].col.scale);
    cr_assert_eq(t.column.precision, v[i].col.precision);
  }
}

Test(type, values_convert) {
  comes_back_as(&COLUMN(W_INT), TEXT(F_TEXT, " 42 "), INT(42), 0);
  comes_back_as(&COLUMN(W_INT), TEXT(F_DECIMAL, "-42.9"), INT(-42), 0);
  comes_back_as(&COLUMN(W_INT), REAL(42.9), INT(42), 0);
  comes_back_as(&COLUMN(W_BIGINT), TEXT(F_DECIMAL, "-9223372036854775808"), INT(INT64_MIN), 0);
  comes_back_as(&COLUMN(W_BIT), INT(7), INT(1), 0);
  comes_back_as(&COLUMN(W_FLOAT), INT(3), REAL(3), 0);
  comes_back_as(&COLUMN(W_FLOAT), TEXT(F_DECIMAL, "0.5"), REAL(0.5), 0);
  comes_back_as(&COLUMN(W_NVARCHAR, .size = 20), INT(-7), TEXT(F_TEXT, "-7"), 0);
  comes_back_as(&COLUMN(W_VARCHAR, .size = 20), REAL(0.25), TEXT(F_TEXT, "0.25"), 0);
  comes_back_as(&COLUMN(W_VARCHAR, .size = 40), TEXT(F_DATETIME, "2026-11-30"), TEXT(F_TEXT, "2026-11-30"), 0);
  comes_back_as(&COLUMN(W_DECIMAL, .precision = 10, .scale = 3), INT(-5), TEXT(F_DECIMAL, "-5.000"), 0);
  comes_back_as(&COLUMN(W_DECIMAL, .precision = 10, .scale = 3), REAL(2.0005), TEXT(F_DECIMAL, "2.001"), 0);
  comes_back_as(&COLUMN(W_DATETIME), TEXT(F_TEXT, "2026-11-30"), TEXT(F_DATETIME, "2026-11-30 00:00:00.000"), 0);
  comes_back_as(&COLUMN(W_DATETIME), TEXT(F_DATETIME, "2026-11-30 23:59:59.999"), TEXT(F_DATETIME, "2026-12-01 00:00:00.000"), 0);
  comes_back_as(&COLUMN(W_GUID), TEXT(F_TEXT, "6f9619ff-8b86-d011-b42d-00c04fc964ff"), TEXT(F_GUID, "6F9619FF-8B86-D011-B42D-00C04FC964FF"), 0);
}

Test(type, what_does_not_fit_is_null_or_cut_and_an_error) {
  const struct field null = {.type = F_NULL};
  comes_back_as(&COLUMN(W_TINYINT), INT(256), null, 8115);
  comes_back_as(&COLUMN(W_TINYINT), INT(-1), null, 8115);
  comes_back_as(&COLUMN(W_SMALLINT), INT(32768), null, 8115);
  comes_back_as(&COLUMN(W_INT), INT(INT64_C(2147483648)), null, 8115);
  comes_back_as(&COLUMN(W_BIGINT), TEXT(F_DECIMAL, "9223372036854775808"), null, 8115);
  comes_back_as(&COLUMN(W_BIGINT), REAL(1e19), null, 8115);
  comes_back_as(&COLUMN(W_INT), TEXT(F_TEXT, "four"), null, 8114);
  comes_back_as(&COLUMN(W_INT), TEXT(F_BIN, "4"), null, 8114);
  comes_back_as(&COLUMN(W_FLOAT), TEXT(F_TEXT, "1e999"), null, 8115);
  comes_back_as(&COLUMN(W_FLOAT), REAL(0.0 / 0.0), null, 8115);
  comes_back_as(&COLUMN(W_DECIMAL, .precision = 4, .scale = 2), TEXT(F_DECIMAL, "100"), null, 8115);
  comes_back_as(&COLUMN(W_DECIMAL, .precision = 4, .scale = 2), TEXT(F_TEXT, "x"), null, 8114);
  comes_back_as(&COLUMN(W_DATETIME), TEXT(F_DATETIME, "1752-12-31 00:00:00"), null, 8115);
  comes_back_as(&COLUMN(W_DATETIME), TEXT(F_DATETIME, "9999-12-31 23:59:59.999"), null, 8115);
  comes_back_as(&COLUMN(W_DATETIME2), TEXT(F_DATETIME, "0000-00-00 00:00:00"), null, 8115);
  comes_back_as(&COLUMN(W_DATE), INT(1), null, 8114);
  comes_back_as(&COLUMN(W_GUID), TEXT(F_TEXT, "none"), null, 8114);
  comes_back_as(&COLUMN(W_VARCHAR, .size = 9), TEXT(F_BIN, "4"), null, 8114);
  comes_back_as(&COLUMN(W_VARBINARY, .size = 9), INT(4), null, 8114);
  comes_back_as(&COLUMN(W_VARCHAR, .size = 3), TEXT(F_TEXT, "four"), TEXT(F_TEXT, "fou"), 8152);
  comes_back_as(&COLUMN(W_VARBINARY, .size = 3), TEXT(F_BIN, "four"), TEXT(F_BIN, "fou"), 8152);
  comes_back_as(&COLUMN(W_NVARCHAR, .size = 3), TEXT(F_TEXT, "ab\xF0\x9F\x98\x80"), TEXT(F_TEXT, "ab"), 8152); /* no half of a pair */
}

Test(type, wide_columns_are_max) {
  struct type_info t;
  struct field f;
  round_trip(&COLUMN(W_NVARCHAR, .size = 4001), &INT(1), &t, &f);
  cr_assert_eq(t.length, LEN_PARTS);
  round_trip(&COLUMN(W_NVARCHAR, .size = 4000), &INT(1), &t, &f);
  cr_assert_eq(t.length, LEN_SHORT);
  round_trip(&COLUMN(W_VARCHAR, .size = 8001), &INT(1), &t, &f);
  cr_assert_eq(t.length, LEN_PARTS);
}

/* Bytes of a TYPE_INFO with a value, as clients send them. */
struct raw {
  const char *bytes;
  size_t n;
  struct field want;
};
#define RAW(s, ...) {s, sizeof s - 1, __VA_ARGS__}
#define COLLATION "\x09\x04\xD0\x00\x34"
#define COLLATION_UTF8 "\x09\x04\xD0\x04\x00"

static const struct raw good[] = {
  RAW("\x1F", {.type = F_NULL}),
  RAW("\x30\xFF", {.type = F_INT, .i = 255}),
  RAW("\x32\x02", {.type = F_INT, .i = 1}),
  RAW("\x34\xFE\xFF", {.type = F_INT, .i = -2}),
  RAW("\x38\xFE\xFF\xFF\xFF", {.type = F_INT, .i = -2}),
  RAW("\x7F\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", {.type = F_INT, .i = -2}),
  RAW("\x3B\x00\x00\xC0\x3F", {.type = F_REAL, .r = 1.5}),
  RAW("\x3E\x00\x00\x00\x00\x00\x00\xF8\x3F", {.type = F_REAL, .r = 1.5}),
  RAW("\x26\x08\x04\xFE\xFF\xFF\xFF", {.type = F_INT, .i = -2}), /* a shorter value than declared */
  RAW("\x26\x04\x00", {.type = F_NULL}),
  RAW("\x6D\x04\x04\x00\x00\xC0\x3F", {.type = F_REAL, .r = 1.5}),
  RAW("\x3C\xFF\xFF\xFF\xFF\xF0\xD8\xFF\xFF", {.type = F_DECIMAL, .p = "-1.0000", .len = 7}),
  RAW("\x7A\x10\x27\x00\x00", {.type = F_DECIMAL, .p = "1.0000", .len = 6}),
  RAW("\x6E\x04\x04\x10\x27\x00\x00", {.type = F_DECIMAL, .p = "1.0000", .len = 6}),
  RAW("\x3A\x01\x00\x3B\x00", {.type = F_DATETIME, .p = "1900-01-02 00:59:00", .len = 19}),
  RAW("\x6F\x04\x04\x01\x00\x3B\x00", {.type = F_DATETIME, .p = "1900-01-02 00:59:00", .len = 19}),
  RAW("\x3D\xFF\xFF\xFF\xFF\x2C\x01\x00\x00", {.type = F_DATETIME, .p = "1899-12-31 00:00:01.000", .len = 23}),
  RAW("\x6A\x11\x26\x02\x05\x00\x39\x30\x00\x00", {.type = F_DECIMAL, .p = "-123.45", .len = 7}),
  RAW("\x2B\x00\x08\x01\x00\x00\x01\x00\x00\x3C\x00", {.type = F_DATETIME, .p = "0001-01-02 00:00:01", .len = 19}),
  RAW("\xEF\x08\x00" COLLATION "\x04\x00" "a\0b\0", {.type = F_TEXT, .p = "ab", .len = 2}),
  RAW("\xAF\x08\x00" COLLATION "\x02\x00" "\xE9" "b", {.type = F_TEXT, .p = "\xC3\xA9" "b", .len = 3}),
  RAW("\xA7\x08\x00" COLLATION_UTF8 "\x03\x00" "\xC3\xA9" "b", {.type = F_TEXT, .p = "\xC3\xA9" "b", .len = 3}),
  RAW("\xA7\x08\x00" COLLATION "\xFF\xFF", {.type = F_NULL}),
  RAW("\xAD\x08\x00\x02\x00" "\0\xFF", {.type = F_BIN, .p = "\0\xFF", .len = 2}),
  RAW("\x63\xFF\xFF\xFF\x7F" COLLATION "\x04\0\0\0" "a\0b\0", {.type = F_TEXT, .p = "ab", .len = 2}),
  RAW("\x23\xFF\xFF\xFF\x7F" COLLATION "\x02\0\0\0" "ab", {.type = F_TEXT, .p = "ab", .len = 2}),
  RAW("\x22\xFF\xFF\xFF\x7F\xFF\xFF\xFF\xFF", {.type = F_NULL}),
  RAW("\xE7\xFF\xFF" COLLATION "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x04\0\0\0" "a\0b\0" "\x02\0\0\0" "c\0" "\0\0\0\0",
      {.type = F_TEXT, .p = "abc", .len = 3}),
  RAW("\xA7\xFF\xFF" COLLATION "\x03\0\0\0\0\0\0\0\x01\0\0\0" "a" "\x02\0\0\0" "bc" "\0\0\0\0", {.type = F_TEXT, .p = "abc", .len = 3}),
  RAW("\xA5\xFF\xFF\0\0\0\0\0\0\0\0\0\0\0\0", {.type = F_BIN, .p = "", .len = 0}),
  RAW("\xA5\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", {.type = F_NULL}),
  RAW("\xF1\x00\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02\0\0\0" "a\0" "\0\0\0\0", {.type = F_TEXT, .p = "a", .len = 1}),
  RAW("\xF1\x01\x01" "d\0" "\x01" "o\0" "\x02\x00" "c\0c\0" "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", {.type = F_NULL}),
};

static enum cursor_state read_raw(const char *p, size_t n, struct field *f) {
  char *copy = xmalloc(n ? n : 1); /* of the exact size: the address sanitizer and valgrind see a byte too far */
  memcpy(copy, p, n);
  struct cursor c = cursor_of(copy, n);
  struct type_info t;
  if (type_info_read(&c, &t) == 0 && type_value_read(&c, &t, &arena, f) == 0) {
    cr_assert_eq(cursor_left(&c), 0, "type %02X leaves %zu bytes", t.token, cursor_left(&c));
    if (f->len > 0) { /* what lies in the message outlives this function no more */
      char *kept = arena_alloc(&arena, f->len);
      memcpy(kept, f->p, f->len);
      f->p = kept;
    }
  }
  free(copy);
  return c.state;
}

Test(type, client_forms_are_read) {
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct field f;
    cr_assert_eq(read_raw(good[i].bytes, good[i].n, &f), CURSOR_OK, "number %zu", i);
    cr_assert_eq(f.type, good[i].want.type, "number %zu", i);
    cr_assert_eq(f.i, good[i].want.i, "number %zu", i);
    cr_assert(f.r == good[i].want.r, "number %zu", i);
    cr_assert_eq(f.len, good[i].want.len, "number %zu", i);
    if (f.len)
      cr_assert_arr_eq(f.p, good[i].want.p, f.len, "number %zu: %.*s", i, (int)f.len, f.p);
  }
}

Test(type, every_truncation_is_short) {
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    for (size_t n = 0; n < good[i].n; n++) {
      struct field f;
      cr_assert_eq(read_raw(good[i].bytes, n, &f), CURSOR_SHORT, "number %zu cut to %zu bytes", i, n);
    }
}

Test(type, malformed_values_are_wrong) {
  static const struct raw bad[] = {
    RAW("\x26\x03\x03\0\0\0", {0}),                            /* an int of 3 bytes */
    RAW("\x26\x04\x03\0\0\0", {0}),
    RAW("\x26\x04\x08\0\0\0\0\0\0\0\0", {0}),                  /* longer than declared */
    RAW("\x68\x02\x02\0\0", {0}),
    RAW("\x24\x10\x08\0\0\0\0\0\0\0\0", {0}),                  /* half a GUID */
    RAW("\x6A\x05\x00\x00\x05\x01\0\0\0\0", {0}),              /* precision 0 */
    RAW("\x6A\x05\x27\x00\x05\x01\0\0\0\0", {0}),              /* precision 39 */
    RAW("\x6A\x05\x05\x06\x05\x01\0\0\0\0", {0}),              /* scale above precision */
    RAW("\x6A\x05\x02\x00\x05\x01\x64\0\0\0", {0}),            /* 100 in two digits */
    RAW("\x6A\x05\x02\x00\x05\x02\x01\0\0\0", {0}),            /* a sign of 2 */
    RAW("\x3D\x00\x00\x00\x80\0\0\0\0", {0}),                  /* before 1753 */
    RAW("\x3D\0\0\0\0\xFF\xFF\xFF\xFF", {0}),                  /* later than the day is long */
    RAW("\x3A\0\0\xA0\x05", {0}),                              /* minute 1440 */
    RAW("\x28\x03\xFF\xFF\xFF", {0}),                          /* after 9999 */
    RAW("\x29\x08\x05\0\0\0\0\0", {0}),                        /* scale 8 */
    RAW("\x29\x07\x05\xFF\xFF\xFF\xFF\xFF", {0}),              /* later than the day is long */
    RAW("\x29\x07\x03\0\0\0", {0}),
    RAW("\x3E\0\0\0\0\0\0\xF0\x7F", {0}),                     /* infinity */
    RAW("\x3B\x01\0\xC0\x7F", {0}),                           /* no number */
    RAW("\xA7\x02\x00" COLLATION "\x03\x00" "abc", {0}),       /* longer than declared */
    RAW("\xE7\x08\x00" COLLATION "\x03\x00" "abc", {0}),       /* half a unit */
    RAW("\xA7\xFF\xFF" COLLATION "\x04\0\0\0\0\0\0\0\x01\0\0\0" "a" "\0\0\0\0", {0}), /* a wrong total */
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct field f;
    cr_assert_eq(read_raw(bad[i].bytes, bad[i].n, &f), CURSOR_WRONG, "number %zu", i);
  }
}

Test(type, all_other_types_are_unknown) {
  int known = 0;
  for (int token = 0; token < 256; token++) {
    const uint8_t b[64] = {(uint8_t)token};
    struct cursor c = cursor_of(b, sizeof b);
    struct type_info t;
    type_info_read(&c, &t);
    known += c.state != CURSOR_UNKNOWN;
  }
  cr_assert_eq(known, 34);
}
