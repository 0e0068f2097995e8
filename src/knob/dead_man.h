/* dead_man: a job of the server's own Agent that puts the setting back when the sweep is not heard of any more: its machine is gone, or
 * both of its processes.  It goes by a row in the measured database, beside the journal's: what was there, what the sweep has set last and
 * is about to set, and its last sign of life.  What the job does, and who can be at it at the same time: sql/server/dead_man.sql.
 *
 * Order: the row, the job, then the first change; at the end the setting is back first, then the job and the row go.  All functions
 * take a connection in the measured database. */
#ifndef RK_KNOB_DEAD_MAN_H
#define RK_KNOB_DEAD_MAN_H

#include "knob/journal.h"

enum { DEAD_MAN_TAKEN_FOR_DEAD = 50006 }; /* cause.number: the job has put the setting back under a sweep that lives */

enum { DEAD_MAN_NAME = 132 };

/* The row as others find it. */
struct dead_man {
  char job[DEAD_MAN_NAME * 3], run[200 * 3 + 1], server[DEAD_MAN_NAME * 3];
  char state[16];    /* armed; restored or left, by the job; over */
  char ended_at[24]; /* server's clock, UTC; empty: not yet */
  int64_t after_s, max_mib, found_mib; /* found: what was set when the job came to help */
};

/* What the server answers to a sign of life. */
struct dead_man_life {
  int armed;       /* 0: the job has taken the sweep for dead, or the row is gone */
  int64_t armed_s; /* since when there is a job */
  int64_t ran_s;   /* how long ago it ran; -1: never */
};

/* Can the server's Agent run such a job?  0: yes; 1: nobody can tell, and *c says why; -1: no. */
int dead_man_possible(struct conn *, int64_t engine_edition, struct cause *c);

/* One sentence, the name of the job: letters, digits and a few signs, at most 128.  New memory. */
char *dead_man_job(const char *server, const char *run);

/* Write the row and make the job j->dead_man for j->state; `run` is for people.  A failure leaves neither behind. */
int dead_man_arm(struct conn *, const struct journal *j, const char *run, int64_t after_s, struct cause *);

/* Tell the row what is about to be set. */
int dead_man_next(struct conn *, const struct knob_state *, struct cause *);

int dead_man_beat(struct conn *, struct dead_man_life *, struct cause *);

/* 1 when there is no row. */
int dead_man_read(struct conn *, struct dead_man *, struct cause *);

/* Take job and row away; fine when there are none. */
int dead_man_remove(struct conn *, struct cause *);

#endif
