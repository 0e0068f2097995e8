#include "config.h"

/* Procedures that the front door answers by itself. */

#include "sandbox/session_private.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>

/* ---- sp_configure, RECONFIGURE ---- */

static void show(struct session *s, const char *name, struct reply *r) {
  static const struct column col[] = {{.name = "name", .type = W_NVARCHAR, .size = 35}, {.name = "minimum", .type = W_INT},
    {.name = "maximum", .type = W_INT}, {.name = "config_value", .type = W_INT}, {.name = "run_value", .type = W_INT}};
  int64_t rows = 0;
  reply_columns(r, col, 5);
  int all = settings_get(s->server->settings, SET_ADVANCED).in_use;
  for (int i = 0; i < SET_COUNT; i++) {
    struct setting o = settings_at(s->server->settings, i);
    if (name ? strcmp(o.name, name) != 0 : o.advanced && !all)
      continue;
    struct field f[5] = {{.type = F_TEXT, .p = o.name, .len = strlen(o.name)},
                         {.type = F_INT, .i = o.min},
                         {.type = F_INT, .i = o.max},
                         {.type = F_INT, .i = o.value},
                         {.type = F_INT, .i = o.in_use}};
    reply_row(r, f, 5);
    rows++;
  }
  reply_done(r, s->nocount ? -1 : rows);
}

int configure(struct session *s, const char *name, const int64_t *value, struct reply *r) {
  static const char proc[] = "sp_configure";
  struct server *v = s->server;
  struct cause c;
  int32_t before;
  int id = 0, rc;
  if (v->persona->no_configure) {
    reply_error(r, 2812, 62, 16, "", 1, "Could not find stored procedure 'sp_configure'.");
    return 1;
  }
  if (!name) {
    show(s, NULL, r);
    return 0;
  }
  if ((rc = settings_find(v->settings, name, &id)) != 0) {
    if (rc == 15124)
      reply_error(r, 15124, 1, 16, proc, 62, "The configuration option '%s' is not unique.", name);
    else
      reply_error(r, 15123, 1, 16, proc, 62, "The configuration option '%s' does not exist, or it may be an advanced option.",
                  name);
    return 1;
  }
  struct setting o = settings_get(v->settings, id);
  if (!value) {
    show(s, o.name, r);
    return 0;
  }
  if (!persona_may_set(s)) {
    reply_error(r, 15247, 1, 16, proc, 105, "User does not have permission to perform this action.");
    return 1;
  }
  if (s->trancount > 0) {
    reply_error(r, 15002, 1, 16, proc, 24, "The procedure 'sys.sp_configure' cannot be executed within a transaction.");
    return 1;
  }
  rc = settings_store(v->settings, id, *value, &before, &c);
  if (rc == 15129) {
    reply_error(r, 15129, 1, 16, proc, 140, "'%lld' is not a valid value for configuration option '%s'.", (long long)*value,
                o.name);
    return 1;
  }
  if (rc != 0) {
    reply_error(r, 1105, 2, 17, proc, 0, "The setting could not be kept: %s.", c.text);
    return 1;
  }
  reply_info(r, 15457, 1, 0, "Configuration option '%s' changed from %d to %lld. Run the RECONFIGURE statement to install.",
             o.name, before, (long long)*value);
  return 0;
}

static int refuse_reconfigure(struct server *v, int number, struct reply *r) {
  if (number == 5831)
    reply_error(r, 5831, 1, 16, "", 1, "Minimum server memory value (%d) must be less than or equal to the maximum value (%d).",
                settings_get(v->settings, SET_MIN_MEMORY).value, settings_get(v->settings, SET_MAX_MEMORY).value);
  else if (number == 5807)
    reply_error(r, 5807, 1, 16, "", 1,
                "Recovery intervals above 60 minutes not recommended. Use the RECONFIGURE WITH OVERRIDE statement to force "
                "this configuration.");
  else if (number == 5812)
    reply_error(r, 5812, 1, 14, "", 1, "You do not have permission to run the RECONFIGURE statement.");
  else if (number == 5869)
    reply_error(
        r, 5869, 1, 16, "", 1,
        "Changes to server configuration option 'max server memory (MB)' are not supported in SQL Database Managed Instances.");
  else
    reply_error(r, 5808, 1, 16, "", 1, "Ad hoc update to system catalogs is not supported.");
  return -1;
}

int reconfigure(struct session *s, int override, struct reply *r) {
  struct server *v = s->server;
  if (v->persona->no_configure) {
    reply_error(r, 40510, 1, 16, "", 1, "Statement 'CONFIG' is not supported in this version of SQL Server.");
    return -1;
  }
  if (s->trancount > 0) {
    reply_error(r, 574, 0, 16, "", 1, "CONFIG statement cannot be used inside a user transaction.");
    return -1;
  }
  int number = !persona_may_set(s)             ? 5812
               : v->persona->reconfigure_fails ? v->persona->reconfigure_fails
                                               : settings_check(v->settings, override);
  if (number != 0)
    return refuse_reconfigure(v, number, r);
  /* The engine may refuse the size for now: then the memory held stays above the target, and the server tries again each second.
   */
  if (settings_install(v->settings))
    server_resize(v, NULL);
  return 0;
}

/* ---- parameters ---- */

/* Parameter i of a call, by name or by place; NULL when it was not given. */
static const struct field *argument(const struct rpc_param *p, int n, int i, const char *name) {
  for (int j = 0; j < n; j++)
    if (p[j].name[0] ? strcasecmp(p[j].name, name) == 0 : j == i)
      return p[j].is_default ? NULL : &p[j].value;
  return NULL;
}

static int whole_number(const struct field *f, int64_t *v) {
  if (f->type == F_INT)
    *v = f->i;
  else if (f->type == F_REAL && f->r >= -9e15 && f->r <= 9e15)
    *v = (int64_t)f->r;
  else if (f->type == F_TEXT || f->type == F_DECIMAL) {
    char buf[40];
    snprintf(buf, sizeof buf, "%.*s", (int)(f->len < 39 ? f->len : 39), f->p);
    return int_parse(buf, "a value", INT64_MIN / 2, INT64_MAX / 2, v, NULL);
  } else
    return -1;
  return 0;
}

static int sp_configure(struct session *s, const struct rpc_param *p, int n, struct reply *r) {
  const struct field *name = argument(p, n, 0, "@configname"), *value = argument(p, n, 1, "@configvalue");
  char option[130];
  int64_t v = 0;
  if (name && name->type == F_TEXT)
    snprintf(option, sizeof option, "%.*s", (int)(name->len < 129 ? name->len : 129), name->p);
  if (value && value->type != F_NULL && whole_number(value, &v) != 0) {
    reply_error(r, 8114, 5, 16, "sp_configure", 0, "Error converting data type varchar to int.");
    return 1;
  }
  return configure(s, name && name->type == F_TEXT ? option : NULL, value && value->type != F_NULL ? &v : NULL, r);
}

/* ---- application locks ---- */

int applock_take(struct session *s, const char *name) {
  struct server *v = s->server;
  int got = 0;
  pthread_mutex_lock(&v->lock);
  struct applock *l = v->locks;
  while (l && !(l->database_id == s->db->id && strcmp(l->name, name) == 0))
    l = l->next;
  if (!l) {
    l = xcalloc(1, sizeof *l);
    l->owner = s;
    l->database_id = s->db->id;
    snprintf(l->name, sizeof l->name, "%s", name);
    l->next = v->locks;
    v->locks = l;
  } else if (l->owner != s)
    got = -1;
  pthread_mutex_unlock(&v->lock);
  return got;
}

int applock_free(struct session *s, int database_id, const char *name) {
  struct server *v = s->server;
  int is_free = 1;
  pthread_mutex_lock(&v->lock);
  for (const struct applock *l = v->locks; l; l = l->next)
    if (l->database_id == database_id && l->owner != s && strcmp(l->name, name) == 0)
      is_free = 0;
  pthread_mutex_unlock(&v->lock);
  return is_free;
}

static void locks_release(struct session *s, const char *name) {
  struct server *v = s->server;
  pthread_mutex_lock(&v->lock);
  for (struct applock **at = &v->locks; *at;) {
    struct applock *l = *at;
    if (l->owner == s && (!name || (l->database_id == s->db->id && strcmp(l->name, name) == 0))) {
      *at = l->next;
      free(l);
    } else
      at = &l->next;
  }
  pthread_mutex_unlock(&v->lock);
}

void applocks_release(struct session *s) {
  locks_release(s, NULL);
}

static void lock_name(const struct rpc_param *p, int n, char *buf, size_t size) {
  const struct field *f = argument(p, n, 0, "@Resource");
  snprintf(buf, size, "%.*s", f && f->type == F_TEXT ? (int)(f->len < size ? f->len : size - 1) : 0,
           f && f->type == F_TEXT ? f->p : "");
}

static int sp_getapplock(struct session *s, const struct rpc_param *p, int n, struct reply *r) {
  (void)r;
  char name[130];
  lock_name(p, n, name, sizeof name);
  return applock_take(s, name);
}

static int sp_releaseapplock(struct session *s, const struct rpc_param *p, int n, struct reply *r) {
  (void)r;
  char name[130];
  lock_name(p, n, name, sizeof name);
  locks_release(s, name);
  return 0;
}

/* ---- for benches and tests ---- */

static int rk_null(struct session *s, const struct rpc_param *p, int n, struct reply *r) {
  (void)s;
  (void)p;
  (void)n;
  (void)r;
  return 0;
}

/* @us: answer after so many microseconds. */
static int rk_delay(struct session *s, const struct rpc_param *p, int n, struct reply *r) {
  (void)s;
  const struct field *f = argument(p, n, 0, "@us");
  int64_t us, now = mono_ns();
  if (!f || whole_number(f, &us) != 0 || us < 0 || us > 60 * 1000000) {
    reply_error(r, 201, 4, 16, "rk_delay", 0, "Procedure or function 'rk_delay' expects parameter '@us' of 0 to 60,000,000.");
    return 1;
  }
  prctl(PR_SET_TIMERSLACK, 1UL); /* the default lets it be 50 us late */
  /* In pieces, so that an attention ends it. */
  for (int64_t until = now + us * NS_PER_US; now < until && !reply_broken(r) && !reply_cancelled(r); now = mono_ns())
    sleep_until_ns(until - now > 50 * NS_PER_MS ? now + 50 * NS_PER_MS : until);
  return 0;
}

int builtin_procedure(struct session *s, const char *name, const struct rpc_param *p, int n, struct reply *r) {
  static const struct { const char *name; int (*run)(struct session *, const struct rpc_param *, int, struct reply *); } of[] = {
    {"rk_null", rk_null},
    {"sp_configure", sp_configure},
    {"sp_getapplock", sp_getapplock},
    {"sp_releaseapplock", sp_releaseapplock},
    {"rk_delay", rk_delay},
  };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (strcasecmp(of[i].name, name) == 0) {
      reply_return_status(r, of[i].run(s, p, n, r));
      return 1;
    }
  return 0;
}
