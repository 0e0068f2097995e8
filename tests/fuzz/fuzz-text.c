/* Texts that stand for values: decimals, dates, GUIDs, and the encodings. */
#include "config.h"

#include "fuzz.h"

#include "base/text.h"
#include "sandbox/tds_text.h"
#include "sandbox/utf16.h"

#include <string.h>

const char fuzz_name[] = "text";
const int fuzz_rounds = 60000;

static void decimals(const char *s, size_t n, int scale) {
  char text[DECIMAL_TEXT];
  uint128 v, again;
  int negative, sign;
  if (decimal_parse(s, n, scale, &v, &negative) != TEXT_OK)
    return;
  size_t k = decimal_text(text, v, negative, scale);
  FUZZ_MUST(k <= DECIMAL_TEXT);
  FUZZ_MUST(decimal_parse(text, k, scale, &again, &sign) == TEXT_OK && again == v && sign == negative);
}

static void instants(const char *s, size_t n) {
  char text[INSTANT_TEXT];
  struct instant t, again;
  if (instant_parse(s, n, &t) != TEXT_OK)
    return;
  FUZZ_MUST(t.day >= 0 && t.day <= DAY_LAST && t.tick >= 0 && t.tick < TICKS_PER_DAY);
  size_t k = instant_text(text, t, 1, 1, 7);
  FUZZ_MUST(k <= INSTANT_TEXT);
  FUZZ_MUST(instant_parse(text, k, &again) == TEXT_OK && again.day == t.day && again.tick == t.tick);
}

static void guids(const char *s, size_t n) {
  uint8_t wire[16], again[16];
  char text[GUID_TEXT];
  if (guid_parse(s, n, wire) != TEXT_OK)
    return;
  guid_text(text, wire);
  FUZZ_MUST(guid_parse(text, GUID_TEXT, again) == TEXT_OK && memcmp(wire, again, 16) == 0);
}

static void encodings(const uint8_t *p, size_t n) {
  uint8_t *wide = xmalloc(2 * n + 1), *narrow = xmalloc(3 * n + 1);
  char *utf8 = xmalloc(3 * n + 1);
  FUZZ_MUST(utf16_from_utf8(wide, (const char *)p, n) <= 2 * n);
  FUZZ_MUST(utf8_from_utf16(utf8, p, n) <= UTF8_FROM_UTF16(n));
  FUZZ_MUST(utf8_to_1252(narrow, (const char *)p, n) <= n);
  size_t k = utf8_from_1252(utf8, p, n);
  FUZZ_MUST(k <= 3 * n);
  FUZZ_MUST(utf8_to_1252(narrow, utf8, k) == n);
  free(wide);
  free(narrow);
  free(utf8);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  if (n == 0)
    return 0;
  decimals((const char *)p + 1, n - 1, p[0] % (DECIMAL_MOST_DIGITS + 1));
  instants((const char *)p + 1, n - 1);
  guids((const char *)p + 1, n - 1);
  encodings(p + 1, n - 1);
  return 0;
}

void fuzz_seeds(void (*add)(const void *, size_t)) {
  static const char *const s[] = {
    "\x02-1234567.8901", "\x26" "0.00000000000000000000000000000000000001", "\x01" "99999999999999999999999999999999999999",
    "\x01" "2026-11-30 15:04:05.1234567", "\x01" "2000-02-29T23:59:59.99999999", "\x01" "23:59:59.5", "\x01" "9999-12-31",
    "\x01" "6F9619FF-8B86-D011-B42D-00C04FC964FF", "\x01" "{6f9619ff-8b86-d011-b42d-00c04fc964ff}", "\x01" "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
  };
  for (size_t i = 0; i < sizeof s / sizeof *s; i++)
    add(s[i], strlen(s[i]));
}
