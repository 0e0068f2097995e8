#include "config.h"

#include "knob/command_private.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const int64_t ask_ns = NS_PER_S / 2; /* between two looks at what the server shows */

struct command_surroundings command_around;
char **command_environment; /* NULL: that of the process */

/* ---- set-up ---- */

void command_keep_environment(void) {
  size_t n = 0;
  if (command_environment)
    return;
  while (environ && environ[n])
    n++;
  command_environment = xcalloc(n + 1, sizeof *command_environment);
  for (size_t i = 0; i < n; i++)
    command_environment[i] = xstrdup(environ[i]);
}

void command_surround(const struct command_surroundings *s) {
  command_around = *s;
}

int command_check(const char *command, struct cause *c) {
  size_t n = strlen(command);
  if (n == strspn(command, " \t"))
    return cause_set(c, STATUS_SETUP, "the command of --set-with is empty");
  int bad = n > KNOB_COMMAND_MAX;
  for (size_t i = 0; i < n && !bad; i++)
    bad = (unsigned char)command[i] < 0x20 || command[i] == 0x7f;
  if (!bad)
    return 0;
  cause_set(c, STATUS_SETUP, "the command of --set-with is more than one line of %d bytes", KNOB_COMMAND_MAX);
  return cause_remedy(c, "write it into a script and name that");
}

void command_use(struct knob_state *s, const char *command, int64_t max_ns) {
  snprintf(s->command, sizeof s->command, "%s", command);
  s->command_max_ns = max_ns;
  s->command_foreign = 0;
}

/* ---- by hand ---- */

/* 'it'\''s' */
static void quote(struct text *t, const char *s) {
  text_add(t, "'");
  for (; *s; s++)
    if (*s == '\'')
      text_add(t, "'\\''");
    else
      text_addn(t, s, 1);
  text_add(t, "'");
}

char *command_by_hand(const struct knob_state *s) {
  int64_t mib = memory_limit(s->max_mib);
  struct text t = {0};
  text_addf(&t, "RAMKNEE_MAX_MEMORY_MB=%" PRId64 " RAMKNEE_MAX_MEMORY_BYTES=%" PRId64 " RAMKNEE_SERVER=", mib, mib * MIB);
  quote(&t, command_around.server ? command_around.server : s->server);
  text_add(&t, " RAMKNEE_INSTANCE=");
  quote(&t, s->server);
  text_add(&t, " /bin/sh -c ");
  quote(&t, s->command);
  text_addf(&t, " sh %" PRId64, mib);
  return t.s;
}

/* ---- the knob ---- */

enum memory_back command_plan_back(const struct knob_state *was, const struct knob_state *now) {
  if (strcmp(was->server, now->server) != 0)
    return BACK_OTHER_SERVER;
  if (memory_limit(now->max_mib) == memory_limit(was->max_mib) && memory_limit(now->max_in_use_mib) == memory_limit(was->max_in_use_mib))
    return BACK_NOTHING;
  return memory_ours_max(was, now->max_mib) && memory_ours_max(was, now->max_in_use_mib) ? BACK_SET : BACK_LEAVE;
}

/* The floor is not the command's: it stays. */
static void intend(struct knob_state *s, int64_t value_mib) {
  s->next_mib = value_mib;
  s->next_min_mib = s->min_mib;
}

static int64_t held(const struct knob_state *s) {
  return memory_limit(s->last_mib ? s->last_mib : s->max_mib);
}

static int holds(struct conn *conn, const struct knob_state *s, struct cause *c) {
  struct knob_state now;
  if (knob_memory.read(conn, &now, c) != 0)
    return -1;
  int other = strcmp(now.server, s->server) != 0;
  if (!other && memory_limit(now.max_in_use_mib) == held(s))
    return 1;
  if (other)
    cause_set(c, STATUS_INCOMPLETE, "another instance answers now: %s, not %s", now.server, s->server);
  else
    cause_set(c, STATUS_INCOMPLETE, "somebody else has changed max server memory from %" PRId64 " to %" PRId64 " MB", held(s),
              now.max_in_use_mib);
  c->number = other ? KNOB_OTHER_SERVER : KNOB_CHANGED;
  return 0;
}

/* Until the server shows it; the command may only have asked somebody for it. */
static int await(struct conn *conn, int64_t mib, int64_t until_ns, struct cause *c) {
  for (;;) {
    struct knob_state now;
    if (knob_memory.read(conn, &now, c) != 0)
      return -1;
    if (memory_limit(now.max_in_use_mib) == memory_limit(mib))
      return 0;
    int stop = command_around.stop && command_around.stop(command_around.arg);
    if (stop || mono_ns() >= until_ns) {
      cause_set(c, STATUS_INCOMPLETE, "the command of --set-with ended without an error, but the server still runs with %" PRId64
                " MB, not %" PRId64 "%s", now.max_in_use_mib, memory_limit(mib), stop ? " (interrupted)" : "");
      return cause_remedy(c, "see that it changes this instance (%s), and installs the value; --set-with-max gives it more time", now.server);
    }
    sleep_until_ns(mono_ns() + ask_ns);
  }
}

static int change(struct conn *conn, const struct knob_state *s, int64_t mib, struct cause *c) {
  int64_t until = mono_ns() + s->command_max_ns;
  if (command_run(s, memory_limit(mib), until, c) != 0)
    return -1;
  return await(conn, mib, until, c);
}

static int set(struct conn *conn, struct knob_state *s, struct cause *c) {
  if (s->next_mib < MEMORY_LEAST_MIB)
    return cause_set(c, STATUS_SETUP, "max server memory cannot be set below %" PRId64 " MB", MEMORY_LEAST_MIB);
  int same = holds(conn, s, c);
  if (same != 1)
    return -1;
  if (s->next_mib != held(s) && change(conn, s, s->next_mib, c) != 0)
    return -1;
  s->last_mib = s->next_mib;
  s->last_min_mib = s->next_min_mib;
  return 0;
}

static int back(struct conn *conn, const struct knob_state *was, struct cause *c) {
  char value[32];
  if (was->command_foreign) {
    cause_set(c, STATUS_NOT_PUT_BACK, "the setting of %s was changed by a command of the user's own, which the record on the server names; it is "
              "not run from there", was->server);
    c->number = KNOB_BY_COMMAND;
    return cause_remedy(c, "look at the line below, then run it, or give its command to 'ramknee restore --set-with'");
  }
  say("putting max server memory back to %s by the command of --set-with", knob_value_text(was->max_mib, value, sizeof value));
  return change(conn, was, was->max_mib, c);
}

static int put_back(struct conn *conn, const struct knob_state *was, struct cause *c) {
  struct knob_state now;
  if (knob_memory.read(conn, &now, c) != 0)
    return -1;
  switch (command_plan_back(was, &now)) {
  case BACK_NOTHING:
    return 0;
  case BACK_SET:
    if (back(conn, was, c) != 0)
      return -1;
    break;
  case BACK_OTHER_SERVER:
    cause_set(c, STATUS_NOT_PUT_BACK, "another instance answers: %s, not %s, whose setting was changed", now.server, was->server);
    c->number = KNOB_OTHER_SERVER;
    return cause_remedy(c, "connect to the instance itself, not to a listener or an alias that can move");
  default:
    return memory_tell_left_alone(was, &now, c);
  }
  if (knob_memory.read(conn, &now, c) != 0)
    return -1;
  if (command_plan_back(was, &now) != BACK_NOTHING)
    return cause_set(c, STATUS_NOT_PUT_BACK, "max server memory of %s was put back, but the server shows %" PRId64 " MB (in use: %" PRId64 ")",
                     was->server, now.max_mib, now.max_in_use_mib);
  return 0;
}

static int read_state(struct conn *conn, struct knob_state *s, struct cause *c) {
  return knob_memory.read(conn, s, c);
}

static int settled(struct conn *conn, int64_t want_mib, int64_t *reached_kib, struct cause *c) {
  return knob_memory.settled(conn, want_mib, reached_kib, c);
}

const struct knob knob_command = {
  .name = "max server memory",
  .unit = "MB",
  .read = read_state,
  .intend = intend,
  .set = set,
  .holds = holds,
  .settled = settled,
  .put_back = put_back,
};
