#include "config.h"

#include "sweep/harm.h"
#include "base/units.h"

#include <inttypes.h>

/* Has it been there, in every sample that tells, for so long?  `earlier_ns`: how long before this sample it had begun at least. */
static int lasts(struct harm_sign *s, int there, int64_t at_ns, int64_t earlier_ns, int64_t limit_ns) {
  if (!there) {
    *s = (struct harm_sign){0};
    return 0;
  }
  if (s->samples++ == 0 || at_ns - earlier_ns < s->since_ns)
    s->since_ns = at_ns - earlier_ns;
  return s->samples >= HARM_SAMPLES && at_ns - s->since_ns >= limit_ns;
}

enum harm_kind harm_take(struct harm *h, const struct server_sample *s, int settling) {
  int grants = 0, low = 0;
  if (s->at_ns <= h->at_ns)
    return HARM_NONE;
  h->at_ns = s->at_ns;
  int64_t waited_ns = s->grants_wait_others_ms == ABSENT ? 0 : s->grants_wait_others_ms * NS_PER_MS;
  if (s->grants_pending_others != ABSENT)
    grants = lasts(&h->grants, s->grants_pending_others > 0, s->at_ns, waited_ns, HARM_GRANTS_S * NS_PER_S);
  if (settling)
    h->low = (struct harm_sign){0};
  else if (s->process_memory_low != ABSENT)
    low = lasts(&h->low, s->process_memory_low == 1, s->at_ns, 0, HARM_LOW_S * NS_PER_S);
  return grants ? HARM_GRANTS : low ? HARM_LOW : HARM_NONE;
}

int harm_cause(enum harm_kind kind, const struct server_sample *s, int64_t setting_mib, struct cause *c) {
  char size[32], wait[40];
  size_text(setting_mib * MIB, size, sizeof size);
  if (kind == HARM_GRANTS) {
    cause_set(c, STATUS_INCOMPLETE, "other people's requests wait for memory (%" PRId64 " of them, one for %s): the step at %s was ended",
              s->grants_pending_others, duration_text(s->grants_wait_others_ms == ABSENT ? 0 : s->grants_wait_others_ms * NS_PER_MS, wait, sizeof wait),
              size);
    return cause_remedy(c, "end the descent above %s (--floor, --steps), or sweep while nobody else needs this server", size);
  }
  cause_set(c, STATUS_INCOMPLETE, "the server's process has been short of physical memory for %d s: the step at %s was ended", HARM_LOW_S, size);
  return cause_remedy(c, "find out what else takes the memory of the server's machine; its 'max server memory' may be too high for it");
}
