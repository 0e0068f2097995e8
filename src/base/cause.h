/* cause: why something failed, in words that name what to do.
 *
 * A fallible function returns 0 or -1 (or NULL) and fills a struct cause that its caller owns; only commands print it and only
 * main exits.  A cause is plain memory: no allocation, no ownership, one thread at a time. */
#ifndef RK_BASE_CAUSE_H
#define RK_BASE_CAUSE_H

#include <stdarg.h>

/* The program's exit statuses; see the man page. */
enum status {
  STATUS_DONE = 0,         /* done; a warning is not a failure */
  STATUS_SETUP = 1,        /* usage, set-up or a refused preflight; nothing was changed */
  STATUS_INCOMPLETE = 2,   /* results are incomplete */
  STATUS_NOT_PUT_BACK = 3, /* the server's setting could not be put back */
};

struct cause {
  int status;       /* enum status that fits, 0 when nobody said */
  int number;       /* message number of the server (> 0), -errno of the system (< 0), or 0 */
  char text[600];   /* one sentence without a full stop: what failed */
  char remedy[400]; /* what to do about it; empty when there is nothing better than the sentence */
};

/* Fill `c` (NULL is allowed and ignored) and return -1, so that `return cause_set(...)` reads well.  The remedy is cleared.
 * Text that does not fit is cut at a character. */
int cause_set(struct cause *c, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same for a failed system call: the text is followed by ": " and strerror(err); number = -err. */
int cause_errno(struct cause *c, int status, int err, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Set the remedy of a cause that is already set; returns -1. */
int cause_remedy(struct cause *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Put "prefix: " before the text; returns -1. */
int cause_prefix(struct cause *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Forget what was set. */
void cause_clear(struct cause *c);

#endif
