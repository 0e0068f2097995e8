/* client: one connection's dialogue, from PRELOGIN to its end. */
#ifndef RK_SANDBOX_CLIENT_H
#define RK_SANDBOX_CLIENT_H

#include "sandbox/session.h"
#include "sandbox/tds_out.h"

enum { MESSAGE_MOST = 64 << 20 /* bytes of one message that is not a bulk load */ };

struct client_options {
  struct server *server;
  const char *server_name;
  struct product product;
  int spid;
};

/* Talk over the connected socket until either side ends; does not close fd.  Blocks; another thread ends it by shutdown(fd). */
void client_serve(int fd, const struct client_options *);

#endif
