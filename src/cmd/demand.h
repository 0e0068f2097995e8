/* demand: the options that sweep and measure share, as an argp child: the demand, and the phases of a step. */
#ifndef RK_CMD_DEMAND_H
#define RK_CMD_DEMAND_H

#include "base/cause.h"
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

/* A parser's failure as argp tells it: usage hint, status 1.  Nothing when rc is 0. */
void option_check(struct argp_state *, int rc, const struct cause *);
/* A time of at least so long into *ns; `what` is the option's name. */
void option_time(struct argp_state *, const char *what, char *arg, int64_t least_ns, int64_t *ns);
/* The name of a folder: arg itself, which must not be empty (an unset variable in a script). */
const char *option_folder(struct argp_state *, const char *what, const char *arg);

#endif
