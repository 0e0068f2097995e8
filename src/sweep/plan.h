/* plan: from options and facts about the server to the steps, their phases and an estimate of time.  Pure but for plan_print. */
#ifndef RK_SWEEP_PLAN_H
#define RK_SWEEP_PLAN_H

#include "run/record.h"
#include "sweep/sweep.h"

#include <stdio.h>

enum { SANDBOX_LEAST_MIB = 3 * 1024 }; /* its engine needs a pool of 3 MiB */

struct plan_facts {
  int64_t physical_mib; /* memory of the machine as the server sees it */
  int64_t edition_mib;  /* buffer pool limit of the edition, 0: none */
  char edition[132];
  int64_t scale;        /* 1024 in the sandbox, 1 elsewhere: shown bytes for each real one */
  int64_t data_bytes;   /* size of the data as the server shows it */
  int64_t least_mib;    /* the smallest setting that the server takes */
};

struct plan_step {
  int index;            /* 0: burn-in, 1.. in the order they run */
  enum step_role role;
  int pass;             /* 1.. of the visits of the steps that were wanted; 0: burn-in, drift, added by --refine */
  int64_t mib;
  int fill;                  /* the setting goes up, or the cache is cold: fill it first */
  int64_t least_ns, most_ns; /* time that it takes */
};

struct plan {
  struct plan_step *step; /* the burn-in first (when there is one), the drift step last */
  size_t nstep;
  int passes;             /* times that the steps are gone through, largest first each time */
  int probe;              /* the default demand is set by a probe */
  int64_t probe_ns;       /* length of one of its two parts */
  int64_t settle_max_ns, warm_ns, warm_max_ns, burn_in_ns;
  int64_t measure_ns, measure_max_ns; /* at least, and at most until p95 is known to `precision` (0: the two are equal) */
  double precision;
  int refine;             /* steps are added after the others, before the drift step, as long as they fit in the budget */
  int64_t budget_ns, budget_used_ns; /* the second: by earlier sessions of the run */
  size_t added_most;      /* how many that can be */
  int taken;              /* an earlier session of the run has used the indexes up to this one; 0: there was none */
  int64_t least_ns, most_ns;
  double rate_most;       /* requests a second that the named demand sends at most; 0: not known before the probe, or without a limit */
  char *left_out;         /* a sentence about default steps that the server cannot reach, or NULL */
  struct plan_facts facts;
  char *stop;             /* where the descent ends early: "p95 above 50 ms", or NULL */
};

/* The steps when none are named, largest first. */
const int64_t *plan_default_steps(size_t *n);

/* Steps that cannot be reached are refused when named, else left out; fewer than two are refused.  plan_free it. */
int plan_make(struct plan *, const struct sweep_options *, const struct plan_facts *, struct cause *);
/* One point at the memory as it is (0: not known): burn-in and one measured step, nothing to settle. */
void plan_point(struct plan *, const struct sweep_options *, const struct plan_facts *, int64_t mib);
void plan_free(struct plan *);

/* The time for steps that are added, and how much of it earlier sessions have used: at most all of it. */
void plan_budget(struct plan *, int64_t budget_ns, int64_t used_ns);

/* Take out the steps that are there already; those that are left keep their indexes, and go up, and so fill the cache, where they do now. */
void plan_take_out(struct plan *, int (*is_there)(const void *arg, const struct plan_step *), const void *arg);

/* The pass that a step belongs to, for a person: "pass 2 of 3, "; "" when there is one pass, or the step is of none.  Returns buf. */
char *plan_pass_text(const struct plan *, const struct plan_step *, char *buf, size_t size);

/* One more measured step, behind all others but the drift step, whose index moves up; returns where it stands in p->step (which may have
 * moved).  The plan's sums stay as they are: the budget covers it. */
size_t plan_add_step(struct plan *, int64_t mib);

/* As a table, for --dry-run and the confirmation. */
void plan_print(const struct plan *, FILE *);

#endif
