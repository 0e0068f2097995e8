/* locate: where the other program of this package is. */
#ifndef RK_CMD_LOCATE_H
#define RK_CMD_LOCATE_H

#include "base/cause.h"

/* The path of ramknee-sandbox: what RAMKNEE_SANDBOX says, else beside the running program (a build folder, a copied pair), else
 * in libexecdir.  New memory; NULL with a cause. */
char *locate_sandbox(struct cause *);

#endif
