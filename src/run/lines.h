/* lines: files that grow by whole lines, written by a thread of their own, so that whoever adds a line never waits for a disk. */
#ifndef RK_RUN_LINES_H
#define RK_RUN_LINES_H

#include "base/cause.h"
#include "base/text.h"

#define LINES_FILES 4

struct lines;

/* Create the files (none may exist) and start the thread.  1 <= n <= LINES_FILES.  Causes have status 2 and a remedy. */
int lines_open(struct lines **, const char *const *path, int n, struct cause *);

/* Lock, and give the text that file `which` is to get next: add whole lines to it.  NULL when that file failed before (nothing is
 * added then).  lines_end must follow in either case.  Any thread. */
struct text *lines_begin(struct lines *, int which);
void lines_end(struct lines *);

/* Wait until all that was added is written, or has failed.  For whoever adds faster than any disk writes. */
void lines_drain(struct lines *);

/* The first failure to write, -1; 0 when there was none.  Any thread. */
int lines_error(struct lines *, struct cause *);

/* Write what is left, sync, close, end the thread and free.  0, or -1 with the first failure.  NULL is fine. */
int lines_close(struct lines *, struct cause *);

/* Add the remedy that fits a cause of a failed write (by its number); returns -1. */
int lines_remedy(struct cause *);

#endif
