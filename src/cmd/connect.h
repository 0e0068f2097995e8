/* connect: the options that every command which talks to a server shares, as an argp child. */
#ifndef RK_CMD_CONNECT_H
#define RK_CMD_CONNECT_H

#include "base/cause.h"
#include "mix/load.h"
#include "server/target.h"

#include <argp.h>

/* The database that is meant when none is named: the one that a load makes. */
#define CONNECT_DATABASE LOAD_DATABASE

/* -S --server, -U --user, --password-file, -d --database, --encrypt, --ca-file, --login-timeout, --query-timeout.
 * The input of this parser (state->child_inputs[i]) is a zeroed struct connect_options. */
struct connect_options {
  const char *server, *user, *password_file, *database, *encrypt, *ca_file;
  int login_timeout_s, query_timeout_s;
};
extern const struct argp connect_argp;

/* Make a target of the options: parse the server's name, find the password (RAMKNEE_PASSWORD, whose bytes in the environment are
 * overwritten; --password-file; else a prompt on the terminal without echo).  No password is asked for without a user (Kerberos),
 * nor in the sandbox.  To be called while the process has one thread. */
int connect_target(const struct connect_options *, struct target *, struct cause *);

/* Fail with a sentence when a command takes no arguments but got some: for ARGP_KEY_ARG. */
int connect_no_argument(struct argp_state *, const char *arg);

#endif
