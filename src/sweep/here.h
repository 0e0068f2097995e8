/* here: what can be known of a server whose setting is left as it is: for which memory a point stands, and what cannot be sampled. */
#ifndef RK_SWEEP_HERE_H
#define RK_SWEEP_HERE_H

#include "check/check.h"
#include "sample/sample.h"

#include <jansson.h>

#define HERE_GROUPS 4 /* files, counters, CPU, waits */

struct here {
  int64_t memory_mib;      /* 0: not known */
  const char *memory_from; /* in words: "max server memory"; NULL: not known */
  int64_t told_mib;        /* the same without --memory: what the server tells, 0: nothing */
  const char *told_from;
  int whole;               /* files and counters of the whole instance, not of one database */
  struct server_sample first;
  struct here_group {
    int absent;
    char why[300], remedy[200];
  } group[HERE_GROUPS];
};

/* What the memory is: what the user says (given_mib > 0); else 'max server memory', where there is one and the server's own target is
 * not below it; else that target; else what the server holds.  Pure.  A value that is not known is ABSENT. */
struct here_memory {
  int64_t given_mib, engine_edition, max_in_use_mib, target_kib, total_kib;
};
int64_t here_memory(const struct here_memory *, const char **from);

/* Ask for one sample and for each group of statements behind it.  `scope` says what is sampled (sample.h); where the whole instance is
 * refused it becomes that of the connection's database.  -1 only when the connection is lost. */
int here_read(struct here *, struct conn *, struct sample_scope *scope, const struct check_facts *, int64_t given_mib, struct cause *);

/* 1 when nothing at all can be sampled. */
int here_blind(const struct here *);

/* One warning for each group that is absent, and one when --memory says another memory than the server. */
void here_say(const struct here *);

/* "reads and writes of the storage": what is absent without group i. */
const char *here_group_name(int i);

/* Member "memory" of run.json, new: {"mib": n or null, "from": words or null, "told_mib", "told_from": the same as the server tells it}. */
json_t *here_json(const struct here *);

#endif
