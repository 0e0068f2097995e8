/* check: the preflight.  What is there, what would be changed, what stands in the way; nothing is changed on the server.
 *
 * Two halves: check_read asks the server (and this host's journal) for facts, each with a reason when it cannot be had; check_judge is
 * a pure function from facts and plan to findings.  A finding is added by writing one small function and a line in the table of
 * findings.c. */
#ifndef RK_CHECK_CHECK_H
#define RK_CHECK_CHECK_H

#include "server/conn.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

enum severity { CHECK_OK, CHECK_WARNING, CHECK_REFUSAL };

struct finding {
  char code[24];      /* stable, for scripts: "rights-set" */
  enum severity severity;
  char text[600];     /* a sentence without a full stop */
  char remedy[400];   /* empty when there is nothing to do */
};

/* Zero-initialise it; findings_free. */
struct findings {
  struct finding *all;
  size_t n;
};

/* What is going to be done: a warning for one purpose is a refusal for another. */
enum purpose { CHECK_LOOK, CHECK_LOAD, CHECK_SWEEP, CHECK_MEASURE };

struct check_plan {
  enum purpose purpose;
  const struct target *target;
  const char *database;     /* NULL: none was named */
  const int64_t *step_mib;  /* steps wanted, any order; NULL with nstep 0: the default ones */
  size_t nstep;
  int steps_named;          /* by the user: what cannot be reached is refused, not left out */
  int set_by_command;       /* --set-with: nothing is set by SQL */
  int64_t load_bytes;       /* CHECK_LOAD: size wanted, 0 when unknown */
};

#define CHECK_UNKNOWN INT64_MIN

/* Whether a group of facts could be read, and if not, why. */
struct check_part {
  int have;
  char why[240];
};

struct check_facts {
  struct check_part identity, settings, rights, memory, model, tiers, clerks, governor, pending, counters, link, database, load, size, volumes,
    sessions, requests, lock;

  char server_name[132], node[132], edition[132], version[64], platform[64];
  int64_t engine_edition, clustered, hadr, scale; /* scale: CHECK_UNKNOWN on a real server */

  int64_t max_mib, max_in_use_mib, min_mib, min_in_use_mib, advanced;

  int64_t may_set, may_view, may_view_performance, may_create; /* 1, 0, or CHECK_UNKNOWN where the version does not know the right */
  int64_t set_by_procedure; /* 1: may run the procedure of sql/scripts/signed.sql; CHECK_UNKNOWN: there is none */

  int64_t physical_kib, committed_kib, target_kib, memory_low;
  int64_t memory_model, large_pages_kib, locked_pages_kib; /* model: 1 conventional, 2 locked pages, 3 large pages */
  int64_t bpe_state, hybrid;                               /* CHECK_UNKNOWN where the version has none */
  int64_t xtp_kib, columnstore_kib;
  char pool[132];
  int64_t pool_max_cpu, pool_cap_cpu, pool_max_memory, pool_max_iops;

  int64_t pending_n;
  char pending_names[200];

  int64_t counter_rows, stolen_kib; /* rows: of counters with names */

  char encrypted[16], auth[40], listener[132];

  int64_t database_exists, database_read_only, database_level, database_rcsi;
  char database_state[64], database_recovery[64], replica[64];
  int64_t data_bytes, log_bytes, used_bytes;
  int64_t load_exists, load_complete, load_scale;
  char load_mix[32], load_at[32]; /* when it was done */
  int64_t free_bytes;      /* the least of the volumes of the database's data files */
  char file_system[64];

  int64_t sessions_n, requests_n;
  char sessions_text[600], requests_text[200]; /* whose sessions (login, host, program, how many); which commands */

  int64_t lock_free;       /* 0: another sweep holds the lock */
  char journal[400];       /* path of an unfinished local journal, or empty */
  int64_t server_journal;  /* the row on the server says that a sweep has not put back its setting */
};

/* Read the facts.  `conn` may be in any database; a second connection is opened to plan->database when that exists.  -1 only when the
 * connection is lost. */
int check_read(struct conn *, const struct check_plan *, struct check_facts *, struct cause *);

/* Pure: judge them.  The order of the findings is fixed. */
void check_judge(const struct check_facts *, const struct check_plan *, struct findings *);

/* Both. */
int check_run(struct conn *, const struct check_plan *, struct findings *, struct cause *);

/* Add one; `remedy` may be NULL. */
void findings_add(struct findings *, const char *code, enum severity, const char *remedy, const char *fmt, ...)
  __attribute__((format(printf, 5, 6)));
/* How many are refusals. */
size_t findings_refusals(const struct findings *);
void findings_free(struct findings *);
/* As text, one a line with its remedy below; those that are ok only with `all`. */
void findings_print(const struct findings *, int all, FILE *);
/* {"findings": [{"code", "severity", "text", "remedy"}...], "refusals": n, "warnings": n}, new. */
json_t *findings_json(const struct findings *);
const char *severity_name(enum severity);

#endif
