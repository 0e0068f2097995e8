/* run: the run folder: written as it goes, read back whole.
 *
 *   RUN/run.json                 options without secrets, server facts, plan; written once
 *   RUN/steps/01-128G/step.json  facts and notes; a step folder is whole once it has this name (before: 01-128G.part)
 *                     samples.tsv  struct server_sample a line        load.tsv   struct load_second a line
 *                     latency.tsv  second, type, what, bucket, count  waits.tsv  struct wait_row a line
 *   RUN/demand.json              the demand, when a probe set it after run.json was written: stands for its "demand" when read
 *   RUN/refine.json              the steps that were added and why, written anew before each: the member "refine" when read
 *   RUN/sessions.json            the sessions by which a run that was broken off went on; stands for its "sessions" when read
 *   RUN/end.json                 how it ended: status, put back or not; absent when the process was killed
 *   RUN/log.txt
 *
 * TSV: a header line, tabs, C locale, ABSENT is empty; columns are found by their names.  load.tsv ends with a column done_TYPE for
 * each type of run.json; what is r (response), s (service) or l (lateness).  A line that was cut off by a kill or a full disk (no
 * newline) is dropped when read; after a failed write nothing more goes to that file.
 * The step's add functions may be called from several threads (sampler, collector): they put lines into memory under a mutex, and
 * a thread of the step's own writes them, so that a slow disk delays nobody who measures. */
#ifndef RK_RUN_RUN_H
#define RK_RUN_RUN_H

#include "base/cause.h"
#include "run/record.h"

#include <jansson.h>

#define RUN_UNKNOWN "unknown" /* in the name of a step, for a memory that is not known */

struct run;
struct run_step;
struct run_data;

/* Make the folder (refused when it exists and is not empty), open log.txt and write run.json.  From here on the process ignores
 * SIGXFSZ: a limit on file sizes is an error like a full disk, not a death.  `meta` is borrowed.  Its members, all written by
 * sweep and read by report: "schema" 1, "program" version, "started" wall time, "command" [argv without secrets], "label" (the
 * sandbox's sentence, or null), "server" {name, version, edition, physical_memory_mib, scale, ...}, "database" {name, mix, scale,
 * density, seed, stationary, data_bytes}, "demand" {users, think_s, rate, seed}, "types" [names], "plan" {steps_mib [...], passes (times that
 * these were gone through; absent: 1), settle_s, warm_s, measure_s, drift}, "before" {max_mib, min_mib}, "client" {host, cpus}, "options" (every
 * option with its effective value; sweep/options.h).  A measured point ("kind" "measure") and a working day ("day") have "memory" {mib, from, told_mib, told_from: without --memory}, and "before"
 * null where the setting cannot be seen; a day has no "demand" and its "database" only a name; points that were joined ("joined") have "sources" [folders]. */
int run_create(struct run **, const char *folder, json_t *meta, struct cause *);
/* Would run_create take the folder, as far as it can be seen without making it? */
int run_could_be(const char *folder, struct cause *);
/* Go on with a run: log.txt grows, end.json goes away (its content is kept in sessions.json as "before"), the burn-in of the session
 * before is set aside as steps/00-SIZE.N (N: the session that it was of), and `session`, whose members are the caller's, becomes the last
 * one of sessions.json. */
int run_resume(struct run **, const struct run_data *, json_t *session, struct cause *);
/* Open a run that another process made, to add log lines and its end; steps cannot be added. */
int run_open(struct run **, const char *folder, struct cause *);
/* demand.json: the members of "demand".  `demand` is borrowed. */
int run_demand(struct run *, json_t *demand, struct cause *);
/* refine.json: "budget_s", "used_s" (of it, in all sessions, when the file was written), "added" [{"mib", "index", "why"}], "state" ("add" while steps are added, else why it ended: "done", "none", "budget",
 * "stuck", "stopped", "failed"), "end" (a clause that says so, or null).  `refine` is borrowed. */
int run_refine(struct run *, json_t *refine, struct cause *);
/* The open log.txt, for log_tee; the run's own, until run_close. */
int run_log_fd(const struct run *);
void run_close(struct run *);

/* Make steps/NN-SIZE.part (steps/NN-unknown.part when setting_mib is 0) (a broken-off one of that name goes away; a whole one is refused) with a first step.json. */
int run_step_begin(struct run *, struct run_step **, int index, int64_t setting_mib, enum step_role, struct cause *);
/* These never fail: a failure to write is kept and returned by run_step_error (poll it each second or so) and run_step_end. */
void run_step_sample(struct run_step *, const struct server_sample *);
void run_step_second(struct run_step *, const struct load_second *, const struct hist_record_row *, size_t nrow);
/* The code names what the note tells; a code that begins with "saw-" is a fact, its text "what: figure", and no warning. */
void run_step_note(struct run_step *, const char *code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int run_step_error(struct run_step *, struct cause *);
/* Wait until what was added so far is written: for copies, which come faster than they can be written. */
void run_step_drain(struct run_step *);
/* Write what is left, waits.tsv and step.json, sync and rename.  With facts->incomplete, or after a failure to write (-1, status 2),
 * the folder stays a .part.  `index`, `role` and `setting_mib` are those of run_step_begin whatever *facts says.  Frees the step. */
int run_step_end(struct run_step *, const struct step_facts *, const struct wait_row *, size_t nwait, struct cause *);

/* end.json.  put_back: 1, 0, or -1: no setting was changed. */
int run_end(struct run *, int status, int put_back, const char *why, struct cause *);

/* ---- reading ---- */
struct run_note {
  char *code, *text;
};
struct step_data {
  char *name; /* "01-128G" */
  struct step_facts facts;
  struct server_sample *sample;
  size_t nsample;
  struct load_second *second;
  size_t nsecond;
  struct hist_record_row *hist;
  size_t nhist;
  struct wait_row *wait;
  size_t nwait;
  struct run_note *note;
  size_t nnote;
  char *damage; /* NULL, or the sentence about the first file that could not be read; the step is then marked facts.incomplete, and what
                   that file held is missing */
};
struct run_data {
  char *folder;
  json_t *meta; /* run.json, with what demand.json and sessions.json have added since */
  json_t *end; /* NULL: the run did not end in order */
  int ntype;
  char **type_name;
  struct step_data *step; /* in the order they ran, incomplete ones last and marked facts.incomplete */
  size_t nstep;
};
/* Read a run folder, whole or broken off.  A file of a step that is damaged (other than by a cut-off end) is told in that step's
 * `damage`, with file (from the run folder on) and line; any other file that is damaged is a cause. */
int run_read(struct run_data **, const char *folder, struct cause *);
/* The setting of the step at which --stop-above ended the descent, 0: none; the largest of them, where several passes ended so: nothing below it
 * was wanted any more.  *why (NULL is fine) is its note, the run's own. */
int64_t run_stopped_mib(const struct run_data *, const char **why);
void run_data_free(struct run_data *); /* NULL is fine */
/* Forget the steps. */
void run_data_drop_steps(struct run_data *);

#endif
