/* command: 'max server memory' changed by a command of the user's own (--set-with), where SQL may not: a parameter group, an
 * orchestrator.  What it did is verified by SQL: sys.configurations.value_in_use must become what was asked for.
 *
 * The command is run by /bin/sh -c with the value in MB as $1, its input empty, its output said line by line (so it is in log.txt), in a
 * process group of its own, with the signals as a shell expects them and none of our files.  Its environment is the one that ramknee
 * was started with, without RAMKNEE_PASSWORD, and with
 *   RAMKNEE_MAX_MEMORY_MB, RAMKNEE_MAX_MEMORY_BYTES   the value wanted; 2147483647 MB means no limit
 *   RAMKNEE_SERVER                                    the server as the user named it
 *   RAMKNEE_INSTANCE                                  SERVERPROPERTY('ServerName')
 * When its time is up, or whoever waits for it wants to end, the whole group gets SIGTERM, and SIGKILL two seconds later. */
#ifndef RK_KNOB_COMMAND_H
#define RK_KNOB_COMMAND_H

#include "base/units.h"
#include "knob/memory.h"

/* What all commands of this process need to know.  `stop` (NULL is fine) is asked some times a second while one runs; not 0: end it. */
struct command_surroundings {
  const char *server; /* for RAMKNEE_SERVER; borrowed */
  int (*stop)(void *arg);
  void *arg;
  _Atomic int *group; /* where the process group of the one at work is noted (0: none), for a supervisor; NULL is fine */
};

/* Keep the environment as it is now for the commands to come, before the parts of this program add to theirs.  Call early, once. */
void command_keep_environment(void);
/* Copied; may be changed any time no command runs. */
void command_surround(const struct command_surroundings *);

/* Is it a command that can be kept in a journal?  One line of at most KNOB_COMMAND_MAX bytes. */
int command_check(const char *command, struct cause *);
/* The time that it gets where nobody says another, 10 min. */
#define COMMAND_USUAL_NS (600 * NS_PER_S)
/* From here on `state` is changed by the command; max_ns is the time for the command and for the server to show the value. */
void command_use(struct knob_state *, const char *command, int64_t max_ns);

/* Run it once and wait for its end, until the monotonic instant at most.  -1: it could not be started, ended with another status than
 * 0, by a signal, or was ended by us; the cause has the last line that it said.  From the main thread. */
int command_run(const struct knob_state *, int64_t mib, int64_t until_ns, struct cause *);

/* End the command that a process which is gone now has left at work. */
void command_kill(int group);

/* knob_by_hand: a line for a shell. */
char *command_by_hand(const struct knob_state *);

/* What putting back would do (BACK_* of knob/memory.h, never BACK_MIN_ONLY).  Pure. */
enum memory_back command_plan_back(const struct knob_state *was, const struct knob_state *now);

#endif
