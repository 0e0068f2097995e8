#include "config.h"

#include "sandbox/facts.h"
#include "sandbox/facts_own.h"
#include "sandbox/filestats.h"
#include "sandbox/rows.h"
#include "sandbox/session_private.h"
#include "base/clock.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

/* cntr_type: a gauge, a cumulative count, a ratio and its base. */
enum { GAUGE = 65792, CUMULATIVE = 272696576, RATIO = 537003264, BASE = 1073939712 };

/* The engine's status that the views draw from: SHOW GLOBAL STATUS LIKE 'innodb%'. */
struct innodb {
  int64_t lookups, misses, pages_read, read_ahead, pages_written, lru_flushed, list_flushed, evicted, wait_free;
  int64_t pages_data, pages_free, pages_total;
  int64_t log_writes, log_bytes, lock_waits, lock_ms;
};
static const struct { const char *name; size_t offset; } status_names[] = {
  {"Innodb_buffer_pool_read_requests", offsetof(struct innodb, lookups)},
  {"Innodb_buffer_pool_reads", offsetof(struct innodb, misses)},
  {"Innodb_pages_read", offsetof(struct innodb, pages_read)},
  {"Innodb_buffer_pool_read_ahead", offsetof(struct innodb, read_ahead)},
  {"Innodb_pages_written", offsetof(struct innodb, pages_written)},
  {"Innodb_buffer_pool_pages_lru_flushed", offsetof(struct innodb, lru_flushed)},
  {"Innodb_buffer_pool_pages_flushed", offsetof(struct innodb, list_flushed)},
  {"Innodb_buffer_pool_pages_lru_freed", offsetof(struct innodb, evicted)},
  {"Innodb_buffer_pool_wait_free", offsetof(struct innodb, wait_free)},
  {"Innodb_buffer_pool_pages_data", offsetof(struct innodb, pages_data)},
  {"Innodb_buffer_pool_pages_free", offsetof(struct innodb, pages_free)},
  {"Innodb_buffer_pool_pages_total", offsetof(struct innodb, pages_total)},
  {"Innodb_log_writes", offsetof(struct innodb, log_writes)},
  {"Innodb_os_log_written", offsetof(struct innodb, log_bytes)},
  {"Innodb_row_lock_waits", offsetof(struct innodb, lock_waits)},
  {"Innodb_row_lock_time", offsetof(struct innodb, lock_ms)},
};

/* The engine's process. */
struct process {
  int64_t rss_kib, user_ms, kernel_ms;
};

struct facts {
  pthread_mutex_t lock;
  struct filestats *files;
  /* For the two figures that need an interval: the last status, when it was read, and what came out. */
  struct innodb last;
  int64_t last_ns;
  int64_t hits, hits_base;
  double evictions_s;        /* per second, smoothed over some seconds */
  int64_t young_ns;          /* no page can be older: the start, or the last change of the pool's size */
  int64_t pool_pages;
  int schedulers;            /* their table is filled */
};

struct facts *facts_new(void) {
  struct facts *f = xcalloc(1, sizeof *f);
  pthread_mutex_init(&f->lock, NULL);
  f->files = filestats_new();
  f->young_ns = f->last_ns = mono_ns();
  f->hits = f->hits_base = 1;
  return f;
}

void facts_free(struct facts *f) {
  if (!f)
    return;
  pthread_mutex_destroy(&f->lock);
  filestats_free(f->files);
  free(f);
}

int facts_make(struct engine_conn *k, struct cause *c) {
  const struct embed *e = embed_find("sql/sandbox/engine/schema.sql");
  return e ? engine_run(k, (const char *)e->data, c)
           : cause_set(c, STATUS_SETUP, "sql/sandbox/engine/schema.sql is not built in");
}

/* ---- which tables a statement reads ---- */

unsigned facts_needed(const char *sql) {
  static const struct { const char *name; unsigned need; } of[] = {
    {"configurations", FACT_SETTINGS},
    {"dm_os_performance_counters", FACT_COUNTERS},
    {"dm_io_virtual_file_stats", FACT_FILES},
    {"dm_os_sys_info", FACT_MEMORY},
    {"dm_os_process_memory", FACT_MEMORY},
    {"dm_os_sys_memory", FACT_MEMORY},
    {"dm_os_schedulers", FACT_SCHEDULERS},
    {"rk_property", FACT_SERVER},
    {"dm_os_volume_stats", FACT_SERVER},
    {"dm_os_wait_stats", FACT_WAITS},
    {"databases", FACT_DATABASES},
    {"master_files", FACT_DATABASES},
    {"database_files", FACT_DATABASES},
    {"dm_exec_sessions", FACT_SESSIONS},
    {"dm_exec_requests", FACT_SESSIONS},
  };
  unsigned need = 0;
  for (const char *p = sql; (p = strcasestr(p, "sys.")); p += 4) {
    size_t n = strspn(p + 4, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
      if (strlen(of[i].name) == n && strncasecmp(of[i].name, p + 4, n) == 0)
        need |= of[i].need;
  }
  return need;
}

/* ---- reading ---- */

static int read_status(struct engine_conn *k, struct innodb *s, struct cause *c) {
  static const char sql[] = "SHOW GLOBAL STATUS LIKE 'innodb%'";
  memset(s, 0, sizeof *s);
  MYSQL_RES *r = mysql_real_query(k->my, sql, sizeof sql - 1) == 0 ? mysql_store_result(k->my) : NULL;
  if (!r) {
    cause_set(c, 0, "the storage engine said: %s", mysql_error(k->my));
    return -1;
  }
  for (MYSQL_ROW row; (row = mysql_fetch_row(r));)
    for (size_t i = 0; i < sizeof status_names / sizeof *status_names; i++)
      if (row[1] && strcasecmp(row[0], status_names[i].name) == 0)
        *(int64_t *)((char *)s + status_names[i].offset) = strtoll(row[1], NULL, 10);
  mysql_free_result(r);
  return 0;
}

static void read_process(pid_t pid, struct process *p) {
  char path[64], *text;
  size_t size;
  memset(p, 0, sizeof *p);
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (file_read(path, 4096, &text, &size, NULL) != 0)
    return;
  const char *rest = strrchr(text, ')');
  unsigned long user, kernel;
  long rss;
  if (rest && sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u %*u %ld", &user,
                     &kernel, &rss) == 3) {
    long hz = sysconf(_SC_CLK_TCK);
    p->user_ms = (int64_t)user * 1000 / hz;
    p->kernel_ms = (int64_t)kernel * 1000 / hz;
    p->rss_kib = (int64_t)rss * sysconf(_SC_PAGESIZE) / 1024;
  }
  free(text);
}

/* What needs an interval.  Hit ratio: of the last interval in which pages were looked up.  Page life expectancy, an estimate:
 * pages held over pages evicted a second, and never more than the time since the pool was made; SQL Server's own figure is an
 * estimate as well. */
static void note_status(struct facts *f, const struct innodb *s) {
  int64_t now = mono_ns(), lookups = s->lookups - f->last.lookups;
  double dt = (double)(now - f->last_ns) / 1e9, keep = dt < 60 ? 1 / (1 + dt / 5) : 0;
  if (lookups > 0) {
    f->hits_base = lookups;
    f->hits = lookups - (s->misses - f->last.misses);
    if (f->hits < 0)
      f->hits = 0;
  }
  if (s->pages_total != f->pool_pages) {
    f->pool_pages = s->pages_total;
    f->young_ns = now;
  }
  if (dt > 0) {
    f->evictions_s = keep * f->evictions_s + (1 - keep) * (double)(s->evicted - f->last.evicted) / dt;
    f->last = *s;
    f->last_ns = now;
  }
}

static int64_t page_life_s(const struct facts *f, const struct innodb *s) {
  double age = (double)(mono_ns() - f->young_ns) / 1e9;
  double life = f->evictions_s > 0 ? (double)s->pages_data / f->evictions_s : age;
  return (int64_t)(life < age ? life : age);
}

/* ---- writing ---- */

struct counter_rows {
  struct rows r;
  const struct persona *persona;
  int id;
};

static void add_counter(struct counter_rows *w, const char *object, const char *name, const char *instance, int64_t value,
                        int type) {
  char full[140];
  const char *named = w->persona->instance;
  snprintf(full, sizeof full, "%s%s:%s", named ? "MSSQL$" : "SQLServer", named ? named : "", object);
  rows_open(&w->r);
  rows_int(&w->r, ++w->id);
  rows_text(&w->r, w->persona->null_names ? NULL : full);
  rows_text(&w->r, w->persona->null_names ? NULL : name);
  rows_text(&w->r, w->persona->null_names ? NULL : instance);
  rows_int(&w->r, value);
  rows_int(&w->r, type);
}

/* The engine has one log for all databases: each shows the whole of it. */
static void add_database_counters(struct counter_rows *w, const struct innodb *s, const char *name, int64_t transactions) {
  int64_t growths = w->persona->busy ? transactions / 100 : 0;
  add_counter(w, "Databases", "Transactions/sec", name, transactions, CUMULATIVE);
  add_counter(w, "Databases", "Log Flushes/sec", name, s->log_writes, CUMULATIVE);
  add_counter(w, "Databases", "Log Bytes Flushed/sec", name, s->log_bytes, CUMULATIVE);
  add_counter(w, "Databases", "Log Growths", name, growths, GAUGE);
}

static int session_count(struct server *v) {
  int n = 0;
  for (const struct session *s = v->sessions; s; s = s->next)
    n++;
  return n;
}

static void fill_counters(struct server *v, const struct facts *f, const struct innodb *s, struct text *script) {
  static const char bm[] = "Buffer Manager", mm[] = "Memory Manager";
  struct counter_rows w = {
      .r = {.table = "dm_os_performance_counters (counter_id, object_name, counter_name, instance_name, cntr_value, cntr_type)"},
      .persona = v->persona};
  int64_t page = SERVER_SCALE, kb = SERVER_SCALE * ENGINE_PAGE / 1024;
  if (v->persona->no_counters)
    return;
  int64_t target = server_target_mib(v) * 1024;
  int64_t total = v->pool_reached / 1024 * SERVER_SCALE, data = s->pages_data * kb, free_kb = s->pages_free * kb;
  add_counter(&w, bm, "Buffer cache hit ratio", "", f->hits, RATIO);
  add_counter(&w, bm, "Buffer cache hit ratio base", "", f->hits_base, BASE);
  add_counter(&w, bm, "Page lookups/sec", "", s->lookups, CUMULATIVE);
  add_counter(&w, bm, "Page reads/sec", "", s->pages_read, CUMULATIVE);
  add_counter(&w, bm, "Page writes/sec", "", s->pages_written, CUMULATIVE);
  add_counter(&w, bm, "Readahead pages/sec", "", s->read_ahead, CUMULATIVE);
  add_counter(&w, bm, "Lazy writes/sec", "", s->lru_flushed, CUMULATIVE);
  add_counter(&w, bm, "Checkpoint pages/sec", "", s->list_flushed, CUMULATIVE);
  add_counter(&w, bm, "Free list stalls/sec", "", s->wait_free, CUMULATIVE);
  add_counter(&w, bm, "Database pages", "", s->pages_data * page, GAUGE);
  add_counter(&w, bm, "Target pages", "", target / 8, GAUGE);
  add_counter(&w, bm, "Page life expectancy", "", page_life_s(f, s), GAUGE);
  add_counter(&w, "Buffer Node", "Page life expectancy", "000", page_life_s(f, s), GAUGE);
  add_counter(&w, "Buffer Node", "Database pages", "000", s->pages_data * page, GAUGE);
  add_counter(&w, mm, "Target Server Memory (KB)", "", target, GAUGE);
  add_counter(&w, mm, "Total Server Memory (KB)", "", total, GAUGE);
  add_counter(&w, mm, "Database Cache Memory (KB)", "", data, GAUGE);
  add_counter(&w, mm, "Free Memory (KB)", "", free_kb, GAUGE);
  add_counter(&w, mm, "Stolen Server Memory (KB)", "", total > data + free_kb ? total - data - free_kb : 0, GAUGE);
  add_counter(&w, "SQL Statistics", "Batch Requests/sec", "", v->batches, CUMULATIVE);
  if (v->persona->busy) /* the engine does not count its plans */
    add_counter(&w, "SQL Statistics", "SQL Compilations/sec", "", v->batches / 2, CUMULATIVE);
  int64_t all = 0;
  pthread_mutex_lock(&v->lock);
  add_counter(&w, "General Statistics", "User Connections", "", session_count(v), GAUGE);
  for (const struct database *d = v->databases; d; d = d->next)
    all += d->transactions;
  add_database_counters(&w, s, "_Total", all);
  for (const struct database *d = v->databases; d; d = d->next)
    if (!d->dropped)
      add_database_counters(&w, s, d->name, d->transactions);
  pthread_mutex_unlock(&v->lock);
  rows_put(&w.r, script);
  text_addf(script, "DELETE FROM sys.dm_os_performance_counters WHERE counter_id > %d;\n", w.id);
}

static int64_t ticks_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_file(struct rows *r, int database, int file, const struct file_counts *n, int64_t bytes, int is_log) {
  rows_open(r);
  rows_int(r, database);
  rows_int(r, file);
  rows_int(r, ticks_ms());
  rows_int(r, n->reads);
  rows_int(r, n->read_bytes);
  rows_int(r, n->read_ps / 1000000000);
  rows_int(r, n->writes);
  rows_int(r, n->write_bytes);
  if (is_log && n->write_ps == 0)
    rows_text(r, NULL);
  else
    rows_int(r, n->write_ps / 1000000000);
  rows_int(r, (n->read_ps + n->write_ps) / 1000000000);
  rows_int(r, bytes * SERVER_SCALE);
}

static int fill_files(struct server *v, struct facts *f, struct engine_conn *k, struct text *script, struct cause *c) {
  struct rows r = {.table = "dm_io_virtual_file_stats"};
  struct innodb s;
  if (filestats_read(f->files, v, k, c) != 0)
    return -1;
  struct file_counts log = filestats_log(f->files);
  if (log.writes == 0) { /* this version does not time its log */
    if (read_status(k, &s, c) != 0)
      return -1;
    log.writes = s.log_writes;
    log.write_bytes = s.log_bytes;
  }
  int64_t log_size = filestats_log_size(v);
  pthread_mutex_lock(&v->lock);
  for (const struct database *d = v->databases; d; d = d->next) {
    if (d->dropped)
      continue;
    struct file_counts n = filestats_of(f->files, d->id);
    add_file(&r, d->id, 1, &n, filestats_size(v, d), 0);
    if (d->id > 4)
      add_file(&r, d->id, 2, &log, log_size, 1);
  }
  pthread_mutex_unlock(&v->lock);
  rows_put(&r, script);
  return 0;
}

static void fill_memory(struct server *v, struct text *script) {
  struct process p;
  struct rows info = {.table = "dm_os_sys_info"}, mem = {.table = "dm_os_process_memory"}, sys = {.table = "dm_os_sys_memory"};
  int64_t physical = v->physical_mib * 1024, started = server_started_ms(v), ago_ms = ticks_ms() - started;
  int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
  char at[40];
  read_process(engine_pid(v->engine), &p);
  time_t start = (time_t)(wall_ns() / NS_PER_S - ago_ms / 1000);
  struct tm tm;
  strftime(at, sizeof at, "%Y-%m-%d %H:%M:%S", localtime_r(&start, &tm));
  rows_open(&info);
  rows_int(&info, cpus);
  rows_int(&info, cpus);
  rows_int(&info, physical);
  rows_int(&info, v->pool_reached / 1024 * SERVER_SCALE);
  rows_int(&info, server_target_mib(v) * 1024);
  rows_int(&info, ticks_ms());
  rows_int(&info, started);
  rows_text(&info, at);
  rows_int(&info, p.kernel_ms);
  rows_int(&info, p.user_ms);
  rows_int(&info, cpus);
  rows_int(&info, v->persona->large_pages ? 3 : 1);
  rows_text(&info, v->persona->large_pages ? "LARGE_PAGES" : "CONVENTIONAL");
  rows_open(&mem);
  rows_int(&mem, p.rss_kib * SERVER_SCALE);
  rows_int(&mem, 0);
  rows_int(&mem, 0);
  rows_int(&mem, p.rss_kib * SERVER_SCALE);
  rows_int(&mem, v->persona->memory_low && persona_starved(v));
  rows_open(&sys);
  rows_int(&sys, physical);
  rows_int(&sys, physical > p.rss_kib * SERVER_SCALE ? physical - p.rss_kib * SERVER_SCALE : 0);
  rows_put(&info, script);
  rows_put(&mem, script);
  rows_put(&sys, script);
}

static void add_wait(struct rows *r, const char *type, int64_t tasks, int64_t ms) {
  rows_open(r);
  rows_text(r, type);
  rows_int(r, tasks);
  rows_int(r, ms);
  rows_text(r, NULL);
  rows_int(r, 0);
}

/* What the engine knows: waits for pages, for row locks, and for one of its own connections.  It does not time its log's writes.
 */
static int fill_waits(struct server *v, struct facts *f, const struct innodb *s, struct engine_conn *k, struct text *script,
                      struct cause *c) {
  struct rows r = {.table = "dm_os_wait_stats"};
  int64_t waits, wait_ns;
  if (filestats_read(f->files, v, k, c) != 0)
    return -1;
  struct file_counts all = filestats_of(f->files, 0), log = filestats_log(f->files);
  engine_waits(v->engine, &waits, &wait_ns);
  add_wait(&r, "PAGEIOLATCH_SH", all.reads, all.read_ps / 1000000000);
  add_wait(&r, "LCK_M_X", s->lock_waits, s->lock_ms);
  add_wait(&r, "THREADPOOL", waits, wait_ns / NS_PER_MS);
  if (log.writes > 0)
    add_wait(&r, "WRITELOG", log.writes, log.write_ps / 1000000000);
  rows_put(&r, script);
  return 0;
}

static int fill(struct server *v, struct engine_conn *k, unsigned need, struct text *script, struct cause *c) {
  struct facts *f = v->facts;
  struct innodb s = {0};
  if (need & (FACT_COUNTERS | FACT_WAITS)) {
    if (read_status(k, &s, c) != 0)
      return -1;
    note_status(f, &s);
  }
  if (need & FACT_SETTINGS)
    facts_settings(v, script);
  if (need & FACT_COUNTERS)
    fill_counters(v, f, &s, script);
  if (need & FACT_MEMORY)
    fill_memory(v, script);
  if (need & FACT_DATABASES)
    facts_databases(v, script);
  if (need & FACT_SESSIONS)
    facts_sessions(v, script);
  if (need & FACT_SCHEDULERS && !f->schedulers)
    facts_schedulers(script);
  if (need & FACT_SERVER)
    facts_properties(v, script);
  return (need & FACT_FILES && fill_files(v, f, k, script, c) != 0) || (need & FACT_WAITS && fill_waits(v, f, &s, k, script, c) != 0) ||
                 (need & FACT_SERVER && facts_volume(v, script, c) != 0)
             ? -1
             : 0;
}

int facts_refresh(struct server *v, struct engine_conn *k, unsigned need, struct cause *c) {
  struct text script = {0};
  pthread_mutex_lock(&v->facts->lock);
  int rc = fill(v, k, need, &script, c);
  if (rc == 0 && script.len)
    rc = engine_run(k, script.s, c);
  if (rc == 0 && need & FACT_SCHEDULERS)
    v->facts->schedulers = 1;
  pthread_mutex_unlock(&v->facts->lock);
  text_free(&script);
  return rc;
}
