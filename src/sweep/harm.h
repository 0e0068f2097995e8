/* harm: signs that a step takes from a server what others on it need, and when they are reason enough to end the step.
 * Pure functions of the samples.
 *
 *   grants   other people's requests wait for a memory grant: in every sample over 5 s, or one of them for 5 s
 *   low      the server's process answers to a shortage of physical memory, in every sample over 10 s.  Not while it comes to a new
 *            setting: there giving memory back is what it was asked for.
 * Either needs at least three samples; one that does not tell (ABSENT) proves nothing, neither way. */
#ifndef RK_SWEEP_HARM_H
#define RK_SWEEP_HARM_H

#include "base/cause.h"
#include "run/record.h"

#define HARM_SAMPLES 3
#define HARM_GRANTS_S 5
#define HARM_LOW_S 10

enum harm_kind { HARM_NONE, HARM_GRANTS, HARM_LOW };

/* Zeroed before the first sample. */
struct harm {
  int64_t at_ns; /* of the last sample */
  struct harm_sign {
    int64_t since_ns;
    int samples;
  } grants, low;
};

/* Take one more sample (the same one again, or none yet, changes nothing).  What it is reason enough for. */
enum harm_kind harm_take(struct harm *, const struct server_sample *, int settling);

/* In words, for a step of that setting; status 2.  Always -1. */
int harm_cause(enum harm_kind, const struct server_sample *, int64_t setting_mib, struct cause *);

#endif
