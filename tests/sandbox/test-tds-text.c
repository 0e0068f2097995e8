#include "config.h"

#include "sandbox/tds_text.h"
#include "sandbox/utf16.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *decimal(const char *in, int scale) {
  static char out[DECIMAL_TEXT + 1];
  uint128 v = 0;
  int negative = 0;
  enum text_result rc = decimal_parse(in, strlen(in), scale, &v, &negative);
  if (rc != TEXT_OK)
    return rc == TEXT_BAD ? "bad" : "range";
  out[decimal_text(out, v, negative, scale)] = '\0';
  return out;
}

Test(decimal, there_and_back) {
  static const struct {
    const char *in;
    int scale;
    const char *out;
  } t[] = {
    {"0", 0, "0"},          {"-0", 2, "0.00"},       {"12.34", 2, "12.34"},   {"-12.34", 4, "-12.3400"}, {".5", 0, "1"},
    {"-.5", 0, "-1"},       {"0.49", 0, "0"},        {"1.005", 2, "1.01"},    {" 7 ", 1, "7.0"},         {"+3.", 0, "3"},
    {"9.999", 2, "10.00"},  {"0.00001", 5, "0.00001"}, {"1e3", 0, "bad"},     {"", 0, "bad"},            {".", 0, "bad"},
    {"1.2.3", 2, "bad"},    {"--1", 0, "bad"},       {"1 2", 0, "bad"},
    {"18446744073709551616", 0, "18446744073709551616"},
    {"99999999999999999999999999999999999999", 0, "99999999999999999999999999999999999999"},
    {"-0.99999999999999999999999999999999999999", 38, "-0.99999999999999999999999999999999999999"},
    {"100000000000000000000000000000000000000", 0, "range"},
    {"99999999999999999999999999999999999999.5", 0, "range"},
    {"1", 38, "range"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++)
    cr_assert_str_eq(decimal(t[i].in, t[i].scale), t[i].out, "%s at scale %d gave %s", t[i].in, t[i].scale, decimal(t[i].in, t[i].scale));
}

static const char *instant(const char *in, int date, int time, int digits) {
  static char out[INSTANT_TEXT + 1];
  struct instant t;
  enum text_result rc = instant_parse(in, strlen(in), &t);
  if (rc != TEXT_OK)
    return rc == TEXT_BAD ? "bad" : "range";
  out[instant_text(out, t, date, time, digits)] = '\0';
  return out;
}

Test(instant, there_and_back) {
  static const struct {
    const char *in;
    int digits;
    const char *out;
  } t[] = {
    {"2026-11-30 15:04:05.123", 3, "2026-11-30 15:04:05.123"},
    {"2026-11-30T15:04:05", 0, "2026-11-30 15:04:05"},
    {"2026-11-30 15:04", 7, "2026-11-30 15:04:00.0000000"},
    {"2026-11-30", 0, "2026-11-30 00:00:00"},
    {"0001-01-01 00:00:00", 0, "0001-01-01 00:00:00"},
    {"9999-12-31 23:59:59.9999999", 7, "9999-12-31 23:59:59.9999999"},
    {"1999-12-31 23:59:59.99999999", 2, "2000-01-01 00:00:00.00"},
    {"12:34:56.789", 3, "1900-01-01 12:34:56.789"},
    {"2000-02-29", 0, "2000-02-29 00:00:00"},
    {"1900-02-29", 0, "range"},
    {"2023-13-01", 0, "range"},
    {"2023-04-31", 0, "range"},
    {"0000-00-00 00:00:00", 0, "range"},
    {"2023-01-01 24:00:00", 0, "range"},
    {"9999-12-31 23:59:59.99999999", 0, "range"},
    {"2023-01-01 10", 0, "bad"},
    {"2023-01-01 10:00:00.", 0, "bad"},
    {"2023-01-01 10:00:00x", 0, "bad"},
    {"2023/01/01", 0, "bad"},
    {"", 0, "bad"},
    {"tomorrow", 0, "bad"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++)
    cr_assert_str_eq(instant(t[i].in, 1, 1, t[i].digits), t[i].out, "%s gave %s", t[i].in, instant(t[i].in, 1, 1, t[i].digits));
  cr_assert_str_eq(instant("2026-11-30 15:04:05.123", 1, 0, 0), "2026-11-30");
  cr_assert_str_eq(instant("2026-11-30 15:04:05.123", 0, 1, 1), "15:04:05.1");
}

Test(instant, every_day_comes_back_and_follows_the_one_before) {
  char before[INSTANT_TEXT + 1] = "";
  for (int32_t day = 0; day <= DAY_LAST; day += day < 150000 || day > 3500000 ? 1 : 13) {
    char text[INSTANT_TEXT + 1];
    struct instant t;
    size_t n = instant_text(text, (struct instant){.day = day}, 1, 0, 0);
    text[n] = '\0';
    cr_assert_eq(n, 10);
    cr_assert_eq(instant_parse(text, n, &t), TEXT_OK, "%s", text);
    cr_assert_eq(t.day, day, "%s", text);
    cr_assert_gt(strcmp(text, before), 0);
    strcpy(before, text);
  }
  struct instant t;
  cr_assert_eq(instant_parse("1900-01-01", 10, &t), TEXT_OK);
  cr_assert_eq(t.day, DAY_1900);
  cr_assert_eq(instant_parse("1753-01-01", 10, &t), TEXT_OK);
  cr_assert_eq(t.day, DAY_1753);
}

Test(guid, there_and_back) {
  const char *text = "6F9619FF-8B86-D011-B42D-00C04FC964FF";
  const uint8_t wire[16] = {0xFF, 0x19, 0x96, 0x6F, 0x86, 0x8B, 0x11, 0xD0, 0xB4, 0x2D, 0x00, 0xC0, 0x4F, 0xC9, 0x64, 0xFF};
  uint8_t b[16];
  char out[GUID_TEXT];
  cr_assert_eq(guid_parse(text, 36, b), TEXT_OK);
  cr_assert_arr_eq(b, wire, 16);
  guid_text(out, wire);
  cr_assert_arr_eq(out, text, 36);
  cr_assert_eq(guid_parse("{6f9619ff-8b86-d011-b42d-00c04fc964ff}", 38, b), TEXT_OK);
  cr_assert_arr_eq(b, wire, 16);
  cr_assert_eq(guid_parse(text, 35, b), TEXT_BAD);
  cr_assert_eq(guid_parse("6F9619FF-8B86-D011-B42D-00C04FC964FG", 36, b), TEXT_BAD);
  cr_assert_eq(guid_parse("6F9619FF+8B86-D011-B42D-00C04FC964FF", 36, b), TEXT_BAD);
}

static void utf16_of(const char *s, size_t n, const uint8_t *want, size_t nwant) {
  uint8_t b[64];
  cr_assert_eq(utf16_from_utf8(b, s, n), nwant, "%s", s);
  cr_assert_arr_eq(b, want, nwant);
}

Test(utf16, well_formed_text_comes_back) {
  const char *s = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF";
  const uint8_t wide[] = {'a', 0, 0xE9, 0, 0xAC, 0x20, 0x3D, 0xD8, 0x00, 0xDE, 0xFF, 0xDB, 0xFF, 0xDF};
  utf16_of(s, strlen(s), wide, sizeof wide);
  char out[UTF8_FROM_UTF16(sizeof wide)];
  cr_assert_eq(utf8_from_utf16(out, wide, sizeof wide), strlen(s));
  cr_assert_arr_eq(out, s, strlen(s));
}

Test(utf16, every_character_comes_back) {
  for (uint32_t c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 97) {
    if (c >= 0xD800 && c < 0xE000)
      continue;
    uint8_t wide[4] = {(uint8_t)c, (uint8_t)(c >> 8)}, back[8];
    size_t n = 2;
    if (c > 0xFFFF) {
      uint32_t high = 0xD7C0 + (c >> 10), low = 0xDC00 + (c & 0x3FF);
      memcpy(wide, (uint8_t[]){(uint8_t)high, (uint8_t)(high >> 8), (uint8_t)low, (uint8_t)(low >> 8)}, 4);
      n = 4;
    }
    char s[8];
    size_t k = utf8_from_utf16(s, wide, n);
    cr_assert_eq(utf16_from_utf8(back, s, k), n, "U+%04X", c);
    cr_assert_arr_eq(back, wide, n);
  }
}

#define FFFD "\xEF\xBF\xBD"

Test(utf16, lone_surrogates_and_odd_bytes_are_replaced) {
  static const struct {
    uint8_t wide[8];
    size_t n;
    const char *utf8;
  } t[] = {
    {{0x3D, 0xD8}, 2, FFFD},
    {{0x00, 0xDE}, 2, FFFD},
    {{0x3D, 0xD8, 'a', 0}, 4, FFFD "a"},
    {{0x3D, 0xD8, 0x3D, 0xD8, 0x00, 0xDE}, 6, FFFD "\xF0\x9F\x98\x80"},
    {{0x00, 0xDE, 0x3D, 0xD8}, 4, FFFD FFFD},
    {{'a', 0, 'b'}, 3, "a"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    char out[32];
    size_t n = utf8_from_utf16(out, t[i].wide, t[i].n);
    cr_assert_eq(n, strlen(t[i].utf8));
    cr_assert_arr_eq(out, t[i].utf8, n);
  }
}

Test(utf16, malformed_utf8_is_replaced_and_stays_within_its_room) {
  static const char *const bad[] = {"\x80", "\xC0\x80", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE0\x80\x80"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    size_t n = strlen(bad[i]);
    uint8_t *out = malloc(2 * n); /* as large as the contract says: the address sanitizer watches */
    size_t k = utf16_from_utf8(out, bad[i], n);
    cr_assert(k >= 2 && k <= 2 * n && k % 2 == 0);
    for (size_t j = 0; j < k; j += 2)
      cr_assert(out[j] == 0xFD && out[j + 1] == 0xFF, "%zu", i);
    free(out);
  }
}

Test(cp1252, all_bytes_come_back) {
  for (int b = 0; b < 256; b++) {
    uint8_t in = (uint8_t)b, back[8];
    char s[4];
    size_t n = utf8_from_1252(s, &in, 1);
    cr_assert_eq(utf8_to_1252(back, s, n), 1);
    if (b == 0x81 || b == 0x8D || b == 0x8F || b == 0x90 || b == 0x9D)
      cr_assert_eq(back[0], '?'); /* 1252 has nothing there */
    else
      cr_assert_eq(back[0], in, "%02X came back as %02X", b, back[0]);
  }
  uint8_t out[8];
  cr_assert_eq(utf8_to_1252(out, "\xE2\x82\xAC\xE4\xB8\xAD\xF0\x9F\x98\x80", 10), 3);
  cr_assert_arr_eq(out, "\x80??", 3);
}

Test(ascii, any_high_bit_is_seen) {
  char s[40];
  memset(s, 'a', sizeof s);
  for (size_t i = 0; i < sizeof s; i++) {
    cr_assert(ascii_only(s, sizeof s));
    s[i] = (char)0x80;
    cr_assert_not(ascii_only(s, sizeof s));
    cr_assert(ascii_only(s, i));
    s[i] = 'a';
  }
}
