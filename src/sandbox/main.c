/* ramknee-sandbox: a SQL Server stand-in for rehearsals. */
#include "config.h"

#include "sandbox/listener.h"
#include "sandbox/server.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"

#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *argp_program_version = "ramknee-sandbox " PACKAGE_VERSION;

enum { OPT_PASSWORD_FILE = 0x1000, OPT_PHYSICAL, OPT_PERSONA, OPT_NAME, OPT_FOLDER, OPT_PORT };

struct args {
  const char *name, *folder, *password_file;
  int port;
  int64_t physical_bytes;
  const struct persona *persona;
};

static const struct argp_option options[] = {
  {"name", OPT_NAME, "NAME", 0, "Name of this sandbox, for '-S sandbox:NAME' (default: default)", 0},
  {"folder", OPT_FOLDER, "DIR", 0, "Folder of its data (default $XDG_STATE_HOME/ramknee/sandbox/NAME); must be on a disk", 0},
  {"port", OPT_PORT, "N", 0, "Port on 127.0.0.1 (default 0: any that is free)", 0},
  {"physical", OPT_PHYSICAL, "SIZE", 0, "Memory that the server claims to have (default 256G; 1G here is 1M in truth)", 0},
  {"persona", OPT_PERSONA, "NAME", 0, "Behave like another kind of server, for tests; 'list' prints them", 0},
  {"password-file", OPT_PASSWORD_FILE, "FILE", 0,
   "Only sa with the password in the first line of FILE may log in (default: anybody)", 0},
  {0},
};

static void list_personas(void) {
  for (int i = 0; persona_at(i); i++)
    printf("%-22s %s\n", persona_at(i)->name, persona_at(i)->what);
  exit(STATUS_DONE);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c;
  int64_t n;
  switch (key) {
  case OPT_NAME:
    if (!*arg || strlen(arg) > 100 ||
        strspn(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != strlen(arg))
      argp_error(state, "a sandbox's name has letters, digits, '-' and '_', not '%s'", arg);
    a->name = arg;
    break;
  case OPT_FOLDER: a->folder = arg; break;
  case OPT_PASSWORD_FILE: a->password_file = arg; break;
  case OPT_PORT:
    if (int_parse(arg, "a port", 0, 65535, &n, &c) != 0)
      argp_error(state, "%s", c.text);
    else
      a->port = (int)n;
    break;
  case OPT_PHYSICAL:
    if (size_parse(arg, &a->physical_bytes, &c) != 0)
      argp_error(state, "%s; %s", c.text, c.remedy);
    else if (a->physical_bytes < 4 * GIB || a->physical_bytes > 65536 * GIB)
      argp_error(state, "a sandbox has 4G to 65536G of memory, not '%s'", arg);
    break;
  case OPT_PERSONA:
    if (strcmp(arg, "list") == 0)
      list_personas();
    a->persona = persona_find(arg);
    if (!a->persona)
      argp_error(state, "there is no persona '%s'; --persona list prints them", arg);
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s' is one word too many: this program takes options alone", arg); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
  .options = options,
  .parser = parse,
  .doc = "A stand-in for a SQL Server on this machine, to rehearse on: TDS 7.4 in front, MariaDB's InnoDB behind, at a scale "
         "of 1:1024.\v"
         "It runs in the foreground until SIGINT or SIGTERM. It is not a SQL Server, and its figures are not a SQL Server's.  For tests "
         "SIGUSR1 resets all connections; see the man page for files that hold a statement.",
};

/* An absolute path, new memory; NULL with a cause. */
static char *absolute(const char *path, struct cause *c) {
  if (folder_make(path, c) != 0)
    return NULL;
  char *p = realpath(path, NULL);
  if (!p)
    cause_errno(c, STATUS_SETUP, errno, "cannot find the folder %s", path);
  return p;
}

static char *folder_of(const struct args *a, struct cause *c) {
  if (a->folder)
    return absolute(a->folder, c);
  char *state = state_folder(c);
  if (!state)
    return NULL;
  char *path = xprintf("%s/sandbox/%s", state, a->name), *p = absolute(path, c);
  free(state);
  free(path);
  return p;
}

static char *password_of(const char *path, struct cause *c) {
  char *data;
  size_t size;
  if (file_read(path, 4096, &data, &size, c) != 0)
    return NULL;
  data[strcspn(data, "\r\n")] = '\0';
  return data;
}

static int publish(const char *folder, int port, struct cause *c) {
  char *path = xprintf("%s/endpoint", folder), line[40];
  int n = snprintf(line, sizeof line, "127.0.0.1:%d\n", port);
  int rc = file_write(path, line, (size_t)n, 0666, c);
  free(path);
  if (rc == 0)
    printf("listening on 127.0.0.1:%d, folder %s\n", port, folder);
  if (rc == 0 && fflush(stdout) != 0)
    rc = cause_errno(c, STATUS_SETUP, errno, "cannot write to the standard output");
  return rc;
}

static void unpublish(const char *folder) {
  char *path = xprintf("%s/endpoint", folder);
  unlink(path);
  free(path);
}

/* Wait for a signal to end, or for the engine to do so by itself.  SIGUSR1 resets all connections, for tests. */
static int wait_for_end(struct server *v, struct listener *l, const sigset_t *set, struct cause *c) {
  char how[100];
  for (;;) {
    int sig = sigwaitinfo(set, NULL);
    if (sig == SIGCHLD && engine_ended(v->engine, how, sizeof how)) {
      cause_set(c, STATUS_INCOMPLETE, "the sandbox's storage engine %s", how);
      return cause_remedy(
          c, "its last words are in %s/engine.log; what was acknowledged is on the disk and is there after the next start",
          v->folder);
    }
    if (sig == SIGUSR1)
      listener_reset(l);
    if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
      return 0;
  }
}

/* The engine has ended: sessions get their error, then the sandbox goes too, for it will not start another behind their backs. */
static void give_notice(struct listener *l) {
  struct timespec t = {.tv_nsec = 100 * NS_PER_MS};
  for (int i = 0; i < 20 && listener_connections(l) > 0; i++)
    nanosleep(&t, NULL);
}

static int serve(const struct args *a, struct server *v, const sigset_t *set, struct cause *c) {
  unsigned major = 0, minor = 0, build = 0;
  sscanf(v->version, "%u.%u.%u", &major, &minor, &build);
  struct listener_options o = {
      .port = a->port, .server_name = v->name, .major = (uint8_t)major, .minor = (uint8_t)minor, .build = (uint16_t)build};
  struct listener *l = listener_start(v, &o, c);
  if (!l)
    return -1;
  int rc = publish(v->folder, listener_port(l), c);
  if (rc == 0 && (rc = wait_for_end(v, l, set, c)) != 0)
    give_notice(l);
  unpublish(v->folder);
  listener_free(l);
  return rc;
}

static int run(const struct args *a, struct cause *c) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < 5; i++)
    sigaddset(&set, (int[]){SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1}[i]);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct server_options o = {.name = a->name, .physical_mib = a->physical_bytes / MIB, .persona = a->persona};
  char *folder = folder_of(a, c), *password = NULL;
  int rc = -1;
  if (folder && (!a->password_file || (password = password_of(a->password_file, c)))) {
    o.folder = folder;
    o.password = password;
    if (a->persona->german)
      reply_language(persona_german);
    struct server *v = server_start(&o, c);
    if (v)
      rc = serve(a, v, &set, c);
    server_stop(v);
  }
  if (password)
    wipe(password, strlen(password));
  free(password);
  free(folder);
  return rc;
}

int main(int argc, char **argv) {
  struct args a = {.name = "default", .physical_bytes = 256 * GIB, .persona = persona_find("plain")};
  struct cause c;
  file_hold_standard();
  setlocale(LC_ALL, "C");
  signal(SIGPIPE, SIG_IGN);
  log_name("ramknee-sandbox");
  on_exit(log_results, NULL);
  argp_err_exit_status = STATUS_SETUP;
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  if (run(&a, &c) == 0)
    return STATUS_DONE;
  say_cause(&c);
  return c.status ? c.status : STATUS_SETUP;
}
