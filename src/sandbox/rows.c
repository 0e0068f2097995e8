#include "config.h"

#include "sandbox/rows.h"
#include "sandbox/quote.h"

#include <string.h>

void rows_open(struct rows *r) {
  if (r->n++ == 0)
    text_addf(&r->sql, "REPLACE INTO sys.%s VALUES (", r->table);
  else
    text_add(&r->sql, "), (");
}

void rows_int(struct rows *r, int64_t v) {
  text_addf(&r->sql, "%s%lld", r->sql.s[r->sql.len - 1] == '(' ? "" : ", ", (long long)v);
}

void rows_text(struct rows *r, const char *v) {
  text_add(&r->sql, r->sql.s[r->sql.len - 1] == '(' ? "" : ", ");
  if (v)
    quote_text(&r->sql, v, strlen(v));
  else
    text_add(&r->sql, "NULL");
}

void rows_put(struct rows *r, struct text *script) {
  if (r->n > 0)
    text_addf(script, "%s);\n", r->sql.s);
  text_free(&r->sql);
}
