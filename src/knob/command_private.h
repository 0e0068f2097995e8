/* command_private: what command.c and command_run.c share. */
#ifndef RK_KNOB_COMMAND_PRIVATE_H
#define RK_KNOB_COMMAND_PRIVATE_H

#include "knob/command.h"

extern struct command_surroundings command_around;
extern char **command_environment; /* NULL: that of the process */

#endif
