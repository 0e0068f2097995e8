#include "config.h"

#include "sandbox/facts.h"
#include "sandbox/session_private.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A statement that has run for less is left alone: no system call is spent on its client. */
#define LOOK_NS (100 * NS_PER_MS)

static int login_refused(const struct server *v, const struct login *l) {
  return v->password && (strcasecmp(l->user, "sa") != 0 || strcmp(l->password, v->password) != 0);
}

static void stand(struct session *s, struct database *db) {
  s->db = db;
  s->database_id = db->id;
}

struct session *session_new(struct server *v, const struct login *l, struct reply *r) {
  const char *name = l->database[0] ? l->database : "master";
  struct database *db = server_database(v, name);
  if (engine_dead(v->engine)) {
    reply_error(r, 17142, 1, 14, "", 0, "The sandbox's storage engine has ended. No new connections will be allowed.");
    return NULL;
  }
  if (v->persona->before_login && v->persona->before_login(v, r))
    return NULL;
  if (login_refused(v, l)) {
    reply_error(r, 18456, 1, 14, "", 1, "Login failed for user '%s'.", l->user);
    return NULL;
  }
  if (!db) {
    reply_error(r, 4060, 1, 11, "", 1, "Cannot open database \"%s\" requested by the login. The login failed.", name);
    reply_error(r, 18456, 1, 14, "", 1, "Login failed for user '%s'.", l->user);
    return NULL;
  }
  struct session *s = xcalloc(1, sizeof *s);
  s->server = v;
  s->login = *l;
  wipe(s->login.password, sizeof s->login.password);
  s->lock_wait_s = LOCK_WAIT_ALWAYS;
  s->since_ms = wall_ns() / NS_PER_MS;
  stand(s, db);
  pthread_mutex_init(&s->flight_lock, NULL);
  pthread_mutex_lock(&v->lock);
  s->next = v->sessions;
  if (s->next)
    s->next->prev = s;
  v->sessions = s;
  pthread_mutex_unlock(&v->lock);
  reply_database(r, db->name, "master");
  return s;
}

/* Give back what the session holds in the engine, without a word to the client. */
static void let_go(struct session *s) {
  bulk_free(s);
  s->trancount = 0;
  if (s->held) {
    struct engine_conn *k = s->held;
    s->held = NULL;
    session_give(s, k);
  }
}

void session_free(struct session *s) {
  if (!s)
    return;
  struct server *v = s->server;
  pthread_mutex_lock(&v->lock);
  if (s->prev)
    s->prev->next = s->next;
  else
    v->sessions = s->next;
  if (s->next)
    s->next->prev = s->prev;
  pthread_mutex_unlock(&v->lock);
  let_go(s);
  applocks_release(s);
  pthread_mutex_destroy(&s->flight_lock);
  free(s);
}

void session_reset(struct session *s) {
  let_go(s);
  applocks_release(s);
  s->nocount = s->fmtonly = s->xact_abort = 0;
  s->isolation = NULL;
  s->lock_wait_s = LOCK_WAIT_ALWAYS;
  const char *name = s->login.database[0] ? s->login.database : "master";
  struct database *db = server_database(s->server, name);
  if (db)
    stand(s, db);
}

/* 1: nothing can be asked of this session any more, and the client has been told. */
static int out_of_order(struct session *s, struct reply *r) {
  if (!s->lost && !engine_dead(s->server->engine))
    return 0;
  engine_lost(s, r);
  return 1;
}

void session_batch(struct session *s, const char *text, size_t len, struct reply *r) {
  s->server->batches++;
  if (out_of_order(s, r) || (s->server->persona->before_request && s->server->persona->before_request(s, r)))
    return;
  if (!statements_run(s, text, len, NULL, 0, r))
    prompt_batch(s, text, len, NULL, 0, r);
}

static void executesql(struct session *s, const struct rpc *rpc, struct reply *r) {
  if (rpc->nparam < 1 || rpc->param[0].value.type != F_TEXT) {
    reply_error(r, 214, 2, 16, "sp_executesql", 1, "Procedure expects parameter '@statement' of type 'ntext/nchar/nvarchar'.");
    return;
  }
  const struct field *text = &rpc->param[0].value;
  const struct rpc_param *p = rpc->nparam > 2 ? rpc->param + 2 : NULL;
  int n = rpc->nparam > 2 ? rpc->nparam - 2 : 0;
  if (!statements_run(s, text->p, text->len, p, n, r))
    prompt_batch(s, text->p, text->len, p, n, r);
  reply_return_status(r, 0);
}

/* "dbo.x", "[dbo].[x]", "sys.x", "master..x": the last part, in buf. */
static const char *last_part(const char *name, char *buf, size_t size) {
  const char *dot = strrchr(name, '.');
  snprintf(buf, size, "%s", dot ? dot + 1 : name);
  size_t n = strlen(buf);
  if (buf[0] == '[' && n > 1 && buf[n - 1] == ']') {
    buf[n - 1] = '\0';
    return buf + 1;
  }
  return buf;
}

void session_rpc(struct session *s, const struct rpc *rpc, struct reply *r) {
  char buf[130];
  s->server->batches++;
  s->engine_error = 0;
  if (out_of_order(s, r) || (s->server->persona->before_request && s->server->persona->before_request(s, r)))
    return;
  const char *name = last_part(rpc->name, buf, sizeof buf);
  if (strcasecmp(name, "sp_executesql") == 0)
    executesql(s, rpc, r);
  else if (!builtin_procedure(s, name, rpc->param, rpc->nparam, r))
    call_procedure(s, name, rpc->param, rpc->nparam, r);
  if (s->engine_error && s->xact_abort && s->trancount > 0)
    session_rollback(s, r);
}

/* ---- the engine's connection ---- */

static int prepare(struct session *s, struct engine_conn *k, struct reply *r) {
  if (k->db != s->db) {
    if (mysql_select_db(k->my, s->db->name) != 0)
      return engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
    k->db = s->db;
  }
  if (k->isolation != s->isolation || k->lock_wait_s != s->lock_wait_s) {
    char sql[200];
    snprintf(sql, sizeof sql, "SET SESSION TRANSACTION ISOLATION LEVEL %s; SET SESSION innodb_lock_wait_timeout = %d",
             s->isolation ? s->isolation : "READ COMMITTED", s->lock_wait_s);
    if (engine_run(k, sql, NULL) != 0)
      return engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
    k->isolation = s->isolation;
    k->lock_wait_s = s->lock_wait_s;
  }
  return 0;
}

struct engine_conn *session_take(struct session *s, struct reply *r) {
  struct cause c;
  struct engine_conn *k = s->held ? s->held : engine_take(s->server->engine, &c);
  if (!k) {
    if (engine_dead(s->server->engine))
      engine_lost(s, r);
    else
      reply_error(r, 17803, 1, 20, "", 0, "There was a memory allocation failure during connection establishment: %s", c.text);
    return NULL;
  }
  if (prepare(s, k, r) == 0)
    return k;
  session_give(s, k);
  return NULL;
}

void session_give(struct session *s, struct engine_conn *k) {
  if (s->trancount > 0 && s->held == k)
    return;
  if (!k->bad && (k->my->server_status & SERVER_STATUS_IN_TRANS) && mysql_rollback(k->my) != 0)
    k->bad = 1;
  s->held = NULL;
  engine_give(s->server->engine, k);
}

void session_flight(struct session *s, struct engine_conn *k, struct reply *r) {
  pthread_mutex_lock(&s->flight_lock);
  s->flight = r;
  s->flight_ns = mono_ns();
  s->flight_thread = mysql_thread_id(k->my);
  s->flight_cancelled = 0;
  pthread_mutex_unlock(&s->flight_lock);
}

void session_landed(struct session *s) {
  pthread_mutex_lock(&s->flight_lock);
  s->flight = NULL;
  pthread_mutex_unlock(&s->flight_lock);
}

void session_look(struct session *s) {
  pthread_mutex_lock(&s->flight_lock);
  /* The session's own thread waits for the engine meanwhile and cannot touch the reply: the lock hands it over. */
  if (s->flight && !s->flight_cancelled && mono_ns() - s->flight_ns > LOOK_NS &&
      (reply_cancelled(s->flight) || reply_broken(s->flight))) {
    s->flight_cancelled = 1;
    engine_kill_query(s->server->engine, s->flight_thread);
  }
  pthread_mutex_unlock(&s->flight_lock);
}

int session_view_refused(const struct session *s, unsigned need, struct reply *r) {
  if (!s->server->persona->no_view_state || !(need & (FACT_COUNTERS | FACT_FILES | FACT_MEMORY | FACT_WAITS)))
    return 0;
  reply_error(r, 300, 1, 14, "", 1, "VIEW SERVER STATE permission was denied on object 'server', database 'master'.");
  return 1;
}

/* ---- transactions ---- */

static int tell_engine(struct session *s, struct engine_conn *k, const char *sql, struct reply *r) {
  session_flight(s, k, r);
  int rc = engine_run(k, sql, NULL);
  session_landed(s);
  return rc == 0 ? 0 : engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
}

int session_begin(struct session *s, struct reply *r) {
  if (s->trancount == 0) {
    struct engine_conn *k = session_take(s, r);
    if (!k)
      return -1;
    if (tell_engine(s, k, "START TRANSACTION", r) != 0) {
      session_give(s, k);
      return -1;
    }
    s->held = k;
    reply_transaction(r, REPLY_BEGUN);
  }
  s->trancount++;
  return 0;
}

static int end_transaction(struct session *s, const char *sql, enum reply_transaction how, struct reply *r) {
  struct engine_conn *k = s->held;
  int rc = tell_engine(s, k, sql, r);
  s->trancount = 0;
  s->db->transactions++;
  session_give(s, k);
  if (rc == 0)
    reply_transaction(r, how);
  return rc;
}

int session_commit(struct session *s, struct reply *r) {
  if (s->trancount == 0) {
    reply_error(r, 3902, 1, 16, "", 1, "The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.");
    return -1;
  }
  if (s->trancount > 1) {
    s->trancount--;
    return 0;
  }
  return end_transaction(s, "COMMIT", REPLY_COMMITTED, r);
}

int session_rollback(struct session *s, struct reply *r) {
  if (s->trancount == 0) {
    reply_error(r, 3903, 1, 16, "", 1, "The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.");
    return -1;
  }
  return end_transaction(s, "ROLLBACK", REPLY_ROLLED_BACK, r);
}

int session_use(struct session *s, const char *name, struct reply *r) {
  struct database *db = server_database(s->server, name);
  if (!db) {
    reply_error(r, 911, 1, 16, "", 1, "Database '%s' does not exist. Make sure that the name is entered correctly.", name);
    return -1;
  }
  const char *before = s->db->name;
  stand(s, db);
  reply_database(r, db->name, before);
  return 0;
}

int session_bulk_pending(const struct session *s) {
  return s->bulk != NULL;
}
