#include "config.h"

#include "sandbox/hints.h"

#include <string.h>

static const struct token *tok(const struct tokens *ts, int i, int to) {
  static const struct token none = {.kind = T_PUNCT, .p = "", .len = 0};
  return i >= 0 && i < to ? &ts->t[i] : &none;
}

static int one_of(const struct token *t, const char *const *word) {
  for (; *word; word++)
    if (token_is(t, *word))
      return 1;
  return 0;
}

/* The index of the parenthesis that closes the one at `open`, or `to`. */
static int closing(const struct tokens *ts, int open, int to) {
  int depth = 0;
  for (int i = open; i < to; i++) {
    depth += token_punct(&ts->t[i], '(') - token_punct(&ts->t[i], ')');
    if (depth == 0)
      return i;
  }
  return to;
}

/* The first token of the list, behind SELECT [ALL|DISTINCT] [TOP n [PERCENT] [WITH TIES]]. */
static int list_begin(const struct tokens *ts, int i, int to) {
  i++;
  if (token_is(tok(ts, i, to), "ALL") || token_is(tok(ts, i, to), "DISTINCT"))
    i++;
  if (!token_is(tok(ts, i, to), "TOP"))
    return i;
  i = token_punct(tok(ts, i + 1, to), '(') ? closing(ts, i + 1, to) + 1 : i + 2;
  if (token_is(tok(ts, i, to), "PERCENT"))
    i++;
  return token_is(tok(ts, i, to), "WITH") && token_is(tok(ts, i + 1, to), "TIES") ? i + 2 : i;
}

/* Where the item at i ends: at a comma, or with the list. */
static int item_end(const struct tokens *ts, int i, int to) {
  static const char *const after[] = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "UNION", "EXCEPT", "INTERSECT", "INTO", "OPTION", "FOR", NULL};
  int depth = 0;
  for (; i < to; i++) {
    const struct token *t = &ts->t[i];
    depth += token_punct(t, '(') - token_punct(t, ')');
    if (depth == 0 && (token_punct(t, ',') || token_punct(t, ';') || one_of(t, after)))
      break;
  }
  return i;
}

static int is_name(const struct token *t) {
  static const char *const values[] = {"NULL", "END", "CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER", NULL};
  return t->kind == T_NAME || (t->kind == T_WORD && t->p[0] != '@' && !one_of(t, values));
}

/* a, t.a, db.dbo.t.a, db..a */
static int is_column(const struct tokens *ts, int from, int to) {
  int name = 0; /* the token before is one */
  for (int i = from; i < to; i++) {
    const struct token *t = &ts->t[i];
    if (name ? !token_punct(t, '.') : !is_name(t) && (i == from || !token_punct(t, '.')))
      return 0;
    name = !token_punct(t, '.');
  }
  return name;
}

/* May what stands before the last token be a whole expression, so that this one is its alias? */
static int ends_expression(const struct token *t) {
  static const char *const goes_on[] = {"AND", "OR", "NOT", "LIKE", "IN", "IS", "BETWEEN", "THEN", "ELSE", "WHEN", "CASE", "COLLATE", NULL};
  if (t->kind == T_PUNCT)
    return token_punct(t, ')');
  return !one_of(t, goes_on);
}

/* Where the expression of an item ends; *named: it has a name of its own. */
static int expression_end(const struct tokens *ts, int from, int to, int *named) {
  int depth = 0;
  *named = 1;
  for (int i = from; i < to; i++) {
    depth += token_punct(&ts->t[i], '(') - token_punct(&ts->t[i], ')');
    if (depth == 0 && token_is(&ts->t[i], "AS"))
      return i;
  }
  if (is_column(ts, from, to))
    return to;
  const struct token *last = tok(ts, to - 1, to);
  if (to - from > 1 && (is_name(last) || last->kind == T_STRING) && ends_expression(tok(ts, to - 2, to)))
    return to - 1;
  *named = 0;
  return to;
}

/* COUNT(...), CONVERT(int, ...), CAST(... AS int), and nothing besides. */
static int is_int(const struct tokens *ts, int from, int to) {
  if (!token_punct(tok(ts, from + 1, to), '(') || closing(ts, from + 1, to) != to - 1)
    return 0;
  if (token_is(&ts->t[from], "CONVERT"))
    return token_is(tok(ts, from + 2, to), "INT") && token_punct(tok(ts, from + 3, to), ',');
  if (token_is(&ts->t[from], "CAST"))
    return token_is(tok(ts, to - 2, to), "INT") && token_is(tok(ts, to - 3, to), "AS");
  return token_is(&ts->t[from], "COUNT");
}

void hints_read(struct hints *h, const struct tokens *ts, int from, int to) {
  memset(h, 0, sizeof *h);
  if (!token_is(tok(ts, from, to), "SELECT"))
    return;
  for (int i = list_begin(ts, from, to); h->n < HINTS_MAX && i < to;) {
    int end = item_end(ts, i, to), named;
    if (end == i || token_punct(tok(ts, end - 1, to), '*'))
      return;
    int body = expression_end(ts, i, end, &named);
    h->unnamed[h->n] = !named;
    h->is_int[h->n] = (unsigned char)is_int(ts, i, body);
    h->n++;
    if (!token_punct(tok(ts, end, to), ','))
      return;
    i = end + 1;
  }
}
