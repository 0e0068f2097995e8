/* talk: a client's side of a TDS dialogue, for tests: messages out, replies in as text.  One connection at a time; failures are
 * Criterion's. */
#ifndef RK_TESTS_SANDBOX_TALK_H
#define RK_TESTS_SANDBOX_TALK_H

#include "build.h"

#include <criterion/criterion.h>

extern int fd;                  /* the connection */
extern struct text msg, reply;  /* the message to be sent, the last one received */
extern size_t longest, packets; /* of `reply`: bytes of its longest packet, how many */

/* A connection to the port; no read of it waits for more than 20 s. */
int dial(int port);
void talk_end(void);

void send_all(const void *p, size_t n);
void send_packet(int type, int status, const void *p, size_t n);
/* `msg` in packets of `size` bytes, then cleared; `status` of the first packet. */
void send_msg(int type, int status, size_t size);

/* One packet of the server, its body added to `reply`: 1, 2 when it is the last of its message, 0 when the server has hung up. */
int read_packet(void);
/* One message of the server into `reply`; 0 when it has hung up. */
int read_reply(void);
/* What `reply` says, token by token: "columns row:1,x done:1+" (! error, + more, @ attention), "error208", "env1", "status:0", ... */
const char *tell(void);

#define expect(want)                                                                                                                        \
  do {                                                                                                                                      \
    cr_assert(read_reply(), "the server hung up");                                                                                          \
    cr_assert_str_eq(tell(), want);                                                                                                         \
  } while (0)
/* The server has hung up. */
void expect_end(void);

#endif
