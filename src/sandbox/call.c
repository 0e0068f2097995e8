#include "config.h"

/* Procedure calls: a prepared CALL on each engine connection that has made the call before.
 *
 * The engine's procedure has the parameters of the T-SQL one in the same order, behind one OUT parameter for the return status.
 * The engine answers a prepared CALL with the procedure's result sets, then one that holds the OUT parameters, then an end. */

#include "sandbox/result.h"
#include "sandbox/session_private.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PARAM_MAX 64
#define VALUE_ROOM 512 /* larger values are fetched again */

struct proc {
  struct proc *next;
  const struct database *db;
  int64_t version;          /* of the schema that it was read from */
  char name[130];
  int n;                    /* without the return status */
  struct { char name[66]; int out; } param[PARAM_MAX];
};

/* Read once and kept: a version of the schema has few procedures.  Entries of older versions stay: connections may still point at
 * them. */
static pthread_mutex_t procs_lock = PTHREAD_MUTEX_INITIALIZER;
static struct proc *procs;

static const struct proc *known(const struct session *s, const char *name, int64_t version) {
  pthread_mutex_lock(&procs_lock);
  const struct proc *p = procs;
  while (p && !(p->db == s->db && p->version == version && strcasecmp(p->name, name) == 0))
    p = p->next;
  pthread_mutex_unlock(&procs_lock);
  return p;
}

static int no_procedure(struct reply *r, const char *name) {
  reply_error(r, 2812, 62, 16, "", 1, "Could not find stored procedure '%s'.", name);
  return -1;
}

/* Ask the engine what the procedure takes; NULL after reply_error. */
static const struct proc *learn(struct session *s, struct engine_conn *k, const char *name, int64_t version, struct reply *r) {
  char esc[260], sql[600];
  struct proc *p = NULL;
  mysql_real_escape_string(k->my, esc, name, strlen(name));
  int n = snprintf(sql, sizeof sql,
                   "SELECT PARAMETER_NAME, PARAMETER_MODE FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = '%s' AND "
                   "SPECIFIC_NAME = '%s' AND ROUTINE_TYPE = 'PROCEDURE' ORDER BY ORDINAL_POSITION",
                   s->db->name, esc);
  MYSQL_RES *res = mysql_real_query(k->my, sql, (unsigned long)n) == 0 ? mysql_store_result(k->my) : NULL;
  if (!res) {
    engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
    return NULL;
  }
  MYSQL_ROW row = mysql_fetch_row(res);
  if (row && row[1] && strcmp(row[1], "OUT") == 0) {
    p = xcalloc(1, sizeof *p);
    p->db = s->db;
    p->version = version;
    snprintf(p->name, sizeof p->name, "%s", name);
    while ((row = mysql_fetch_row(res)) && p->n < PARAM_MAX) {
      snprintf(p->param[p->n].name, sizeof p->param[0].name, "%s", row[0]);
      p->param[p->n++].out = strcmp(row[1], "IN") != 0;
    }
    pthread_mutex_lock(&procs_lock);
    p->next = procs;
    procs = p;
    pthread_mutex_unlock(&procs_lock);
  }
  mysql_free_result(res);
  if (!p)
    no_procedure(r, name);
  return p;
}

static MYSQL_STMT *prepared(struct session *s, struct engine_conn *k, const struct proc *p, struct reply *r) {
  for (int i = 0; i < k->ncall; i++)
    if (k->call[i].proc == p)
      return k->call[i].stmt;
  struct text t = {0};
  text_addf(&t, "CALL `%s`.`%s`(?", s->db->name, p->name);
  for (int i = 0; i < p->n; i++)
    text_add(&t, ", ?");
  text_add(&t, ")");
  MYSQL_STMT *stmt = mysql_stmt_init(k->my);
  if (!stmt || mysql_stmt_prepare(stmt, t.s, t.len) != 0) {
    engine_error(s, k, stmt ? mysql_stmt_errno(stmt) : mysql_errno(k->my), stmt ? mysql_stmt_error(stmt) : mysql_error(k->my), r);
    if (stmt)
      mysql_stmt_close(stmt);
    text_free(&t);
    return NULL;
  }
  text_free(&t);
  int at = k->ncall < CONN_CALLS ? k->ncall++ : (int)(k->turn++ % CONN_CALLS);
  if (k->call[at].stmt)
    mysql_stmt_close(k->call[at].stmt);
  k->call[at].proc = p;
  k->call[at].stmt = stmt;
  return stmt;
}

/* The names that the twin's author could not take over, because a column has them, begin with p_ there. */
static int same_name(const char *given, const char *declared) {
  given += given[0] == '@';
  return strcasecmp(given, declared) == 0 || (strncasecmp(declared, "p_", 2) == 0 && strcasecmp(given, declared + 2) == 0);
}

/* at[i]: the given parameter that is the procedure's i-th; -1 after reply_error. */
static int match(const struct proc *p, const struct rpc_param *given, int n, int at[PARAM_MAX], struct reply *r) {
  for (int i = 0; i < p->n; i++)
    at[i] = -1;
  if (n > p->n) {
    reply_error(r, 8144, 2, 16, p->name, 0, "Procedure or function %s has too many arguments specified.", p->name);
    return -1;
  }
  for (int j = 0; j < n; j++) {
    int i = j;
    if (given[j].name[0])
      for (i = 0; i < p->n && !same_name(given[j].name, p->param[i].name); i++)
        ;
    if (i == p->n) {
      reply_error(r, 8145, 1, 16, p->name, 0, "%s is not a parameter for procedure %s.", given[j].name, p->name);
      return -1;
    }
    at[i] = j;
  }
  for (int i = 0; i < p->n; i++)
    if (at[i] < 0) {
      reply_error(r, 201, 4, 16, p->name, 0, "Procedure or function '%s' expects parameter '@%s', which was not supplied.",
                  p->name, p->param[i].name);
      return -1;
    }
  return 0;
}

static void bind_value(MYSQL_BIND *b, unsigned long *len, const struct field *f) {
  switch (f->type) {
  case F_NULL: b->buffer_type = MYSQL_TYPE_NULL; break;
  case F_INT: b->buffer_type = MYSQL_TYPE_LONGLONG; b->buffer = (void *)&f->i; break;
  case F_REAL: b->buffer_type = MYSQL_TYPE_DOUBLE; b->buffer = (void *)&f->r; break;
  default:
    b->buffer_type = f->type == F_BIN ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING;
    b->buffer = (void *)f->p;
    b->buffer_length = *len = f->len;
    b->length = len;
  }
}

/* One result set's row on its way from the engine. */
struct row {
  int n;
  struct result_column *rc;
  MYSQL_BIND *bind;
  struct slot { int64_t i; double r; char *p, *big, *utf8; unsigned long len; my_bool null; } *slot;
  struct field *field;
  char *room;
};

static void row_new(struct row *w, MYSQL_RES *meta) {
  int n = w->n = (int)mysql_num_fields(meta);
  w->rc = xcalloc((size_t)n, sizeof *w->rc);
  w->bind = xcalloc((size_t)n, sizeof *w->bind);
  w->slot = xcalloc((size_t)n, sizeof *w->slot);
  w->field = xcalloc((size_t)n, sizeof *w->field);
  w->room = xmalloc((size_t)n * (VALUE_ROOM + 1));
  for (int i = 0; i < n; i++) {
    struct slot *s = &w->slot[i];
    MYSQL_BIND *b = &w->bind[i];
    result_column(mysql_fetch_field_direct(meta, (unsigned)i), &w->rc[i]);
    s->p = w->room + (size_t)i * (VALUE_ROOM + 1);
    b->is_null = &s->null;
    b->length = &s->len;
    if (w->rc[i].as == F_INT) {
      b->buffer_type = MYSQL_TYPE_LONGLONG;
      b->buffer = &s->i;
    } else if (w->rc[i].as == F_REAL) {
      b->buffer_type = MYSQL_TYPE_DOUBLE;
      b->buffer = &s->r;
    } else {
      b->buffer_type = w->rc[i].as == F_BIN ? MYSQL_TYPE_BLOB : MYSQL_TYPE_STRING;
      b->buffer = s->p;
      b->buffer_length = VALUE_ROOM;
    }
  }
}

static void row_free(struct row *w) {
  for (int i = 0; i < w->n; i++) {
    free(w->slot[i].big);
    free(w->slot[i].utf8);
  }
  free(w->rc);
  free(w->bind);
  free(w->slot);
  free(w->field);
  free(w->room);
}

/* 1: a row is in w->field; 0: there is none left; -1: an error. */
static int row_fetch(struct row *w, MYSQL_STMT *stmt) {
  int rc = mysql_stmt_fetch(stmt);
  if (rc == MYSQL_NO_DATA)
    return 0;
  if (rc != 0 && rc != MYSQL_DATA_TRUNCATED)
    return -1;
  for (int i = 0; i < w->n; i++) {
    struct slot *s = &w->slot[i];
    struct field *f = &w->field[i];
    *f = (struct field){.type = F_NULL};
    if (s->null)
      continue;
    if (w->rc[i].as == F_INT)
      *f = (struct field){.type = F_INT, .i = s->i};
    else if (w->rc[i].as == F_REAL)
      *f = (struct field){.type = F_REAL, .r = s->r};
    else {
      char *p = s->p;
      if (s->len > VALUE_ROOM) {
        MYSQL_BIND b = w->bind[i];
        p = s->big = xrealloc(s->big, s->len + 1, 1);
        b.buffer = p;
        b.buffer_length = s->len;
        if (mysql_stmt_fetch_column(stmt, &b, (unsigned)i, 0) != 0)
          return -1;
      }
      p[s->len] = '\0';
      if (w->rc[i].latin1)
        s->utf8 = xrealloc(s->utf8, 3 * s->len + 1, 1);
      result_field(&w->rc[i], p, s->len, s->utf8, f);
    }
  }
  return 1;
}

/* The OUT parameters: the return status and those that the client wants back. */
static int send_out(struct row *w, MYSQL_STMT *stmt, const struct proc *p, const struct rpc_param *given, const int *at,
                    struct reply *r) {
  if (row_fetch(w, stmt) != 1)
    return -1;
  reply_return_status(r, w->field[0].type == F_INT ? (int32_t)w->field[0].i : 0);
  for (int i = 0, col = 1; i < p->n && col < w->n; i++)
    if (p->param[i].out) {
      const struct rpc_param *g = &given[at[i]];
      if (g->by_ref)
        reply_return_value(r, g->name, &g->column, &w->field[col]);
      col++;
    }
  while (mysql_stmt_fetch(stmt) == 0)
    ;
  return 0;
}

static int send_set(struct row *w, MYSQL_STMT *stmt, struct reply *r) {
  struct column *col = xcalloc((size_t)w->n, sizeof *col);
  int64_t rows = 0;
  int rc;
  for (int i = 0; i < w->n; i++)
    col[i] = w->rc[i].column;
  reply_columns(r, col, w->n);
  free(col);
  while ((rc = row_fetch(w, stmt)) == 1) {
    reply_row(r, w->field, w->n);
    rows++;
  }
  reply_done(r, rows);
  return rc;
}

static int one_result(MYSQL_STMT *stmt, const struct proc *p, const struct rpc_param *given, const int *at, struct reply *r) {
  MYSQL_RES *meta = mysql_stmt_result_metadata(stmt);
  if (!meta)
    return -1;
  struct row w;
  row_new(&w, meta);
  int rc = mysql_stmt_bind_result(stmt, w.bind) != 0 ? -1
           : (stmt->mysql->server_status & SERVER_PS_OUT_PARAMS) ? send_out(&w, stmt, p, given, at, r) : send_set(&w, stmt, r);
  row_free(&w);
  mysql_free_result(meta);
  return rc;
}

static int run(struct session *s, struct engine_conn *k, MYSQL_STMT *stmt, const struct proc *p, const struct rpc_param *given,
               const int *at, struct reply *r) {
  MYSQL_BIND in[PARAM_MAX + 1];
  unsigned long len[PARAM_MAX + 1];
  memset(in, 0, sizeof in[0] * (size_t)(p->n + 1));
  in[0].buffer_type = MYSQL_TYPE_NULL;
  for (int i = 0; i < p->n; i++)
    bind_value(&in[i + 1], &len[i + 1], &given[at[i]].value);
  session_flight(s, k, r);
  int bad = mysql_stmt_bind_param(stmt, in) != 0 || mysql_stmt_execute(stmt) != 0, more = 0;
  session_landed(s);
  while (!bad && more == 0) {
    if (mysql_stmt_field_count(stmt) > 0)
      bad = one_result(stmt, p, given, at, r) != 0;
    if (!bad)
      more = mysql_stmt_next_result(stmt);
  }
  return bad || more > 0 ? -1 : 0;
}

void call_procedure(struct session *s, const char *name, const struct rpc_param *given, int n, struct reply *r) {
  int64_t version = s->server->schema_version;
  int at[PARAM_MAX];
  if (persona_no_memory(s, "call", r))
    return;
  struct engine_conn *k = session_take(s, r);
  if (!k)
    return;
  const struct proc *p = known(s, name, version);
  if (!p)
    p = learn(s, k, name, version, r);
  MYSQL_STMT *stmt = p && match(p, given, n, at, r) == 0 ? prepared(s, k, p, r) : NULL;
  if (stmt && run(s, k, stmt, p, given, at, r) != 0) {
    unsigned number = mysql_stmt_errno(stmt);
    engine_error(s, k, number, mysql_stmt_error(stmt), r);
    if (number == 0 || (number >= 2000 && number < 3000)) /* our own library stopped in the middle */
      k->bad = 1;
  }
  if (s->trancount == 0)
    s->db->transactions++;
  session_give(s, k);
}
