/* prepared: sp_prepare, sp_prepexec, sp_execute and sp_unprepare, which clients call by number: statements are kept by handle and run
 * as sp_executesql.  One a connection; one thread. */
#ifndef RK_SANDBOX_PREPARED_H
#define RK_SANDBOX_PREPARED_H

#include "sandbox/session.h"

#include <stddef.h>

struct prepared_statement;
struct prepared {
  struct prepared_statement *first; /* newest first; zero-initialise */
  int last_handle;
  size_t bytes; /* of all texts */
};

enum { PREPARED_MOST_BYTES = 16 << 20 };

/* Answer the call, with the help of session_rpc, when it is one of those: 1; else 0 and nothing has happened. */
int prepared_rpc(struct prepared *, struct session *, const struct rpc *, struct reply *);
/* Forget all. */
void prepared_clear(struct prepared *);

/* The name of the next parameter in a declaration as "@a int, @b decimal(10, 2)": its length, 0 for none; *at moves on behind it. */
size_t prepared_name(const char **at, const char **name);

#endif
