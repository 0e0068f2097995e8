#include "config.h"

#include "cmd/option.h"
#include "base/units.h"

void option_check(struct argp_state *state, int rc, const struct cause *c) {
  if (rc != 0)
    argp_error(state, "%s%s%s", c->text, c->remedy[0] ? "; " : "", c->remedy);
}

void option_time(struct argp_state *state, const char *what, const char *arg, int64_t least_ns, int64_t *ns) {
  struct cause c = {0};
  option_check(state, duration_parse(arg, ns, &c), &c);
  if (*ns < least_ns)
    argp_error(state, "%s must be at least %s, not %s", what, least_ns >= NS_PER_S ? "1s" : "1ms", arg);
}

uint64_t option_seed(struct argp_state *state, const char *arg) {
  struct cause c = {0};
  int64_t seed = 0;
  option_check(state, int_parse(arg, "--seed", 0, INT64_MAX, &seed, &c), &c);
  return (uint64_t)seed;
}

const char *option_name(struct argp_state *state, const char *what, const char *thing, const char *arg) {
  if (!arg[0])
    argp_error(state, "%s%sthe name of the %s is empty", what ? what : "", what ? ": " : "", thing);
  return arg;
}
