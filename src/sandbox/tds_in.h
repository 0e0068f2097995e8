/* tds_in: the parsers of what clients send ([MS-TDS] 2.2.6): PRELOGIN, LOGIN7, ALL_HEADERS, SQL batch, transaction manager request, RPC.
 *
 * Each takes bytes of any origin and trusts no length in them.  What they return points into the message or the arena. */
#ifndef RK_SANDBOX_TDS_IN_H
#define RK_SANDBOX_TDS_IN_H

#include "sandbox/arena.h"
#include "sandbox/cursor.h"
#include "sandbox/session.h"

enum { RPC_MOST_PARAMS = 2100 };

/* PRELOGIN: the client's wish for encryption (0 off, 1 on, 2 not supported, 3 required; 2 when it says nothing).  0 or -1. */
int prelogin_read(const uint8_t *p, size_t n, int *encryption);

struct login_in {
  struct login login;   /* but for spid */
  uint32_t tds_version; /* 0x74000004 */
  uint32_t packet_size; /* what the client asked for */
  int integrated;       /* wants to log in without a password */
};
/* LOGIN7.  0 or -1. */
int login_read(const uint8_t *p, size_t n, struct login_in *);

/* ALL_HEADERS, in front of a batch, an RPC or a transaction request: steps over it.  0 or -1. */
int headers_skip(struct cursor *);

/* SQL batch: its text as UTF-8 with a NUL.  0 or -1. */
int batch_read(const uint8_t *p, size_t n, struct arena *, const char **text, size_t *len);

enum transaction_request { TM_BEGIN = 5, TM_COMMIT = 7, TM_ROLLBACK = 8, TM_SAVE = 9 };
struct transaction_in {
  int request;     /* one of those, or one of distributed transactions */
  int begin_again; /* COMMIT, ROLLBACK: begin the next at once */
  int isolation;   /* of a BEGIN or begin_again: 0 as it is, 1 READ UNCOMMITTED, 2 READ COMMITTED, 3 REPEATABLE READ,
                      4 SERIALIZABLE, 5 SNAPSHOT */
  const char *name; /* of SAVE and named ROLLBACK, "" for none */
};
int transaction_read(const uint8_t *p, size_t n, struct arena *, struct transaction_in *);

/* RPC: one message may hold several calls.  rpc_start steps over the headers; rpc_next gives 1 and the next call (valid until the
 * next rpc_next or the arena's reset), 0 at the end, -1 when malformed: cur.state says how, `type` holds the unknown type. */
struct rpc_in {
  struct cursor cur;
  struct arena *arena;
  struct rpc_param *param; /* grows in the arena */
  int room;
  int first;
  uint8_t type;
};
int rpc_start(struct rpc_in *, const uint8_t *p, size_t n, struct arena *);
int rpc_next(struct rpc_in *, struct rpc *);

#endif
