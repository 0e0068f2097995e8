#include "config.h"

#include "sandbox/client.h"

#include "base/clock.h"
#include "base/text.h"
#include "sandbox/bulk_in.h"
#include "sandbox/packet.h"
#include "sandbox/prepared.h"
#include "sandbox/tds_in.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>

enum { LOGIN_SECONDS = 15, KEEP_MESSAGE = 64 << 10, TDS_OLDEST = 0x73, TDS_74 = 0x74000004 };

struct client {
  const struct client_options *o;
  int fd;
  struct packet_in in;
  struct packet_out out;
  struct reply reply;
  struct session *session;
  struct prepared prepared;
  struct arena arena;
  uint8_t *joined; /* a message of several packets */
  size_t cap;
};

struct message {
  uint8_t type, status; /* status: of the first packet, and IGNORE of the last */
  const uint8_t *p;
  size_t n;
};

static void receive_seconds(int fd, int s) {
  struct timeval t = {.tv_sec = s};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
}

/* Join the packets behind `p`, the first of a message.  1, 0 or -1 as packet_read. */
static int join_packets(struct client *c, struct packet *p, struct message *m) {
  size_t n = 0;
  for (;;) {
    if (n + p->len > MESSAGE_MOST)
      return -1;
    if (!c->joined || n + p->len > c->cap) {
      c->cap = 2 * (n + p->len) + 1;
      c->joined = xrealloc(c->joined, c->cap, 1);
    }
    memcpy(c->joined + n, p->body, p->len);
    n += p->len;
    if (p->status & PACKET_EOM)
      break;
    int rc = packet_read(&c->in, p);
    if (rc <= 0)
      return rc;
    if (p->type == PACKET_ATTENTION) { /* what it was about to ask it no longer wants */
      *m = (struct message){.type = PACKET_ATTENTION};
      return 1;
    }
    if (p->type != m->type)
      return -1;
  }
  m->p = c->joined;
  m->n = n;
  m->status |= p->status & PACKET_IGNORE;
  return 1;
}

/* The next message; of a bulk load the first packet alone (status tells whether it is the last).  1, 0 or -1 as packet_read. */
static int read_message(struct client *c, struct message *m) {
  struct packet p;
  int rc = packet_read(&c->in, &p);
  if (rc <= 0)
    return rc;
  *m = (struct message){.type = p.type, .status = p.status, .p = p.body, .n = p.len};
  if ((p.status & PACKET_EOM) || p.type == PACKET_BULK || p.type == PACKET_ATTENTION)
    return 1;
  return join_packets(c, &p, m);
}

static void forget_message(struct client *c) {
  if (c->cap > KEEP_MESSAGE) {
    free(c->joined);
    c->joined = NULL;
    c->cap = 0;
  }
  arena_reset(&c->arena);
}

#define STREAM_WRONG "The incoming tabular data stream (TDS) protocol stream is incorrect. "

/* The end of a client that does not speak TDS. */
static void malformed(struct client *c, enum cursor_state why, int type) {
  if (why == CURSOR_UNKNOWN)
    reply_error(&c->reply, 8009, 1, 16, "", 1, STREAM_WRONG "Data type 0x%02X is unknown or not taken here.", type);
  else
    reply_error(&c->reply, 4002, 1, 16, "", 1, STREAM_WRONG "The stream ended unexpectedly.");
  c->reply.hang_up = 1;
}

static void do_batch(struct client *c, const struct message *m) {
  const char *text;
  size_t len;
  if (batch_read(m->p, m->n, &c->arena, &text, &len))
    malformed(c, CURSOR_WRONG, 0);
  else
    session_batch(c->session, text, len, &c->reply);
}

static void do_rpc(struct client *c, const struct message *m) {
  struct rpc_in in;
  struct rpc rpc;
  int rc = rpc_start(&in, m->p, m->n, &c->arena);
  if (rc == 0)
    rc = rpc_next(&in, &rpc);
  while (rc == 1) {
    reply_call(&c->reply, &rpc);
    if (!prepared_rpc(&c->prepared, c->session, &rpc, &c->reply))
      session_rpc(c->session, &rpc, &c->reply);
    reply_call_end(&c->reply);
    if (c->reply.hang_up || (cursor_left(&in.cur) > 0 && reply_cancelled(&c->reply)))
      break;
    rc = rpc_next(&in, &rpc);
  }
  if (rc < 0)
    malformed(c, in.cur.state, in.type);
}

static void batch_text(struct client *c, const char *text) {
  if (!c->reply.any_error)
    session_batch(c->session, text, strlen(text), &c->reply);
}

static void tell_transaction(struct client *c, enum reply_transaction what) {
  if (!c->reply.any_error && !c->reply.transaction_told)
    reply_transaction(&c->reply, what);
  c->reply.transaction_told = 0;
}

static void begin_transaction(struct client *c, int isolation) {
  static const char *const level[] = {
    NULL,
    "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
    "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    "SET TRANSACTION ISOLATION LEVEL SNAPSHOT",
  };
  if (level[isolation])
    batch_text(c, level[isolation]);
  batch_text(c, "BEGIN TRANSACTION");
  tell_transaction(c, REPLY_BEGUN);
}

/* "[a]]b]" after a statement's words. */
static char *with_name(struct client *c, const char *words, const char *name) {
  char *s = arena_alloc(&c->arena, strlen(words) + 2 * strlen(name) + 4), *o = s;
  o = stpcpy(o, words);
  if (name[0]) {
    *o++ = ' ';
    *o++ = '[';
    for (; *name; *o++ = *name++)
      if (*name == ']')
        *o++ = ']';
    *o++ = ']';
  }
  *o = '\0';
  return s;
}

static void do_transaction(struct client *c, const struct message *m) {
  struct transaction_in t;
  if (transaction_read(m->p, m->n, &c->arena, &t)) {
    malformed(c, CURSOR_WRONG, 0);
    return;
  }
  switch (t.request) {
  case TM_BEGIN:
    begin_transaction(c, t.isolation);
    break;
  case TM_COMMIT:
    batch_text(c, "COMMIT TRANSACTION");
    tell_transaction(c, REPLY_COMMITTED);
    break;
  case TM_ROLLBACK:
    batch_text(c, with_name(c, "ROLLBACK TRANSACTION", t.name));
    if (!t.name[0]) /* back to a savepoint: the transaction goes on */
      tell_transaction(c, REPLY_ROLLED_BACK);
    break;
  case TM_SAVE:
    batch_text(c, with_name(c, "SAVE TRANSACTION", t.name));
    break;
  default:
    reply_error(&c->reply, 8501, 3, 16, "", 1, "MSDTC on server '%s' is unavailable.", c->o->server_name);
  }
  if (t.begin_again && !c->reply.any_error)
    begin_transaction(c, t.isolation);
}

static int sink_columns(void *arg, const struct column *col, int n) {
  struct client *c = arg;
  return session_bulk_columns(c->session, col, n, &c->reply);
}

static int sink_row(void *arg, const struct field *f, int n) {
  struct client *c = arg;
  return session_bulk_row(c->session, f, n, &c->reply);
}

enum bulk_end { BULK_WHOLE, BULK_STOPPED /* by an attention or the ignore bit */, BULK_GONE, BULK_MALFORMED };

/* Read the stream to its end; rows go to the session when it waits for some. */
static enum bulk_end read_bulk(struct client *c, const struct message *m, struct bulk_in *b, int pending, int *attention) {
  struct packet p = {.type = m->type, .status = m->status, .body = m->p, .len = m->n};
  for (;;) {
    if (p.type == PACKET_ATTENTION) {
      *attention = 1;
      return BULK_STOPPED;
    }
    if (p.type != PACKET_BULK || (!pending && p.len > 0) || (pending && bulk_in_feed(b, p.body, p.len) < 0))
      return BULK_MALFORMED;
    if (p.status & PACKET_IGNORE)
      return BULK_STOPPED;
    if (p.status & PACKET_EOM)
      return pending && bulk_in_end(b) < 0 ? BULK_MALFORMED : BULK_WHOLE;
    int rc = packet_read(&c->in, &p);
    if (rc <= 0)
      return rc == 0 ? BULK_GONE : BULK_MALFORMED;
  }
}

/* Returns 1 when an attention in the middle of the stream waits to be acknowledged. */
static int do_bulk(struct client *c, const struct message *m) {
  const struct bulk_sink sink = {sink_columns, sink_row, c};
  struct bulk_in b;
  int64_t rows = 0;
  int attention = 0, pending = session_bulk_pending(c->session);
  bulk_in_open(&b, &sink);
  enum bulk_end end = read_bulk(c, m, &b, pending, &attention);
  int rc = pending ? session_bulk_end(c->session, end != BULK_WHOLE || b.refused, &rows, &c->reply) : 0;
  if (end == BULK_MALFORMED)
    malformed(c, b.state, b.unknown);
  else if (end == BULK_WHOLE && rc == 0 && !b.refused)
    reply_done(&c->reply, rows);
  else
    c->reply.error = 1;
  bulk_in_close(&b);
  return attention;
}

static enum reply_kind kind_of(uint8_t type) {
  switch (type) {
  case PACKET_RPC:
    return REPLY_RPC;
  case PACKET_BULK:
    return REPLY_BULK;
  case PACKET_TRANSACTION:
    return REPLY_TRANSACTION;
  default:
    return REPLY_BATCH;
  }
}

static void do_reset(struct client *c, const struct message *m) {
  prepared_clear(&c->prepared);
  if ((m->status & PACKET_RESET) || c->reply.transaction == 0) { /* else the open transaction is to be kept: so are SET options */
    session_reset(c->session);
    c->reply.transaction = 0;
  }
  reply_reset(&c->reply);
}

static void do_request(struct client *c, const struct message *m) {
  int attention = 0;
  reply_start(&c->reply, kind_of(m->type));
  if (m->status & (PACKET_RESET | PACKET_RESET_KEEP))
    do_reset(c, m);
  if (m->type == PACKET_BULK)
    attention = do_bulk(c, m);
  else if (m->status & PACKET_IGNORE)
    c->reply.error = 1; /* 2.2.1.7: "a single DONE token with a status of DONE_ERROR" */
  else if (m->type == PACKET_BATCH)
    do_batch(c, m);
  else if (m->type == PACKET_RPC)
    do_rpc(c, m);
  else if (m->type == PACKET_TRANSACTION)
    do_transaction(c, m);
  else
    malformed(c, CURSOR_WRONG, 0);
  reply_finish(&c->reply);
  if (attention)
    reply_attention(&c->reply);
}

static void requests(struct client *c) {
  while (!c->reply.hang_up && !reply_broken(&c->reply)) {
    struct message m;
    int rc = read_message(c, &m);
    if (rc == 0)
      return;
    if (rc < 0) {
      reply_start(&c->reply, REPLY_BATCH);
      malformed(c, CURSOR_WRONG, 0);
      reply_finish(&c->reply);
    } else if (m.type == PACKET_ATTENTION) {
      reply_attention(&c->reply);
    } else {
      do_request(c, &m);
    }
    forget_message(c);
  }
}

static size_t agreed_size(uint32_t asked) {
  if (asked == 0)
    return PACKET_DEFAULT;
  return asked < PACKET_LEAST ? PACKET_LEAST : asked > PACKET_MOST ? PACKET_MOST : asked;
}

/* Answer LOGIN7.  1 when there is a session. */
static int do_login(struct client *c, const struct message *m) {
  struct login_in in;
  int rc = login_read(m->p, m->n, &in);
  packet_in_wipe(&c->in); /* the password */
  if (c->joined)
    wipe(c->joined, c->cap);
  size_t size = agreed_size(in.packet_size);
  reply_start(&c->reply, REPLY_LOGIN);
  if (rc)
    reply_error(&c->reply, 17832, 1, 20, "", 1,
                "The login packet used to open the connection is structurally invalid; the connection has been closed.");
  else if (in.tds_version >> 24 < TDS_OLDEST)
    reply_error(&c->reply, 17832, 1, 20, "", 1, "TDS %x.%x is too old here; set the client's TDS version to 7.4.",
                (unsigned)(in.tds_version >> 28), (unsigned)(in.tds_version >> 24 & 15));
  else if (in.integrated)
    reply_error(&c->reply, 18452, 1, 14, "", 1,
                "Login failed. The login is from an untrusted domain and cannot be used with Integrated authentication.");
  else {
    in.login.spid = c->o->spid;
    c->session = session_new(c->o->server, &in.login, &c->reply);
  }
  wipe(in.login.password, sizeof in.login.password);
  if (c->session)
    reply_login(&c->reply, &c->o->product, in.tds_version < TDS_74 ? in.tds_version : TDS_74, size);
  reply_finish(&c->reply);
  if (!c->session)
    return 0;
  packet_out_resize(&c->out, size);
  packet_in_resize(&c->in, size);
  return 1;
}

/* PRELOGIN, perhaps, then LOGIN7, within some seconds.  1 when there is a session. */
static int log_in(struct client *c) {
  for (int step = 0; step < 2; step++) {
    struct message m;
    int encryption;
    if (read_message(c, &m) != 1)
      return 0;
    if (m.type == PACKET_LOGIN7)
      return do_login(c, &m);
    if (m.type != PACKET_PRELOGIN || step > 0 || prelogin_read(m.p, m.n, &encryption))
      return 0;
    reply_prelogin(&c->reply, &c->o->product); /* a client that insists on encryption hangs up now */
    forget_message(c);
  }
  return 0;
}

/* Close in a way that lets the client read our last words: a socket closed with unread bytes sends a reset that overtakes them. */
static void part(int fd) {
  enum { SECONDS = 1, MOST = 1 << 20 };
  char dump[4096];
  if (shutdown(fd, SHUT_WR) != 0)
    return;
  receive_seconds(fd, SECONDS);
  int64_t until = mono_ns() + SECONDS * INT64_C(1000000000);
  ssize_t n;
  for (size_t all = 0; all < MOST && mono_ns() < until && (n = recv(fd, dump, sizeof dump, 0)) > 0;)
    all += (size_t)n;
}

void client_serve(int fd, const struct client_options *o) {
  struct client c = {.o = o, .fd = fd};
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  receive_seconds(fd, LOGIN_SECONDS);
  packet_in_open(&c.in, fd);
  packet_out_open(&c.out, fd);
  c.out.spid = (uint16_t)o->spid;
  reply_open(&c.reply, &c.in, &c.out, o->server_name);
  if (log_in(&c)) {
    receive_seconds(fd, 0);
    forget_message(&c);
    requests(&c);
  }
  session_free(c.session);
  prepared_clear(&c.prepared);
  if (!c.in.broken && !c.out.broken)
    part(fd);
  reply_close(&c.reply);
  packet_in_close(&c.in);
  packet_out_close(&c.out);
  arena_free(&c.arena);
  free(c.joined);
}
