/* sweep: the main job: plan, supervise, step, put back. */
#ifndef RK_SWEEP_SWEEP_H
#define RK_SWEEP_SWEEP_H

#include "analysis/verdict.h"
#include "drive/drive.h"
#include "sweep/stop.h"

#include <jansson.h>

#define PASSES_MAX 20

struct resume;

/* The verdict on the steps that the run folder holds so far.  The one who prints the report passes it in, so that steps are added by the very
 * verdict that is reported: report/ lies above sweep/ in the layout, and a second way from seconds to a verdict could disagree with the
 * first.  Called by the measuring process between two steps.  -1: there is none (cause). */
typedef int verdict_fn(const void *arg, const char *folder, struct verdict *, struct cause *);

/* Begin with sweep_options_init; then times that are still negative get defaults that fit the server (short ones in the sandbox). */
struct sweep_options {
  struct target target;
  const char *database;    /* the loaded database; also target.database */
  int64_t *step_mib;       /* largest first, each once; own memory (steps_parse, steps_between) */
  size_t nstep;            /* 0: the default steps */
  int steps_named;         /* the user named them (--steps, --from/--to): one that cannot be reached is refused, not left out */
  int64_t floor_mib;       /* no step below it; -1: 4 GB, none in the sandbox */
  int passes;              /* go down through the steps so many times, 1..PASSES_MAX; 0: the default */
  struct stop_rules stop;  /* the descent ends at the first measured step that is worse */
  struct demand demand;
  int demand_named;        /* users/think or rate given; else the default demand by a probe */
  int64_t settle_max_ns;   /* wait at most so long for the server to come to a setting */
  int64_t warm_ns, warm_max_ns; /* warm at least, and at most until steady */
  int64_t measure_ns;      /* measure exactly so long */
  double precision;        /* else until p95 is known to this share of it (0.05: 5 % up or down; negative: the default) ... */
  int64_t measure_max_ns;  /* ... or so long */
  int64_t burn_in_ns;
  int64_t dead_man_ns;     /* a job on the server puts back when it has not heard of the sweep for so long; 0: none */
  int64_t put_back_max_ns; /* try at most so long to put the setting back when the server does not answer */
  int refine;              /* add steps inside the brackets of the verdict ... */
  int64_t budget_ns;       /* ... as long as they fit in this time */
  verdict_fn *verdict;     /* needed with `refine` */
  const void *verdict_arg;
  int drift;               /* the first step again at the end */
  int stationary;          /* 1 on, 0 off, -1 by the growth foreseen */
  const char *run_folder;  /* NULL: ramknee-YYYYMMDD-HHMMSS-SERVER in the current folder */
  int yes, dry_run;
  const char *set_with;    /* a command of the user's own changes the setting (knob/command.h); NULL: SQL does */
  int64_t set_with_max_ns; /* time for it, and for the server to show the value */
  const char *like;        /* the run whose options these are, for run.json; NULL */
  struct resume *resume;   /* the run that is gone on with (sweep/resume.h), whose options these are; NULL: a new one */
  void (*finished)(int status); /* called when all has been done on the server, while signals are still held back; NULL is fine */
  int argc;                /* for run.json, without secrets */
  char **argv;
};

/* All defaults; the target zeroed. */
void sweep_options_init(struct sweep_options *);
/* The steps and the target (its password is wiped). */
void sweep_options_free(struct sweep_options *);

/* "128G,96G,64G": whole megabytes of at least 128 MB; sorted, largest first; one named twice is refused. */
int steps_parse(const char *text, int64_t **mib, size_t *n, struct cause *);
/* From the largest to the smallest: from, three quarters of it, half, then halvings, and `to` itself. */
int steps_between(int64_t from_bytes, int64_t to_bytes, int64_t **mib, size_t *n, struct cause *);

/* Run it.  Call while the process has one thread and no connection: it forks.  Returns an exit status (enum status); everything
 * that a person must know has been said; with STATUS_NOT_PUT_BACK the last line said is the statement to run by hand, so say nothing
 * after it.  *run_folder (new memory, NULL when none was made) is where the run is, for a report afterwards. */
int sweep_run(const struct sweep_options *, char **run_folder);

/* ramknee-WHAT20261130-150405-SERVER, new memory: a run folder in the current one. */
char *sweep_default_folder(const char *what, const char *server);

#endif
