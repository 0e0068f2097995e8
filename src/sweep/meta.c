#include "config.h"

#include "base/clock.h"
#include "base/units.h"
#include "sweep/options.h"
#include "sweep/work.h"

#include <sched.h>
#include <unistd.h>

json_t *sweep_demand_json(const struct demand *d, int known) {
  json_t *think = known ? json_real(d->think_s) : json_null();
  return json_pack("{s:i, s:o, s:f, s:I}", "users", d->users, "think_s", d->rate > 0 ? (json_decref(think), json_null()) : think, "rate",
                   d->rate, "seed", (json_int_t)d->seed);
}

json_t *sweep_plan_json(const struct plan *p) {
  json_t *steps = json_array();
  int drift = 0;
  for (size_t i = 0; i < p->nstep; i++) {
    if (p->step[i].role == STEP_MEASURED && p->step[i].pass <= 1 && p->step[i].mib > 0) /* each once: the other passes have the same */
      json_array_append_new(steps, json_integer(p->step[i].mib));
    drift |= p->step[i].role == STEP_DRIFT;
  }
  double s = (double)NS_PER_S;
  return json_pack("{s:o, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:f, s:b, s:f, s:f}", "steps_mib", steps, "passes", p->passes, "settle_s", (double)p->settle_max_ns / s, "warm_s",
                   (double)p->warm_ns / s, "warm_max_s", (double)p->warm_max_ns / s, "measure_s", (double)p->measure_ns / s, "measure_max_s",
                   (double)p->measure_max_ns / s, "precision", p->precision, "burn_in_s", (double)p->burn_in_ns / s, "refine", p->refine, "budget_s",
                   (double)p->budget_ns / s, "drift", drift, "least_s", (double)p->least_ns / s, "most_s", (double)p->most_ns / s);
}

/* Where the users run: points from different clients compare badly. */
json_t *sweep_client_json(void) {
  char host[256] = "";
  cpu_set_t set;
  long cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  gethostname(host, sizeof host - 1);
  json_t *name = json_string(host);
  return json_pack("{s:o, s:I}", "host", name ? name : json_null(), "cpus", (json_int_t)cpus);
}

json_t *sweep_label_json(int64_t scale) {
  return scale > 1 ? json_string("sandbox (InnoDB, 1:1024, one shared machine), not SQL Server") : json_null();
}

json_t *sweep_meta(const struct work *w) {
  char started[32];
  json_t *command = json_array(), *types = json_array();
  for (int i = 0; i < w->o->argc; i++)
    json_array_append_new(command, json_string(w->o->argv[i]));
  for (int i = 0; i < w->mix->ntype; i++)
    json_array_append_new(types, json_string(w->mix->type_name[i]));
  return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:I, s:I}, s:o, s:o}", "schema", 1, "program", PACKAGE_VERSION, "started",
                   wall_text(wall_ns(), started, sizeof started), "command", command, "label", sweep_label_json(w->facts.scale), "server", facts_server_json(&w->facts),
                   "database", facts_database_json(&w->facts, w->o->database, &w->load), "demand", sweep_demand_json(&w->demand, w->o->demand_named), "types", types, "plan",
                   sweep_plan_json(&w->plan), "before", "max_mib", (json_int_t)w->facts.before.max_mib, "min_mib",
                   (json_int_t)w->facts.before.min_mib, "client", sweep_client_json(), "options", sweep_options_json(w));
}
