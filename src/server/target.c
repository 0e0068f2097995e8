#include "config.h"

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "server/target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LOGIN_TIMEOUT_S = 15, QUERY_TIMEOUT_S = 30, HOST_MAX = 253 };

/* Hosts go into a configuration file of ours: nothing but what a name or an address is made of may pass.  What has a colon must be an
 * IPv6 address, with or without a zone. */
static int is_host(const char *s, size_t n) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%";
  if (n == 0 || n > HOST_MAX || strspn(s, allowed) < n)
    return 0;
  if (!memchr(s, ':', n))
    return 1;
  char address[HOST_MAX + 1];
  memcpy(address, s, n);
  address[n] = '\0';
  address[strcspn(address, "%")] = '\0';
  struct in6_addr in6;
  return inet_pton(AF_INET6, address, &in6) == 1;
}

/* Instance names: letters, digits, '_', '$', '#', at most 16 characters. */
static int is_instance(const char *s, size_t n) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$#";
  return n > 0 && n <= 16 && strspn(s, allowed) >= n;
}

static int malformed(struct cause *c, const char *server) {
  cause_set(c, STATUS_SETUP, "'%s' does not name a server", server);
  return cause_remedy(c, "write HOST, HOST:PORT, HOST,PORT, HOST\\INSTANCE, [IPV6]:PORT, or sandbox[:NAME]");
}

static char *copy(const char *s, size_t n) {
  char *p = xmalloc(n + 1);
  memcpy(p, s, n);
  p[n] = '\0';
  return p;
}

/* "sandbox:NAME" stands for the folder of that name below the state folder; no path may be smuggled in. */
static int is_sandbox_name(const char *s) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  size_t n = strlen(s);
  return n > 0 && n < 64 && s[0] != '.' && strspn(s, allowed) == n;
}

static int parse_sandbox(struct target *t, const char *name, struct cause *c) {
  if (!is_sandbox_name(name)) {
    cause_set(c, STATUS_SETUP, "'%s' is no name for a sandbox", name);
    return cause_remedy(c, "use letters, digits, '-', '_' and '.'");
  }
  char *state = state_folder(c);
  if (!state)
    return -1;
  t->is_sandbox = 1;
  t->encrypt = ENCRYPT_OFF;
  t->sandbox_folder = xprintf("%s/sandbox/%s", state, name);
  free(state);

  char *path = xprintf("%s/endpoint", t->sandbox_folder), *line = NULL;
  size_t size;
  struct cause why = {0};
  int rc = -1;
  if (file_read(path, 256, &line, &size, &why) != 0) {
    if (why.number == -ENOENT || why.number == -ENOTDIR) {
      cause_set(c, STATUS_SETUP, "no sandbox named '%s' is running", name);
      cause_remedy(c, "start it with 'ramknee sandbox', or let 'ramknee demo' do the whole job");
    } else if (c)
      *c = why;
    goto out;
  }
  line[strcspn(line, "\n")] = '\0';
  char *colon = strrchr(line, ':');
  int64_t port;
  if (!colon || !is_host(line, (size_t)(colon - line)) || int_parse(colon + 1, "port", 1, 65535, &port, NULL) != 0) {
    cause_set(c, STATUS_SETUP, "%s does not say where the sandbox listens", path);
    cause_remedy(c, "stop that sandbox and start it again");
    goto out;
  }
  t->host = copy(line, (size_t)(colon - line));
  t->port = (int)port;
  rc = 0;
out:
  free(path);
  free(line);
  return rc;
}

static int parse_port(const char *text, int *port) {
  int64_t v;
  if (int_parse(text, "port", 1, 65535, &v, NULL) != 0)
    return -1;
  *port = (int)v;
  return 0;
}

/* "[addr]", "[addr]:port", "[addr],port". */
static int parse_bracketed(struct target *t, const char *s) {
  const char *end = strchr(s, ']');
  if (!end || !is_host(s + 1, (size_t)(end - s - 1)) || !memchr(s + 1, ':', (size_t)(end - s - 1)))
    return -1;
  if (end[1] != '\0' && ((end[1] != ':' && end[1] != ',') || parse_port(end + 2, &t->port) != 0))
    return -1;
  t->host = copy(s + 1, (size_t)(end - s - 1));
  return 0;
}

static int parse_plain(struct target *t, const char *s) {
  size_t n = strcspn(s, "\\,");
  const char *rest = s + n;
  const char *colon = memchr(s, ':', n);
  if (colon && memchr(colon + 1, ':', n - (size_t)(colon + 1 - s)) == NULL) { /* one colon: a port; more: an IPv6 address */
    if (*rest != '\0' || parse_port(colon + 1, &t->port) != 0)
      return -1;
    n = (size_t)(colon - s);
  }
  if (!is_host(s, n))
    return -1;
  if (*rest == '\\') {
    const char *instance = rest + 1;
    size_t len = strcspn(instance, ",");
    if (!is_instance(instance, len))
      return -1;
    rest = instance + len;
    /* The default instance has no name to ask for; a port makes the name superfluous, as SQL Server's own tools have it. */
    if (*rest == '\0' && !(len == 11 && strncasecmp(instance, "MSSQLSERVER", len) == 0))
      t->instance = copy(instance, len);
  }
  if (*rest == ',' && parse_port(rest + 1, &t->port) != 0)
    return -1;
  t->host = copy(s, n);
  return 0;
}

int target_parse(struct target *t, const char *server, struct cause *c) {
  memset(t, 0, sizeof *t);
  t->login_timeout_s = LOGIN_TIMEOUT_S;
  t->query_timeout_s = QUERY_TIMEOUT_S;
  t->encrypt = ENCRYPT_REQUIRE;
  t->name = xstrdup(server);
  int rc;
  if (strcmp(server, "sandbox") == 0 || strncmp(server, "sandbox:", 8) == 0)
    rc = parse_sandbox(t, server[7] ? server + 8 : "default", c);
  else {
    const char *s = strncasecmp(server, "tcp:", 4) == 0 ? server + 4 : server;
    rc = *s == '[' ? parse_bracketed(t, s) : parse_plain(t, s);
    if (rc != 0)
      malformed(c, server);
  }
  if (rc != 0)
    target_free(t);
  return rc;
}

static char *dup_or_null(const char *s) {
  return s ? xstrdup(s) : NULL;
}

void target_copy(struct target *to, const struct target *from) {
  *to = *from;
  to->name = dup_or_null(from->name);
  to->host = dup_or_null(from->host);
  to->instance = dup_or_null(from->instance);
  to->user = dup_or_null(from->user);
  to->password = dup_or_null(from->password);
  to->database = dup_or_null(from->database);
  to->ca_file = dup_or_null(from->ca_file);
  to->sandbox_folder = dup_or_null(from->sandbox_folder);
}

void target_free(struct target *t) {
  if (t->password)
    wipe(t->password, strlen(t->password));
  free(t->name);
  free(t->host);
  free(t->instance);
  free(t->user);
  free(t->password);
  free(t->database);
  free(t->ca_file);
  free(t->sandbox_folder);
  memset(t, 0, sizeof *t);
}
