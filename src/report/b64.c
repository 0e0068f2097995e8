#include "config.h"

#include "report/b64.h"

#include <stdint.h>

void b64_add(struct text *t, const void *data, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t *p = data;
  for (; size > 0; p += 3) {
    size_t n = size < 3 ? size : 3;
    uint32_t v = (uint32_t)p[0] << 16 | (n > 1 ? (uint32_t)p[1] << 8 : 0) | (n > 2 ? p[2] : 0u);
    const char out[4] = {digit[v >> 18], digit[v >> 12 & 63], n > 1 ? digit[v >> 6 & 63] : '=', n > 2 ? digit[v & 63] : '='};
    text_addn(t, out, 4);
    size -= n;
  }
}
