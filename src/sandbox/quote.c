#include "config.h"

#include "sandbox/quote.h"

#include <string.h>

static void quote(struct text *t, const char *p, size_t len, char mark) {
  text_addn(t, &mark, 1);
  for (size_t i = 0; i < len; i++) {
    if (p[i] == mark)
      text_addn(t, &mark, 1);
    text_addn(t, p + i, 1);
  }
  text_addn(t, &mark, 1);
}

void quote_ident(struct text *t, const char *name) {
  quote(t, name, strlen(name), '`');
}

void quote_text(struct text *t, const char *p, size_t len) {
  quote(t, p, len, '\'');
}
