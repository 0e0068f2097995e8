/* What a load would do; nothing is changed here. */
#include "config.h"

#include "base/text.h"
#include "base/units.h"
#include "mix/load_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SANDBOX_SCALE 64 /* units of scale that a sandbox should have at least: with fewer, users wait for each other's rows */
#define SANDBOX_DENSITY 0.04 /* when only the scale is given */
#define PATIENCE_S 21600     /* an index build or a DROP may be silent for hours */

int load_open(const struct target *t, const char *database, int patient, struct conn **conn, struct cause *c) {
  struct target own = *t;
  own.database = (char *)database; /* only read */
  if (conn_open(conn, &own, c) != 0)
    return -1;
  if (patient)
    conn_patience(*conn, PATIENCE_S);
  return 0;
}

struct record {
  struct mix_load load;
  int rows;
};

static int on_record(void *arg, int result, const struct val *col, int ncol) {
  struct record *r = arg;
  (void)result;
  (void)ncol;
  snprintf(r->load.mix, sizeof r->load.mix, "%s", col[0].p);
  r->load.schema_version = (int)col[1].i;
  r->load.scale = col[2].i;
  r->load.density = col[3].r;
  r->load.seed = (uint64_t)col[4].i;
  r->load.complete = (int)col[5].i;
  r->load.data_bytes = col[6].i;
  r->load.c_last = (int32_t)col[7].i;
  r->load.c_cust = (int32_t)col[8].i;
  r->load.c_item = (int32_t)col[9].i;
  r->rows++;
  return 0;
}

int load_read(struct conn *conn, struct mix_load *load, struct cause *c) {
  struct record r = {0};
  if (conn_query(conn, "server/load_read", NULL, 0, on_record, &r, c) != 0)
    return -1;
  if (r.rows == 0) {
    cause_set(c, STATUS_SETUP, "the database was not filled by 'ramknee load': it holds no record of a load");
    return cause_remedy(c, "make and fill one with 'ramknee load', or name another with -d");
  }
  *load = r.load;
  if (!load->complete) {
    cause_set(c, STATUS_SETUP, "the load of the database was broken off");
    return cause_remedy(c, "run 'ramknee load' again: it makes the database anew");
  }
  const struct mix *m = mix_find(load->mix);
  if (!m || m->schema_version != load->schema_version) {
    cause_set(c, STATUS_SETUP, "the database was loaded by another version of ramknee (mix '%s', schema version %d%s)", load->mix,
              load->schema_version, m ? "" : ", not known here");
    return cause_remedy(c, "load it again: ramknee load --replace");
  }
  return 0;
}

struct proof {
  char name[130], property[130];
  int record;
};

static int on_proof(void *arg, int result, const struct val *col, int ncol) {
  struct proof *p = arg;
  (void)result;
  (void)ncol;
  if (col[0].type == VAL_TEXT)
    snprintf(p->property, sizeof p->property, "%s", col[0].p);
  p->record = (int)col[1].i;
  return 0;
}

static int on_database(void *arg, int result, const struct val *col, int ncol) {
  struct proof *p = arg;
  (void)result;
  (void)ncol;
  snprintf(p->name, sizeof p->name, "%s", col[1].p);
  return 0;
}

struct emptiness {
  int64_t sees_all, things;
};

static int on_emptiness(void *arg, int result, const struct val *col, int ncol) {
  struct emptiness *e = arg;
  (void)result;
  (void)ncol;
  *e = (struct emptiness){.sees_all = col[0].i, .things = col[1].i};
  return 0;
}

int load_find(const struct target *t, struct conn *master, const char *database, enum load_found *found, struct mix_load *record,
              struct cause *c) {
  struct conn *conn;
  struct proof p = {{0}, {0}, 0};
  struct record r = {0};
  struct emptiness e = {0};
  struct val db = VAL_T(database);
  if (conn_query(master, "server/database", &db, 1, on_database, &p, c) != 0)
    return -1;
  *found = FOUND_NOTHING;
  if (!p.name[0])
    return 0;
  if (load_open(t, p.name, 0, &conn, c) != 0)
    return -1;
  int rc = conn_query(conn, "load/proof_read", NULL, 0, on_proof, &p, c);
  if (rc == 0 && p.record)
    rc = conn_query(conn, "server/load_read", NULL, 0, on_record, &r, c);
  else if (rc == 0)
    rc = conn_query(conn, "load/emptiness", NULL, 0, on_emptiness, &e, c);
  conn_close(conn);
  if (rc != 0)
    return -1;
  /* The names must agree: a copy under another name is somebody's own. */
  if (!p.record)
    *found = e.sees_all == 1 && e.things == 0 ? FOUND_EMPTY : FOUND_FOREIGN;
  else
    *found = strcmp(p.property, p.name) != 0 ? FOUND_FOREIGN : r.rows && r.load.complete ? FOUND_OURS : FOUND_BROKEN;
  *record = r.load;
  return 0;
}

static int on_identity(void *arg, int result, const struct val *col, int ncol) {
  struct load_plan *p = arg;
  (void)result;
  (void)ncol;
  if (col[0].type == VAL_TEXT)
    snprintf(p->server, sizeof p->server, "%s", col[0].p);
  p->factor = col[11].type == VAL_INT ? col[11].i : 1;
  return 0;
}

/* Bytes as the server will show them. */
static int64_t shown(const struct load_plan *p, const struct mix *m, int64_t scale, double density) {
  double b = (double)m->bytes_for(scale, density);
  return (int64_t)(p->factor > 1 ? b * m->sandbox_size * (double)p->factor : b);
}

/* The other way round. */
static int64_t scale_of(const struct load_plan *p, const struct mix *m, int64_t bytes, double density) {
  return m->scale_for(p->factor > 1 ? (int64_t)((double)bytes / m->sandbox_size / (double)p->factor) : bytes, density);
}

/* The largest density, in steps of 0.001, at which `scale` fits `bytes`; the smallest there is when none does. */
static double density_of(const struct load_plan *p, const struct mix *m, int64_t bytes, int64_t scale) {
  int lo = (int)ceil(m->density_min * 1000), hi = 1000;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (shown(p, m, scale, mid / 1000.0) <= bytes)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo / 1000.0;
}

static int work_out(const struct load_options *o, struct load_plan *p, struct cause *c) {
  const struct mix *m = o->mix;
  struct mix_load *l = &p->load;
  char size[32], one[32];
  if (o->size_bytes && o->scale && o->density > 0) {
    cause_set(c, STATUS_SETUP, "size, %s and density are all given, but the third follows from two", m->scale_name);
    return cause_remedy(c, "leave one of --size, --scale and --density out");
  }
  if (!o->size_bytes && !o->scale) {
    cause_set(c, STATUS_SETUP, "neither a size nor a number of %s was given", m->scale_name);
    return cause_remedy(c, "say how large the database should be, such as --size 200G: at least 1.2 times the largest memory step");
  }
  if (o->density > 0)
    l->density = o->density;
  else if (o->size_bytes && (o->scale || p->factor > 1))
    l->density = density_of(p, m, o->size_bytes, o->scale ? o->scale : SANDBOX_SCALE);
  else
    l->density = p->factor > 1 ? SANDBOX_DENSITY : 1;
  if (l->density < m->density_min || l->density > 1) {
    cause_set(c, STATUS_SETUP, "a density of %g is out of range", l->density);
    return cause_remedy(c, "the %s mix takes %g to 1", m->name, m->density_min);
  }
  l->scale = o->scale ? o->scale : scale_of(p, m, o->size_bytes, l->density);
  p->bytes = shown(p, m, l->scale, l->density);
  if (o->size_bytes && p->bytes > o->size_bytes + o->size_bytes / 100) {
    cause_set(c, STATUS_SETUP, "%s is too small: a scale of %" PRId64 " at a density of %g takes %s",
              size_text(o->size_bytes, size, sizeof size), l->scale, l->density, size_text(p->bytes, one, sizeof one));
    return cause_remedy(c, "give a larger --size, or a smaller --scale or --density (%g to 1)", m->density_min);
  }
  snprintf(l->mix, sizeof l->mix, "%s", m->name);
  l->schema_version = m->schema_version;
  l->seed = o->seed;
  m->constants(l);
  p->rows = m->rows(l, 0, 1);
  p->streams = o->streams > l->scale ? (int)l->scale : o->streams;
  return 0;
}

/* Is the name free, or may what is there be replaced? */
static int look(const struct target *t, const struct load_options *o, struct conn *master, struct load_plan *p, struct cause *c) {
  enum load_found found;
  char size[32];
  if (load_find(t, master, p->database, &found, &p->present, c) != 0)
    return -1;
  switch (found) {
  case FOUND_NOTHING: p->state = LOAD_NEW; return 0;
  case FOUND_BROKEN: p->state = LOAD_BROKEN; return 0;
  case FOUND_OURS:
    p->state = LOAD_DONE;
    if (o->replace)
      return 0;
    cause_set(c, STATUS_SETUP, "the database '%s' on %s is loaded already: %s, %" PRId64 " %s, density %g, %s", p->database,
              p->server, p->present.mix, p->present.scale, o->mix->scale_name, p->present.density,
              size_text(p->present.data_bytes, size, sizeof size));
    return cause_remedy(c, "say --replace to load it anew, or take another name with -d");
  case FOUND_EMPTY:
    cause_set(c, STATUS_SETUP, "the database '%s' on %s is there already and empty: a load was killed as it began, or it is somebody's own", p->database,
              p->server);
    return cause_remedy(c, "if nobody wants it, 'ramknee drop --empty' removes it; or take another name with -d");
  case FOUND_FOREIGN: break;
  }
  cause_set(c, STATUS_SETUP, "the database '%s' on %s was not made by 'ramknee load', and is left alone", p->database, p->server);
  return cause_remedy(c, "take another name with -d");
}

int load_plan(const struct target *t, const struct load_options *o, struct load_plan *p, struct cause *c) {
  static const char *const system[] = {"master", "model", "msdb", "tempdb", NULL};
  struct conn *master;
  memset(p, 0, sizeof *p);
  const char *name = o->database ? o->database : LOAD_DATABASE;
  if (strlen(name) >= sizeof p->database)
    return cause_set(c, STATUS_SETUP, "the name of the database is longer than %zu bytes", sizeof p->database - 1);
  snprintf(p->database, sizeof p->database, "%s", name);
  for (const char *const *s = system; *s; s++)
    if (strcasecmp(*s, name) == 0) {
      cause_set(c, STATUS_SETUP, "'%s' is a system database", name);
      return cause_remedy(c, "take another name with -d");
    }
  if (load_open(t, "master", 0, &master, c) != 0)
    return -1;
  int rc = conn_query(master, "server/identity", NULL, 0, on_identity, p, c) != 0 || look(t, o, master, p, c) != 0 ||
           work_out(o, p, c) != 0;
  conn_close(master);
  return rc ? -1 : 0;
}
