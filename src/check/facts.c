/* Reading the facts.  A statement that fails leaves its group absent, with the reason; a lost connection ends it all. */
#include "config.h"

#include "base/text.h"
#include "check/check.h"
#include "knob/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_text(char *to, size_t size, const struct val *v) {
  snprintf(to, size, "%s", v->type == VAL_TEXT ? v->p : "");
}
#define TAKE(field, v) take_text(f->field, sizeof f->field, v)

static int64_t num(const struct val *v) {
  return v->type == VAL_INT ? v->i : CHECK_UNKNOWN;
}

/* Add to a list in a fixed buffer; what does not fit is left out with dots. */
static void list_add(char *list, size_t size, const char *item, int64_t count) {
  size_t n = strlen(list);
  char text[260];
  if (count > 0)
    snprintf(text, sizeof text, "%s%s (%lld)", n ? ", " : "", item, (long long)count);
  else
    snprintf(text, sizeof text, "%s%s", n ? ", " : "", item);
  if (n + strlen(text) + 5 < size)
    strcpy(list + n, text);
  else if (n + 5 < size && strcmp(list + n - 3, "...") != 0)
    strcpy(list + n, " ...");
}

static int on_identity(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  TAKE(server_name, &v[0]);
  TAKE(node, &v[1]);
  f->engine_edition = num(&v[2]);
  TAKE(edition, &v[3]);
  TAKE(version, &v[4]);
  f->clustered = num(&v[5]);
  f->hadr = num(&v[6]);
  TAKE(platform, &v[10]);
  f->scale = num(&v[11]);
  return 0;
}

static int on_settings(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->max_mib = num(&v[1]);
  f->max_in_use_mib = num(&v[2]);
  f->min_mib = num(&v[3]);
  f->min_in_use_mib = num(&v[4]);
  f->advanced = num(&v[5]);
  return 0;
}

static int on_rights(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->may_set = num(&v[0]);
  f->may_view = num(&v[1]);
  f->may_view_performance = num(&v[2]);
  f->may_create = num(&v[4]);
  f->set_by_procedure = num(&v[6]);
  return 0;
}

static int on_memory(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->committed_kib = num(&v[0]);
  f->target_kib = num(&v[1]);
  f->physical_kib = num(&v[2]);
  f->memory_low = num(&v[6]);
  return 0;
}

static int on_model(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->memory_model = num(&v[0]);
  f->large_pages_kib = num(&v[1]);
  f->locked_pages_kib = num(&v[2]);
  return 0;
}

static int on_tiers(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->bpe_state = num(&v[0]);
  f->hybrid = num(&v[1]);
  return 0;
}

static int on_clerks(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->xtp_kib = num(&v[0]);
  f->columnstore_kib = num(&v[1]);
  return 0;
}

static int on_governor(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  TAKE(pool, &v[0]);
  f->pool_max_cpu = num(&v[1]);
  f->pool_cap_cpu = num(&v[2]);
  f->pool_max_memory = num(&v[3]);
  f->pool_max_iops = num(&v[4]);
  return 0;
}

static int on_pending(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->pending_n++;
  list_add(f->pending_names, sizeof f->pending_names, v[0].p, 0);
  return 0;
}

static int on_counter(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  if (v[0].type != VAL_TEXT || v[1].type != VAL_TEXT)
    return 0;
  f->counter_rows++;
  if (strcmp(v[0].p, "Memory Manager") == 0 && strcmp(v[1].p, "Stolen Server Memory (KB)") == 0)
    f->stolen_kib = num(&v[3]);
  return 0;
}

static int on_link(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  TAKE(encrypted, &v[0]);
  TAKE(auth, &v[1]);
  TAKE(listener, &v[2]);
  return 0;
}

static int on_database(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->database_exists = 1;
  TAKE(database_state, &v[2]);
  TAKE(database_recovery, &v[3]);
  f->database_level = num(&v[4]);
  f->database_rcsi = num(&v[5]);
  f->database_read_only = num(&v[7]);
  TAKE(replica, &v[8]);
  return 0;
}

static int on_size(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->data_bytes = num(&v[0]);
  f->log_bytes = num(&v[1]);
  f->used_bytes = num(&v[2]);
  return 0;
}

static int on_load(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->load_exists = 1;
  TAKE(load_mix, &v[0]);
  f->load_scale = num(&v[2]);
  f->load_complete = num(&v[5]);
  TAKE(load_at, &v[10]);
  return 0;
}

static int on_volume(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  if (strcmp(v[0].p, "ROWS") != 0)
    return 0;
  if (f->free_bytes == CHECK_UNKNOWN || v[4].i < f->free_bytes)
    f->free_bytes = v[4].i;
  TAKE(file_system, &v[2]);
  return 0;
}

static int on_session(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  int host = v[1].type == VAL_TEXT && v[1].len > 0, program = v[2].type == VAL_TEXT && v[2].len > 0;
  f->sessions_n += v[3].i;
  char who[300];
  snprintf(who, sizeof who, "%.60s%s%.60s%s%.60s", v[0].p, host ? " from " : "", host ? v[1].p : "", program ? " with " : "",
           program ? v[2].p : "");
  list_add(f->sessions_text, sizeof f->sessions_text, who, v[3].i);
  return 0;
}

static int on_request(void *arg, int result, const struct val *v, int n) {
  struct check_facts *f = arg;
  (void)result, (void)n;
  f->requests_n += v[1].i;
  list_add(f->requests_text, sizeof f->requests_text, v[0].p, v[1].i);
  return 0;
}

static int on_lock(void *arg, int result, const struct val *v, int n) {
  (void)result, (void)n;
  ((struct check_facts *)arg)->lock_free = num(&v[0]);
  return 0;
}

/* 0 when the connection still stands, whether there was an answer or not. */
static int ask(struct conn *conn, struct check_part *part, const char *tag, const char *param, row_fn *fn, struct check_facts *f, struct cause *c) {
  struct cause why = {0};
  const struct val v = VAL_T(param ? param : "");
  if (conn_query(conn, tag, param ? &v : NULL, param != NULL, fn, f, &why) == 0) {
    part->have = 1;
    return 0;
  }
  if (conn_lost(conn)) {
    if (c)
      *c = why;
    return -1;
  }
  snprintf(part->why, sizeof part->why, "%.239s", why.text);
  return 0;
}

/* An unfinished journal of this host for that instance. */
static void find_journal(struct check_facts *f) {
  if (!f->server_name[0])
    return;
  char *path = journal_path(f->server_name, NULL);
  if (path && access(path, F_OK) == 0)
    snprintf(f->journal, sizeof f->journal, "%s", path);
  free(path);
}

static int read_database(const struct check_plan *plan, struct check_facts *f) {
  struct target t;
  struct conn *db = NULL;
  struct cause why = {0};
  target_copy(&t, plan->target);
  free(t.database);
  t.database = xstrdup(plan->database);
  int rc = conn_open(&db, &t, &why);
  target_free(&t);
  if (rc != 0) {
    snprintf(f->load.why, sizeof f->load.why, "%.239s", why.text);
    f->size = f->volumes = f->load;
    return 0;
  }
  struct journal row = {0};
  rc = ask(db, &f->load, "server/load_read", NULL, on_load, f, &why) != 0 || ask(db, &f->size, "server/database_size", NULL, on_size, f, &why) != 0 ||
       ask(db, &f->volumes, "server/volumes", NULL, on_volume, f, &why) != 0;
  if (rc == 0 && f->load_exists && journal_row_read(db, &row, &why) == 0)
    f->server_journal = 1;
  journal_free(&row);
  conn_close(db);
  return 0;
}

static void forget(struct check_facts *f) {
  memset(f, 0, sizeof *f);
  int64_t *const unknown[] = {
    &f->engine_edition, &f->clustered, &f->hadr, &f->scale, &f->max_mib, &f->max_in_use_mib, &f->min_mib, &f->min_in_use_mib, &f->advanced,
    &f->may_set, &f->may_view, &f->may_view_performance, &f->may_create, &f->set_by_procedure,
    &f->physical_kib, &f->committed_kib, &f->target_kib, &f->memory_low,
    &f->memory_model, &f->large_pages_kib, &f->locked_pages_kib, &f->bpe_state, &f->hybrid, &f->xtp_kib, &f->columnstore_kib, &f->pool_max_cpu,
    &f->pool_cap_cpu, &f->pool_max_memory, &f->pool_max_iops, &f->stolen_kib, &f->database_read_only, &f->database_level, &f->database_rcsi,
    &f->data_bytes, &f->log_bytes, &f->used_bytes, &f->load_complete, &f->load_scale, &f->free_bytes, &f->lock_free,
  };
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    *unknown[i] = CHECK_UNKNOWN;
}

int check_read(struct conn *conn, const struct check_plan *plan, struct check_facts *f, struct cause *c) {
  forget(f);
  const struct {
    struct check_part *part;
    const char *tag, *param;
    row_fn *fn;
  } questions[] = {
    {&f->identity, "server/identity", NULL, on_identity},
    {&f->settings, "server/settings", NULL, on_settings},
    {&f->rights, "server/rights", NULL, on_rights},
    {&f->memory, "server/reached", NULL, on_memory},
    {&f->model, "server/memory_model", NULL, on_model},
    {&f->tiers, "server/tiers", NULL, on_tiers},
    {&f->clerks, "server/clerks", NULL, on_clerks},
    {&f->governor, "server/governor", NULL, on_governor},
    {&f->pending, "server/pending", NULL, on_pending},
    {&f->counters, "server/counters", plan->database ? plan->database : "master", on_counter},
    {&f->link, "server/link", NULL, on_link},
    {&f->sessions, "server/sessions", NULL, on_session},
    {&f->requests, "server/others", NULL, on_request},
    {&f->lock, "server/lock_test", NULL, on_lock},
    {&f->database, "server/database", plan->database, on_database},
  };
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    if (questions[i].part == &f->database && !plan->database)
      continue;
    if (ask(conn, questions[i].part, questions[i].tag, questions[i].param, questions[i].fn, f, c) != 0)
      return -1;
  }
  find_journal(f);
  return f->database_exists && strcmp(f->database_state, "ONLINE") == 0 ? read_database(plan, f) : 0;
}
