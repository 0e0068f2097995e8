#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/connect.h"
#include "cmd/option.h"
#include "knob/command.h"
#include "sweep/put_back.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct args {
  struct connect_options connect;
  const char *journal;
  const char *set_with;
  int64_t max_ns, set_with_max_ns; /* the second: 0 when it was not given */
};

enum { OPT_PUT_BACK_MAX = 0x2000, OPT_SET_WITH, OPT_SET_WITH_MAX };

static const struct argp_option options[] = {
  {"put-back-max", OPT_PUT_BACK_MAX, "TIME", 0, "Try at most so long when the server does not answer, or another sweep holds its lock (default 1m)", 0},
  {"set-with", OPT_SET_WITH, "COMMAND", 0, "Put it back by this command for /bin/sh, as with sweep --set-with (default: the journal on this host tells)", 0},
  {"set-with-max", OPT_SET_WITH_MAX, "TIME", 0, "Give that command, and the server to show the value, at most so long (default 10m, or what the journal says)", 0},
  {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c = {0};
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &a->connect; break;
  case OPT_PUT_BACK_MAX: option_time(state, "--put-back-max", arg, 0, &a->max_ns); break;
  case OPT_SET_WITH:
    option_check(state, command_check(arg, &c), &c);
    a->set_with = arg;
    break;
  case OPT_SET_WITH_MAX: option_time(state, "--set-with-max", arg, NS_PER_S, &a->set_with_max_ns); break;
  case ARGP_KEY_ARG:
    if (a->journal)
      argp_error(state, "one journal at a time, please");
    a->journal = option_name(state, NULL, "journal", arg);
    break;
  case ARGP_KEY_END:
    if (!a->journal && !a->connect.server)
      argp_error(state, "say what to restore: a server with -S HOST, or the file of a journal");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int take_absent(void *arg, int result, const struct val *col, int ncol) {
  (void)result;
  (void)ncol;
  *(int *)arg = col[0].type == VAL_INT && col[0].i == 1;
  return 0;
}

/* Without its database there can be no record: is it gone?  Only where the server shows all databases. */
static int is_absent(struct conn *master, const char *database) {
  const struct val db = VAL_T(database);
  int absent = 0;
  return conn_query(master, "server/database_absent", &db, 1, take_absent, &absent, NULL) == 0 && absent;
}

static void say_nothing(const struct knob_state *now, const char *database, int absent) {
  char value[40];
  say("nothing to put back on %s: there is no journal here, and %s the database '%s'%s; max server memory is %s", now->server,
      absent ? "no record without" : "no record in", database, absent ? ", which does not exist" : "",
      knob_value_text(now->max_in_use_mib, value, sizeof value));
}

struct others {
  const char *database;
  struct text names;
};

static int take_other(void *arg, int result, const struct val *col, int ncol) {
  struct others *o = arg;
  (void)result;
  (void)ncol;
  if (col[0].type == VAL_TEXT && strcasecmp(col[0].p, o->database) != 0)
    text_addf(&o->names, "%s'%s'", o->names.len ? ", " : "", col[0].p);
  return 0;
}

/* A record in another database of the server is told, never followed: whoever owns a database can write one.  What this login may not see
 * is no matter here. */
static int refuse_others(struct conn *master, const struct target *t, struct cause *c) {
  struct others o = {.database = t->database};
  int rc = 0;
  if (conn_query(master, "server/journals", NULL, 0, take_other, &o, NULL) == 0 && o.names.len) {
    cause_set(c, STATUS_SETUP, "nothing was put back: '%s' has no record, but there is one of a sweep that was broken off in %s", t->database,
              o.names.s);
    rc = cause_remedy(c, "'ramknee restore -S %s -d NAME' puts the setting back from it", t->name);
  }
  text_free(&o.names);
  return rc;
}

/* The local journal of the instance that answers, or the row that a sweep of another client has left.  0 found, 1 none, -1 failed.
 * `now` is what the server holds, with its name; absent: the database that would have the row does not exist. */
static int find(const struct target *t, struct conn *master, struct journal *j, struct knob_state *now, int *absent, struct cause *c) {
  struct conn *db = NULL;
  *absent = 0;
  if (knob_memory.read(master, now, c) != 0)
    return -1;
  char *path = journal_path(now->server, c);
  if (!path)
    return -1;
  int rc = journal_read(j, path, c), damaged = rc < 0;
  struct cause why = {0};
  if (damaged)
    why = *c;
  if (rc != 0 && conn_open(&db, t, c) == 0) {
    rc = journal_row_read(db, j, c);
    if (rc == 0 && damaged)
      warn("%s; the record on the server is used instead", why.text);
    if (rc == 0) { /* an own file there may be none */
      free(j->path);
      j->path = xstrdup(path);
      free(j->database);
      j->database = xstrdup(t->database);
    }
    conn_close(db);
  } else if (rc == 1 && is_absent(master, t->database)) {
    cause_clear(c);
    *absent = 1;
  } else if (rc == 1) {
    rc = cause_prefix(c, "there is no journal on this host, and the record on the server cannot be read");
  }
  if (damaged && rc != 0) { /* the file may be all that tells of a change */
    *c = why;
    rc = -1;
  }
  free(path);
  return rc;
}

static int finish(enum put_back_result r, const struct journal *j, const struct cause *c) {
  struct cause own;
  if (r == PUT_BACK_FAILED) {
    char *statement = knob_by_hand(&j->state);
    say_cause(c);
    fprintf(stderr, "%s\n", statement);
    free(statement);
    return STATUS_NOT_PUT_BACK;
  }
  if (journal_remove(j, &own) != 0)
    warn_cause(&own);
  return STATUS_DONE;
}

/* A killed client's session keeps the lock until the server has noticed that it is gone. */
static int await_lock(struct conn *master, int64_t max_ns, struct cause *c) {
  int64_t end = mono_ns() + max_ns;
  for (int said = 0;; said = 1) {
    int rc = lock_take(master, c);
    if (rc != 1 || mono_ns() >= end)
      return rc;
    if (!said)
      say("a sweep is at work on this server, or the server has not noticed yet that it is not; waiting");
    sleep_until_ns(mono_ns() + NS_PER_S);
    cause_clear(c);
  }
}

/* What was given here wins over the journal. */
static void choose_command(struct knob_state *s, const struct args *a) {
  if (a->set_with)
    command_use(s, a->set_with, a->set_with_max_ns ? a->set_with_max_ns : COMMAND_USUAL_NS);
  else if (a->set_with_max_ns && s->command[0])
    s->command_max_ns = a->set_with_max_ns;
  else if (a->set_with_max_ns)
    warn("--set-with-max belongs to a command, and the journal has none: SQL puts the setting back");
}

/* With a journal in hand: of the file that was named (then *j is filled), or found on the server's side. */
static int restore(const struct target *t, struct journal *j, const struct args *a) {
  int named = a->journal != NULL;
  struct cause c = {0};
  struct conn *master = NULL;
  struct knob_state now = {.server = ""};
  int status = STATUS_SETUP, absent = 0, rc = server_init(t, 4, &c);
  if (rc != 0)
    goto out;
  rc = open_in_master(&master, t, &c);
  if (rc == 0)
    rc = await_lock(master, a->max_ns, &c);
  if (rc == 0 && !named)
    rc = find(t, master, j, &now, &absent, &c);
  if (rc == 1 && !c.text[0] && refuse_others(master, t, &c) != 0)
    rc = -1;
  if (rc == 1 && !c.text[0]) {
    say_nothing(&now, t->database, absent);
    status = STATUS_DONE;
    rc = 0;
  } else if (rc == 0 || (named && !master)) { /* a server that does not answer yet is waited for */
    cause_clear(&c);
    choose_command(&j->state, a);
    struct put_back p = {.target = t, .conn = &master, .journal_path = j->path, .max_ns = a->max_ns};
    status = finish(put_back_state(&p, j, &c), j, &c);
    rc = 0;
  }
out:
  if (rc != 0)
    say_cause(&c);
  conn_close(master);
  server_done();
  return status;
}

int cmd_restore(int argc, char **argv) {
  static const struct argp_child children[] = {{&connect_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[JOURNAL]",
    .doc = "Put the memory setting back that a broken-off sweep has left: from the journal on this host, or from the record on the server."
           "\vWith JOURNAL the server is the one that the journal names, unless -S says otherwise.  A setting that somebody else has changed "
           "since is left alone.  Exit status: 0 it is back, or there was nothing to do (no journal on this host, and no record in the "
           "database, or no such database: -d names the one that was measured), 1 nothing could be begun, another database has a record, "
           "or it cannot be seen whether there is one, 3 it could not be put "
           "back (the statement to run by hand is the last line).",
    .children = children,
  };
  struct args a = {.max_ns = 60 * NS_PER_S};
  struct journal j = {0};
  struct target t = {0};
  struct cause c = {0};
  int status = STATUS_SETUP;
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  if (a.journal) {
    int rc = journal_read(&j, a.journal, &c);
    if (rc == 1)
      cause_set(&c, STATUS_SETUP, "there is no journal %s", a.journal);
    if (rc != 0)
      goto out;
    a.connect.server = a.connect.server ? a.connect.server : j.target;
    a.connect.user = a.connect.user ? a.connect.user : j.user;
    a.connect.database = a.connect.database ? a.connect.database : j.database;
  }
  if (connect_target(&a.connect, &t, &c) != 0)
    goto out;
  t.database = xstrdup(a.connect.database ? a.connect.database : CONNECT_DATABASE);
  command_keep_environment();
  command_surround(&(struct command_surroundings){.server = t.name});
  status = restore(&t, &j, &a);
out:
  if (c.text[0])
    say_cause(&c);
  target_free(&t);
  journal_free(&j);
  return status;
}
