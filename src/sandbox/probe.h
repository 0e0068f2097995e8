/* probe: does a direct read in this folder reach a device? */
#ifndef RK_SANDBOX_PROBE_H
#define RK_SANDBOX_PROBE_H

#include "base/cause.h"

/* Write 1 MiB, read it back with O_DIRECT and look whether the kernel counted a read (/proc/self/io): a tmpfs takes the flag and
 * reads from memory, and every figure of a sandbox in it would be about nothing.  0, or -1 with a sentence. */
int probe_direct_read(const char *folder, struct cause *);

#endif
