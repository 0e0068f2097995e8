#include "config.h"

/* Twins that are easier to say in C than in the engine's SQL: those that set options, and the application lock. */

#include "sandbox/facts.h"
#include "sandbox/session_private.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

static int raise(struct reply *r, int number, const char *text) {
  reply_error(r, number, 1, 16, "", 1, "%s", text);
  return -1;
}

static int says(const struct field *f, const char *text) {
  return f->type == F_TEXT && f->len == strlen(text) && strncasecmp(f->p, text, f->len) == 0;
}

/* What server/set and server/set_advanced begin with: `but_memory` leaves the options that set itself installs out of the look at
 * pending ones. */
static int guard(struct session *s, const struct field *server, int but_memory, struct reply *r) {
  if (s->trancount > 0)
    return raise(r, 50001, "ramknee: a transaction is open; RECONFIGURE cannot run inside one");
  if (!says(server, server_name(s->server)))
    return raise(r, 50002, "ramknee: another instance answers (a failover, or a listener?)");
  for (int i = 0; i < SET_COUNT; i++) {
    struct setting o = settings_at(s->server->settings, i);
    if (o.value == o.in_use || o.id == SET_ADVANCED ||
        (o.id == SET_MIN_MEMORY && (but_memory || (o.value < 16 && o.in_use == 16))) || (o.id == SET_MAX_MEMORY && but_memory))
      continue;
    return raise(r, 50003, "ramknee: a changed option of somebody else waits for RECONFIGURE, which would install it");
  }
  return 0;
}

static int option(struct session *s, const char *name, int64_t value, struct reply *r) {
  return configure(s, name, &value, r);
}

static int install(struct session *s, int shown, int64_t min, int64_t now_min, int64_t max, int64_t now_max,
                   struct reply *r) {
  if (!shown && (option(s, "show advanced options", 1, r) != 0 || reconfigure(s, 0, r) != 0))
    return -1;
  if (now_min != min && option(s, "min server memory (MB)", min, r) != 0)
    return -1;
  if (now_max != max && option(s, "max server memory (MB)", max, r) != 0)
    return -1;
  return reconfigure(s, 0, r);
}

/* @server, @expect_max, @expect_min, @max, @min: compare and set. */
static void native_set(struct session *s, const struct field *p, struct reply *r) {
  struct settings *o = s->server->settings;
  int64_t expect_max = p[1].i, expect_min = p[2].i, max = p[3].i, min = p[4].i;
  if (guard(s, &p[0], 1, r) != 0)
    return;
  struct setting advanced = settings_get(o, SET_ADVANCED);
  int64_t now_max = settings_get(o, SET_MAX_MEMORY).value, now_min = settings_get(o, SET_MIN_MEMORY).value;
  if (now_max != expect_max || now_min != expect_min) {
    raise(r, 50004, "ramknee: the memory setting was changed by somebody else");
    return;
  }
  if (max == 0)
    max = SET_UNLIMITED;
  int bad = install(s, advanced.in_use, min, now_min, max, now_max, r) != 0;
  if (bad && now_min != min)
    option(s, "min server memory (MB)", expect_min, r);
  if (bad && now_max != max)
    option(s, "max server memory (MB)", expect_max ? expect_max : SET_UNLIMITED, r);
  if (!advanced.value && option(s, "show advanced options", 0, r) == 0)
    reconfigure(s, 0, r);
  if (bad)
    return;
  static const struct column col[] = {{.name = "max_mb", .type = W_INT}, {.name = "max_in_use_mb", .type = W_INT},
                                      {.name = "min_mb", .type = W_INT}, {.name = "min_in_use_mb", .type = W_INT}};
  struct setting hi = settings_get(o, SET_MAX_MEMORY), lo = settings_get(o, SET_MIN_MEMORY);
  struct field f[4] = {{.type = F_INT, .i = hi.value},
                       {.type = F_INT, .i = hi.in_use},
                       {.type = F_INT, .i = lo.value},
                       {.type = F_INT, .i = lo.in_use}};
  reply_columns(r, col, 4);
  reply_row(r, f, 4);
  reply_done(r, -1);
}

/* @server, @value */
static void native_set_advanced(struct session *s, const struct field *p, struct reply *r) {
  if (guard(s, &p[0], 0, r) == 0 && option(s, "show advanced options", p[1].i, r) == 0)
    reconfigure(s, 0, r);
}

static void native_lock(struct session *s, const struct field *p, struct reply *r) {
  (void)p;
  static const struct column col = {.name = "got", .type = W_INT};
  struct field f = {.type = F_INT, .i = applock_take(s, "ramknee")};
  reply_columns(r, &col, 1);
  reply_row(r, &f, 1);
  reply_done(r, -1);
}

static void native_lock_test(struct session *s, const struct field *p, struct reply *r) {
  (void)p;
  static const struct column col = {.name = "is_free", .type = W_INT};
  struct field f = {.type = F_INT, .i = applock_free(s, 1, "ramknee")};
  reply_columns(r, &col, 1);
  reply_row(r, &f, 1);
  reply_done(r, -1);
}

/* What the persona lets a login do: HAS_PERMS_BY_NAME by what it is asked for. */
static void native_rights(struct session *s, const struct field *p, struct reply *r) {
  (void)p;
  static const char *const name[] = {"may_set",    "may_view", "may_view_performance", "may_view_security", "may_create_database",
                                     "is_sysadmin", "set_by_procedure"};
  enum { RIGHTS = sizeof name / sizeof *name };
  const struct persona *who = s->server->persona;
  int old = s->server->version[0] == '1' && s->server->version[1] < '6';
  struct column col[RIGHTS];
  struct field f[RIGHTS];
  int64_t may[RIGHTS] = {persona_may_set(s), !who->no_view_state, !who->no_view_state, !who->no_view_state, 1, persona_may_set(s)};
  for (int i = 0; i < RIGHTS; i++) {
    col[i] = (struct column){.name = name[i], .type = W_INT};
    f[i] = (struct field){.type = F_INT, .i = may[i]};
  }
  if (old) /* permissions that came with 2022 */
    f[2].type = f[3].type = F_NULL;
  f[RIGHTS - 1].type = F_NULL; /* there is no such procedure */
  reply_columns(r, col, RIGHTS);
  reply_row(r, f, RIGHTS);
  reply_done(r, -1);
}

/* The engine's statements need no grants: what waits is the persona's. */
static void native_grants(struct session *s, const struct field *p, struct reply *r) {
  (void)p;
  if (session_view_refused(s, FACT_MEMORY, r))
    return;
  static const struct column col[] = {{.name = "others", .type = W_INT}, {.name = "others_wait_ms", .type = W_INT}};
  int others = persona_starved(s->server) ? s->server->persona->others_wait : 0;
  struct field f[2] = {{.type = F_INT, .i = others}, {.type = F_INT, .i = others ? 1500 : 0}};
  reply_columns(r, col, 2);
  reply_row(r, f, 2);
  reply_done(r, -1);
}

int native_run(struct session *s, const char *name, const struct field *p, int n, struct reply *r) {
  static const struct {
    const char *name;
    void (*run)(struct session *, const struct field *, struct reply *);
    int nparam;
  } of[] = {
    {"set", native_set, 5},       {"set_advanced", native_set_advanced, 2},
    {"lock", native_lock, 0},     {"lock_test", native_lock_test, 0},
    {"rights", native_rights, 0}, {"grants", native_grants, 0},
    {"agent", native_agent, 0},   {"dead_man", native_dead_man, 0},
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (strcmp(of[i].name, name) == 0 && of[i].nparam == n) {
      of[i].run(s, p, r);
      return 1;
    }
  return 0;
}
