/* PRELOGIN and LOGIN7: the first byte chooses. */
#include "config.h"

#include "fuzz.h"

#include "../sandbox/build.h"
#include "sandbox/tds_in.h"

const char fuzz_name[] = "login";
const int fuzz_rounds = 60000;

static void ends(const char s[LOGIN_NAME]) {
  FUZZ_MUST(memchr(s, '\0', LOGIN_NAME));
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  struct login_in in;
  int encryption = -1;
  if (n == 0)
    return 0;
  if (p[0] & 1) {
    if (prelogin_read(p + 1, n - 1, &encryption) == 0)
      FUZZ_MUST(encryption >= 0 && encryption <= 255);
    return 0;
  }
  if (login_read(p + 1, n - 1, &in))
    return 0;
  ends(in.login.user);
  ends(in.login.password);
  ends(in.login.app);
  ends(in.login.host);
  ends(in.login.database);
  ends(in.login.language);
  return 0;
}

void fuzz_seeds(void (*add)(const void *, size_t)) {
  struct text t = {0};
  static const uint8_t prelogin[] = {1, 0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xFF, 16, 0, 0, 0, 0, 0, 3};
  add(prelogin, sizeof prelogin);
  put_uint(&t, 0, 1);
  put_login(&t, &(struct build_login){.user = "sa", .password = "p\xC3\xA4ss", .app = "app", .database = "demo", .packet_size = 4096});
  add(t.s, t.len);
  text_clear(&t);
  put_uint(&t, 0, 1);
  put_login(&t, &(struct build_login){.integrated = 1});
  add(t.s, t.len);
  text_free(&t);
}
