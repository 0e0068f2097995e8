#include "config.h"

#include "sandbox/translate.h"
#include "sandbox/quote.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct work {
  const struct tokens *ts;
  int to;
  const struct translate_facts *facts;
  struct text *out;
  int bad, near;
  char *limit;       /* TOP of the outermost SELECT */
  int creates;       /* CREATE TABLE: types are column types */
};

static int some(struct work *w, int from, int to);

static const struct token *peek(const struct work *w, int i) {
  static const struct token none = {.kind = T_PUNCT, .p = "", .len = 0};
  return i >= 0 && i < w->to ? &w->ts->t[i] : &none;
}

static int fail(struct work *w, int number, int i) {
  if (!w->bad) {
    w->bad = number;
    w->near = i < w->ts->n ? i : w->ts->n - 1;
  }
  return w->to;
}

static void put(struct work *w, const char *s) {
  if (w->out->len)
    text_add(w->out, " ");
  text_add(w->out, s);
}

static void put_string(struct work *w, const char *s) {
  put(w, "");
  quote_text(w->out, s, strlen(s));
}

/* The index of the parenthesis that closes the one at `open`, or w->to. */
static int closing(const struct work *w, int open) {
  int depth = 0;
  for (int i = open; i < w->to; i++) {
    depth += token_punct(peek(w, i), '(') - token_punct(peek(w, i), ')');
    if (depth == 0)
      return i;
  }
  return w->to;
}

/* ---- types ---- */

enum room { AS_IS, NO_ROOM, CHARS, FRACTION };
static const struct type {
  const char *name, *column, *cast, *max, *suffix;
  enum room room; /* what becomes of (n) */
} types[] = {
  {"BIT", "tinyint(1)", "SIGNED", NULL, "", NO_ROOM},
  {"TINYINT", "tinyint unsigned", "SIGNED", NULL, "", NO_ROOM},
  {"SMALLINT", "smallint", "SIGNED", NULL, "", NO_ROOM},
  {"INT", "int", "SIGNED", NULL, "", NO_ROOM},
  {"INTEGER", "int", "SIGNED", NULL, "", NO_ROOM},
  {"BIGINT", "bigint", "SIGNED", NULL, "", NO_ROOM},
  {"FLOAT", "double", "DOUBLE", NULL, "", NO_ROOM},
  {"REAL", "float", "DOUBLE", NULL, "", NO_ROOM},
  {"MONEY", "decimal(19,4)", "DECIMAL(19,4)", NULL, "", NO_ROOM},
  {"DECIMAL", "decimal", "DECIMAL", NULL, "", AS_IS},
  {"NUMERIC", "decimal", "DECIMAL", NULL, "", AS_IS},
  {"DATETIME", "datetime(3)", "DATETIME(3)", NULL, "", NO_ROOM},
  {"SMALLDATETIME", "datetime", "DATETIME", NULL, "", NO_ROOM},
  {"DATETIME2", "datetime", "DATETIME", NULL, "", FRACTION},
  {"DATE", "date", "DATE", NULL, "", NO_ROOM},
  {"CHAR", "char", "CHAR", NULL, " CHARACTER SET latin1", CHARS},
  {"VARCHAR", "varchar", "CHAR", "longtext", " CHARACTER SET latin1", CHARS},
  {"NCHAR", "char", "CHAR", NULL, "", CHARS},
  {"NVARCHAR", "varchar", "CHAR", "longtext", "", CHARS},
  {"SYSNAME", "varchar(128)", "CHAR(128)", NULL, "", NO_ROOM},
  {"BINARY", "binary", "BINARY", NULL, "", CHARS},
  {"VARBINARY", "varbinary", "BINARY", "longblob", "", CHARS},
  {"UNIQUEIDENTIFIER", "char(36) CHARACTER SET ascii", "CHAR(36)", NULL, "", NO_ROOM},
};

static const struct type *type_of(const struct token *t) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (token_is(t, types[i].name))
      return &types[i];
  return NULL;
}

static char *raw(const struct work *w, int from, int to) {
  struct text t = {0};
  for (int i = from; i < to; i++)
    text_addn(&t, peek(w, i)->p, peek(w, i)->len);
  return t.s ? t.s : xstrdup("");
}

/* The type at i, as a column's or as a CAST's; returns the index behind it. */
static int put_type(struct work *w, int i, int cast) {
  const struct type *t = type_of(peek(w, i));
  int open = i + 1, end = open;
  char *args = NULL;
  if (token_punct(peek(w, open), '(')) {
    end = closing(w, open) + 1;
    args = raw(w, open + 1, end - 1);
  }
  const char *name = cast ? t->cast : t->column;
  if (args && strcasecmp(args, "max") == 0)
    put(w, cast || !t->max ? name : t->max);
  else {
    put(w, name);
    if (t->room == FRACTION)
      text_addf(w->out, "(%c)", args && *args >= '0' && *args < '6' ? *args : '6');
    else if (args && t->room != NO_ROOM)
      text_addf(w->out, "(%s)", args);
    else if (t->room == CHARS && !cast)
      text_add(w->out, "(1)");
  }
  if (!cast)
    text_add(w->out, t->suffix);
  free(args);
  return end;
}

/* ---- names ---- */

static int is_name(const struct token *t) {
  return t->kind == T_NAME || (t->kind == T_WORD && t->p[0] != '@');
}

/* Up to four parts a.b.c, some of them empty (a..c); returns the index behind it.  part[] is new memory, "" for an empty one. */
static int name_parts(const struct work *w, int i, char *part[4], int *n) {
  *n = 0;
  part[(*n)++] = token_text(peek(w, i++));
  while (token_punct(peek(w, i), '.') && *n < 4) {
    i++;
    if (is_name(peek(w, i)))
      part[(*n)++] = token_text(peek(w, i++));
    else if (token_punct(peek(w, i), '.'))
      part[(*n)++] = xstrdup("");
    else
      return i; /* t.* */
  }
  return i;
}

int translate_name(const struct tokens *ts, int from, int to, char **db, char **object) {
  struct work w = {.ts = ts, .to = to};
  char *part[4];
  int n;
  if (from >= to || !is_name(peek(&w, from)))
    return -1;
  int end = name_parts(&w, from, part, &n);
  *object = part[n - 1];
  *db = n >= 3 ? part[n - 3] : NULL;
  if (*db && !**db) {
    free(*db);
    *db = NULL;
  }
  for (int i = 0; i < n - 1; i++)
    if (part[i] != *db)
      free(part[i]);
  return end;
}

/* sys.dm_io_virtual_file_stats(database, file) as a derived table; i is behind the name. */
static int put_file_stats(struct work *w, int i) {
  int end = closing(w, i), comma = i, depth = 0;
  for (int j = i; j < end; j++) {
    depth += token_punct(peek(w, j), '(') - token_punct(peek(w, j), ')');
    if (depth == 1 && token_punct(peek(w, j), ','))
      comma = j;
  }
  if (comma == i || end >= w->to)
    return fail(w, 102, i);
  put(w, "(SELECT * FROM sys.dm_io_virtual_file_stats WHERE database_id = COALESCE(");
  some(w, i + 1, comma);
  put(w, ", database_id) AND file_id = COALESCE(");
  some(w, comma + 1, end);
  put(w, ", file_id))");
  const struct token *next = peek(w, end + 1);
  static const char *const not_alias[] = {"WHERE", "ORDER", "GROUP",  "JOIN",   "INNER", "LEFT",
                                          "CROSS", "ON",    "HAVING", "OPTION", "UNION"};
  int named = is_name(next) && next->len > 0;
  for (size_t k = 0; k < sizeof not_alias / sizeof *not_alias; k++)
    named &= !token_is(next, not_alias[k]);
  if (!named)
    put(w, "AS dm_io_virtual_file_stats");
  return end + 1;
}

static int is_plain(const char *s) {
  return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

/* The parts of a name, dbo. and empty ones left out.  sys.x is not quoted: facts_needed looks for it so.  `open`: a "*" follows. */
static void put_parts(struct work *w, char *const *part, int n, int open) {
  int is_sys = n > 1 && strcasecmp(part[0], "sys") == 0, any = 0;
  put(w, "");
  for (int j = 0; j < n; j++) {
    if ((j < n - 1 || open) && (!*part[j] || strcasecmp(part[j], "dbo") == 0))
      continue;
    text_add(w->out, any++ ? "." : "");
    if (is_sys && is_plain(part[j]))
      text_add(w->out, part[j]);
    else
      quote_ident(w->out, part[j]);
  }
  text_add(w->out, open ? "." : "");
}

static int put_names(struct work *w, int i) {
  char *part[4];
  int n, first = 0, keyword = peek(w, i)->kind == T_WORD;
  i = name_parts(w, i, part, &n);
  int open = token_punct(peek(w, i - 1), '.');
  for (int j = 0; j < n - 1; j++)
    if (strcasecmp(part[j], "sys") == 0)
      first = j;
  if (n - first == 2 && strcasecmp(part[n - 1], "dm_io_virtual_file_stats") == 0 && token_punct(peek(w, i), '('))
    i = put_file_stats(w, i);
  else if (n == 1 && keyword && !open)
    put(w, part[0]);
  else
    put_parts(w, part + first, n - first, open);
  for (int j = 0; j < n; j++)
    free(part[j]);
  return i;
}

/* ---- functions and variables ---- */

static int put_variable(struct work *w, int i) {
  const struct token *t = peek(w, i);
  char number[20];
  if (token_is(t, "@@VERSION"))
    put_string(w, w->facts->version);
  else if (token_is(t, "@@SERVERNAME"))
    put_string(w, w->facts->server_name);
  else if (token_is(t, "@@SPID") || token_is(t, "@@TRANCOUNT")) {
    snprintf(number, sizeof number, "%d", token_is(t, "@@SPID") ? w->facts->spid : w->facts->trancount);
    put(w, number);
  } else if ((t->len > 1 && t->p[1] == '@') || !w->facts->declared(w->facts->arg, t))
    return fail(w, 137, i);
  else {
    put(w, "");
    text_addn(w->out, t->p, t->len);
  }
  return i + 1;
}

static int put_property(struct work *w, int i) {
  char buf[300];
  if (peek(w, i + 2)->kind != T_STRING || !token_punct(peek(w, i + 3), ')'))
    return fail(w, 102, i + 2);
  char *name = token_text(peek(w, i + 2));
  put(w, w->facts->property(w->facts->arg, name, buf, sizeof buf));
  free(name);
  return i + 4;
}

/* CONVERT(type, expression [, style]) and CAST(expression AS type). */
static int put_convert(struct work *w, int i) {
  int end = closing(w, i + 1), comma = i + 3, stop = end;
  if (!type_of(peek(w, i + 2)))
    return fail(w, 243, i + 2);
  if (token_punct(peek(w, comma), '('))
    comma = closing(w, comma) + 1;
  if (!token_punct(peek(w, comma), ',') || end >= w->to)
    return fail(w, 102, comma);
  int depth = 0;
  for (int j = comma + 1; j < end; j++) {
    depth += token_punct(peek(w, j), '(') - token_punct(peek(w, j), ')');
    if (depth == 0 && token_punct(peek(w, j), ',') && stop == end)
      stop = j;
  }
  put(w, "CAST(");
  some(w, comma + 1, stop);
  put(w, "AS");
  put_type(w, i + 2, 1);
  put(w, ")");
  return end + 1;
}

static int put_cast(struct work *w, int i) {
  int end = closing(w, i + 1), as = -1, depth = 0;
  for (int j = i + 1; j < end; j++) {
    depth += token_punct(peek(w, j), '(') - token_punct(peek(w, j), ')');
    if (depth == 1 && token_is(peek(w, j), "AS"))
      as = j;
  }
  if (as < 0 || end >= w->to || !type_of(peek(w, as + 1)))
    return fail(w, 102, as < 0 ? i : as + 1);
  put(w, "CAST(");
  some(w, i + 2, as);
  put(w, "AS");
  put_type(w, as + 1, 1);
  put(w, ")");
  return end + 1;
}

/* A word before a parenthesis; 0: it is not one that needs a change. */
static int put_function(struct work *w, int i) {
  static const struct { const char *name, *engine; } renamed[] = {
    {"ISNULL", "IFNULL"},    {"LEN", "CHAR_LENGTH"},   {"COUNT_BIG", "COUNT"},
    {"CHARINDEX", "LOCATE"}, {"DATALENGTH", "LENGTH"}, {"REPLICATE", "REPEAT"},
  };
  static const struct { const char *name, *engine; } constant[] = {
    {"DB_NAME", "@rk_db"},
    {"DB_ID", "@rk_db_id"},
    {"GETDATE", "NOW(3)"},
    {"SYSDATETIME", "NOW(6)"},
    {"GETUTCDATE", "UTC_TIMESTAMP(3)"},
    {"SUSER_SNAME", "@rk_login"},
    {"SUSER_NAME", "@rk_login"},
    {"APP_NAME", "@rk_app"},
  };
  const struct token *t = peek(w, i);
  int empty = token_punct(peek(w, i + 2), ')');
  if (token_is(t, "SERVERPROPERTY"))
    return put_property(w, i);
  if (token_is(t, "CONVERT"))
    return put_convert(w, i);
  if (token_is(t, "CAST"))
    return put_cast(w, i);
  for (size_t k = 0; k < sizeof constant / sizeof *constant; k++)
    if (empty && token_is(t, constant[k].name)) {
      put(w, constant[k].engine);
      return i + 3;
    }
  for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
    if (token_is(t, renamed[k].name)) {
      put(w, renamed[k].engine);
      return i + 1;
    }
  if (token_is(t, "DB_NAME") || token_is(t, "DB_ID")) {
    int end = closing(w, i + 1), by_id = token_is(t, "DB_NAME");
    put(w, by_id ? "(SELECT name FROM sys.databases WHERE database_id = ("
                 : "(SELECT database_id FROM sys.databases WHERE name = (");
    some(w, i + 2, end);
    put(w, "))");
    return end + 1;
  }
  return 0;
}

/* ---- the rest ---- */

/* TOP n, TOP (n): kept for a LIMIT at the end. */
static int take_top(struct work *w, int i) {
  int open = token_punct(peek(w, i + 1), '('), at = i + 1 + open;
  if (peek(w, at)->kind != T_NUMBER || (open && !token_punct(peek(w, at + 1), ')')))
    return fail(w, 102, at);
  free(w->limit);
  w->limit = xprintf("%.*s", (int)peek(w, at)->len, peek(w, at)->p);
  return at + 1 + open;
}

/* Words of T-SQL that mean nothing to the engine; the index behind them, or 0. */
static int skip_words(const struct work *w, int i) {
  const struct token *t = peek(w, i);
  int paren = token_punct(peek(w, i + 1), '(');
  if (token_is(t, "OPTION") && paren)
    return closing(w, i + 1) + 1;
  if (token_is(t, "WITH") && paren) /* (NOLOCK), (TABLOCK), or a table's options */
    return closing(w, i + 1) + 1;
  if (token_is(t, "CLUSTERED") || token_is(t, "NONCLUSTERED"))
    return i + 1;
  if (token_is(t, "COLLATE"))
    return i + 2;
  if (w->creates && token_is(t, "ON") && is_name(peek(w, i + 1)))
    return i + 2;
  return 0;
}

static int put_word(struct work *w, int i) {
  int next = skip_words(w, i);
  if (next)
    return next;
  const struct token *before = peek(w, i - 1);
  if (token_is(peek(w, i), "TOP") && (token_is(before, "SELECT") || token_is(before, "DISTINCT") || token_is(before, "ALL")))
    return take_top(w, i);
  if (token_punct(peek(w, i + 1), '(') && (next = put_function(w, i)))
    return next;
  return put_names(w, i);
}

static int put_string_token(struct work *w, int i) {
  /* The engine would add 'a' + 'b' up as numbers. */
  if (token_punct(peek(w, i - 1), '+') || token_punct(peek(w, i + 1), '+'))
    return fail(w, 102, token_punct(peek(w, i - 1), '+') ? i - 1 : i + 1);
  char *s = token_text(peek(w, i));
  put_string(w, s);
  free(s);
  return i + 1;
}

static int put_number(struct work *w, int i) {
  const struct token *t = peek(w, i);
  put(w, "");
  if (t->len > 2 && (t->p[1] == 'x' || t->p[1] == 'X'))
    text_addf(w->out, "X'%.*s'", (int)t->len - 2, t->p + 2);
  else
    text_addn(w->out, t->p, t->len);
  return i + 1;
}

static int some(struct work *w, int from, int to) {
  int before = w->to;
  w->to = to;
  for (int i = from; i < to && !w->bad;) {
    const struct token *t = peek(w, i);
    if (t->kind == T_WORD && t->p[0] == '@')
      i = put_variable(w, i);
    else if (t->kind == T_WORD)
      i = put_word(w, i);
    else if (t->kind == T_NAME)
      i = put_names(w, i);
    else if (t->kind == T_STRING)
      i = put_string_token(w, i);
    else if (t->kind == T_NUMBER)
      i = put_number(w, i);
    else if (t->kind == T_BAD)
      i = fail(w, 105, i);
    else {
      /* COUNT (*) and a function's name must stand right before their parenthesis for the engine. */
      if (!token_punct(t, '('))
        put(w, "");
      text_addn(w->out, t->p, t->len);
      i++;
    }
  }
  w->to = before;
  return to;
}

/* A column's definition at i: its name, then its type, then words. */
static void put_column(struct work *w, int i, int end) {
  static const char *const constraints[] = {"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "INDEX"};
  for (size_t k = 0; k < sizeof constraints / sizeof *constraints; k++)
    if (token_is(peek(w, i), constraints[k])) {
      some(w, i, end);
      return;
    }
  char *name = token_text(peek(w, i));
  put(w, "");
  quote_ident(w->out, name);
  free(name);
  if (!type_of(peek(w, i + 1))) {
    fail(w, 2715, i + 1);
    return;
  }
  i = put_type(w, i + 1, 0);
  int identity = i;
  while (identity < end && !token_is(peek(w, identity), "IDENTITY"))
    identity++;
  some(w, i, identity);
  if (identity < end) {
    put(w, "AUTO_INCREMENT UNIQUE");
    some(w, token_punct(peek(w, identity + 1), '(') ? closing(w, identity + 1) + 1 : identity + 1, end);
  }
}

static void put_create_table(struct work *w, int from, int to) {
  int open = from;
  while (open < to && !token_punct(peek(w, open), '('))
    open++;
  int end = closing(w, open);
  w->creates = 1;
  some(w, from, open);
  put(w, "(");
  for (int i = open + 1; i < end && !w->bad;) {
    int stop = i, depth = 0;
    for (; stop < end && !(depth == 0 && token_punct(peek(w, stop), ',')); stop++)
      depth += token_punct(peek(w, stop), '(') - token_punct(peek(w, stop), ')');
    put_column(w, i, stop);
    i = stop + 1;
    if (i < end)
      text_add(w->out, ",");
  }
  put(w, ")");
  if (!w->bad && end + 1 < to)
    some(w, end + 1, to);
}

int translate(const struct tokens *ts, int from, int to, const struct translate_facts *facts, struct text *sql, int *near) {
  struct work w = {.ts = ts, .to = to, .facts = facts, .out = sql};
  if (token_is(peek(&w, from), "CREATE") && token_is(peek(&w, from + 1), "TABLE"))
    put_create_table(&w, from, to);
  else {
    if (token_is(peek(&w, from), "DELETE") && !token_is(peek(&w, from + 1), "FROM")) {
      put(&w, "DELETE FROM");
      from++;
    }
    some(&w, from, to);
    if (facts->fmtonly)
      put(&w, "LIMIT 0");
    else if (w.limit) {
      put(&w, "LIMIT");
      put(&w, w.limit);
    }
  }
  free(w.limit);
  *near = w.near;
  return w.bad;
}
