/* ALL_HEADERS with a batch or a transaction request behind: the first byte chooses. */
#include "config.h"

#include "fuzz.h"

#include "../sandbox/build.h"
#include "sandbox/tds_in.h"

const char fuzz_name[] = "batch";
const int fuzz_rounds = 60000;

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  struct arena a = {0};
  if (n > 0 && (p[0] & 1)) {
    struct transaction_in t;
    if (transaction_read(p + 1, n - 1, &a, &t) == 0)
      FUZZ_MUST(t.isolation >= 0 && t.isolation <= 5 && t.name && strlen(t.name) <= 127 * 3);
  } else if (n > 0) {
    const char *text;
    size_t len;
    if (batch_read(p + 1, n - 1, &a, &text, &len) == 0)
      FUZZ_MUST(text[len] == '\0' && len <= UTF8_FROM_UTF16(n));
  }
  arena_free(&a);
  return 0;
}

void fuzz_seeds(void (*add)(const void *, size_t)) {
  struct text t = {0};
  put_uint(&t, 0, 1);
  put_batch(&t, "select N'\xE2\x82\xAC \xF0\x9F\x98\x80' from t");
  add(t.s, t.len);
  static const int request[] = {TM_BEGIN, TM_COMMIT, TM_ROLLBACK, TM_SAVE};
  for (int i = 0; i < 4; i++) {
    text_clear(&t);
    put_uint(&t, 1, 1);
    put_headers(&t);
    put_uint(&t, (uint64_t)request[i], 2);
    if (request[i] == TM_BEGIN) {
      put_uint(&t, 4, 2);
    } else {
      put_uint(&t, 4, 1);
      put_wide(&t, "tr");
      put_uint(&t, 0x0401, 2);
      put_uint(&t, 0, 1);
    }
    add(t.s, t.len);
  }
  text_free(&t);
}
