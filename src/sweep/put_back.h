/* put_back: the one path by which a setting goes back, after every end of a sweep and by `ramknee restore`: from the journal. */
#ifndef RK_SWEEP_PUT_BACK_H
#define RK_SWEEP_PUT_BACK_H

#include "knob/journal.h"

enum put_back_result {
  PUT_BACK_NOTHING, /* no journal: nothing had been changed */
  PUT_BACK_DONE,    /* it is as it was, read back; journal and row are gone */
  PUT_BACK_LEFT,    /* somebody else has changed it since: left alone; journal and row are gone */
  PUT_BACK_FAILED,  /* it could not be put back: cause filled, the journal stays */
};

struct put_back {
  const struct target *target;
  struct conn **conn;       /* to be used while it lives; replaced when it is lost; *conn may be NULL */
  const char *journal_path;
  const struct knob_state *known; /* what the journal must hold when a setting was changed, else NULL: for a file that was lost or damaged */
  const char *database;           /* the measured one, for a journal made from `known` */
  int64_t max_ns;           /* try at most so long while the server does not answer */
};

/* A connection in master: it does not depend on the measured database, and application locks are kept per database. */
int open_in_master(struct conn **, const struct target *, struct cause *);

/* Do it.  Says what it does; reconnects with growing pauses; two signals during the pauses end it early (supervised_wait).  *j (the
 * caller frees it) is the journal that was read, or made again from `known` when the file is gone or damaged; zeroed when there was
 * nothing to put back. */
enum put_back_result put_back(const struct put_back *, struct journal *j, struct cause *);

/* The same for a journal in memory: a row on the server has none on this host. */
enum put_back_result put_back_state(const struct put_back *, const struct journal *j, struct cause *);

/* Take the row in the journal's database away; what stands in the way is said as a warning. */
void put_back_clear_row(const struct target *, const struct journal *);

/* 1: the server was started since it gave these ticks (sqlserver_start_time_ms_ticks; 0: not known); 0: it was not, or it does not say. */
int put_back_restarted(struct conn *, int64_t start_ticks);

/* -1 with a remedy while the database holds the record of a sweep that has not put its setting back: with the database the record would go.
 * 0 also when the database cannot be opened. */
int put_back_refuse_loss(const struct target *, const char *database, struct cause *);

/* The application lock `ramknee` in master, kept as long as the connection lives: sweep, restore, load and drop keep off each other.
 *  0; 1: somebody else has it (cause); -1: failed. */
int lock_take(struct conn *in_master, struct cause *);

#endif
