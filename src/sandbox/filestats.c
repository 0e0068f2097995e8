#include "config.h"

#include "sandbox/filestats.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_MAX 32767

struct file {
  char *name;
  int database_id; /* -1: the log */
  int seen;
  struct file_counts now;
};

struct filestats {
  struct file *file;
  size_t nfile;
  struct file_counts *gone; /* by database id: of files that are no more */
  int ngone;
  struct file_counts log_gone;
};

struct filestats *filestats_new(void) {
  return xcalloc(1, sizeof(struct filestats));
}

void filestats_free(struct filestats *f) {
  if (!f)
    return;
  for (size_t i = 0; i < f->nfile; i++)
    free(f->file[i].name);
  free(f->file);
  free(f->gone);
  free(f);
}

static void add(struct file_counts *to, const struct file_counts *n) {
  to->reads += n->reads;
  to->read_bytes += n->read_bytes;
  to->read_ps += n->read_ps;
  to->writes += n->writes;
  to->write_bytes += n->write_bytes;
  to->write_ps += n->write_ps;
}

static void bury(struct filestats *f, const struct file *x) {
  if (x->database_id < 0) {
    add(&f->log_gone, &x->now);
    return;
  }
  if (x->database_id >= f->ngone) {
    int n = x->database_id + 8;
    f->gone = xrealloc(f->gone, (size_t)n, sizeof *f->gone);
    memset(f->gone + f->ngone, 0, (size_t)(n - f->ngone) * sizeof *f->gone);
    f->ngone = n;
  }
  add(&f->gone[x->database_id], &x->now);
}

/* The engine writes characters other than letters, digits and '_' in names of folders as "@HHHH" (UCS-2). */
static void decode(const char *s, size_t n, char *out, size_t size) {
  size_t len = 0;
  for (size_t i = 0; i < n && len + 4 < size; i++) {
    unsigned u;
    char hex[5] = "";
    if (s[i] == '@' && i + 4 < n)
      memcpy(hex, s + i + 1, 4);
    if (strlen(hex) == 4 && strspn(hex, "0123456789abcdefABCDEF") == 4) {
      u = (unsigned)strtoul(hex, NULL, 16);
      i += 4;
      if (u < 0x80)
        out[len++] = (char)u;
      else if (u < 0x800) {
        out[len++] = (char)(0xC0 | u >> 6);
        out[len++] = (char)(0x80 | (u & 0x3F));
      } else {
        out[len++] = (char)(0xE0 | u >> 12);
        out[len++] = (char)(0x80 | (u >> 6 & 0x3F));
        out[len++] = (char)(0x80 | (u & 0x3F));
      }
    } else
      out[len++] = s[i];
  }
  out[len] = '\0';
}

int filestats_folder(const char *path, const char *data, char *name, size_t size) {
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path)
    return 0;
  const char *from = slash;
  while (from > path && from[-1] != '/')
    from--;
  /* A file right in the data folder is one of the engine's own; the folder may be reached under another name, but its last part
   * stays. */
  const char *base = strrchr(data, '/');
  base = base ? base + 1 : data;
  size_t n = (size_t)(slash - from);
  if (strlen(base) == n && memcmp(base, from, n) == 0)
    return 0;
  if (n == 1 && *from == '.')
    return 0;
  decode(from, n, name, size);
  return 1;
}

/* System tables are master's, files of a database that clients do not see are too. */
static int owner(struct server *v, const char *path) {
  char name[400];
  const char *base = strrchr(path, '/');
  if (strncmp(base ? base + 1 : path, "ib_logfile", 10) == 0)
    return -1;
  if (!filestats_folder(path, engine_data(v->engine), name, sizeof name))
    return 2;
  const struct database *d = server_database(v, name);
  return d ? d->id : 1;
}

static struct file *find(struct filestats *f, struct server *v, const char *name) {
  for (size_t i = 0; i < f->nfile; i++)
    if (strcmp(f->file[i].name, name) == 0)
      return &f->file[i];
  f->file = xrealloc(f->file, f->nfile + 1, sizeof *f->file);
  struct file *x = &f->file[f->nfile++];
  *x = (struct file){.name = xstrdup(name), .database_id = owner(v, name)};
  return x;
}

static int64_t number(const char *s) {
  return s ? (int64_t)strtoull(s, NULL, 10) : 0;
}

int filestats_read(struct filestats *f, struct server *v, struct engine_conn *k, struct cause *c) {
  static const char sql[] =
    "SELECT FILE_NAME, COUNT_READ, SUM_NUMBER_OF_BYTES_READ, SUM_TIMER_READ, COUNT_WRITE, SUM_NUMBER_OF_BYTES_WRITE, "
    "SUM_TIMER_WRITE + SUM_TIMER_MISC * (EVENT_NAME LIKE '%log_file') FROM performance_schema.file_summary_by_instance "
    "WHERE EVENT_NAME LIKE 'wait/io/file/innodb/%'";
  MYSQL_RES *r = mysql_real_query(k->my, sql, sizeof sql - 1) == 0 ? mysql_store_result(k->my) : NULL;
  if (!r)
    return cause_set(c, 0, "the storage engine said: %s", mysql_error(k->my));
  for (size_t i = 0; i < f->nfile; i++)
    f->file[i].seen = 0;
  for (MYSQL_ROW row; (row = mysql_fetch_row(r));) {
    struct file *x = find(f, v, row[0]);
    struct file_counts n = {.reads = number(row[1]),
                            .read_bytes = number(row[2]),
                            .read_ps = number(row[3]),
                            .writes = number(row[4]),
                            .write_bytes = number(row[5]),
                            .write_ps = number(row[6])};
    if (n.reads < x->now.reads || n.writes < x->now.writes) /* another file of the same name */
      bury(f, x);
    x->now = n;
    x->seen = 1;
  }
  mysql_free_result(r);
  for (size_t i = 0; i < f->nfile;) {
    if (f->file[i].seen) {
      i++;
      continue;
    }
    bury(f, &f->file[i]);
    free(f->file[i].name);
    f->file[i] = f->file[--f->nfile];
  }
  return 0;
}

struct file_counts filestats_of(const struct filestats *f, int id) {
  struct file_counts n = {0};
  for (int i = 0; i < f->ngone; i++)
    if (id == 0 || i == id)
      add(&n, &f->gone[i]);
  for (size_t i = 0; i < f->nfile; i++)
    if (f->file[i].database_id >= 0 && (id == 0 || f->file[i].database_id == id))
      add(&n, &f->file[i].now);
  return n;
}

struct file_counts filestats_log(const struct filestats *f) {
  struct file_counts n = f->log_gone;
  for (size_t i = 0; i < f->nfile; i++)
    if (f->file[i].database_id < 0)
      add(&n, &f->file[i].now);
  return n;
}

static int64_t folder_bytes(int at, const char *folder, const char *const *prefix) {
  int fd = openat(at, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  int64_t n = 0;
  if (!d) {
    if (fd >= 0)
      close(fd);
    return 0;
  }
  for (const struct dirent *e; (e = readdir(d));) {
    struct stat st;
    int wanted = !prefix;
    for (int i = 0; prefix && prefix[i]; i++)
      wanted |= strncmp(e->d_name, prefix[i], strlen(prefix[i])) == 0;
    if (wanted && fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
      n += st.st_size;
  }
  closedir(d);
  return n;
}

/* A name as the engine makes a folder of it. */
static void encode(const char *name, char *out, size_t size) {
  size_t len = 0;
  for (const unsigned char *p = (const unsigned char *)name; *p && len + 6 < size;) {
    if (isalnum(*p) || *p == '_') {
      out[len++] = (char)*p++;
      continue;
    }
    unsigned u = *p++;
    if (u >= 0xE0) {
      u = (u & 0x0F) << 12 | (p[0] & 0x3Fu) << 6 | (p[0] ? p[1] & 0x3Fu : 0);
      p += p[0] ? (p[1] ? 2 : 1) : 0;
    } else if (u >= 0xC0) {
      u = (u & 0x1F) << 6 | (p[0] & 0x3Fu);
      p += p[0] ? 1 : 0;
    }
    len += (size_t)snprintf(out + len, size - len, "@%04x", u & 0xFFFF);
  }
  out[len] = '\0';
}

int64_t filestats_size(const struct server *v, const struct database *d) {
  static const char *const own[] = {"ibdata", "ibtmp", "undo", NULL};
  char folder[800], path[1400];
  if (d->id == 2)
    return folder_bytes(AT_FDCWD, engine_data(v->engine), own);
  encode(d->id == 1 ? "mysql" : d->name, folder, sizeof folder);
  snprintf(path, sizeof path, "%s/%s", engine_data(v->engine), folder);
  return folder_bytes(AT_FDCWD, path, NULL);
}

int64_t filestats_log_size(const struct server *v) {
  static const char *const log[] = {"ib_logfile", NULL};
  return folder_bytes(AT_FDCWD, engine_data(v->engine), log);
}
