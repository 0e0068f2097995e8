#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "mix/load_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATABASE_IN_USE 3702
#define IN_USE_NS (15 * NS_PER_S)

int load_connections(int streams) {
  return streams + 2; /* master, and the database in turn with the streams */
}

static int exec_named(struct conn *conn, const char *tag, const char *before, const char *name, const char *after,
                      struct cause *c) {
  char *quoted = quote_name(name);
  char *sql = xprintf("%s%s%s", before, quoted, after);
  int rc = conn_exec(conn, tag, sql, c);
  free(quoted);
  free(sql);
  return rc;
}

int load_remove(struct conn *master, const char *database, struct cause *c) {
  /* The server may still be rolling back what a load that was broken off had sent: wait for it for some seconds. */
  for (int64_t until_ns = mono_ns() + IN_USE_NS; mono_ns() < until_ns; sleep_until_ns(mono_ns() + NS_PER_S / 2)) {
    cause_clear(c);
    if (exec_named(master, "load/drop_database", "DROP DATABASE ", database, ";", c) == 0)
      return 0;
    if (c->number != DATABASE_IN_USE)
      break;
  }
  cause_prefix(c, "cannot drop the database '%s'", database);
  if (c->number == DATABASE_IN_USE)
    cause_remedy(c, "other sessions are using it: end them first");
  return -1;
}

static int write_record(struct conn *conn, const struct mix_load *l, struct cause *c) {
  struct val v[] = {VAL_T(l->mix),      VAL_I(l->schema_version), VAL_I(l->scale),  VAL_R(l->density), VAL_I((int64_t)l->seed),
                    VAL_I(l->complete), VAL_I(l->data_bytes),     VAL_I(l->c_last), VAL_I(l->c_cust),  VAL_I(l->c_item)};
  return conn_query(conn, "server/load_write", v, sizeof v / sizeof *v, NULL, NULL, c);
}

/* What the jobs of one load share besides the rows. */
struct loading {
  struct jobs jobs;
  const struct target *target;
  const struct load_plan *plan;
};

static const struct loading *of(const struct job *j) {
  return (const struct loading *)j->all;
}

/* Room for the data and for the largest table once more, while its index is built; the log holds what runs between two
 * checkpoints. */
static int presize(struct conn *conn, const struct load_plan *p, struct cause *c) {
  int64_t data_mib = p->bytes / MIB * 3 / 2, log_mib = p->bytes / MIB / 20;
  log_mib = log_mib < 512 ? 512 : log_mib > 16000 ? 16000 : log_mib;
  struct val v[] = {VAL_I(data_mib > 16000000 ? 16000000 : data_mib), VAL_I(log_mib)};
  return conn_query(conn, "load/presize", v, 2, NULL, NULL, c);
}

static int job_set_up(struct job *j) {
  const struct loading *l = of(j);
  return conn_query(j->conn, "load/properties", NULL, 0, NULL, NULL, &j->cause) != 0 ||
             (l->plan->factor == 1 && presize(j->conn, l->plan, &j->cause) != 0) ||
             j->all->mix->create(j->conn, j->all->load, &j->cause) != 0
           ? -1
           : 0;
}

static int job_load(struct job *j) {
  struct jobs *a = j->all;
  return a->mix->load(j->conn, a->load, j->part, a->n, &a->rows, &a->bytes, &a->ending, &j->cause);
}

static int job_finish(struct job *j) {
  return j->all->mix->finish(j->conn, j->all->load, &j->cause);
}

static int job_verify(struct job *j) {
  return j->all->mix->verify(j->conn, j->all->load, &j->cause);
}

/* One stage: `n` jobs of the same kind. */
static int stage(struct loading *l, const char *what, int n, int64_t rows, int (*fn)(struct job *), struct cause *c) {
  l->jobs.n = n;
  l->jobs.fn = fn;
  l->jobs.what = what;
  l->jobs.rows_wanted = rows;
  return jobs_run(&l->jobs, l->target, l->plan->database, c);
}

static int on_property(void *arg, int result, const struct val *col, int ncol) {
  struct text *t = arg;
  (void)result;
  (void)ncol;
  text_addf(t, "%s%s %s", t->len ? ", " : "", col[0].p, col[1].p);
  return 0;
}

static int on_size(void *arg, int result, const struct val *col, int ncol) {
  struct mix_load *l = arg;
  (void)result;
  (void)ncol;
  l->data_bytes = col[2].type == VAL_INT && col[2].i > 0 ? col[2].i : col[0].i;
  return 0;
}

/* What came of it, and the mark that it is whole. */
static int complete(struct conn *conn, struct mix_load *load, struct cause *c) {
  struct text t = {0};
  int rc = conn_query(conn, "load/recorded", NULL, 0, on_property, &t, c);
  if (rc == 0 && t.len)
    say("properties, recorded in dbo.ramknee_property: %s", t.s);
  text_free(&t);
  if (rc != 0 || conn_query(conn, "server/database_size", NULL, 0, on_size, load, c) != 0)
    return -1;
  load->complete = 1;
  return write_record(conn, load, c);
}

/* The record, marked incomplete, and the proof: from here on everybody can see what this database is. */
static int mark(const struct target *t, const struct load_plan *p, struct cause *c) {
  struct conn *conn;
  if (load_open(t, p->database, 0, &conn, c) != 0)
    return -1;
  int rc = write_record(conn, &p->load, c);
  if (rc == 0)
    rc = conn_query(conn, "load/proof_write", NULL, 0, NULL, NULL, c);
  conn_close(conn);
  return rc;
}

/* Made and marked without a look at `stop`: a database without its mark would be nobody's.  (A kill -9 just there leaves an empty one:
 * see FOUND_EMPTY.) */
static int make_database(const struct target *t, const struct load_plan *p, struct cause *c) {
  struct conn *master;
  struct cause again;
  if (load_open(t, "master", 1, &master, c) != 0)
    return -1;
  int rc = 0;
  if (p->state != LOAD_NEW)
    rc = load_remove(master, p->database, c);
  if (rc == 0) {
    rc = exec_named(master, "load/create_database", "CREATE DATABASE ", p->database, ";", c);
    if (rc == 0 && mark(t, p, c) != 0) {
      load_remove(master, p->database, &again);
      rc = -1;
    }
    if (rc != 0 && p->state != LOAD_NEW)
      c->status = STATUS_INCOMPLETE; /* the old one is gone */
  }
  conn_close(master);
  return rc;
}

static int run(struct loading *l, struct mix_load *load, struct cause *c) {
  const struct load_plan *p = l->plan;
  char rows[32], t[32];
  if (stage(l, "setting up the database", 1, 0, job_set_up, c) != 0)
    return -1;
  int64_t begun_ns = mono_ns();
  if (stage(l, "loading", p->streams, p->rows, job_load, c) != 0)
    return -1;
  double s = (double)(mono_ns() - begun_ns) / (double)NS_PER_S;
  say("%s rows in %s: %.0f rows/s, %.1f MB/s", count_text(l->jobs.rows, rows, sizeof rows),
      duration_text(mono_ns() - begun_ns, t, sizeof t), (double)l->jobs.rows / s, (double)l->jobs.bytes / 1e6 / s);
  if (stage(l, "building indexes, procedures and statistics", 1, 0, job_finish, c) != 0 ||
      stage(l, "verifying row counts and consistency", 1, 0, job_verify, c) != 0)
    return -1;
  struct conn *conn;
  if (load_open(l->target, p->database, 0, &conn, c) != 0)
    return -1;
  int rc = complete(conn, load, c);
  conn_close(conn);
  if (rc == 0)
    say("verified: row counts, and the mix's consistency conditions");
  return rc;
}

int load_run(const struct target *t, const struct load_options *o, struct mix_load *out, struct cause *c) {
  struct load_plan p;
  if (load_plan(t, o, &p, c) != 0)
    return -1;
  if (p.state == LOAD_BROKEN)
    say("the load of '%s' was broken off: it is done again", p.database);
  if (o->stop && *o->stop)
    return cause_set(c, STATUS_INCOMPLETE, "the load was stopped before it began; nothing was changed");
  if (make_database(t, &p, c) != 0)
    return -1;
  *out = p.load;
  struct loading l = {
    .jobs = {.mix = o->mix, .load = &p.load, .stop = o->stop, .show_progress = o->show_progress},
    .target = t,
    .plan = &p,
  };
  if (run(&l, out, c) == 0)
    return 0;
  c->status = STATUS_INCOMPLETE; /* a database was made, and is not whole */
  if (!c->remedy[0] || (o->stop && *o->stop))
    cause_remedy(c, "'%s' is marked incomplete: the next 'ramknee load' makes it anew, 'ramknee drop' removes it", p.database);
  return -1;
}
