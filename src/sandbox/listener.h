/* listener: the sandbox's TDS 7.4 front door: accepts connections on loopback, one thread each, and turns wire bytes into the calls
 * of session.h.
 *
 * A connection costs a thread with a small stack, one descriptor and two buffers of a packet each; a message is at most 64 MiB, a
 * bulk load is streamed row by row.  A malformed message is answered with error 4002 and ends its connection, no other. */
#ifndef RK_SANDBOX_LISTENER_H
#define RK_SANDBOX_LISTENER_H

#include "base/cause.h"
#include "sandbox/session.h"

#include <stdint.h>

struct listener;

struct listener_options {
  int port;                /* on 127.0.0.1; 0: the kernel picks one */
  int max_connections;     /* further ones are closed at once; 0: 4,000 */
  const char *server_name; /* as errors name the server: @@SERVERNAME; copied */
  uint8_t major, minor;    /* the product version that PRELOGIN and LOGINACK state; 0: 16.0.1000 */
  uint16_t build;
};

/* Listen and accept in threads of its own.  Raises the soft limit of descriptors as far as it may.  NULL with a cause when the port
 * is taken or a limit stands in the way.  `server` is handed to session_new and must outlive the listener. */
struct listener *listener_start(struct server *, const struct listener_options *, struct cause *);

/* The port that is listened on. */
int listener_port(const struct listener *);

/* Connections open now. */
int listener_connections(struct listener *);

/* Reset every connection that is open now, as a firewall or a failing network would; go on accepting.  Any thread. */
void listener_reset(struct listener *);

/* Accept no more and hang up on everybody; does not wait: a session that waits for the engine ends when the engine lets go of it.
 * Any thread; may be called twice. */
void listener_shut(struct listener *);

/* listener_shut, then wait until every session was freed; NULL is fine. */
void listener_free(struct listener *);

#endif
