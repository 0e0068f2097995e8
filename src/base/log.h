/* log: everything that is not a result goes to stderr through here; a run also keeps it in its log.txt.
 *
 * On a terminal one live line stands below the messages (progress); without one, progress is printed as plain lines.
 * Safe from any thread (one mutex); never called inside a timed transaction. */
#ifndef RK_BASE_LOG_H
#define RK_BASE_LOG_H

#include "base/cause.h"

/* "ramknee: TEXT", "ramknee: warning: TEXT", "ramknee: error: TEXT"; each takes one sentence without the newline. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A cause as an error: its text, then its remedy on a line of its own. */
void say_cause(const struct cause *);
/* A cause as a warning. */
void warn_cause(const struct cause *);

/* Keep a copy of everything said in the file `fd` (with the time in front); -1 ends that.  The caller keeps owning fd. */
void log_tee(int fd);

/* Quiet: say() prints nothing on stderr (warnings and errors still do); log.txt keeps everything. */
void log_quiet(int on);

/* For on_exit in main: results that did not reach their file are no results.  When standard output has an error the program says so and ends
 * with STATUS_INCOMPLETE, but for a worse status that it has already.  A reader that has gone away has had enough: not worth a word. */
void log_results(int status, void *unused);

/* The live line.  On a terminal it is redrawn in place; elsewhere it is printed as a line of its own, at most once in 10 s
 * unless `force`.  An empty text clears it. */
void progress(int force, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The name that starts each line; default "ramknee".  Not copied. */
void log_name(const char *name);

#endif
