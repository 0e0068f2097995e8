/* resume: a run that was broken off and is gone on with: what it has, what is missing, and whether the server is still the one that was
 * measured.
 *
 * Run time goes on where it stood: a session begins with the whole second after the last one in the run.  The wall clock has no part in
 * that (it can be set, and days may lie between), so times in a run always rise; sessions.json tells when each session really was. */
#ifndef RK_SWEEP_RESUME_H
#define RK_SWEEP_RESUME_H

#include "run/run.h"
#include "sweep/facts.h"
#include "sweep/plan.h"

struct resume;

/* From a run as run_read gives it, which it takes over (its steps are forgotten: they take much memory).  -1: it is no run of a sweep;
 * the run is freed. */
int resume_new(struct resume **, struct run_data *, struct cause *);
void resume_free(struct resume *); /* NULL is fine */

const struct run_data *resume_run(const struct resume *);
size_t resume_whole(const struct resume *);   /* steps that are there, and */
size_t resume_missing(const struct resume *); /* steps that are not; each visit of a memory is one */
/* The digest of the first step's requests, 0 when there is none yet. */
uint64_t resume_digest(const struct resume *);
/* Where --stop-above has ended the descent: nothing below is wanted any more; 0: it has not. */
int64_t resume_stopped_mib(const struct resume *);
/* Run time at which this session begins: a whole second. */
int64_t resume_run_ns(const struct resume *);

/* Is what answers now what was measured then?  -1 with a sentence that says what differs. */
int resume_compare(const struct resume *, const struct facts *, const char *database, struct cause *);
/* Do the options of the run still make the plan that the run tells (`now`: what they make, sweep_plan_json)?  -1 with a sentence that says
 * where they contradict each other: a run.json that somebody has changed, or damage. */
int resume_compare_plan(const struct resume *, const json_t *now, struct cause *);
/* Was the server restarted since the session before? */
int resume_restarted(const struct resume *, const struct facts *);

/* Take the steps that are there out of the plan; the burn-in stays.  What --refine has used of its budget is told to the plan; when it has
 * ended, the plan has no such steps any more. */
void resume_plan(const struct resume *, struct plan *);

/* The steps that --refine has added and that are there, new, as in refine.json; 1 when there are to be no more. */
int resume_refined(const struct resume *, json_t **added);

/* What sessions.json gets about this session, new; `plan` is what is left to do. */
json_t *resume_session(const struct resume *, const struct facts *, const struct plan *, int argc, char **argv);

/* Two objects that tell the same? -1: the first of the `key`s (NULL-ended) in which they differ is told, as that of `whose`.  Numbers may
 * differ by what is lost in writing them down.  Pure. */
int resume_same(const json_t *was, const json_t *now, const char *const *key, const char *whose, struct cause *);

#endif
