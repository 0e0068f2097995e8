/* memory: the decisions of the memory knob, apart from the talk with the server, so that each can be tested by itself.  Pure. */
#ifndef RK_KNOB_MEMORY_H
#define RK_KNOB_MEMORY_H

#include "knob/knob.h"

enum memory_back {
  BACK_NOTHING,      /* everything is as it was */
  BACK_SET,          /* set max_mib and min_mib */
  BACK_MIN_ONLY,     /* somebody else has changed max: keep theirs, set min back */
  BACK_LEAVE,        /* somebody else has changed it: leave it */
  BACK_OTHER_SERVER, /* another instance answers */
};

/* What to do to get back to `was` (with what we set since: last_*, next_*), given what is there `now`. */
struct memory_plan {
  enum memory_back what;
  int64_t max_mib, min_mib; /* to set, with BACK_SET and BACK_MIN_ONLY */
  int advanced;             /* 'show advanced options' must go back, too: a batch of ours broke off in the middle */
};
struct memory_plan memory_plan_back(const struct knob_state *was, const struct knob_state *now);

/* 'max server memory' as it acts: an untouched server stores 0 for "no limit". */
int64_t memory_limit(int64_t max_mib);
/* 1 when we may have left that value of 'max server memory': the one before, the last one set, or the one about to be set. */
int memory_ours_max(const struct knob_state *was, int64_t max_mib);

/* put_back's cause and result (1) where somebody else has changed the setting and it was left so. */
int memory_tell_left_alone(const struct knob_state *was, const struct knob_state *now, struct cause *);

/* knob_by_hand for a setting that SQL changes. */
char *memory_by_hand(const struct knob_state *);

/* 1 when memory held and the server's own target say that it has come to `want_mib` (see knob.settled). */
int memory_has_settled(int64_t want_mib, int64_t committed_kib, int64_t target_kib);

#endif
