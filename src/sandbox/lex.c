#include "config.h"

#include "sandbox/lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
  const char *p, *end;
};

static int at(const struct reader *r, size_t i) {
  return (size_t)(r->end - r->p) > i ? (unsigned char)r->p[i] : -1;
}

/* Comments nest. */
static void skip_comment(struct reader *r) {
  int depth = 0;
  do {
    if (at(r, 0) == '/' && at(r, 1) == '*') {
      depth++;
      r->p += 2;
    } else if (at(r, 0) == '*' && at(r, 1) == '/') {
      depth--;
      r->p += 2;
    } else
      r->p++;
  } while (depth > 0 && r->p < r->end);
}

static void skip_blank(struct reader *r) {
  while (r->p < r->end) {
    if (isspace(at(r, 0)) || at(r, 0) == 0)
      r->p++;
    else if (at(r, 0) == '-' && at(r, 1) == '-')
      while (r->p < r->end && *r->p != '\n')
        r->p++;
    else if (at(r, 0) == '/' && at(r, 1) == '*')
      skip_comment(r);
    else
      return;
  }
}

static int is_word(int c) {
  return c >= 0x80 || isalnum(c) || c == '_' || c == '@' || c == '#' || c == '$';
}

/* From an opening quote at offset `open` to its closing one; a doubled one stands for itself. */
static void read_quoted(struct reader *r, struct token *t, size_t open, char close) {
  size_t i = open + 1;
  while (at(r, i) >= 0 && !(at(r, i) == close && at(r, i + 1) != close))
    i += at(r, i) == close ? 2 : 1;
  if (at(r, i) < 0) {
    t->kind = T_BAD;
    i = (size_t)(r->end - r->p) - 1;
  }
  t->len = i + 1;
}

static void read_number(struct reader *r, struct token *t) {
  size_t i = 1;
  while (isalnum(at(r, i)) || at(r, i) == '.' ||
         ((at(r, i) == '+' || at(r, i) == '-') && tolower(at(r, i - 1)) == 'e' && at(r, 1) != 'x'))
    i++;
  t->kind = T_NUMBER;
  t->len = i;
}

static int read_token(struct reader *r, struct token *t) {
  skip_blank(r);
  int c = at(r, 0), d = at(r, 1);
  if (c < 0)
    return 0;
  *t = (struct token){.kind = T_PUNCT, .p = r->p, .len = 1};
  if (c == '\'' || ((c == 'N' || c == 'n') && d == '\'')) {
    t->kind = T_STRING;
    read_quoted(r, t, c == '\'' ? 0 : 1, '\'');
  } else if (c == '[' || c == '"') {
    t->kind = T_NAME;
    read_quoted(r, t, 0, c == '[' ? ']' : '"');
  } else if (isdigit(c) || (c == '.' && isdigit(d)))
    read_number(r, t);
  else if (is_word(c)) {
    t->kind = T_WORD;
    while (is_word(at(r, t->len)))
      t->len++;
  } else if ((c == '<' && (d == '=' || d == '>')) || (c == '>' && d == '=') || (c == '!' && d == '='))
    t->len = 2;
  r->p += t->len;
  return 1;
}

void tokens_read(struct tokens *ts, const char *text, size_t len) {
  struct reader r = {text, text + len};
  struct token t;
  int cap = 0;
  *ts = (struct tokens){0};
  while (read_token(&r, &t)) {
    if (ts->n == cap)
      ts->t = xrealloc(ts->t, (size_t)(cap = cap ? 2 * cap : 64), sizeof *ts->t);
    ts->t[ts->n++] = t;
  }
}

void tokens_free(struct tokens *ts) {
  free(ts->t);
  *ts = (struct tokens){0};
}

int token_is(const struct token *t, const char *word) {
  return t->kind == T_WORD && t->len == strlen(word) && strncasecmp(t->p, word, t->len) == 0;
}

int token_punct(const struct token *t, char c) {
  return t->kind == T_PUNCT && t->len == 1 && *t->p == c;
}

char *token_text(const struct token *t) {
  const char *p = t->p;
  size_t n = t->len;
  char close = 0;
  if (t->kind == T_STRING || t->kind == T_NAME) {
    if (t->kind == T_STRING && *p != '\'') {
      p++;
      n--;
    }
    close = *p == '[' ? ']' : *p;
    p++;
    n -= 2;
  }
  char *s = xmalloc(n + 1);
  size_t len = 0;
  for (size_t i = 0; i < n; i++) {
    s[len++] = p[i];
    if (close && p[i] == close && i + 1 < n && p[i + 1] == close)
      i++;
  }
  s[len] = '\0';
  return s;
}

/* Words that begin a statement. */
static int begins(const struct token *t) {
  static const char *const words[] = {
    "SELECT",  "INSERT",   "UPDATE",  "DELETE",      "SET",    "USE",        "EXEC",   "EXECUTE",  "BEGIN",
    "COMMIT",  "ROLLBACK", "SAVE",    "RECONFIGURE", "CREATE", "DROP",       "ALTER",  "TRUNCATE", "PRINT",
    "DECLARE", "IF",       "WHILE",   "WAITFOR",     "DBCC",   "CHECKPOINT", "GRANT",  "DENY",     "REVOKE",
    "MERGE",   "BACKUP",   "RESTORE", "KILL",        "THROW",  "RAISERROR",  "RETURN", "GO",
  };
  if (t->kind != T_WORD)
    return 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is(t, words[i]))
      return 1;
  return 0;
}

/* INSERT t VALUES ...: what follows it is no INSERT t SELECT. */
static int has_values(const struct tokens *ts, int from, int to) {
  for (int i = from; i < to; i++)
    if (token_is(&ts->t[i], "VALUES") || token_is(&ts->t[i], "SELECT"))
      return 1;
  return 0;
}

/* Does the word at i, which could begin a statement, go on with the one that began at `from`? */
static int goes_on(const struct tokens *ts, int from, int i) {
  const struct token *first = &ts->t[from], *prev = &ts->t[i - 1], *t = &ts->t[i];
  if (token_punct(prev, '.') || token_is(prev, "AS"))
    return 1;
  if (token_is(t, "SELECT"))
    return token_is(prev, "UNION") || token_is(prev, "ALL") || token_is(prev, "EXCEPT") || token_is(prev, "INTERSECT") ||
           (token_is(first, "INSERT") && !has_values(ts, from, i));
  if (token_is(t, "SET"))
    return token_is(first, "ALTER") || token_is(first, "UPDATE");
  if (token_is(t, "EXEC") || token_is(t, "EXECUTE"))
    return token_is(first, "INSERT");
  if (token_is(t, "UPDATE") || token_is(t, "DELETE"))
    return token_is(prev, "ON") || token_is(prev, "FOR");
  if (token_is(t, "IF"))
    return token_is(first, "DROP") || token_is(first, "CREATE");
  return token_is(first, "ALTER") && token_is(t, "ROLLBACK"); /* WITH ROLLBACK IMMEDIATE */
}

int statement_end(const struct tokens *ts, int from) {
  int depth = 0, sets = 0;
  for (int i = from; i < ts->n; i++) {
    const struct token *t = &ts->t[i];
    depth += token_punct(t, '(') - token_punct(t, ')');
    if (depth > 0)
      continue;
    if (token_punct(t, ';'))
      return i;
    if (i == from || !begins(t))
      continue;
    /* UPDATE has one SET of its own, ALTER DATABASE too. */
    if (!goes_on(ts, from, i) || (token_is(t, "SET") && sets++ > 0))
      return i;
  }
  return ts->n;
}
