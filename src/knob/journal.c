#include "config.h"

#include "knob/journal.h"
#include "knob/dead_man.h"
#include "base/file.h"
#include "base/text.h"
#include "knob/command.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA = 1, LONGEST = 64 * 1024 };

char *journal_path(const char *server, struct cause *c) {
  if (!server[0]) {
    cause_set(c, STATUS_SETUP, "the server gives no name for itself, so no journal can be kept for it");
    return NULL;
  }
  char *state = state_folder(c);
  if (!state)
    return NULL;
  struct text t = {0};
  text_addf(&t, "%s/journal/", state);
  free(state);
  for (const char *s = server; *s; s++)
    /* A leading dot would hide the file, and ".." is no name. */
    if (isalnum((unsigned char)*s) || *s == '-' || (*s == '.' && s != server))
      text_addn(&t, s, 1);
    else
      text_addf(&t, "_%02X", (unsigned char)*s);
  text_add(&t, ".json");
  return t.s;
}

/* ---- text ---- */

static json_t *string_or_null(const char *s) {
  return s ? json_string(s) : json_null();
}

static json_t *state_json(const struct knob_state *s) {
  json_t *o = json_pack("{s:I, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I}", "max_mib", (json_int_t)s->max_mib, "max_in_use_mib",
                        (json_int_t)s->max_in_use_mib, "min_mib", (json_int_t)s->min_mib, "min_in_use_mib", (json_int_t)s->min_in_use_mib,
                        "advanced", s->advanced, "last_mib", (json_int_t)s->last_mib, "last_min_mib", (json_int_t)s->last_min_mib,
                        "next_mib", (json_int_t)s->next_mib, "next_min_mib", (json_int_t)s->next_min_mib);
  if (!s->command[0])
    return o;
  json_t *command = json_string(s->command);
  if (!o || !command) { /* not UTF-8 */
    json_decref(o);
    json_decref(command);
    return NULL;
  }
  json_object_set_new(o, "command", command);
  json_object_set_new(o, "command_max_ns", json_integer(s->command_max_ns));
  return o;
}

/* Without the run, then without by_hand, where there is no room for them. */
static char *dump(const struct journal *j, const char *run, int hand_too, int flags) {
  char *hand = hand_too ? knob_by_hand(&j->state) : NULL;
  json_t *o = json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "ramknee_journal", SCHEMA, "server", j->state.server,
                        "target", string_or_null(j->target), "user", string_or_null(j->user), "database", string_or_null(j->database),
                        "run", string_or_null(run), "client", string_or_null(j->client), "dead_man", string_or_null(j->dead_man), "pid",
                        (json_int_t)j->pid, "written_wall_ns", (json_int_t)j->written_wall_ns, "by_hand", string_or_null(hand), "state",
                        state_json(&j->state));
  free(hand);
  char *text = o ? json_dumps(o, flags) : NULL;
  json_decref(o);
  return text;
}

char *journal_text(const struct journal *j, int row) {
  if (!row)
    return dump(j, j->run, 1, JSON_INDENT(2));
  char *text = dump(j, j->run, 1, JSON_COMPACT);
  for (int hand = 1; text && strlen(text) > JOURNAL_ROW_MAX && hand >= 0; hand--) {
    free(text);
    text = dump(j, NULL, hand, JSON_COMPACT);
  }
  return text;
}

static char *string_of(const json_t *o, const char *key) {
  const char *s = json_string_value(json_object_get(o, key));
  return s ? xstrdup(s) : NULL;
}

/* Of --set-with; there may be none. */
static int take_command(struct knob_state *s, const json_t *state) {
  const json_t *command = json_object_get(state, "command"), *max = json_object_get(state, "command_max_ns");
  s->command[0] = '\0';
  if (!command || json_is_null(command))
    return 0;
  const char *text = json_string_value(command);
  if (!text || command_check(text, NULL) != 0 || !json_is_integer(max) || json_integer_value(max) <= 0)
    return -1;
  command_use(s, text, json_integer_value(max));
  return 0;
}

static int take(struct journal *j, json_t *o, const char *where, struct cause *c) {
  struct knob_state *s = &j->state;
  const char *server;
  int schema;
  json_int_t v[10];
  json_error_t e;
  if (json_unpack_ex(o, &e, 0, "{s:i, s:s, s:I, s:I, s:{s:I, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I}}", "ramknee_journal", &schema,
                     "server", &server, "pid", &v[0], "written_wall_ns", &v[1], "state", "max_mib", &v[2], "max_in_use_mib", &v[3],
                     "min_mib", &v[4], "min_in_use_mib", &v[5], "advanced", &s->advanced, "last_mib", &v[6], "last_min_mib", &v[7],
                     "next_mib", &v[8], "next_min_mib", &v[9]) != 0)
    return cause_set(c, STATUS_SETUP, "%s is not a whole journal: %s", where, e.text);
  if (schema != SCHEMA) {
    cause_set(c, STATUS_SETUP, "%s was written by another version of ramknee (journal format %d)", where, schema);
    return cause_remedy(c, "use that version, or run its member \"by_hand\" on the server");
  }
  if (strlen(server) >= sizeof s->server || v[2] < 0 || v[2] > MEMORY_NO_LIMIT_MIB || v[4] < 0 || v[4] > MEMORY_NO_LIMIT_MIB)
    return cause_set(c, STATUS_SETUP, "%s holds values that no server can have had", where);
  strcpy(s->server, server);
  j->pid = v[0];
  j->written_wall_ns = v[1];
  s->max_mib = v[2];
  s->max_in_use_mib = v[3];
  s->min_mib = v[4];
  s->min_in_use_mib = v[5];
  s->last_mib = v[6];
  s->last_min_mib = v[7];
  s->next_mib = v[8];
  s->next_min_mib = v[9];
  if (take_command(s, json_object_get(o, "state")) != 0)
    return cause_set(c, STATUS_SETUP, "%s holds a command that no sweep can have had", where);
  j->target = string_of(o, "target");
  j->user = string_of(o, "user");
  j->database = string_of(o, "database");
  j->run = string_of(o, "run");
  j->client = string_of(o, "client");
  j->dead_man = string_of(o, "dead_man");
  return 0;
}

/* `otherwise`: the remedy where nothing better is known. */
static int parse(struct journal *j, const char *text, size_t size, const char *where, const char *otherwise, struct cause *c) {
  memset(j, 0, sizeof *j);
  json_error_t e;
  json_t *o = json_loadb(text, size, JSON_REJECT_DUPLICATES, &e);
  int rc = o ? take(j, o, where, c) : cause_set(c, STATUS_SETUP, "%s is damaged: %s", where, e.text);
  if (rc != 0 && c && !c->remedy[0])
    cause_remedy(c, "%s", otherwise);
  json_decref(o);
  if (rc != 0)
    journal_free(j);
  else
    j->path = xstrdup(where);
  return rc;
}

int journal_parse(struct journal *j, const char *text, size_t size, const char *where, struct cause *c) {
  return parse(j, text, size, where, "look at the server's setting by hand (EXEC sp_configure 'max server memory (MB)'), then remove it", c);
}

/* ---- file ---- */

int journal_write(const struct journal *j, struct cause *c) {
  char *text = journal_text(j, 0), *folder = xstrdup(j->path);
  int rc = -1;
  if (!text)
    cause_set(c, STATUS_SETUP, "the journal for %s cannot be written: a name in it is not UTF-8", j->state.server);
  else if (folder_make(dirname(folder), c) == 0)
    rc = file_write(j->path, text, strlen(text), 0600, c);
  if (rc != 0) {
    cause_prefix(c, "the journal that can put the setting back cannot be written");
    cause_remedy(c, "nothing is changed on the server without it; free some space, or set XDG_STATE_HOME to a folder that can be written");
  }
  free(text);
  free(folder);
  return rc;
}

int journal_read(struct journal *j, const char *path, struct cause *c) {
  memset(j, 0, sizeof *j);
  char *text;
  size_t size;
  struct cause own;
  if (file_read(path, LONGEST, &text, &size, &own) != 0) {
    if (own.number == -ENOENT || own.number == -ENOTDIR)
      return 1;
    if (c)
      *c = own;
    return -1;
  }
  int rc = parse(j, text, size, path, "'ramknee restore -S HOST' uses the record on the server instead; where there is none, look at its "
                 "setting by hand (EXEC sp_configure 'max server memory (MB)'), then remove the file", c);
  free(text);
  return rc;
}

int journal_remove(const struct journal *j, struct cause *c) {
  if (unlink(j->path) != 0)
    return errno == ENOENT ? 0 : cause_errno(c, STATUS_SETUP, errno, "cannot remove the journal %s", j->path);
  char *folder = xstrdup(j->path);
  int rc = folder_sync(dirname(folder), c);
  free(folder);
  return rc;
}

void journal_free(struct journal *j) {
  free(j->path);
  free(j->target);
  free(j->user);
  free(j->database);
  free(j->run);
  free(j->client);
  free(j->dead_man);
  memset(j, 0, sizeof *j);
}

/* ---- row ---- */

int journal_row_write(struct conn *conn, const struct journal *j, struct cause *c) {
  char *text = journal_text(j, 1);
  if (!text)
    return cause_set(c, STATUS_SETUP, "the journal for %s cannot be written: a name in it is not UTF-8", j->state.server);
  struct val v = VAL_T(text);
  int rc = strlen(text) > JOURNAL_ROW_MAX ? cause_set(c, STATUS_SETUP, "the record for the server is longer than its %d characters", JOURNAL_ROW_MAX)
                                          : conn_query(conn, "server/journal_write", &v, 1, NULL, NULL, c);
  free(text);
  return rc == 0 && j->dead_man ? dead_man_next(conn, &j->state, c) : rc;
}

static int take_body(void *arg, int result, const struct val *col, int ncol) {
  struct text *t = arg;
  (void)result;
  (void)ncol;
  text_clear(t);
  if (col[0].type == VAL_TEXT)
    text_addn(t, col[0].p, (size_t)col[0].len);
  return 0;
}

int journal_row_read(struct conn *conn, struct journal *j, struct cause *c) {
  memset(j, 0, sizeof *j);
  struct text t = {0};
  int rc = conn_query(conn, "server/journal_read", NULL, 0, take_body, &t, c);
  if (rc == 0)
    rc = t.s && t.len ? journal_parse(j, t.s, t.len, "the row dbo.ramknee_journal on the server", c) : 1;
  j->state.command_foreign = j->state.command[0] != '\0'; /* whoever may write there must not make us run something here */
  text_free(&t);
  return rc;
}

int journal_row_clear(struct conn *conn, struct cause *c) {
  return conn_query(conn, "server/journal_clear", NULL, 0, NULL, NULL, c);
}
