/* option: values of options, for the parsers of the commands.  A wrong one ends the program as argp does: a sentence, the usage hint, status 1. */
#ifndef RK_CMD_OPTION_H
#define RK_CMD_OPTION_H

#include "base/cause.h"

#include <argp.h>
#include <stdint.h>

/* A parser's failure; nothing when rc is 0. */
void option_check(struct argp_state *, int rc, const struct cause *);
/* A time of at least so long into *ns; `what` is the option's name. */
void option_time(struct argp_state *, const char *what, const char *arg, int64_t least_ns, int64_t *ns);
/* 0 to 2^63 - 1. */
uint64_t option_seed(struct argp_state *, const char *arg);
/* The name of a `thing` ("folder"): arg itself, which must not be empty, as it is by a variable that a script has not set.  `what`: the
 * option, NULL for an argument. */
const char *option_name(struct argp_state *, const char *what, const char *thing, const char *arg);

#endif
