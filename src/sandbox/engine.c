#include "config.h"

#include "sandbox/engine_private.h"
#include "sandbox/probe.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOG_MAX (1 << 20)

/* Options for every start; what this version does not know is left out.  The reasons:
 * lru-scan-depth: the default keeps most of a small pool free.  flush-neighbors, read-ahead: one page asked for is one page read.
 * flush-log-at-trx-commit=2, doublewrite=OFF: like delayed durability; reads dominate, not the log.  performance-schema: the one
 * instrument that times reads of data files, its tables cut down to it.  table-open-cache: nine tables for each connection. */
static const char *const fixed_options[] = {
  "lower-case-table-names=1", "character-set-server=utf8mb4", "collation-server=utf8mb4_general_ci",
  "sql-mode=STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_BACKSLASH_ESCAPES",
  "innodb-page-size=8k", "skip-log-bin", "innodb-doublewrite=OFF", "feedback=OFF", NULL,
};
static const char *const start_options[] = {
  "skip-networking", "skip-grant-tables", "local-infile=ON", "event-scheduler=OFF", "innodb-flush-method=O_DIRECT",
  "innodb-log-file-size=256M", "innodb-lru-scan-depth=100", "innodb-flush-neighbors=0", "innodb-read-ahead-threshold=0",
  "innodb-random-read-ahead=OFF", "innodb-log-buffer-size=2M", "innodb-flush-log-at-trx-commit=2",
  "innodb-buffer-pool-chunk-size=1M", "innodb-buffer-pool-instances=1", "innodb-buffer-pool-load-at-startup=OFF",
  "innodb-buffer-pool-dump-at-shutdown=OFF", "innodb-stats-auto-recalc=OFF", "innodb-adaptive-hash-index=OFF",
  "transaction-isolation=READ-COMMITTED", "key-buffer-size=1M", "aria-pagecache-buffer-size=1M", "query-cache-size=0",
  "table-open-cache=4000", "table-open-cache-instances=1", "max-allowed-packet=64M", "wait-timeout=31536000",
  "max-connect-errors=4294967295", "performance-schema=ON", "performance-schema-instrument=%=OFF",
  "performance-schema-instrument=wait/io/file/innodb/innodb_data_file=ON",
  "performance-schema-instrument=wait/io/file/innodb/innodb_log_file=ON",
  "performance-schema-consumer-thread-instrumentation=OFF", "performance-schema-max-file-instances=2000",
  "performance-schema-max-thread-instances=400", NULL,
};
/* The tables of the performance schema that no instrument of ours fills: sized 0 (59 MB of memory instead of 152). */
static const char *const schema_off[] = {
  "accounts-size", "digests-size", "events-stages-history-long-size", "events-stages-history-size",
  "events-statements-history-long-size", "events-statements-history-size", "events-transactions-history-long-size",
  "events-transactions-history-size", "events-waits-history-long-size", "events-waits-history-size", "hosts-size",
  "max-cond-classes", "max-cond-instances", "max-digest-length", "max-index-stat", "max-memory-classes", "max-metadata-locks",
  "max-mutex-classes", "max-mutex-instances", "max-prepared-statements-instances", "max-program-instances",
  "max-rwlock-classes", "max-rwlock-instances", "max-socket-classes", "max-socket-instances", "max-sql-text-length",
  "max-stage-classes", "max-statement-classes", "max-table-handles", "max-table-instances", "max-table-lock-stat",
  "session-connect-attrs-size", "setup-actors-size", "setup-objects-size", "users-size", NULL,
};

/* A growing argument vector. */
struct args {
  char **v;
  int n;
};

static void arg_add(struct args *a, char *s) {
  a->v = xrealloc(a->v, (size_t)a->n + 2, sizeof *a->v);
  a->v[a->n++] = s;
  a->v[a->n] = NULL;
}

static void args_free(struct args *a) {
  for (int i = 0; i < a->n; i++)
    free(a->v[i]);
  free(a->v);
}

/* Does `mariadbd --help --verbose` list "--NAME"?  "skip-x" is the negation of "x", and not always listed. */
static int knows(const char *help, const char *option) {
  size_t n = strcspn(option, "=");
  for (const char *p = help; (p = strstr(p, "--")); p += 2) {
    const char *name = p + 2;
    if (strncmp(name, option, n) == 0 && !isalnum((unsigned char)name[n]) && name[n] != '-')
      return 1;
  }
  return strncmp(option, "skip-", 5) == 0 && knows(help, option + 5);
}

static void option_add(struct args *a, const char *help, const char *option) {
  if (knows(help, option))
    arg_add(a, xprintf("--%s", option));
}

static void args_common(struct args *a, const struct engine *e, const char *data) {
  arg_add(a, xstrdup(e->program));
  arg_add(a, xstrdup("--no-defaults"));
  if (geteuid() == 0)
    arg_add(a, xstrdup("--user=root"));
  arg_add(a, xprintf("--datadir=%s", data));
  arg_add(a, xprintf("--tmpdir=%s", data)); /* in a shared one a starting engine removes another's temporary tables */
  for (const char *const *o = fixed_options; *o; o++)
    option_add(a, e->help, *o);
}

static void args_start(struct args *a, const struct engine *e, const struct engine_options *o) {
  args_common(a, e, e->data);
  arg_add(a, xstrdup("--socket=s"));
  arg_add(a, xstrdup("--pid-file=pid"));
  for (const char *const *s = start_options; *s; s++)
    option_add(a, e->help, *s);
  char option[100];
  for (const char *const *s = schema_off; *s; s++) {
    snprintf(option, sizeof option, "performance-schema-%s=0", *s);
    option_add(a, e->help, option);
  }
  arg_add(a, xprintf("--innodb-buffer-pool-size=%lld", (long long)o->pool_bytes));
  snprintf(option, sizeof option, "innodb-buffer-pool-size-max=%lld", (long long)o->pool_max_bytes);
  option_add(a, e->help, option);
  arg_add(a, xprintf("--max-connections=%d", o->connections + 8));
}

static char *find_program(struct cause *c) {
  const char *path = getenv("PATH");
  char *all = xprintf("%s:/usr/sbin:/usr/local/sbin:/usr/libexec:/usr/bin", path ? path : "");
  char *found = NULL, *save = NULL;
  for (char *dir = strtok_r(all, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
    char *p = xprintf("%s/mariadbd", dir);
    if (access(p, X_OK) == 0)
      found = p;
    else
      free(p);
  }
  free(all);
  if (!found) {
    cause_set(c, STATUS_SETUP, "the sandbox's storage engine, mariadbd, was not found");
    cause_remedy(c, "install it (Debian, Ubuntu: mariadb-server-core; Fedora: mariadb-server)");
  }
  return found;
}

static char *how_ended(int status, char *how, size_t size) {
  if (WIFSIGNALED(status))
    snprintf(how, size, "was ended by signal %d", WTERMSIG(status));
  else
    snprintf(how, size, "ended with status %d", WEXITSTATUS(status));
  return how;
}

/* Run a program with its standard input and output as given, and wait. */
static int run_program(char *const argv[], int in, int out, struct cause *c) {
  posix_spawn_file_actions_t fa;
  pid_t pid;
  posix_spawn_file_actions_init(&fa);
  posix_spawn_file_actions_adddup2(&fa, in, 0);
  posix_spawn_file_actions_adddup2(&fa, out, 1);
  posix_spawn_file_actions_adddup2(&fa, out, 2);
  extern char **environ;
  int err = posix_spawn(&pid, argv[0], &fa, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&fa);
  if (err != 0)
    return cause_errno(c, STATUS_SETUP, err, "cannot run %s", argv[0]);
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return cause_errno(c, STATUS_SETUP, errno, "cannot wait for %s", argv[0]);
  char how[80];
  return status == 0 ? 0 : cause_set(c, STATUS_SETUP, "%s %s", argv[0], how_ended(status, how, sizeof how));
}

/* A nameless file in the folder. */
static int scratch(const char *folder, struct cause *c) {
  char *path = xprintf("%s/tmp-XXXXXX", folder);
  int fd = mkostemp(path, O_CLOEXEC);
  if (fd < 0)
    cause_errno(c, STATUS_SETUP, errno, "cannot write in %s", folder);
  else
    unlink(path);
  free(path);
  return fd;
}

/* What a scratch file holds. */
static char *scratch_text(int fd) {
  struct text t = {0};
  char buf[8192];
  ssize_t n;
  for (off_t at = 0; (n = pread(fd, buf, sizeof buf, at)) > 0; at += n)
    text_addn(&t, buf, (size_t)n);
  return t.s ? t.s : xstrdup("");
}

static int ask_help(struct engine *e, struct cause *c) {
  char *argv[] = {e->program, (char[]){"--no-defaults"}, (char[]){"--help"}, (char[]){"--verbose"}, NULL};
  int out = scratch(e->folder, c), null = open("/dev/null", O_RDONLY | O_CLOEXEC), rc = -1;
  if (out >= 0 && null >= 0 && run_program(argv, null, out, c) == 0) {
    e->help = scratch_text(out);
    rc = 0;
  }
  close(null);
  close(out);
  return rc;
}

/* The script that makes the system tables: beside the error messages (lc-messages-dir), whose place mariadbd tells. */
static char *system_tables(const struct engine *e, struct cause *c) {
  const char *const fallback[] = {"/usr/share/mysql", "/usr/share/mariadb"};
  char dir[512] = "";
  const char *p = strstr(e->help, "\nlc-messages-dir ");
  if (p && sscanf(p + strlen("\nlc-messages-dir "), "%500s", dir) == 1)
    dir[strcspn(dir, "\n")] = '\0';
  char *data = NULL;
  size_t size;
  for (int i = -1; i < 2 && !data; i++) {
    char *path = xprintf("%s/%s_system_tables.sql", i < 0 ? dir : fallback[i], "mysql");
    if (file_read(path, 4 << 20, &data, &size, NULL) != 0)
      data = NULL;
    free(path);
    if (!data) {
      path = xprintf("%s/%s_system_tables.sql", i < 0 ? dir : fallback[i], "mariadb");
      if (file_read(path, 4 << 20, &data, &size, NULL) != 0)
        data = NULL;
      free(path);
    }
  }
  if (!data) {
    cause_set(c, STATUS_SETUP, "the script for the storage engine's system tables (mysql_system_tables.sql) was not found");
    cause_remedy(c, "install the whole of mariadb-server-core");
  }
  return data;
}

/* The last error in the engine's log ("[ERROR] ...", in a bootstrap "ERROR: ..."); new memory, "" when there is none. */
static char *last_words(const char *log) {
  const char *best = "";
  size_t len = 0;
  for (const char *p = log; *p;) {
    size_t n = strcspn(p, "\n");
    const char *err = memmem(p, n, "ERROR", 5);
    if (err && !memmem(p, n, "Aborting", 8) && !memmem(p, n, "Plugin 'InnoDB'", 15) && !memmem(p, n, "Unknown/unsupported", 19)) {
      best = err + 5 + strspn(err + 5, "]: ");
      len = (size_t)(p + n - best);
    }
    p += n + (p[n] == '\n');
  }
  return xprintf("%.*s", (int)(len < 300 ? len : 300), best);
}

/* In its own last words; without any: `how` it ended. */
static int engine_refused(const char *what, const char *log, const char *how, struct cause *c) {
  char *words = last_words(log);
  if (*words)
    cause_set(c, STATUS_SETUP, "the storage engine %s: %s", what, words);
  else
    cause_set(c, STATUS_SETUP, "the storage engine %s (%s, without a word)", what, how);
  if (strstr(log, "No space left") || strstr(log, "OS error: 28") || strstr(log, "error number 28") || strstr(log, "Errcode: 28"))
    cause_remedy(c, "the disk is full: make room, or choose another folder with --folder");
  free(words);
  return -1;
}

static int bootstrap(struct engine *e, struct cause *c) {
  char *made = xprintf("%s/data.new", e->folder), *script = NULL, *log = NULL;
  struct args a = {0};
  struct cause how;
  int in = -1, out = -1, rc = -1;
  if (folder_remove(made, c) != 0 || folder_make(made, c) != 0 || !(script = system_tables(e, c)))
    goto end;
  if ((in = scratch(e->folder, c)) < 0 || (out = scratch(e->folder, c)) < 0)
    goto end;
  FILE *f = fdopen(dup(in), "w");
  if (!f || fprintf(f, "CREATE DATABASE mysql;\nuse mysql;\n%s", script) < 0 || fclose(f) != 0 || lseek(in, 0, SEEK_SET) != 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot write in %s", e->folder);
    goto end;
  }
  args_common(&a, e, made);
  arg_add(&a, xstrdup("--bootstrap"));
  arg_add(&a, xstrdup("--innodb-log-file-size=16M"));
  if (run_program(a.v, in, out, &how) != 0) {
    log = scratch_text(out);
    file_write(e->log_file, log, strlen(log), 0666, NULL);
    engine_refused("could not make its system tables", log, how.text, c);
    goto end;
  }
  rc = rename(made, e->data) == 0 ? folder_sync(e->folder, c) : cause_errno(c, STATUS_SETUP, errno, "cannot make %s", e->data);
end:
  if (rc != 0)
    folder_remove(made, NULL);
  args_free(&a);
  close(in);
  close(out);
  free(made);
  free(script);
  free(log);
  return rc;
}

/* When that process was started, in clock ticks since boot: tells it from another one that got its number later.  0: no such
 * process. */
static unsigned long long process_start(pid_t pid) {
  char path[64], *text;
  size_t size;
  unsigned long long start = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (file_read(path, 4096, &text, &size, NULL) != 0)
    return 0;
  const char *p = strrchr(text, ')');
  if (p)
    sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &start);
  free(text);
  return start;
}

/* An engine that an earlier sandbox left behind (it should not happen: see PR_SET_PDEATHSIG) is ended before its files are
 * touched. */
static void clean_up(const struct engine *e) {
  char *text;
  size_t size;
  int pid;
  unsigned long long start;
  if (file_read(e->pid_file, 200, &text, &size, NULL) == 0) {
    if (sscanf(text, "%d %llu", &pid, &start) == 2 && pid > 1 && process_start((pid_t)pid) == start) {
      kill((pid_t)pid, SIGKILL);
      for (int i = 0; i < 500 && process_start((pid_t)pid) == start; i++)
        sleep_until_ns(mono_ns() + 10 * NS_PER_MS);
    }
    free(text);
  }
  unlink(e->pid_file);
}

static void child(char *const argv[], int log, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0); /* Ctrl-C on the terminal is for the sandbox, which ends us in order */
  int null = open("/dev/null", O_RDONLY);
  if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
    _exit(126);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execv(argv[0], argv);
  _exit(127);
}

static int spawn(struct engine *e, const struct engine_options *o, struct cause *c) {
  int log = open(e->log_file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (log < 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot write %s", e->log_file);
  struct args a = {0};
  args_start(&a, e, o);
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t);
  e->started_ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
  pid_t parent = getpid();
  e->pid = fork();
  if (e->pid == 0)
    child(a.v, log, parent);
  int err = errno;
  close(log);
  args_free(&a);
  if (e->pid < 0)
    return cause_errno(c, STATUS_SETUP, err, "cannot start the storage engine");
  char line[80];
  int n = snprintf(line, sizeof line, "%d %llu\n", (int)e->pid, process_start(e->pid));
  return file_write(e->pid_file, line, (size_t)n, 0644, c);
}

static int wait_ready(struct engine *e, struct cause *c) {
  char how[100], *log = NULL;
  size_t size;
  /* After a crash it first goes through its log: minutes on a slow disk. */
  for (int64_t until = mono_ns() + 300 * NS_PER_S; mono_ns() < until; sleep_until_ns(mono_ns() + 10 * NS_PER_MS)) {
    if (engine_ended(e, how, sizeof how)) {
      if (file_read(e->log_file, LOG_MAX, &log, &size, c) != 0)
        return -1;
      engine_refused("did not start", log, how, c);
      free(log);
      return -1;
    }
    MYSQL *my = pool_connect(e, c);
    if (my) {
      snprintf(e->version, sizeof e->version, "%s", mysql_get_server_info(my));
      e->admin = my;
      return 0;
    }
  }
  return cause_set(c, STATUS_SETUP, "the storage engine did not answer within 5 minutes; see %s", e->log_file);
}

struct engine *engine_start(const struct engine_options *o, struct cause *c) {
  struct engine *e = xcalloc(1, sizeof *e);
  struct stat st;
  e->folder = xstrdup(o->folder);
  e->data = xprintf("%s/data", o->folder);
  e->pid_file = xprintf("%s/engine.pid", o->folder);
  e->log_file = xprintf("%s/engine.log", o->folder);
  e->max = o->connections;
  e->folder_fd = -1;
  pthread_mutex_init(&e->lock, NULL);
  pthread_mutex_init(&e->admin_lock, NULL);
  pthread_cond_init(&e->given, NULL);
  mysql_library_init(0, NULL, NULL);
  if (!(e->program = find_program(c)) || probe_direct_read(e->folder, c) != 0 || ask_help(e, c) != 0)
    goto fail;
  clean_up(e);
  if (stat(e->data, &st) != 0 && bootstrap(e, c) != 0)
    goto fail;
  e->folder_fd = open(e->data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (e->folder_fd < 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot open %s", e->data);
    goto fail;
  }
  if (spawn(e, o, c) == 0 && wait_ready(e, c) == 0)
    return e;
fail:
  engine_stop(e);
  return NULL;
}

int engine_ended(struct engine *e, char *how, size_t size) {
  if (!e->ended && (e->pid <= 0 || waitpid(e->pid, &e->status, WNOHANG) != e->pid))
    return 0;
  e->ended = 1;
  e->dead = 1;
  pthread_mutex_lock(&e->lock);
  pthread_cond_broadcast(&e->given);
  pthread_mutex_unlock(&e->lock);
  how_ended(e->status, how, size);
  return 1;
}

void engine_stop(struct engine *e) {
  char how[100];
  if (!e)
    return;
  if (e->pid > 0 && !e->ended) {
    e->dead = 1;
    pool_close_all(e);
    kill(e->pid, SIGTERM);
    for (int i = 0; i < 3000 && !engine_ended(e, how, sizeof how); i++)
      sleep_until_ns(mono_ns() + 10 * NS_PER_MS);
    if (!e->ended) {
      kill(e->pid, SIGKILL);
      waitpid(e->pid, &e->status, 0);
    }
  }
  pool_close_all(e);
  if (e->pid > 0)
    unlink(e->pid_file);
  if (e->folder_fd >= 0)
    close(e->folder_fd);
  pthread_mutex_destroy(&e->lock);
  pthread_mutex_destroy(&e->admin_lock);
  pthread_cond_destroy(&e->given);
  free(e->folder);
  free(e->data);
  free(e->program);
  free(e->pid_file);
  free(e->log_file);
  free(e->help);
  free(e);
}

int engine_dead(const struct engine *e) {
  return e->dead;
}

pid_t engine_pid(const struct engine *e) {
  return e->pid;
}

const char *engine_data(const struct engine *e) {
  return e->data;
}

const char *engine_version(const struct engine *e) {
  return e->version;
}

int64_t engine_started_ms(const struct engine *e) {
  return e->started_ms;
}
