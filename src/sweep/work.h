/* work: what the measuring process (the supervisor's child) holds while it works.  Inside sweep/ alone. */
#ifndef RK_SWEEP_WORK_H
#define RK_SWEEP_WORK_H

#include "drive/drive.h"
#include "knob/journal.h"
#include "run/run.h"
#include "sample/sample.h"
#include "sweep/facts.h"
#include "sweep/feed.h"
#include "sweep/harm.h"
#include "sweep/here.h"
#include "sweep/plan.h"

/* Memory that both processes see: what the child knows and its parent must tell, however the child ended. */
struct sweep_shared {
  char why[700]; /* why it ended early; empty when it did not */
  struct knob_state state[2]; /* what the journal holds, should its file get lost: written in turn, so that one is always whole */
  _Atomic int state_now;      /* 1, 2: which one; 0: no setting was changed */
  _Atomic int command_group;  /* process group of the command of --set-with that is at work; 0: none */
  int64_t start_ticks;        /* of the server; 0: not known yet */
  _Atomic int armed;          /* there is a dead-man's job: the parent beats */
};

struct work {
  const struct sweep_options *o;
  const char *folder; /* the run's */
  struct sweep_shared *shared;
  struct conn *master, *db;
  struct facts facts;
  int as_it_is;     /* measure: the setting is left as it is; `here` tells what is known of it */
  struct here here;
  const struct mix *mix;
  struct mix_load load; /* with the run's `stationary` */
  struct plan plan;
  struct demand demand;
  struct journal journal;
  struct run *run;
  struct run_step *step; /* the one at work */
  struct feed *feed;
  struct sampler *sampler;
  struct drive *drive;
  int64_t run_start_ns; /* monotonic; before this process began when a run is gone on with */
  size_t at;                         /* plan.step[at] is the one at work */
  const char *doing;                 /* for the live line */
  int64_t doing_until_ns, shown_ns;
  uint64_t first_digest;
  json_t *added;           /* refining: as in refine.json, NULL before it begins */
  int64_t refine_begin_ns; /* monotonic */
  int64_t longest_ns;      /* that a measured step took */
  int refined;             /* no further step is added */
  struct harm harm;    /* signs of it in the samples */
  int settling;        /* the server is on its way to a new setting */
  int64_t stopped_mib; /* the (largest) step at which --stop-above ended the descent, 0: it did not */
  int incomplete; /* a step is incomplete or was not reached */
};

/* Ask on the terminal; with --yes only say what will be done.  0: go on. */
int sweep_confirm(struct work *, struct cause *);

/* All steps of the plan.  -1: the sweep ends early. */
int sweep_steps(struct work *, struct cause *);

/* One step of it: settle, (fill the cache,) warm, measure, judge; what came of it in *f and in *waits (the caller frees their rows), its
 * seconds and samples in w->step.  -1: the sweep ends early. */
struct step_waits {
  struct wait_row *row;
  size_t n;
};
int sweep_phases(struct work *, const struct plan_step *, struct step_facts *f, struct step_waits *waits, struct cause *);

/* The step at work, for a person: "16 GB", or "pass 2 of 3, 16 GB".  Returns buf. */
char *sweep_step_name(const struct work *, char *buf, size_t size);

/* Wait until the monotonic instant, with an eye on everything that ends a sweep: a signal, failed transactions, a lost sampler, a
 * disk that is full, a server that is starved or starves others (harm.h).  0: it has come; -1: the sweep ends early. */
int sweep_hold(struct work *, int64_t until_ns, struct cause *);
/* Words for the end of a step by an error of a server without memory; other causes are left as they are. */
void sweep_explain(const struct work *, struct cause *);

/* Note at the measured step what fell into it (remarks.h), and whether the descent ends with it (--stop-above). */
void sweep_noted(struct work *, const struct step_facts *);
/* Did the descent end above this step? */
int sweep_skips(const struct work *, const struct plan_step *);

/* The default demand, by a probe at the present setting; fills w->demand.  Its own users; w->drive is not yet open. */
int sweep_probe(struct work *, struct cause *);

/* run.json, and members of it: the plan, who drives, the sandbox's label (else null). */
json_t *sweep_meta(const struct work *);
json_t *sweep_plan_json(const struct plan *);
json_t *sweep_client_json(void);
json_t *sweep_label_json(int64_t scale);
/* Its member "demand"; think_s is null until a probe has set it. */
json_t *sweep_demand_json(const struct demand *, int known);

/* Nanoseconds of run time now. */
int64_t sweep_now(const struct work *);

#endif
