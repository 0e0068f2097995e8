/* target: which server, as whom, how safely. */
#ifndef RK_SERVER_TARGET_H
#define RK_SERVER_TARGET_H

#include "base/cause.h"

#include <stdint.h>

enum encrypt { ENCRYPT_REQUIRE, ENCRYPT_REQUEST, ENCRYPT_OFF };

struct target {
  char *name;        /* as the user typed it after -S; for messages */
  char *host;        /* without port or instance; an IPv6 address without brackets */
  int port;          /* 0: ask the browser service for `instance`, or 1433 */
  char *instance;    /* NULL when none was named */
  char *user;        /* NULL: Kerberos */
  char *password;    /* NULL with Kerberos; own memory, wiped by target_free; never printed, stored or logged */
  char *database;    /* database to log in to; NULL: the login's default */
  enum encrypt encrypt;
  char *ca_file;     /* PEM that the certificate is checked against; NULL: encrypted, but not verified */
  int is_sandbox;    /* named as -S sandbox[:NAME]: no TLS, no floor; every figure is labelled */
  char *sandbox_folder; /* its state folder, when is_sandbox */
  int login_timeout_s;  /* 1..300 */
  int query_timeout_s;  /* silence allowed before a call counts as lost; 1..3600 */
};

/* Take apart what stands after -S: host | host:port | host,port | tcp:host,port | host\instance | [::1]:port | ::1 |
 * sandbox[:NAME] (its port is read from its state folder: a cause when it is not running).  Fills name, host, port, instance,
 * is_sandbox, sandbox_folder; the rest gets defaults (encrypt require, sandbox: off; time-outs 15 s and 30 s). */
int target_parse(struct target *, const char *server, struct cause *);

/* An own copy of all strings.  target_free wipes the password; a zeroed target is fine. */
void target_copy(struct target *to, const struct target *from);
void target_free(struct target *);

#endif
