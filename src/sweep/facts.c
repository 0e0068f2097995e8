#include "config.h"

#include "sweep/facts.h"
#include "base/units.h"
#include "check/edition.h"
#include "mix/load.h"

#include <stdio.h>
#include <string.h>

static int take_reached(void *arg, int result, const struct val *col, int ncol) {
  struct facts *f = arg;
  (void)result;
  (void)ncol;
  f->start_ticks = col[3].i;
  f->cpus = col[8].i;
  return 0;
}

/* The lock is this program's own. */
static int preflight(struct facts *f, struct conn *master, const struct check_plan *plan, struct cause *c) {
  struct findings list = {0};
  if (check_read(master, plan, &f->seen, c) != 0)
    return -1;
  f->seen.lock.have = 0;
  check_judge(&f->seen, plan, &list);
  findings_print(&list, 0, stderr);
  size_t n = findings_refusals(&list);
  findings_free(&list);
  if (n == 0)
    return 0;
  cause_set(c, STATUS_SETUP, "%zu %s in the way of a %s", n, n == 1 ? "finding stands" : "findings stand",
            plan->purpose == CHECK_MEASURE ? "measurement" : "sweep");
  return cause_remedy(c, "see above; 'ramknee check' shows all that was looked at");
}

static int64_t known(int64_t v) {
  return v == CHECK_UNKNOWN ? 0 : v;
}

int facts_read(struct facts *f, struct conn *master, struct conn *db, const struct check_plan *plan, struct cause *c) {
  memset(f, 0, sizeof *f);
  /* A measurement gets by without the setting and without what the server holds. */
  int needed = plan->purpose != CHECK_MEASURE;
  if (preflight(f, master, plan, c) != 0 || (knob_memory.read(master, &f->before, c) != 0 && (needed || conn_lost(master))) ||
      (conn_query(master, "server/reached", NULL, 0, take_reached, f, c) != 0 && (needed || conn_lost(master))) ||
      load_read(db, &f->load, c) != 0)
    return -1;
  f->scale = f->seen.scale > 1 ? f->seen.scale : 1;
  f->data_bytes = known(f->seen.used_bytes) > 0 ? f->seen.used_bytes : known(f->seen.data_bytes);
  return 0;
}

struct plan_facts facts_for_plan(const struct facts *f) {
  struct plan_facts p = {.physical_mib = known(f->seen.physical_kib) / 1024,
                         .edition_mib = f->scale > 1 ? 0 : edition_limit_mib(f->seen.edition, f->seen.version),
                         .scale = f->scale,
                         .data_bytes = f->data_bytes,
                         .least_mib = f->scale > 1 ? SANDBOX_LEAST_MIB : MEMORY_LEAST_MIB};
  snprintf(p.edition, sizeof p.edition, "%s", f->seen.edition);
  return p;
}

/* What was not told is null, not zero. */
static json_t *positive(int64_t v) {
  return known(v) > 0 ? json_integer(v) : json_null();
}

json_t *facts_server_json(const struct facts *f) {
  const struct check_facts *s = &f->seen;
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:s}", "name", s->server_name, "node", s->node, "version", s->version,
                   "edition", s->edition, "platform", s->platform, "engine_edition", positive(s->engine_edition),
                   "physical_memory_mib", positive(known(s->physical_kib) / 1024), "cpus", positive(f->cpus), "scale",
                   (json_int_t)f->scale, "start_ticks", positive(f->start_ticks), "file_system", s->file_system);
}

json_t *facts_database_json(const struct facts *f, const char *database, const struct mix_load *l) {
  const struct check_facts *s = &f->seen;
  return json_pack("{s:s, s:s, s:I, s:f, s:I, s:s, s:b, s:I, s:I, s:I, s:s, s:I, s:b}", "name", database, "mix", l->mix, "scale",
                   (json_int_t)l->scale, "density", l->density, "seed", (json_int_t)l->seed, "loaded_at", s->load_at, "stationary",
                   l->stationary, "data_bytes", (json_int_t)f->data_bytes, "file_bytes", (json_int_t)known(s->data_bytes), "log_bytes", (json_int_t)known(s->log_bytes),
                   "recovery_model", s->database_recovery, "compatibility_level", (json_int_t)known(s->database_level), "rcsi",
                   s->database_rcsi == 1);
}
