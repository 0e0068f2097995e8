#include "config.h"

#include "cmd/demand.h"
#include "base/units.h"
#include "cmd/option.h"

#include <string.h>

enum { OPT_USERS = 0x3000, OPT_THINK, OPT_RATE, OPT_SEED, OPT_STATIONARY, OPT_WARM, OPT_WARM_MAX, OPT_MEASURE, OPT_PRECISION,
       OPT_MEASURE_MAX, OPT_BURN_IN };

static const struct argp_option options[] = {
  {0, 0, 0, 0, "Demand:", 2},
  {"users", OPT_USERS, "N", 0, "Virtual users, each with a connection (default 64)", 0},
  {"think", OPT_THINK, "TIME", 0, "Mean think time of a user (default: set by a probe, for half of the peak throughput)", 0},
  {"rate", OPT_RATE, "R", 0, "Arrivals a second instead of thinking users; --users then limits how many are served at once", 0},
  {"seed", OPT_SEED, "N", 0, "Seed of the requests (default 1)", 0},
  {"stationary", OPT_STATIONARY, "on|off|auto", 0, "Keep the data's size (auto: when it would grow by more than 2 %)", 0},
  {0, 0, 0, 0, "Phases of a step:", 3},
  {"warm", OPT_WARM, "TIME", 0, "Warm up at least so long", 0},
  {"warm-max", OPT_WARM_MAX, "TIME", 0, "Warm up at most so long when it does not become steady", 0},
  {"measure", OPT_MEASURE, "TIME", 0, "Measure for exactly so long instead", 0},
  {"precision", OPT_PRECISION, "SHARE", 0, "Measure until the p95 is known to so much up or down (default 5%; not in the sandbox)", 0},
  {"measure-max", OPT_MEASURE_MAX, "TIME", 0, "Measure at most so long for that (default 15m)", 0},
  {"burn-in", OPT_BURN_IN, "TIME", 0, "Run so long unmeasured before the first step", 0},
  {0},
};

static void parse_stationary(struct argp_state *state, const char *arg, int *out) {
  if (strcmp(arg, "on") != 0 && strcmp(arg, "off") != 0 && strcmp(arg, "auto") != 0)
    argp_error(state, "--stationary takes on, off or auto, not '%s'", arg);
  *out = strcmp(arg, "on") == 0 ? 1 : strcmp(arg, "off") == 0 ? 0 : -1;
}

static void parse_demand(struct argp_state *state, int key, char *arg, struct demand_options *d) {
  struct demand *to = &d->o->demand;
  struct cause c = {0};
  int64_t v;
  switch (key) {
  case OPT_USERS:
    option_check(state, int_parse(arg, "the number of users", 1, 10000, &v, &c), &c);
    to->users = (int)v;
    break;
  case OPT_THINK:
    option_check(state, duration_parse(arg, &v, &c), &c);
    to->think_s = (double)v / (double)NS_PER_S;
    d->think = 1;
    break;
  case OPT_RATE:
    option_check(state, real_parse(arg, "the rate", 0.001, 1e6, &to->rate, &c), &c);
    d->rate = 1;
    break;
  default: to->seed = option_seed(state, arg);
  }
}

static void note(struct demand_options *d, int key) {
  for (const struct argp_option *o = options; o->name || o->doc; o++) {
    if (!o->name || o->key != key)
      continue;
    if (d->given)
      d->given(d->arg, o->name);
    if (!d->first)
      d->first = o->name;
    if (!d->first_demand && key <= OPT_STATIONARY)
      d->first_demand = o->name;
  }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct demand_options *d = state->input;
  struct cause c = {0};
  note(d, key);
  switch (key) {
  case OPT_USERS:
  case OPT_THINK:
  case OPT_RATE:
  case OPT_SEED: parse_demand(state, key, arg, d); break;
  case OPT_STATIONARY: parse_stationary(state, arg, &d->o->stationary); break;
  case OPT_WARM:
    option_time(state, "--warm", arg, 0, &d->o->warm_ns);
    d->warm = 1;
    break;
  case OPT_WARM_MAX:
    option_time(state, "--warm-max", arg, 0, &d->o->warm_max_ns);
    d->warm_max = 1;
    break;
  case OPT_MEASURE: option_time(state, "--measure", arg, NS_PER_S, &d->o->measure_ns); break;
  case OPT_MEASURE_MAX: option_time(state, "--measure-max", arg, NS_PER_S, &d->o->measure_max_ns); break;
  case OPT_PRECISION: option_check(state, share_parse(arg, "the precision", 0.001, 0.5, &d->o->precision, &c), &c); break;
  case OPT_BURN_IN: option_time(state, "--burn-in", arg, 0, &d->o->burn_in_ns); break;
  case ARGP_KEY_END:
    if (d->think && d->rate)
      argp_error(state, "give either --think or --rate");
    if (d->o->measure_ns >= 0 && (d->o->precision >= 0 || d->o->measure_max_ns >= 0))
      argp_error(state, "--measure fixes the time: give it alone, or --precision and --measure-max");
    if (d->warm && d->warm_max && d->o->warm_max_ns < d->o->warm_ns)
      argp_error(state, "--warm-max is shorter than --warm");
    d->o->demand_named |= d->think || d->rate;
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp demand_argp = {.options = options, .parser = parse};
