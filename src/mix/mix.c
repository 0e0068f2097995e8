#include "config.h"

#include "mix/mix.h"
#include "base/random.h"
#include "mix/orders.h"

#include <string.h>

static const struct mix *const all[] = {&orders_mix, NULL};

const struct mix *const *mix_all(void) {
  return all;
}

const struct mix *mix_find(const char *name) {
  for (const struct mix *const *m = all; *m; m++)
    if (strcmp((*m)->name, name) == 0)
      return *m;
  return NULL;
}

static uint64_t add(uint64_t h, uint64_t v) {
  return mix64(h ^ (v + UINT64_C(0x9E3779B97F4A7C15)));
}

static uint64_t add_bytes(uint64_t h, const char *p, int len) {
  h = add(h, (uint64_t)len);
  for (int i = 0; i < len; i += 8) {
    unsigned char b[8] = {0};
    uint64_t v = 0;
    memcpy(b, p + i, (size_t)(len - i < 8 ? len - i : 8));
    for (int k = 0; k < 8; k++)
      v = v << 8 | b[k]; /* the same on every machine */
    h = add(h, v);
  }
  return h;
}

uint64_t request_digest(const struct request *r) {
  uint64_t h = add(0, r->type);
  for (int i = 0; i < r->narg; i++) {
    const struct val *v = &r->arg[i];
    h = add(h, (uint64_t)v->type);
    switch (v->type) {
    case VAL_NULL: break;
    case VAL_INT: h = add(h, (uint64_t)v->i); break;
    case VAL_REAL: {
      uint64_t bits;
      memcpy(&bits, &v->r, sizeof bits);
      h = add(h, bits);
      break;
    }
    case VAL_TEXT:
    case VAL_BIN: h = add_bytes(h, v->p, v->len); break;
    }
  }
  return h;
}
