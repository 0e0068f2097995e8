#include "config.h"

#include "base/cause.h"

#include <stdio.h>
#include <string.h>

/* Cut where a UTF-8 character would be left half. */
static void cut_whole(char *s, size_t size) {
  size_t n = strlen(s);
  if (n + 1 < size)
    return;
  while (n > 0 && ((unsigned char)s[n - 1] & 0xC0) == 0x80)
    n--;
  if (n > 0 && (unsigned char)s[n - 1] >= 0xC0)
    n--;
  else if (n < strlen(s))
    return; /* a whole character ended here */
  s[n] = '\0';
}

static void put(char *dst, size_t size, const char *fmt, va_list ap) {
  vsnprintf(dst, size, fmt, ap);
  cut_whole(dst, size);
}

void cause_clear(struct cause *c) {
  if (c)
    memset(c, 0, sizeof *c);
}

int cause_set(struct cause *c, int status, const char *fmt, ...) {
  if (!c)
    return -1;
  /* The arguments may point into c itself (a re-worded cause): format first, then overwrite. */
  char text[sizeof c->text];
  va_list ap;
  va_start(ap, fmt);
  put(text, sizeof text, fmt, ap);
  va_end(ap);
  c->status = status;
  c->number = 0;
  c->remedy[0] = '\0';
  memcpy(c->text, text, sizeof text);
  return -1;
}

int cause_errno(struct cause *c, int status, int err, const char *fmt, ...) {
  if (!c)
    return -1;
  char text[sizeof c->text], why[128];
  va_list ap;
  va_start(ap, fmt);
  put(text, sizeof text, fmt, ap);
  va_end(ap);
  cause_set(c, status, "%.450s: %s", text, strerror_r(err, why, sizeof why));
  c->number = -err;
  return -1;
}

int cause_remedy(struct cause *c, const char *fmt, ...) {
  if (!c)
    return -1;
  char text[sizeof c->remedy];
  va_list ap;
  va_start(ap, fmt);
  put(text, sizeof text, fmt, ap);
  va_end(ap);
  memcpy(c->remedy, text, sizeof text);
  return -1;
}

int cause_prefix(struct cause *c, const char *fmt, ...) {
  if (!c)
    return -1;
  char prefix[200], text[sizeof c->text + sizeof prefix + 2];
  va_list ap;
  va_start(ap, fmt);
  put(prefix, sizeof prefix, fmt, ap);
  va_end(ap);
  snprintf(text, sizeof text, "%s: %s", prefix, c->text);
  snprintf(c->text, sizeof c->text, "%.*s", (int)sizeof c->text - 1, text);
  cut_whole(c->text, sizeof c->text);
  return -1;
}
