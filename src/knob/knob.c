#include "config.h"

#include "knob/command.h"
#include "knob/memory.h"

#include <inttypes.h>
#include <stdio.h>

const struct knob *knob_of(const struct knob_state *s) {
  return s->command[0] ? &knob_command : &knob_memory;
}

char *knob_by_hand(const struct knob_state *s) {
  return s->command[0] ? command_by_hand(s) : memory_by_hand(s);
}

char *knob_value_text(int64_t max_mib, char *buf, size_t size) {
  if (memory_limit(max_mib) == MEMORY_NO_LIMIT_MIB)
    snprintf(buf, size, "no limit");
  else
    snprintf(buf, size, "%" PRId64 " MB", max_mib);
  return buf;
}
