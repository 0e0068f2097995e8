#include "config.h"

#include "cmd/connect.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { OPT_PASSWORD_FILE = 0x1000, OPT_ENCRYPT, OPT_CA_FILE, OPT_LOGIN_TIMEOUT, OPT_QUERY_TIMEOUT };

static const struct argp_option options[] = {
  {0, 0, 0, 0, "Server:", 10},
  {"server", 'S', "HOST", 0, "Server: HOST, HOST:PORT, HOST,PORT, HOST\\INSTANCE, or sandbox[:NAME]", 0},
  {"user", 'U', "LOGIN", 0, "SQL login, or DOMAIN\\user; without it Kerberos is used", 0},
  {"password-file", OPT_PASSWORD_FILE, "FILE", 0, "Read the password from the first line of FILE (else RAMKNEE_PASSWORD, else a prompt)", 0},
  {"database", 'd', "NAME", 0, "Database (default " CONNECT_DATABASE ")", 0},
  {"encrypt", OPT_ENCRYPT, "MODE", 0, "require (default), request or off", 0},
  {"ca-file", OPT_CA_FILE, "PEM", 0, "Check the server's certificate and name against this file; without it the link is encrypted, not verified", 0},
  {"login-timeout", OPT_LOGIN_TIMEOUT, "TIME", 0, "Time for a log-in (default 15s)", 0},
  {"query-timeout", OPT_QUERY_TIMEOUT, "TIME", 0, "Silence after which a statement is given up (default 30s); the server then has 5s to confirm that, or counts as lost", 0},
  {0},
};

static int whole_seconds(struct argp_state *state, const char *arg, int max, int *out) {
  int64_t ns = 0;
  option_time(state, "a time-out", arg, 0, &ns);
  if (ns < NS_PER_S || ns > max * NS_PER_S)
    argp_error(state, "a time-out of '%s' is out of range; give 1s to %ds", arg, max);
  else
    *out = (int)((ns + NS_PER_S - 1) / NS_PER_S);
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct connect_options *o = state->input;
  switch (key) {
  case 'S': o->server = arg; break;
  case 'U': o->user = option_name(state, "-U", "login", arg); break;
  case 'd':
    if (!arg[0])
      argp_error(state, "the name of the database is empty; leave -d out for " CONNECT_DATABASE);
    o->database = arg;
    break;
  case OPT_PASSWORD_FILE: o->password_file = option_name(state, "--password-file", "file", arg); break;
  case OPT_CA_FILE: o->ca_file = option_name(state, "--ca-file", "file", arg); break;
  case OPT_ENCRYPT:
    if (strcmp(arg, "require") != 0 && strcmp(arg, "request") != 0 && strcmp(arg, "off") != 0)
      argp_error(state, "--encrypt takes require, request or off, not '%s'%s", arg,
                 strcmp(arg, "strict") == 0 ? " (TDS 8.0 strict needs FreeTDS 1.5)" : "");
    o->encrypt = arg;
    break;
  case OPT_LOGIN_TIMEOUT: return whole_seconds(state, arg, 300, &o->login_timeout_s);
  case OPT_QUERY_TIMEOUT: return whole_seconds(state, arg, 3600, &o->query_timeout_s);
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp connect_argp = {.options = options, .parser = parse};

int connect_no_argument(struct argp_state *state, const char *arg) {
  argp_error(state, "'%s' is one word too many: this command takes options alone, which begin with -- and stand before a lone --", arg);
  return EINVAL;
}

/* The first line of a file; the mark that some editors put before UTF-8 is none of it. */
static char *password_from_file(const char *path, struct cause *c) {
  static const char mark[] = "\xef\xbb\xbf";
  char *data;
  size_t size;
  if (file_read(path, 4096, &data, &size, c) != 0)
    return NULL;
  char *p = xmalloc(size + 1);
  const char *line = data + (strncmp(data, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0);
  size_t n = strcspn(line, "\r\n");
  memcpy(p, line, n);
  p[n] = '\0';
  wipe(data, size);
  free(data);
  return p;
}

static char *password_from_prompt(const char *user, const char *server, struct cause *c) {
  FILE *tty = fopen("/dev/tty", "r+e");
  if (!tty) {
    cause_set(c, STATUS_SETUP, "no password was given for the login '%s', and there is no terminal to ask on", user);
    cause_remedy(c, "set RAMKNEE_PASSWORD or use --password-file");
    return NULL;
  }
  struct termios old, quiet;
  int echo = tcgetattr(fileno(tty), &old) == 0;
  if (echo) {
    quiet = old;
    quiet.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(fileno(tty), TCSAFLUSH, &quiet);
  }
  fprintf(tty, "Password of %s on %s: ", user, server);
  fflush(tty);
  char *line = NULL;
  size_t cap = 0;
  ssize_t n = getline(&line, &cap, tty);
  if (echo)
    tcsetattr(fileno(tty), TCSAFLUSH, &old);
  fputc('\n', tty);
  fclose(tty);
  if (n < 0) {
    free(line);
    cause_set(c, STATUS_SETUP, "no password was typed");
    return NULL;
  }
  line[strcspn(line, "\r\n")] = '\0';
  char *p = xstrdup(line);
  wipe(line, cap);
  free(line);
  return p;
}

/* What was asked for and could not be done: a check without a certificate, a password of nobody. */
static int refuse_vain(const struct connect_options *o, const struct target *t, const char *user, struct cause *c) {
  if (o->ca_file && t->encrypt == ENCRYPT_OFF) {
    cause_set(c, STATUS_SETUP, "--ca-file checks the certificate of an encrypted link, and this one is not encrypted");
    return cause_remedy(c, "leave out --ca-file, or --encrypt=off; the sandbox has no encryption");
  }
  if (!o->password_file || user)
    return 0;
  cause_set(c, STATUS_SETUP, "--password-file belongs to a login, and none was named");
  return cause_remedy(c, "say whose password it is with -U LOGIN; without -U Kerberos is used");
}

int connect_target(const struct connect_options *o, struct target *t, struct cause *c) {
  if (!o->server) {
    cause_set(c, STATUS_SETUP, "no server was named");
    return cause_remedy(c, "say which with -S HOST (or -S sandbox for a rehearsal)");
  }
  if (target_parse(t, o->server, c) != 0)
    return -1;
  if (o->encrypt)
    t->encrypt = strcmp(o->encrypt, "off") == 0 ? ENCRYPT_OFF : strcmp(o->encrypt, "request") == 0 ? ENCRYPT_REQUEST : ENCRYPT_REQUIRE;
  if (o->ca_file)
    t->ca_file = xstrdup(o->ca_file);
  if (o->login_timeout_s)
    t->login_timeout_s = o->login_timeout_s;
  if (o->query_timeout_s)
    t->query_timeout_s = o->query_timeout_s;
  const char *user = o->user ? o->user : t->is_sandbox ? "sa" : NULL;
  if (refuse_vain(o, t, user, c) != 0) {
    target_free(t);
    return -1;
  }
  if (user)
    t->user = xstrdup(user);
  char *env = getenv("RAMKNEE_PASSWORD");
  if (o->password_file)
    t->password = password_from_file(o->password_file, c);
  else if (env)
    t->password = xstrdup(env);
  else if (t->is_sandbox)
    t->password = xstrdup("");
  else if (user)
    t->password = password_from_prompt(user, t->name, c);
  if (env) {
    /* /proc/PID/environ shows the bytes even after unsetenv. */
    wipe(env, strlen(env));
    unsetenv("RAMKNEE_PASSWORD");
  }
  if (user && !t->password) {
    target_free(t);
    return -1;
  }
  return 0;
}
