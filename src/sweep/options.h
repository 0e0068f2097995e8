/* options: member "options" of run.json: every option that makes a run what it is, with its effective value, so that --resume can go on
 * with the same and --like do the same again.  The demand stands in the member of that name.  Inside sweep/ and cmd/sweep. */
#ifndef RK_SWEEP_OPTIONS_H
#define RK_SWEEP_OPTIONS_H

#include "sweep/work.h"

/* New. */
json_t *sweep_options_json(const struct work *);

/* -1 with what it is instead when the meta is not of a sweep, but of a day, a point, or of points that were joined. */
int sweep_options_of_sweep(const json_t *meta, const char *folder, struct cause *);

/* Take them over, and the demand (the one that a probe has set is then named), from the meta of a run (run_read), which must live as long
 * as the options: texts are borrowed.  Server and database are left to sweep_options_target.  -1 when the run was written without them,
 * or holds what the command line would not take. */
int sweep_options_take(struct sweep_options *, const json_t *meta, struct cause *);

/* The demand alone, from that member; demand_named becomes 0 where only a probe can tell the think time, and none has. */
int sweep_options_demand(struct sweep_options *, const json_t *demand, struct cause *);

/* Who was measured, as it was named then; NULL where it was not.  Texts are borrowed from meta. */
struct options_target {
  const char *server, *user, *database, *encrypt, *ca_file;
};
struct options_target sweep_options_target(const json_t *meta);

/* "steps 16G,12G,8G; 8 users thinking 12.3 ms, seed 1; warm 8 s, measure 20 s": for a person.  New memory. */
char *sweep_options_text(const struct sweep_options *);

#endif
