/* tds_out: how the listener begins and ends the responses that reply.h fills. */
#ifndef RK_SANDBOX_TDS_OUT_H
#define RK_SANDBOX_TDS_OUT_H

#include "sandbox/packet.h"
#include "sandbox/reply.h"
#include "sandbox/session.h"

#include <stdint.h>

/* What a response answers: it decides which of DONE, DONEINPROC and DONEPROC go out. */
enum reply_kind {
  REPLY_LOGIN,
  REPLY_BATCH,
  REPLY_RPC,
  REPLY_TRANSACTION, /* reply_done is not told to the client: one DONE at the end */
  REPLY_BULK,
};

struct reply {
  struct packet_in *in;
  struct packet_out *out;
  const char *server_name;
  enum reply_kind kind;
  const struct rpc *rpc;   /* REPLY_RPC: the call */
  struct column *column;   /* of the result set that is open; names are not kept */
  int ncol, room;
  int rows;                /* a result set has been opened since the last DONE */
  int in_proc;             /* BATCH: a return status was told: the next DONE is a DONEPROC */
  int error;               /* since the last DONE */
  int any_error;           /* in this call */
  int hang_up;
  int transaction_told;
  uint64_t transaction;    /* descriptor of the open one, 0 for none */
  uint64_t last_transaction;
  uint8_t done;            /* a DONE token that waits to know whether more comes, 0 for none */
  uint16_t done_status, done_command;
  uint64_t done_rows;
};

void reply_open(struct reply *, struct packet_in *, struct packet_out *, const char *server_name);
void reply_close(struct reply *);

/* A response begins. */
void reply_start(struct reply *, enum reply_kind);
/* REPLY_RPC: the next of its calls begins; and one has ended. */
void reply_call(struct reply *, const struct rpc *);
void reply_call_end(struct reply *);
/* The response is over: the last DONE, end of message. */
void reply_finish(struct reply *);

/* A whole message that acknowledges an attention. */
void reply_attention(struct reply *);

/* Parts of the log-in's response. */
struct product {
  uint8_t major, minor;
  uint16_t build;
};
void reply_login(struct reply *, const struct product *, uint32_t tds_version, size_t packet_size);
/* ENVCHANGE 18: the session was reset. */
void reply_reset(struct reply *);
/* A whole message: the answer to PRELOGIN, that there is no encryption. */
void reply_prelogin(struct reply *, const struct product *);

#endif
