#include "config.h"

#include "server/impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

_Thread_local struct heard *listener;

/* The configuration file lives in memory, read through /proc/self/fd: nothing is left behind however the process ends, and nobody
 * else's file is merged in, since our section's name is found in it. */
static struct {
  int ready, fd;
  struct target target;
} setup = {.fd = -1};

const char *server_section(void) {
  return "ramknee-server";
}

static int on_error(DBPROCESS *db, int severity, int number, int os, char *text, char *os_text) {
  (void)severity, (void)os_text;
  struct heard *h = listener;
  if (!h)
    return INT_CANCEL;
  if (number == SYBETIME && h->may_wait && h->silences++ == 0) {
    /* db-lib sends an attention and waits once more, not as long as before; a second time it would go round for ever on a dead network */
    conn_hurry(db);
    return INT_TIMEOUT;
  }
  /* 20018 only repeats that the server sent a message; 20012 (no such section) is followed by the real reason. */
  if (number != SYBESMSG && (h->lib == 0 || h->lib == SYBEINTF)) {
    h->lib = number;
    h->os = os;
    snprintf(h->lib_text, sizeof h->lib_text, "%s", text ? text : "");
  }
  return INT_CANCEL;
}

static int on_message(DBPROCESS *db, DBINT number, int state, int severity, char *text, char *server, char *procedure, int line) {
  (void)db, (void)state, (void)server, (void)procedure, (void)line;
  struct heard *h = listener;
  if (!h || severity <= 10)
    return 0;
  h->deadlock |= number == 1205;
  if (h->number == 0) {
    h->number = number;
    snprintf(h->text, sizeof h->text, "%s", text ? text : "");
  }
  return 0;
}

/* A connection takes db-lib's socket, its wake-up descriptor, and our duplicate of the socket. */
static int raise_file_limit(int connections, struct cause *c) {
  struct rlimit r;
  rlim_t need = (rlim_t)connections * 3 + (rlim_t)connections / 10 + 64;
  if (getrlimit(RLIMIT_NOFILE, &r) != 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot read the limit of open files");
  if (r.rlim_cur >= need)
    return 0;
  struct rlimit want = {.rlim_cur = need, .rlim_max = r.rlim_max < need ? need : r.rlim_max}; /* root may raise the hard limit, too */
  if (setrlimit(RLIMIT_NOFILE, &want) == 0)
    return 0;
  cause_set(c, STATUS_SETUP, "%d connections need %llu open files, but this process may have %llu", connections, (unsigned long long)need,
            (unsigned long long)r.rlim_max);
  return cause_remedy(c, "raise the hard limit (ulimit -Hn, or LimitNOFILE= of a systemd unit), or use fewer users");
}

static int check_ca_file(const struct target *t, struct cause *c) {
  if (!t->ca_file || strcmp(t->ca_file, "system") == 0)
    return 0;
  if (access(t->ca_file, R_OK) != 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot read the certificates in %s", t->ca_file);
    return cause_remedy(c, "give --ca-file a PEM file that holds the issuer of the server's certificate");
  }
  if (strpbrk(t->ca_file, "\r\n#;") || isspace((unsigned char)t->ca_file[0])) {
    cause_set(c, STATUS_SETUP, "the name of the certificate file '%s' cannot be passed to FreeTDS", t->ca_file);
    return cause_remedy(c, "give it a name without line ends, '#' and ';'");
  }
  return 0;
}

static void write_section(struct text *x, const struct target *t) {
  static const char *const words[] = {[ENCRYPT_REQUIRE] = "require", [ENCRYPT_REQUEST] = "request", [ENCRYPT_OFF] = "off"};
  text_addf(x, "[%s]\n\thost = %s\n", server_section(), t->host);
  if (t->instance && !t->port)
    text_addf(x, "\tinstance = %s\n", t->instance);
  else
    text_addf(x, "\tport = %d\n", t->port ? t->port : 1433);
  text_addf(x, "\ttds version = 7.4\n\tclient charset = UTF-8\n\tencryption = %s\n", words[t->encrypt]);
  if (t->ca_file && t->encrypt != ENCRYPT_OFF)
    text_addf(x, "\tca file = %s\n\tcheck certificate hostname = yes\n", t->ca_file);
}

static int write_conf(const struct target *t, struct cause *c) {
  int fd = memfd_create("ramknee-freetds.conf", MFD_CLOEXEC);
  if (fd < 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot make the configuration file for FreeTDS");
  struct text x = {0};
  write_section(&x, t);
  ssize_t n = write(fd, x.s, x.len);
  int whole = n == (ssize_t)x.len;
  text_free(&x);
  char *path = xprintf("/proc/self/fd/%d", fd);
  if (!whole || access(path, R_OK) != 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot make the configuration file for FreeTDS (%s)", path);
    cause_remedy(c, "is /proc mounted?");
    close(fd);
    free(path);
    return -1;
  }
  setenv("FREETDSCONF", path, 1);
  free(path);
  if (setup.fd >= 0)
    close(setup.fd);
  setup.fd = fd;
  return 0;
}

static int same(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

int server_is_target(const struct target *t) {
  const struct target *o = &setup.target;
  return setup.ready && same(t->host, o->host) && t->port == o->port && same(t->instance, o->instance) && t->encrypt == o->encrypt &&
         same(t->ca_file, o->ca_file);
}

int server_init(const struct target *t, int connections, struct cause *c) {
  if (check_ca_file(t, c) != 0 || raise_file_limit(connections, c) != 0 || write_conf(t, c) != 0)
    return -1;
  /* These would override our section and lead elsewhere. */
  static const char *const strays[] = {"TDSHOST", "TDSPORT", "TDSVER", "TDSQUERY", "FREETDS"};
  for (size_t i = 0; i < sizeof strays / sizeof *strays; i++)
    unsetenv(strays[i]);
  if (!setup.ready && dbinit() == FAIL) {
    cause_set(c, STATUS_SETUP, "FreeTDS's db-lib cannot be initialised");
    return -1;
  }
  setup.ready = 1;
  dberrhandle(on_error);
  dbmsghandle(on_message);
  dbsetlogintime(t->login_timeout_s);
  dbsetmaxprocs(connections + 8);
  target_free(&setup.target);
  target_copy(&setup.target, t);
  if (setup.target.password) { /* each connection brings its own */
    wipe(setup.target.password, strlen(setup.target.password));
    free(setup.target.password);
    setup.target.password = NULL;
  }
  return 0;
}

void server_done(void) {
  if (!setup.ready)
    return;
  dbexit();
  close(setup.fd);
  setup.fd = -1;
  setup.ready = 0;
  unsetenv("FREETDSCONF");
  target_free(&setup.target);
}
