#include "config.h"

#include "sandbox/facts_own.h"
#include "sandbox/filestats.h"
#include "sandbox/property.h"
#include "sandbox/rows.h"
#include "sandbox/session_private.h"
#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

void facts_settings(struct server *v, struct text *script) {
  struct rows r = {.table = "configurations"};
  for (int i = 0; i < SET_COUNT; i++) {
    struct setting o = settings_at(v->settings, i);
    rows_open(&r);
    rows_int(&r, o.id);
    rows_text(&r, o.name);
    rows_int(&r, o.value);
    rows_int(&r, o.min);
    rows_int(&r, o.max);
    rows_int(&r, o.in_use);
    rows_text(&r, o.description);
    rows_int(&r, 1);
    rows_int(&r, o.advanced);
  }
  rows_put(&r, script);
}

void facts_databases(struct server *v, struct text *script) {
  struct rows d = {.table = "databases"}, m = {.table = "master_files"};
  char path[600], file[150];
  int64_t log_pages = filestats_log_size(v) / ENGINE_PAGE;
  struct text ids = {0};
  pthread_mutex_lock(&v->lock);
  for (const struct database *b = v->databases; b; b = b->next) {
    if (b->dropped)
      continue;
    text_addf(&ids, "%s%d", ids.len ? ", " : "", b->id);
    rows_open(&d);
    rows_text(&d, b->name);
    rows_int(&d, b->id);
    rows_int(&d, b->compatibility);
    rows_int(&d, 0);
    rows_text(&d, "ONLINE");
    rows_text(&d, "SIMPLE");   /* the engine's log is always used again */
    rows_int(&d, 1);           /* and its reads are always of row versions */
    rows_text(&d, "CHECKSUM");
    rows_open(&m);
    rows_int(&m, b->id);
    rows_int(&m, 1);
    rows_int(&m, 0);
    rows_text(&m, "ROWS");
    rows_text(&m, b->name);
    snprintf(path, sizeof path, "%.400s/%s", engine_data(v->engine), b->name);
    rows_text(&m, path);
    rows_text(&m, "ONLINE");
    rows_int(&m, filestats_size(v, b) / ENGINE_PAGE * SERVER_SCALE);
    rows_open(&m);
    rows_int(&m, b->id);
    rows_int(&m, 2);
    rows_int(&m, 1);
    rows_text(&m, "LOG");
    snprintf(file, sizeof file, "%s_log", b->name);
    rows_text(&m, file);
    snprintf(path, sizeof path, "%.400s/ib_logfile0", engine_data(v->engine));
    rows_text(&m, path);
    rows_text(&m, "ONLINE");
    rows_int(&m, log_pages * SERVER_SCALE);
  }
  pthread_mutex_unlock(&v->lock);
  rows_put(&d, script);
  rows_put(&m, script);
  text_addf(script, "DELETE FROM sys.databases WHERE database_id NOT IN (%s);\nDELETE FROM sys.master_files WHERE database_id NOT IN (%s);\n",
            ids.s, ids.s);
  text_free(&ids);
}

void facts_sessions(struct server *v, struct text *script) {
  struct rows s = {.table = "dm_exec_sessions"}, q = {.table = "dm_exec_requests"};
  struct text ids = {0}, running = {0};
  char at[40];
  text_add(&ids, "DELETE FROM sys.dm_exec_sessions WHERE session_id NOT IN (-1");
  text_add(&running, "DELETE FROM sys.dm_exec_requests WHERE session_id NOT IN (-1");
  pthread_mutex_lock(&v->lock);
  for (struct session *x = v->sessions; x; x = x->next) {
    pthread_mutex_lock(&x->flight_lock);
    int busy = x->flight != NULL;
    int64_t since = x->flight_ns;
    pthread_mutex_unlock(&x->flight_lock);
    time_t t = (time_t)(x->since_ms / 1000);
    struct tm tm;
    strftime(at, sizeof at, "%Y-%m-%d %H:%M:%S", localtime_r(&t, &tm));
    text_addf(&ids, ", %d", x->login.spid);
    rows_open(&s);
    rows_int(&s, x->login.spid);
    rows_text(&s, at);
    rows_text(&s, x->login.host);
    rows_text(&s, x->login.app);
    rows_text(&s, x->login.user);
    rows_text(&s, busy ? "running" : "sleeping");
    rows_int(&s, 1);
    rows_int(&s, x->database_id);
    rows_int(&s, x->trancount);
    if (busy) {
      text_addf(&running, ", %d", x->login.spid);
      rows_open(&q);
      rows_int(&q, x->login.spid);
      rows_text(&q, "running");
      rows_text(&q, "EXECUTE");
      rows_int(&q, x->database_id);
      rows_int(&q, (mono_ns() - since) / NS_PER_MS);
    }
  }
  pthread_mutex_unlock(&v->lock);
  rows_put(&s, script);
  rows_put(&q, script);
  text_addf(script, "%s);\n%s);\n", ids.s, running.s);
  text_free(&ids);
  text_free(&running);
}

void facts_properties(struct server *v, struct text *script) {
  struct rows r = {.table = "rk_property"};
  for (int i = 0; property_name(i); i++) {
    char buf[200];
    int number;
    rows_open(&r);
    rows_text(&r, property_name(i));
    rows_text(&r, property_value(v, property_name(i), &number, buf, sizeof buf));
  }
  rows_put(&r, script);
}

int facts_volume(struct server *v, struct text *script, struct cause *c) {
  static const struct { long magic; const char *name; } kinds[] = {
    {0xEF53, "ext4"}, {0x58465342, "xfs"}, {0x9123683E, "btrfs"}, {0x794C7630, "overlay"}, {0x2FC12FC1, "zfs"}, {0x6969, "nfs"},
  };
  struct rows r = {.table = "dm_os_volume_stats"};
  struct statfs s;
  const char *kind = "other";
  if (statfs(v->folder, &s) != 0)
    return cause_errno(c, 0, errno, "cannot look at %s", v->folder);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((long)s.f_type == kinds[i].magic)
      kind = kinds[i].name;
  rows_open(&r);
  rows_text(&r, v->folder);
  rows_text(&r, kind);
  rows_int(&r, (int64_t)s.f_blocks * (int64_t)s.f_frsize * SERVER_SCALE);
  rows_int(&r, (int64_t)s.f_bavail * (int64_t)s.f_frsize * SERVER_SCALE);
  rows_put(&r, script);
  return 0;
}

void facts_schedulers(struct text *script) {
  struct rows r = {.table = "dm_os_schedulers"};
  int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int i = 0; i < cpus; i++) {
    rows_open(&r);
    rows_int(&r, i);
    rows_int(&r, i);
    rows_text(&r, "VISIBLE ONLINE");
    rows_int(&r, 1);
  }
  rows_put(&r, script);
}
