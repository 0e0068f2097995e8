#include "config.h"

/* What people type, and what tools send about themselves: a batch is taken apart into statements; some are answered here, queries
 * and simple changes go through translate.c to the engine. */

#include "sandbox/facts.h"
#include "sandbox/lex.h"
#include "sandbox/property.h"
#include "sandbox/quote.h"
#include "sandbox/session_private.h"
#include "sandbox/translate.h"
#include "base/units.h"

#include <mysqld_error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct batch {
  struct session *s;
  struct tokens ts;
  const struct rpc_param *param;
  int nparam;
  struct reply *r;
};

static const struct token *tok(const struct batch *b, int i, int to) {
  static const struct token none = {.kind = T_PUNCT, .p = "", .len = 0};
  return i < to ? &b->ts.t[i] : &none;
}

static int syntax(const struct batch *b, int i) {
  const struct token *t = tok(b, i < b->ts.n ? i : b->ts.n - 1, b->ts.n);
  if (t->kind == T_BAD)
    reply_error(b->r, 105, 1, 15, "", 1, "Unclosed quotation mark after the character string '%.*s'.",
                (int)(t->len < 60 ? t->len : 60), t->p + 1);
  else
    reply_error(b->r, 102, 1, 15, "", 1, "Incorrect syntax near '%.*s'.", (int)(t->len < 60 ? t->len : 60), t->p);
  return -1;
}

static const struct rpc_param *variable(const struct batch *b, const struct token *t) {
  for (int i = 0; i < b->nparam; i++)
    if (strlen(b->param[i].name) == t->len && strncasecmp(b->param[i].name, t->p, t->len) == 0)
      return &b->param[i];
  return NULL;
}

/* ---- SET ---- */

static int set_isolation(struct batch *b, int from, int to) {
  static const struct { const char *one, *two, *engine; } levels[] = {
    {"READ", "COMMITTED", NULL}, {"READ", "UNCOMMITTED", "READ UNCOMMITTED"}, {"REPEATABLE", "READ", "REPEATABLE READ"},
    {"SERIALIZABLE", "", "SERIALIZABLE"}, {"SNAPSHOT", "", "REPEATABLE READ"},
  };
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (token_is(tok(b, from, to), levels[i].one) && (!*levels[i].two || token_is(tok(b, from + 1, to), levels[i].two))) {
      b->s->isolation = levels[i].engine;
      return 0;
    }
  return syntax(b, from);
}

/* Milliseconds, -1 for ever; the engine has whole seconds: rounded up. */
static int set_lock_timeout(struct batch *b, int at, int to) {
  int minus = token_punct(tok(b, at, to), '-');
  char *text = token_text(tok(b, at + minus, to));
  int64_t ms;
  int bad = int_parse(text, "a time", 0, INT32_MAX, &ms, NULL) != 0 || (minus && ms != 1);
  free(text);
  if (bad)
    return syntax(b, at);
  b->s->lock_wait_s = minus ? LOCK_WAIT_ALWAYS : (int)((ms + 999) / 1000);
  return 0;
}

/* Taken without an effect, unless said otherwise: the engine is always as ON as it can be, and clients set them by the dozen at
 * log-in. */
static int statement_set(struct batch *b, int from, int to) {
  static const char *const options[] = {
    "ANSI_NULLS", "ANSI_PADDING", "ANSI_WARNINGS", "ANSI_DEFAULTS", "ANSI_NULL_DFLT_ON", "ANSI_NULL_DFLT_OFF", "ARITHABORT",
    "ARITHIGNORE", "CONCAT_NULL_YIELDS_NULL", "CURSOR_CLOSE_ON_COMMIT", "QUOTED_IDENTIFIER", "NUMERIC_ROUNDABORT",
    "IMPLICIT_TRANSACTIONS", "TEXTSIZE", "LANGUAGE", "DATEFORMAT", "DATEFIRST", "ROWCOUNT", "DEADLOCK_PRIORITY", "CONTEXT_INFO",
    "FORCEPLAN", "NOEXEC", "PARSEONLY", "STATISTICS", "IDENTITY_INSERT", "QUERY_GOVERNOR_COST_LIMIT", "NO_BROWSETABLE",
    "REMOTE_PROC_TRANSACTIONS",
  };
  const struct token *name = tok(b, from + 1, to), *last = tok(b, to - 1, to);
  if (token_is(name, "TRANSACTION") && token_is(tok(b, from + 2, to), "ISOLATION"))
    return set_isolation(b, from + 4, to);
  if (token_is(name, "NOCOUNT"))
    b->s->nocount = token_is(last, "ON");
  else if (token_is(name, "XACT_ABORT"))
    b->s->xact_abort = token_is(last, "ON");
  else if (token_is(name, "FMTONLY"))
    b->s->fmtonly = token_is(last, "ON");
  else if (token_is(name, "LOCK_TIMEOUT"))
    return set_lock_timeout(b, from + 2, to);
  else {
    size_t i = 0, n = sizeof options / sizeof *options;
    while (i < n && !token_is(name, options[i]))
      i++;
    if (i == n && name->len && name->p[0] == '@')
      return syntax(b, from);
    if (i == n) {
      reply_error(b->r, 195, 5, 15, "", 1, "'%.*s' is not a recognized SET option.", (int)name->len, name->p);
      return -1;
    }
  }
  return 0;
}

/* ---- EXEC ---- */

/* One argument: a literal, a bare word, or a parameter of sp_executesql.  Its text is kept in `mem`. */
static int argument(struct batch *b, int i, int to, struct rpc_param *p, char **mem) {
  int minus = token_punct(tok(b, i, to), '-');
  const struct token *t = tok(b, i + minus, to);
  char *s = *mem = token_text(t);
  p->value = (struct field){.type = F_TEXT, .p = s, .len = strlen(s)};
  p->column = (struct column){.name = "", .type = W_NVARCHAR, .size = 4000};
  if (t->kind == T_NUMBER && strspn(s, "0123456789") == strlen(s)) {
    if (int_parse(s, "a value", 0, INT64_MAX / 2, &p->value.i, NULL) != 0)
      return syntax(b, i);
    p->value.type = F_INT;
    p->value.i = minus ? -p->value.i : p->value.i;
  } else if (t->kind == T_NUMBER) {
    if (real_parse(s, "a value", -1e300, 1e300, &p->value.r, NULL) != 0)
      return syntax(b, i);
    p->value.type = F_REAL;
    p->value.r = minus ? -p->value.r : p->value.r;
  } else if (token_is(t, "NULL"))
    p->value.type = F_NULL;
  else if (t->kind == T_WORD && t->p[0] == '@') {
    const struct rpc_param *given = variable(b, t);
    if (!given) {
      reply_error(b->r, 137, 2, 15, "", 1, "Must declare the scalar variable \"%s\".", s);
      return -1;
    }
    p->value = given->value;
  } else if (t->kind == T_PUNCT || t->kind == T_BAD)
    return syntax(b, i);
  return i + minus + 1;
}

/* name arg, @x = arg ... */
static int statement_exec(struct batch *b, int from, int to) {
  struct rpc_param p[32];
  char *mem[32], *name[32], *db = NULL, *proc = NULL;
  int n = 0, rc = -1, i;
  if (tok(b, from, to)->kind == T_WORD && tok(b, from, to)->p[0] == '@' && token_punct(tok(b, from + 1, to), '='))
    from += 2; /* EXEC @rc = ...: there is no variable to put it in, but the status goes out anyway */
  i = translate_name(&b->ts, from, to, &db, &proc);
  if (i < 0)
    return syntax(b, from);
  while (i < to && n < 32) {
    name[n] = NULL;
    memset(&p[n], 0, sizeof p[n]);
    if (tok(b, i, to)->kind == T_WORD && tok(b, i, to)->p[0] == '@' && token_punct(tok(b, i + 1, to), '=')) {
      name[n] = token_text(tok(b, i, to));
      i += 2;
    }
    p[n].name = name[n] ? name[n] : "";
    mem[n] = NULL;
    i = argument(b, i, to, &p[n], &mem[n]);
    n++;
    if (i < 0)
      goto out;
    if (token_is(tok(b, i, to), "OUTPUT") || token_is(tok(b, i, to), "OUT"))
      i++;
    if (i < to && !token_punct(tok(b, i, to), ',')) {
      syntax(b, i);
      goto out;
    }
    i++;
  }
  rc = 0;
  if (!builtin_procedure(b->s, proc, p, n, b->r))
    call_procedure(b->s, proc, p, n, b->r);
  reply_done(b->r, -1);
out:
  for (int j = 0; j < n; j++) {
    free(mem[j]);
    free(name[j]);
  }
  free(db);
  free(proc);
  return rc;
}

/* ---- databases ---- */

static int run_plain(struct batch *b, const char *sql) {
  struct engine_conn *k = session_take(b->s, b->r);
  if (!k)
    return -1;
  int rc = engine_run(k, sql, NULL);
  if (rc != 0)
    engine_error(b->s, k, mysql_errno(k->my), mysql_error(k->my), b->r);
  session_give(b->s, k);
  return rc;
}

static char *quoted_name(const char *name) {
  struct text t = {0};
  quote_ident(&t, name);
  return t.s;
}

static int create_database(struct batch *b, const char *name) {
  static const char *const own[] = {"sys", "mysql", "information_schema", "performance_schema"};
  int taken = server_database(b->s->server, name) != NULL;
  for (int i = 0; i < 4; i++)
    taken |= strcasecmp(name, own[i]) == 0;
  if (taken) {
    reply_error(b->r, 1801, 3, 16, "", 1, "Database '%s' already exists. Choose a different database name.", name);
    return -1;
  }
  if (strlen(name) > 64) {
    reply_error(b->r, 103, 4, 15, "", 1, "The identifier that starts with '%.40s' is too long. Maximum length is 64.", name);
    return -1;
  }
  char *q = quoted_name(name), *sql = xprintf("CREATE DATABASE %s", q);
  int rc = run_plain(b, sql);
  if (rc == 0)
    server_database_add(b->s->server, name);
  free(q);
  free(sql);
  return rc;
}

static int in_use(struct server *v, const struct database *d) {
  int n = 0;
  pthread_mutex_lock(&v->lock);
  for (const struct session *s = v->sessions; s; s = s->next)
    n += s->database_id == d->id;
  pthread_mutex_unlock(&v->lock);
  return n;
}

static int drop_database(struct batch *b, const char *name) {
  struct database *d = server_database(b->s->server, name);
  if (!d) {
    reply_error(b->r, 3701, 1, 11, "", 1,
                "Cannot drop the database '%s', because it does not exist or you do not have permission.", name);
    return -1;
  }
  if (d->id <= 4) {
    reply_error(b->r, 3708, 1, 16, "", 1, "Cannot drop the database '%s' because it is a system database.", name);
    return -1;
  }
  if (in_use(b->s->server, d)) {
    reply_error(b->r, 3702, 3, 16, "", 1, "Cannot drop database \"%s\" because it is currently in use.", name);
    return -1;
  }
  char *q = quoted_name(d->name), *sql = xprintf("DROP DATABASE %s", q);
  int rc = run_plain(b, sql);
  if (rc == 0) {
    server_database_drop(b->s->server, d);
    b->s->server->schema_version++;
  }
  free(q);
  free(sql);
  return rc;
}

/* ALTER DATABASE x SET OPTION ...: the engine has none of these properties, but one is only a number to be shown.  It is taken,
 * and said. */
static int alter_database(struct batch *b, struct database *d, const char *name, int i, int to) {
  if (!d) {
    reply_error(b->r, 5011, 5, 14, "", 1,
                "User does not have permission to alter database '%s', the database does not exist, or the database is "
                "not in a state that allows access checks.",
                name);
    return -1;
  }
  const struct token *option = tok(b, i + 1, to);
  int64_t level;
  if (!token_is(tok(b, i, to), "SET") || !(option->kind == T_WORD))
    return syntax(b, i);
  if (token_is(option, "COMPATIBILITY_LEVEL")) {
    char *n = token_text(tok(b, i + 3, to));
    int bad = int_parse(n, "a level", 100, 170, &level, NULL);
    free(n);
    if (bad) {
      reply_error(b->r, 15048, 1, 16, "", 1,
                  "Valid values of the database compatibility level are 100, 110, 120, 130, 140, 150, or 160.");
      return -1;
    }
    d->compatibility = (int)level;
  } else
    reply_info(b->r, 50000, 1, 0, "%.*s of database '%s' has no counterpart in the sandbox's engine: taken without an effect.",
               (int)option->len, option->p, d->name);
  return 0;
}

static int statement_database(struct batch *b, int from, int to) {
  struct session *s = b->s;
  int rc;
  if (token_is(tok(b, from, to), "ALTER") && token_is(tok(b, from + 2, to), "CURRENT"))
    return alter_database(b, s->db, s->db->name, from + 3, to);
  if (tok(b, from + 2, to)->kind != T_NAME && tok(b, from + 2, to)->kind != T_WORD)
    return syntax(b, from + 2);
  char *name = token_text(tok(b, from + 2, to));
  if (token_is(tok(b, from, to), "CREATE"))
    rc = create_database(b, name);
  else if (token_is(tok(b, from, to), "DROP"))
    rc = drop_database(b, name);
  else
    rc = alter_database(b, server_database(s->server, name), name, from + 3, to);
  free(name);
  return rc;
}

/* ---- queries ---- */

static char *property(const void *arg, const char *name, char *buf, size_t size) {
  const struct batch *b = arg;
  return property_sql(b->s->server, name, buf, size);
}

static int declared(const void *arg, const struct token *t) {
  return variable(arg, t) != NULL;
}

static int run_sql(struct batch *b, const char *sql, size_t len) {
  struct session *s = b->s;
  struct cause c;
  struct text vars = {0};
  unsigned need = facts_needed(sql);
  struct engine_conn *k = session_take(s, b->r);
  if (!k)
    return -1;
  statements_variables(s, b->param, b->nparam, &vars);
  int rc = engine_run(k, vars.s, NULL) != 0 || (need && facts_refresh(s->server, k, need, &c) != 0)
             ? engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), b->r)
             : result_run(s, k, sql, len, NULL, 1, b->r);
  text_free(&vars);
  session_give(s, k);
  return rc;
}

static int statement_query(struct batch *b, int from, int to) {
  char *version = server_version_text(b->s->server);
  struct translate_facts f = {
    .version = version, .server_name = server_name(b->s->server), .spid = b->s->login.spid, .trancount = b->s->trancount,
    .fmtonly = b->s->fmtonly && token_is(tok(b, from, to), "SELECT"), .declared = declared, .property = property, .arg = b,
  };
  struct text sql = {0};
  int near = from, rc = -1, number = translate(&b->ts, from, to, &f, &sql, &near);
  const struct token *t = tok(b, near, b->ts.n);
  int len = (int)(t->len < 60 ? t->len : 60);
  if (number == 137)
    reply_error(b->r, 137, 2, 15, "", 1, "Must declare the scalar variable \"%.*s\".", len, t->p);
  else if (number == 243)
    reply_error(b->r, 243, 1, 16, "", 1, "Type %.*s is not a defined system type.", len, t->p);
  else if (number == 2715)
    reply_error(b->r, 2715, 6, 16, "", 1, "Cannot find data type %.*s.", len, t->p);
  else if (number)
    syntax(b, near);
  else if (!session_view_refused(b->s, facts_needed(sql.s), b->r) && !(b->s->fmtonly && !f.fmtonly)) {
    struct hints h;
    hints_read(&h, &b->ts, from, to);
    b->s->hints = &h;
    rc = run_sql(b, sql.s, sql.len);
    b->s->hints = NULL;
  }
  text_free(&sql);
  free(version);
  return rc;
}

/* ---- transactions ---- */

static int is_transaction(const struct token *t) {
  return token_is(t, "TRAN") || token_is(t, "TRANSACTION");
}

static int statement_save(struct batch *b, int from, int to) {
  if (!is_transaction(tok(b, from + 1, to)))
    return syntax(b, from);
  if (b->s->trancount == 0) {
    reply_error(b->r, 628, 0, 16, "", 1, "Cannot issue SAVE TRANSACTION when there is no active transaction.");
    return -1;
  }
  char *name = from + 2 < to ? token_text(tok(b, from + 2, to)) : xstrdup("save"), *q = quoted_name(name),
       *sql = xprintf("SAVEPOINT %s", q);
  int rc = run_plain(b, sql);
  free(name);
  free(q);
  free(sql);
  return rc;
}

/* ROLLBACK TRAN name: to a savepoint, unless there is none of that name: then all of it. */
static int statement_rollback(struct batch *b, int from, int to) {
  int named = is_transaction(tok(b, from + 1, to)) && from + 2 < to;
  if (named && b->s->held) {
    char *name = token_text(tok(b, from + 2, to)), *q = quoted_name(name), *sql = xprintf("ROLLBACK TO SAVEPOINT %s", q);
    int rc = engine_run(b->s->held, sql, NULL);
    free(name);
    free(q);
    free(sql);
    if (rc == 0)
      return 0;
  }
  return session_rollback(b->s, b->r);
}

/* ---- one statement ---- */

static int statement_use(struct batch *b, int from, int to) {
  char *name = token_text(tok(b, from + 1, to));
  int rc = session_use(b->s, name, b->r);
  free(name);
  return rc;
}

static int statement_print(struct batch *b, int from, int to) {
  char *text = token_text(tok(b, from + 1, to));
  reply_info(b->r, 0, 1, 0, "%s", text);
  free(text);
  return 0;
}

static int statement_bulk(struct batch *b, int from, int to) {
  char *db, *table;
  if (translate_name(&b->ts, from + 2, to, &db, &table) < 0)
    return syntax(b, from + 2);
  int rc = bulk_prepare(b->s, db, table, b->r);
  free(db);
  free(table);
  return rc;
}

static int unsupported(struct batch *b, int from) {
  const struct token *t = tok(b, from, b->ts.n);
  reply_error(b->r, 40510, 1, 16, "", 1, "Statement '%.*s' is not supported in this version of SQL Server.", (int)t->len, t->p);
  return -1;
}

/* 0: go on; -1: an error was said.  *done: the statement has sent its own end. */
static int statement(struct batch *b, int from, int to, int *done) {
  static const char *const queries[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE"};
  static const char *const unknown[] = {"DECLARE", "IF",    "WHILE",     "WAITFOR", "CREATE",     "ALTER",  "DROP",
                                        "DBCC",    "GRANT", "DENY",      "REVOKE",  "MERGE",      "BACKUP", "RESTORE",
                                        "KILL",    "THROW", "RAISERROR", "RETURN",  "CHECKPOINT", "BEGIN"};
  struct session *s = b->s;
  const struct token *first = tok(b, from, to), *second = tok(b, from + 1, to);
  *done = 0;
  if (token_is(first, "SET"))
    return statement_set(b, from, to);
  if (token_is(first, "USE"))
    return statement_use(b, from, to);
  if (token_is(first, "PRINT"))
    return statement_print(b, from, to);
  if (token_is(first, "BEGIN") && is_transaction(second))
    return session_begin(s, b->r);
  if (token_is(first, "COMMIT"))
    return session_commit(s, b->r);
  if (token_is(first, "SAVE"))
    return statement_save(b, from, to);
  if (token_is(first, "ROLLBACK"))
    return statement_rollback(b, from, to);
  if (token_is(first, "RECONFIGURE"))
    return reconfigure(s, token_is(tok(b, from + 2, to), "OVERRIDE"), b->r);
  if (token_is(second, "DATABASE") && (token_is(first, "CREATE") || token_is(first, "DROP") || token_is(first, "ALTER")))
    return statement_database(b, from, to);
  *done = 1;
  if (token_is(first, "INSERT") && token_is(second, "BULK"))
    return statement_bulk(b, from, to);
  if (token_is(first, "EXEC") || token_is(first, "EXECUTE"))
    return statement_exec(b, from + 1, to);
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
    if (token_is(first, queries[i]))
      return statement_query(b, from, to);
  if ((token_is(first, "CREATE") || token_is(first, "DROP")) && token_is(second, "TABLE"))
    return statement_query(b, from, to);
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    if (token_is(first, unknown[i]))
      return unsupported(b, from);
  /* The first statement of a batch may be a procedure's name without EXEC. */
  return from == 0 ? statement_exec(b, from, to) : syntax(b, from);
}

/* Errors that end their statement alone, without XACT_ABORT; all others end the batch. */
static int goes_on_after(unsigned engine_error) {
  return engine_error == ER_DUP_ENTRY || engine_error == ER_BAD_NULL_ERROR || engine_error == ER_DATA_TOO_LONG ||
         engine_error == ER_WARN_DATA_OUT_OF_RANGE || engine_error == ER_LOCK_WAIT_TIMEOUT || engine_error == ER_BAD_TABLE_ERROR;
}

/* 1: the rest of the batch is left. */
static int ends_batch(struct session *s, struct reply *r) {
  if (s->lost || reply_broken(r))
    return 1;
  if (s->xact_abort && s->trancount > 0)
    session_rollback(s, r);
  return s->xact_abort || !goes_on_after(s->engine_error);
}

void prompt_batch(struct session *s, const char *text, size_t len, const struct rpc_param *p, int n, struct reply *r) {
  struct batch b = {.s = s, .param = p, .nparam = n, .r = r};
  tokens_read(&b.ts, text, len);
  if (b.ts.n > 0 && b.ts.t[b.ts.n - 1].kind == T_BAD)
    syntax(&b, b.ts.n - 1);
  else
    for (int from = 0, done; from < b.ts.n;) {
      if (token_punct(&b.ts.t[from], ';')) {
        from++;
        continue;
      }
      s->engine_error = 0;
      int to = statement_end(&b.ts, from), rc = statement(&b, from, to, &done);
      if (rc == 0 ? s->lost || reply_broken(r) : ends_batch(s, r))
        break;
      if (!done || rc != 0)
        reply_done(r, -1);
      from = to;
    }
  tokens_free(&b.ts);
}
