/* bulk_in: the stream of a bulk load (message type 7): column descriptions, then rows, as they arrive ([MS-TDS] 2.2.6.1).
 *
 * Only what has not become a whole row yet is kept, at most BULK_MOST_ROW bytes. */
#ifndef RK_SANDBOX_BULK_IN_H
#define RK_SANDBOX_BULK_IN_H

#include "sandbox/arena.h"
#include "sandbox/field.h"
#include "sandbox/tds_type.h"

enum { BULK_MOST_COLUMNS = 4096, BULK_MOST_ROW = 64 << 20 };

/* What the reader finds; each returns 0, or -1 to have the rest of the message skipped. */
struct bulk_sink {
  int (*columns)(void *arg, const struct column *, int n);
  int (*row)(void *arg, const struct field *, int n);
  void *arg;
};

struct bulk_in {
  struct bulk_sink sink;
  struct arena arena;       /* of one row */
  struct type_info *type;   /* of ncol columns, NULL before they came */
  struct column *column;
  char *names;
  struct field *row;
  int ncol;
  int refused;              /* the sink said no */
  int over;                 /* a DONE came: nothing may follow */
  enum cursor_state state;  /* of a malformed stream */
  uint8_t unknown;          /* the type that was not known */
  uint8_t *rest;            /* bytes of an unfinished token */
  size_t len, cap, retry;   /* retry: length of rest at which parsing is tried again */
};

void bulk_in_open(struct bulk_in *, const struct bulk_sink *);
/* The next piece of the message.  0, or -1 when it is malformed. */
int bulk_in_feed(struct bulk_in *, const uint8_t *p, size_t n);
/* The message is over.  0, or -1 when it ends within a token. */
int bulk_in_end(struct bulk_in *);
void bulk_in_close(struct bulk_in *);

#endif
