#include "config.h"

#include "run/record.h"
#include "base/units.h"

#include <stdio.h>

const char *phase_name(enum phase p) {
  static const char *const name[PHASES] = {"settle", "warm", "measure"};
  return p < PHASES ? name[p] : "?";
}

const char *role_name(enum step_role r) {
  switch (r) {
  case STEP_BURN_IN:
    return "burn_in";
  case STEP_MEASURED:
    return "measured";
  case STEP_DRIFT:
    return "drift";
  }
  return "?";
}

char *memory_name(int64_t mib, char *buf, size_t size) {
  if (mib > 0)
    return size_text(mib * MIB, buf, size);
  snprintf(buf, size, "unknown memory");
  return buf;
}

const struct record_field *record_server_fields(size_t *n) {
#define C 'C'
#define G 'G'
#define X(name, kind) {#name, offsetof(struct server_sample, name), kind},
  static const struct record_field field[] = {SERVER_FIELDS(X)};
#undef X
#undef C
#undef G
  *n = sizeof field / sizeof *field;
  return field;
}

const struct record_field *record_load_fields(size_t *n) {
#define X(name) {#name, offsetof(struct load_second, name), 'G'},
  static const struct record_field field[] = {LOAD_FIELDS(X)};
#undef X
  *n = sizeof field / sizeof *field;
  return field;
}
