/* confirm: ask before something is changed. */
#ifndef RK_CMD_CONFIRM_H
#define RK_CMD_CONFIRM_H

#include "base/cause.h"

/* 0: go on (`yes` was given, or the answer was y or yes).  -1 with STATUS_SETUP: refused, or there is no terminal to ask on. */
int confirm(int yes, struct cause *);

#endif
