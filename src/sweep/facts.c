#include "config.h"

#include "sweep/facts.h"
#include "base/text.h"
#include "base/units.h"
#include "mix/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINE_AZURE_DATABASE = 5, ENGINE_MANAGED_INSTANCE = 8 };

static void take_text(char *to, size_t size, const struct val *v) {
  snprintf(to, size, "%.*s", v->type == VAL_TEXT ? v->len : 0, v->type == VAL_TEXT ? v->p : "");
}

static int64_t int_or(const struct val *v, int64_t other) {
  return v->type == VAL_INT ? v->i : other;
}

/* ---- rows ---- */

struct reading {
  struct facts *f;
  int rows;
};

static int take_identity(void *arg, int result, const struct val *col, int ncol) {
  struct reading *r = arg;
  (void)result;
  (void)ncol;
  r->rows++;
  take_text(r->f->server, sizeof r->f->server, &col[0]);
  take_text(r->f->node, sizeof r->f->node, &col[1]);
  r->f->engine_edition = (int)int_or(&col[2], 0);
  take_text(r->f->edition, sizeof r->f->edition, &col[3]);
  take_text(r->f->version, sizeof r->f->version, &col[4]);
  take_text(r->f->platform, sizeof r->f->platform, &col[10]);
  r->f->scale = int_or(&col[11], 1);
  if (r->f->scale < 1)
    r->f->scale = 1;
  return 0;
}

static int take_reached(void *arg, int result, const struct val *col, int ncol) {
  struct reading *r = arg;
  (void)result;
  (void)ncol;
  r->rows++;
  r->f->committed_mib = col[0].i / 1024;
  r->f->physical_mib = col[2].i / 1024;
  r->f->start_ticks = col[3].i;
  r->f->cpus = col[8].i;
  return 0;
}

static int take_database(void *arg, int result, const struct val *col, int ncol) {
  struct reading *r = arg;
  (void)result;
  (void)ncol;
  r->rows++;
  take_text(r->f->database, sizeof r->f->database, &col[1]);
  take_text(r->f->recovery, sizeof r->f->recovery, &col[3]);
  r->f->database_level = int_or(&col[4], 0);
  r->f->rcsi = int_or(&col[5], 0) != 0;
  return 0;
}

static int take_size(void *arg, int result, const struct val *col, int ncol) {
  struct reading *r = arg;
  (void)result;
  (void)ncol;
  r->rows++;
  r->f->data_bytes = int_or(&col[0], 0);
  r->f->log_bytes = int_or(&col[1], 0);
  r->f->used_bytes = int_or(&col[2], 0);
  return 0;
}

static int one_row(struct facts *f, struct conn *conn, const char *tag, const struct val *v, int n, row_fn *fn, struct cause *c) {
  struct reading r = {.f = f};
  if (conn_query(conn, tag, v, n, fn, &r, c) != 0)
    return -1;
  return r.rows == 1 ? 0 : cause_set(c, STATUS_SETUP, "the server gave %d rows for %s, not one", r.rows, tag);
}

int facts_read(struct facts *f, struct conn *master, struct conn *db, const char *database, struct cause *c) {
  memset(f, 0, sizeof *f);
  struct val name = VAL_T(database);
  if (one_row(f, master, "server/identity", NULL, 0, take_identity, c) != 0 ||
      one_row(f, master, "server/reached", NULL, 0, take_reached, c) != 0 || knob_memory.read(master, &f->before, c) != 0 ||
      one_row(f, db, "server/database", &name, 1, take_database, c) != 0 ||
      one_row(f, db, "server/database_size", NULL, 0, take_size, c) != 0)
    return -1;
  return load_read(db, &f->load, c);
}

/* ---- refusals ---- */

static int take_may_set(void *arg, int result, const struct val *col, int ncol) {
  (void)result;
  (void)ncol;
  *(int *)arg = int_or(&col[0], 0) != 0;
  return 0;
}

static int take_pending(void *arg, int result, const struct val *col, int ncol) {
  struct text *t = arg;
  (void)result;
  (void)ncol;
  text_addf(t, "%s%.*s", t->len ? ", " : "", col[0].type == VAL_TEXT ? col[0].len : 0, col[0].p);
  return 0;
}

int facts_refuse(const struct facts *f, struct conn *master, struct cause *c) {
  if (f->engine_edition == ENGINE_AZURE_DATABASE || f->engine_edition == ENGINE_MANAGED_INSTANCE) {
    cause_set(c, STATUS_SETUP, "%s is a managed service, whose memory cannot be set", f->server);
    return cause_remedy(c, "sweep a SQL Server of your own with a copy of the workload");
  }
  int may_set = 0;
  if (conn_query(master, "server/rights", NULL, 0, take_may_set, &may_set, c) != 0)
    return -1;
  if (!may_set) {
    cause_set(c, STATUS_SETUP, "this login may not change max server memory");
    return cause_remedy(c, "GRANT ALTER SETTINGS TO [login], or use a login that has it");
  }
  struct text t = {0};
  int rc = conn_query(master, "server/pending", NULL, 0, take_pending, &t, c);
  if (rc == 0 && t.len) {
    cause_set(c, STATUS_SETUP, "options that somebody has changed wait for RECONFIGURE, which a sweep would install: %s", t.s);
    rc = cause_remedy(c, "have them installed or taken back first");
  }
  text_free(&t);
  return rc;
}

/* ---- uses ---- */

struct plan_facts facts_for_plan(const struct facts *f) {
  struct plan_facts p = {.physical_mib = f->physical_mib,
                         .edition_mib = edition_limit_mib(f->edition, f->version),
                         .scale = f->scale,
                         .data_bytes = f->used_bytes > 0 ? f->used_bytes : f->data_bytes,
                         /* The sandbox's engine needs a pool of 3 MiB. */
                         .least_mib = f->scale > 1 ? 3 * 1024 : MEMORY_LEAST_MIB};
  snprintf(p.edition, sizeof p.edition, "%s", f->edition);
  return p;
}

json_t *facts_server_json(const struct facts *f) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:I, s:I, s:I, s:I}", "name", f->server, "node", f->node, "version", f->version, "edition",
                   f->edition, "platform", f->platform, "engine_edition", f->engine_edition, "physical_memory_mib",
                   (json_int_t)f->physical_mib, "cpus", (json_int_t)f->cpus, "scale", (json_int_t)f->scale, "start_ticks",
                   (json_int_t)f->start_ticks);
}

json_t *facts_database_json(const struct facts *f) {
  const struct mix_load *l = &f->load;
  return json_pack("{s:s, s:s, s:I, s:f, s:I, s:b, s:I, s:I, s:I, s:s, s:I, s:b}", "name", f->database, "mix", l->mix, "scale",
                   (json_int_t)l->scale, "density", l->density, "seed", (json_int_t)l->seed, "stationary", l->stationary, "data_bytes",
                   (json_int_t)(f->used_bytes > 0 ? f->used_bytes : f->data_bytes), "file_bytes", (json_int_t)f->data_bytes, "log_bytes",
                   (json_int_t)f->log_bytes, "recovery_model", f->recovery, "compatibility_level", (json_int_t)f->database_level, "rcsi",
                   f->rcsi);
}

struct sessions {
  struct text t;
  int rows, max;
};

static int take_session(void *arg, int result, const struct val *col, int ncol) {
  struct sessions *s = arg;
  char program[130], login[130];
  (void)result;
  (void)ncol;
  take_text(login, sizeof login, &col[0]);
  take_text(program, sizeof program, &col[1]);
  if (++s->rows <= s->max)
    text_addf(&s->t, "%s%s (%s): %" PRId64, s->t.len ? "\n" : "", login, program[0] ? program : "no program name", col[2].i);
  return 0;
}

char *facts_sessions(struct conn *master, int max) {
  struct sessions s = {.max = max};
  if (conn_query(master, "server/sessions", NULL, 0, take_session, &s, NULL) != 0) {
    text_free(&s.t);
    return NULL;
  }
  if (s.rows > max)
    text_addf(&s.t, "\nand %d more", s.rows - max);
  return s.t.s;
}
