/* demand: the options that sweep and measure share, as an argp child: the demand, and the phases of a step. */
#ifndef RK_CMD_DEMAND_H
#define RK_CMD_DEMAND_H

#include "sweep/sweep.h"

#include <argp.h>

/* --users, --think, --rate, --seed, --stationary, --burn-in, --warm, --warm-max, --measure, --precision, --measure-max.  The input of this parser
 * (state->child_inputs[i]) is a zeroed one of these; `o` has seen sweep_options_init, and demand_named becomes 1 at the end when think or
 * rate was given. */
struct demand_options {
  struct sweep_options *o;
  void (*given)(void *arg, const char *name); /* told of each option that was given ("users"); may be NULL */
  void *arg;
  const char *first;        /* the first of these options that was given, "warm"; NULL: none */
  const char *first_demand; /* the first of those that say what is sent */
  int think, rate, warm, warm_max; /* given */
};
extern const struct argp demand_argp;

#endif
