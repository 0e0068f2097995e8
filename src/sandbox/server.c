#include "config.h"

#include "sandbox/server.h"
#include "sandbox/agent.h"
#include "sandbox/facts.h"
#include "sandbox/session_private.h"
#include "sandbox/statements.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#define ENGINE_CONNECTIONS 256

/* ---- databases ---- */

struct database *server_database(struct server *v, const char *name) {
  struct database *found = NULL;
  pthread_mutex_lock(&v->lock);
  for (struct database *d = v->databases; d && !found; d = d->next)
    if (!d->dropped && strcasecmp(d->name, name) == 0)
      found = d;
  pthread_mutex_unlock(&v->lock);
  return found;
}

/* The smallest number from 5 on that no database has; the four system databases have SQL Server's own. */
static int free_id(const struct server *v, const char *name) {
  static const char *const system[] = {"master", "tempdb", "model", "msdb"};
  for (int i = 0; i < 4; i++)
    if (strcasecmp(system[i], name) == 0)
      return i + 1;
  int id = 5;
  for (const struct database *d = v->databases; d; d = d->next)
    if (d->id >= id)
      id = d->id + 1;
  return id;
}

struct database *server_database_add(struct server *v, const char *name) {
  struct database *d = xcalloc(1, sizeof *d);
  snprintf(d->name, sizeof d->name, "%s", name);
  for (char *p = d->name; *p; p++)
    *p = (char)tolower((unsigned char)*p);
  d->compatibility = 160;
  pthread_mutex_lock(&v->lock);
  d->id = free_id(v, name);
  struct database **at = &v->databases;
  while (*at && (*at)->id < d->id)
    at = &(*at)->next;
  d->next = *at;
  *at = d;
  pthread_mutex_unlock(&v->lock);
  return d;
}

void server_database_drop(struct server *v, struct database *d) {
  pthread_mutex_lock(&v->lock);
  d->dropped = 1;
  pthread_mutex_unlock(&v->lock);
}

static int find_databases(struct server *v, struct engine_conn *k, struct cause *c) {
  static const char sql[] = "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN "
                            "('information_schema', 'performance_schema', 'mysql', 'sys') ORDER BY SCHEMA_NAME";
  MYSQL_RES *r = mysql_real_query(k->my, sql, sizeof sql - 1) == 0 ? mysql_store_result(k->my) : NULL;
  if (!r)
    return cause_set(c, STATUS_SETUP, "the storage engine said: %s", mysql_error(k->my));
  for (MYSQL_ROW row; (row = mysql_fetch_row(r));)
    server_database_add(v, row[0]);
  mysql_free_result(r);
  return 0;
}

/* ---- the pool ---- */

int64_t server_target_mib(struct server *v) {
  int64_t target = settings_target_mib(v->settings, v->physical_mib), limit = v->persona->memory_limit_mib;
  return limit && limit < target ? limit : target;
}

/* 1:1024: a MiB of the setting is a KiB of the pool. */
static int64_t wanted_pool(struct server *v) {
  int64_t bytes = server_target_mib(v) * KIB;
  bytes -= bytes % MIB;
  return bytes < ENGINE_POOL_MIN ? ENGINE_POOL_MIN : bytes;
}

/* One try, under resize_lock. */
static int resize(struct server *v, struct cause *c) {
  int64_t ask = v->pool_wanted, reached = v->pool_reached;
  if (v->persona->pool_size)
    ask = v->persona->pool_size(v->pool_reached, v->pool_wanted);
  if (ask == v->pool_reached)
    return 0;
  int rc = engine_resize(v->engine, ask, &reached, c);
  if (reached > 0)
    v->pool_reached = reached;
  return rc;
}

int server_resize(struct server *v, struct cause *c) {
  pthread_mutex_lock(&v->resize_lock);
  v->pool_wanted = wanted_pool(v);
  int rc = resize(v, c);
  pthread_mutex_unlock(&v->resize_lock);
  return rc;
}

/* ---- the minder: a thread that ends statements whose client asked to, and tries again what the engine refused ---- */

static void mind_sessions(struct server *v) {
  pthread_mutex_lock(&v->lock);
  for (struct session *s = v->sessions; s; s = s->next)
    session_look(s);
  pthread_mutex_unlock(&v->lock);
}

static void mind_pool(struct server *v) {
  pthread_mutex_lock(&v->resize_lock);
  if (v->pool_reached != v->pool_wanted && !engine_dead(v->engine))
    resize(v, NULL);
  pthread_mutex_unlock(&v->resize_lock);
}

/* What the persona does once, a second after it was starved. */
static void mind_persona(struct server *v) {
  if (!v->persona->event || v->event_done)
    return;
  if (!persona_starved(v))
    v->starved_ns = 0;
  else if (!v->starved_ns)
    v->starved_ns = mono_ns();
  else if (mono_ns() - v->starved_ns >= NS_PER_S) {
    v->event_done = 1;
    v->persona->event(v);
  }
}

static void *mind(void *arg) {
  struct server *v = arg;
  for (unsigned turn = 1;; turn++) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += 100 * NS_PER_MS;
    t.tv_sec += t.tv_nsec / NS_PER_S;
    t.tv_nsec %= NS_PER_S;
    pthread_mutex_lock(&v->lock);
    if (!v->stop)
      pthread_cond_timedwait(&v->wake, &v->lock, &t);
    int stop = v->stop;
    pthread_mutex_unlock(&v->lock);
    if (stop)
      return NULL;
    mind_sessions(v);
    mind_persona(v);
    if (turn % 10 == 0)
      mind_pool(v);
  }
}

static int minder_start(struct server *v, struct cause *c) {
  pthread_condattr_t a;
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_cond_init(&v->wake, &a);
  pthread_condattr_destroy(&a);
  int err = pthread_create(&v->minder, NULL, mind, v);
  if (err != 0)
    return cause_errno(c, STATUS_SETUP, err, "cannot start a thread");
  v->minding = 1;
  return 0;
}

/* ---- start and stop ---- */

static int take_folder(struct server *v, struct cause *c) {
  char *path = xprintf("%s/lock", v->folder);
  int rc = -1;
  if (folder_make(v->folder, c) != 0)
    goto out;
  v->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (v->lock_fd < 0)
    cause_errno(c, STATUS_SETUP, errno, "cannot write in %s", v->folder);
  else if (flock(v->lock_fd, LOCK_EX | LOCK_NB) != 0) {
    cause_set(c, STATUS_SETUP, "another sandbox is running in %s", v->folder);
    cause_remedy(c, "stop it, or give this one a --name of its own");
  } else
    rc = 0;
out:
  free(path);
  if (rc == 0) { /* what a sandbox that was killed left behind would lead clients astray */
    path = xprintf("%s/endpoint", v->folder);
    unlink(path);
    free(path);
  }
  return rc;
}

static void name_server(struct server *v, const struct server_options *o) {
  snprintf(v->name, sizeof v->name, "SANDBOX-%.100s", o->name);
  for (char *p = v->name; *p; p++)
    *p = (char)toupper((unsigned char)*p);
  size_t n = strlen(v->name);
  if (o->persona->instance)
    snprintf(v->name + n, sizeof v->name - n, "\\%s", o->persona->instance);
  snprintf(v->other_name, sizeof v->other_name, "%s-B", v->name);
  snprintf(v->version, sizeof v->version, "%s", o->persona->version ? o->persona->version : "16.0.1000.0");
}

static int start_settings(struct server *v, struct cause *c) {
  char *path = xprintf("%s/settings", v->folder);
  v->settings = settings_new(path, c);
  free(path);
  int32_t before;
  if (!v->settings)
    return -1;
  if (v->persona->min_memory_mib) {
    if (settings_store(v->settings, SET_MIN_MEMORY, v->persona->min_memory_mib, &before, c) != 0)
      return -1;
    settings_install(v->settings);
  }
  return v->persona->pending ? settings_store(v->settings, SET_PARALLEL_COST, 50, &before, c) : 0;
}

static int start_engine(struct server *v, struct cause *c) {
  struct engine_options o = {
    .folder = v->folder, .pool_bytes = wanted_pool(v), .pool_max_bytes = v->physical_mib * KIB, .connections = ENGINE_CONNECTIONS,
  };
  if (o.pool_max_bytes < o.pool_bytes)
    o.pool_max_bytes = o.pool_bytes;
  v->engine = engine_start(&o, c);
  if (!v->engine)
    return -1;
  v->pool_wanted = o.pool_bytes;
  v->pool_reached = o.pool_bytes;
  struct engine_conn *k = engine_take(v->engine, c);
  if (!k)
    return -1;
  int rc = facts_make(k, c);
  if (rc == 0)
    rc = find_databases(v, k, c);
  k->bad = 1; /* it has settings of its own */
  engine_give(v->engine, k);
  return rc;
}

struct server *server_start(const struct server_options *o, struct cause *c) {
  struct server *v = xcalloc(1, sizeof *v);
  v->persona = o->persona;
  v->folder = xstrdup(o->folder);
  v->lock_fd = -1;
  v->physical_mib = o->physical_mib;
  v->password = o->password ? xstrdup(o->password) : NULL;
  v->facts = facts_new();
  pthread_mutex_init(&v->lock, NULL);
  pthread_mutex_init(&v->resize_lock, NULL);
  name_server(v, o);
  if (statements_init(c) == 0 && take_folder(v, c) == 0 && start_settings(v, c) == 0 && start_engine(v, c) == 0 &&
      minder_start(v, c) == 0 && (v->persona->no_agent || (v->agent = agent_start(v, c))))
    return v;
  server_stop(v);
  return NULL;
}

void server_stop(struct server *v) {
  if (!v)
    return;
  agent_stop(v->agent);
  if (v->minding) {
    pthread_mutex_lock(&v->lock);
    v->stop = 1;
    pthread_cond_signal(&v->wake);
    pthread_mutex_unlock(&v->lock);
    pthread_join(v->minder, NULL);
    pthread_cond_destroy(&v->wake);
  }
  engine_stop(v->engine);
  settings_free(v->settings);
  facts_free(v->facts);
  for (struct database *d; (d = v->databases);) {
    v->databases = d->next;
    free(d);
  }
  if (v->lock_fd >= 0)
    close(v->lock_fd);
  if (v->password)
    wipe(v->password, strlen(v->password));
  free(v->password);
  free(v->folder);
  pthread_mutex_destroy(&v->lock);
  pthread_mutex_destroy(&v->resize_lock);
  free(v);
}

const char *server_name(const struct server *v) {
  return v->moved ? v->other_name : v->name;
}

int64_t server_started_ms(const struct server *v) {
  int64_t again = v->started_again_ms;
  return again ? again : engine_started_ms(v->engine);
}

char *server_version_text(const struct server *v) {
  return xprintf(
      "ramknee sandbox %s - %s: not a Microsoft SQL Server, but a stand-in for rehearsals (InnoDB of MariaDB %s, scale 1:%d)",
      PACKAGE_VERSION, v->version, engine_version(v->engine), SERVER_SCALE);
}
