/* One sample of the server, made of the rows of four statements. */
#include "config.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "sample/inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  NUMBER_32 = 65536,        /* a gauge, or a total that is shown as it is */
  NUMBER = 65792,
  PER_SECOND_32 = 272696320, /* despite the name a cumulative count */
  PER_SECOND = 272696576,
  RATIO = 537003264,        /* over its base, now */
  RATIO_BASE = 1073939712,
};

static const struct counter {
  const char *object, *name;
  size_t offset;
} counters[] = {
#define AT(field) offsetof(struct server_sample, field)
    {"Buffer Manager", "Page lookups/sec", AT(page_lookups)},
    {"Buffer Manager", "Page reads/sec", AT(page_reads)},
    {"Buffer Manager", "Page writes/sec", AT(page_writes)},
    {"Buffer Manager", "Readahead pages/sec", AT(readahead_pages)},
    {"Buffer Manager", "Lazy writes/sec", AT(lazy_writes)},
    {"Buffer Manager", "Checkpoint pages/sec", AT(checkpoint_pages)},
    {"Buffer Manager", "Background writer pages/sec", AT(background_writer_pages)},
    {"Buffer Manager", "Free list stalls/sec", AT(free_list_stalls)},
    {"Buffer Manager", "Page life expectancy", AT(page_life_expectancy_s)},
    {"Buffer Manager", "Database pages", AT(database_pages)},
    {"Buffer Manager", "Target pages", AT(target_pages)},
    {"Memory Manager", "Target Server Memory (KB)", AT(target_memory_kb)},
    {"Memory Manager", "Total Server Memory (KB)", AT(total_memory_kb)},
    {"Memory Manager", "Database Cache Memory (KB)", AT(database_cache_kb)},
    {"Memory Manager", "Stolen Server Memory (KB)", AT(stolen_memory_kb)},
    {"Memory Manager", "Free Memory (KB)", AT(free_memory_kb)},
    {"Memory Manager", "Memory Grants Pending", AT(grants_pending)},
    {"Memory Manager", "Memory Grants Outstanding", AT(grants_outstanding)},
    {"SQL Statistics", "Batch Requests/sec", AT(batch_requests)},
    {"SQL Statistics", "SQL Compilations/sec", AT(compilations)},
    {"Databases", "Transactions/sec", AT(transactions)},
    {"Databases", "Log Flushes/sec", AT(log_flushes)},
    {"Databases", "Log Bytes Flushed/sec", AT(log_bytes_flushed)},
    {"Databases", "Log Flush Wait Time", AT(log_flush_wait_ms)},
    {"Databases", "Log Growths", AT(log_growths)},
    {"Databases", "Percent Log Used", AT(log_used_percent)},
#undef AT
};

static int is(const struct val *v, const char *text) {
  return v->type == VAL_TEXT && strcasecmp(v->p, text) == 0;
}

static int64_t int_of(const struct val *v) {
  return v->type == VAL_INT ? v->i : ABSENT;
}

/* A type that a name does not go with is something else of that name. */
static int type_fits(const char *name, int64_t type) {
  size_t n = strlen(name);
  int per_second = n > 4 && strcmp(name + n - 4, "/sec") == 0;
  return per_second ? type == PER_SECOND || type == PER_SECOND_32 : type == NUMBER || type == NUMBER_32;
}

int sample_counter_row(void *arg, int result, const struct val *col, int ncol) {
  struct counter_rows *r = arg;
  enum { OBJ, CNT, INST, VALUE, TYPE };
  (void)result, (void)ncol;
  const int64_t value = int_of(&col[VALUE]), type = int_of(&col[TYPE]);
  if (is(&col[OBJ], "Buffer Manager") && is(&col[CNT], "Buffer cache hit ratio") && type == RATIO)
    r->hits = value;
  if (is(&col[OBJ], "Buffer Manager") && is(&col[CNT], "Buffer cache hit ratio base") && type == RATIO_BASE)
    r->hits_base = value;
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
    if (is(&col[OBJ], counters[i].object) && is(&col[CNT], counters[i].name) && type_fits(counters[i].name, type))
      memcpy((char *)r->sample + counters[i].offset, &value, sizeof value);
  return 0;
}

void sample_counters_end(struct counter_rows *r) {
  if (r->hits != ABSENT && r->hits_base != ABSENT && r->hits_base > 0 && r->hits >= 0)
    r->sample->cache_hit_ppm = (int64_t)(1e6 * (double)r->hits / (double)r->hits_base);
}

static void add(int64_t *sum, const struct val *v) {
  int64_t n = int_of(v);
  if (n != ABSENT)
    *sum = (*sum == ABSENT ? 0 : *sum) + n;
}

int sample_file_row(void *arg, int result, const struct val *col, int ncol) {
  struct server_sample *s = arg;
  enum { DATABASE, FILE_ID, IS_LOG, READS, READ_BYTES, READ_MS, WRITES, WRITE_BYTES, WRITE_MS, SIZE };
  enum { TEMPDB = 2 };
  (void)result, (void)ncol;
  if (int_of(&col[DATABASE]) == TEMPDB) {
    add(&s->tempdb_read_bytes, &col[READ_BYTES]);
    add(&s->tempdb_write_bytes, &col[WRITE_BYTES]);
  } else if (int_of(&col[IS_LOG]) == 1) {
    add(&s->log_writes, &col[WRITES]);
    add(&s->log_write_bytes, &col[WRITE_BYTES]);
    add(&s->log_write_stall_ms, &col[WRITE_MS]);
  } else {
    add(&s->data_reads, &col[READS]);
    add(&s->data_read_bytes, &col[READ_BYTES]);
    add(&s->data_read_stall_ms, &col[READ_MS]);
    add(&s->data_writes, &col[WRITES]);
    add(&s->data_write_bytes, &col[WRITE_BYTES]);
    add(&s->data_write_stall_ms, &col[WRITE_MS]);
    add(&s->data_size_bytes, &col[SIZE]);
  }
  return 0;
}

int sample_cpu_row(void *arg, int result, const struct val *col, int ncol) {
  struct server_sample *s = arg;
  enum { CPU_MS, MS_TICKS, SCHEDULERS, START_TICKS, MEMORY_LOW };
  (void)result, (void)ncol;
  s->cpu_ms = int_of(&col[CPU_MS]);
  s->schedulers = int_of(&col[SCHEDULERS]);
  s->start_ticks = int_of(&col[START_TICKS]);
  s->process_memory_low = int_of(&col[MEMORY_LOW]);
  return 0;
}

int sample_grants_row(void *arg, int result, const struct val *col, int ncol) {
  struct server_sample *s = arg;
  enum { OTHERS, OTHERS_WAIT_MS };
  (void)result, (void)ncol;
  s->grants_pending_others = int_of(&col[OTHERS]);
  s->grants_wait_others_ms = int_of(&col[OTHERS_WAIT_MS]);
  return 0;
}

void sample_clear(struct server_sample *s) {
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  const int64_t absent = ABSENT;
  for (size_t i = 0; i < n; i++)
    memcpy((char *)s + f[i].offset, &absent, sizeof absent);
}

/* A statement that the server refuses (a missing right, a column that this version does not have) leaves its fields ABSENT; one that it
 * had no memory for is told as well. */
static int ask(struct conn *conn, const char *tag, const struct val *param, int n, row_fn *fn, void *arg, struct cause *c) {
  struct cause refused;
  if (conn_query(conn, tag, param, n, fn, arg, &refused) == 0)
    return 0;
  int lost = conn_lost(conn);
  if (lost || server_message_starved(refused.number))
    *c = refused;
  return lost ? -1 : 0;
}

const char *sample_scope_counters(const struct sample_scope *scope) {
  return scope->whole ? "_Total" : scope->database;
}

int sample_take(struct conn *conn, const char *database, int64_t run_start_ns, struct server_sample *s, struct cause *c) {
  const struct sample_scope scope = {.database = database};
  return sample_take_scope(conn, &scope, run_start_ns, s, c);
}

int sample_take_scope(struct conn *conn, const struct sample_scope *scope, int64_t run_start_ns, struct server_sample *s, struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  cause_clear(c);
  sample_clear(s);
  /* The files come first and give the sample its time: reads a second is what everything turns on. */
  const int64_t before = mono_ns();
  if (ask(conn, scope->whole ? "server/files_whole" : "server/files", NULL, 0, sample_file_row, s, c) != 0)
    return -1;
  s->at_ns = (before + mono_ns()) / 2 - run_start_ns;
  struct counter_rows r = {.sample = s, .hits = ABSENT, .hits_base = ABSENT};
  const struct val db = VAL_T(sample_scope_counters(scope));
  if (ask(conn, "server/counters", &db, 1, sample_counter_row, &r, c) != 0)
    return -1;
  sample_counters_end(&r);
  if (ask(conn, "server/cpu", NULL, 0, sample_cpu_row, s, c) != 0)
    return -1;
  return ask(conn, "server/grants", NULL, 0, sample_grants_row, s, c);
}

/* ---- waits ---- */

struct waits {
  struct wait_row *row;
  size_t n;
};

static int wait_row(void *arg, int result, const struct val *col, int ncol) {
  struct waits *w = arg;
  enum { TYPE, TASKS, WAIT_MS, SIGNAL_MS };
  (void)result, (void)ncol;
  struct wait_row r = {.tasks = int_of(&col[TASKS]), .wait_ms = int_of(&col[WAIT_MS]), .signal_ms = int_of(&col[SIGNAL_MS])};
  if (col[TYPE].type != VAL_TEXT || !col[TYPE].p[0] || (size_t)col[TYPE].len >= sizeof r.type)
    return 0;
  memcpy(r.type, col[TYPE].p, (size_t)col[TYPE].len);
  w->row = xrealloc(w->row, w->n + 1, sizeof *w->row);
  w->row[w->n++] = r;
  return 0;
}

int sample_waits(struct conn *conn, struct wait_row **row, size_t *n, struct cause *c) {
  struct waits w = {0};
  int rc = conn_query(conn, "server/waits", NULL, 0, wait_row, &w, c);
  if (rc != 0) {
    free(w.row);
    w = (struct waits){0};
  }
  *row = w.row;
  *n = w.n;
  return rc;
}
