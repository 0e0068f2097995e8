/* quote: names and texts in the engine's SQL (its sql_mode has NO_BACKSLASH_ESCAPES: a backslash is a character like others). */
#ifndef RK_SANDBOX_QUOTE_H
#define RK_SANDBOX_QUOTE_H

#include "base/text.h"

/* Add `name`, its backticks doubled. */
void quote_ident(struct text *, const char *name);
/* Add 'text', its quotes doubled. */
void quote_text(struct text *, const char *p, size_t len);

#endif
