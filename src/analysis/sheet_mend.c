/* What people do to tables: decimal commas, tables on their side, several things compared in one. */
#include "config.h"

#include "analysis/sheet.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- decimal commas ---- */

/* A figure in parts: what stands before it (blanks, a sign), its digits, points and commas without the blanks that separate thousands,
 * and its unit. */
struct figure {
  size_t before, n;
  char s[48];
  const char *unit;
};

static int is_gap(const char *s, size_t *n) {
  static const char *const gaps[] = {" ", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    *n = strlen(gaps[i]);
    if (strncmp(s, gaps[i], *n) == 0 && isdigit((unsigned char)s[*n]))
      return 1;
  }
  return 0;
}

/* 0: the field is no figure. */
static int read_figure(const char *field, struct figure *f) {
  const char *p = field;
  size_t gap;
  while (isspace((unsigned char)*p) || *p == '-' || *p == '+')
    p++;
  f->before = (size_t)(p - field);
  f->n = 0;
  if (!isdigit((unsigned char)*p))
    return 0;
  for (;;) {
    size_t run = strspn(p, "0123456789.,");
    if (f->n + run + 1 >= sizeof f->s)
      return 0;
    memcpy(f->s + f->n, p, run);
    f->n += run;
    p += run;
    if (!is_gap(p, &gap))
      break;
    p += gap;
  }
  f->s[f->n] = '\0';
  f->unit = p;
  return !strpbrk(p, "0123456789");
}

/* Do marks c separate thousands throughout: one to three digits, then groups of three? */
static int groups_of_three(const char *s, size_t n, char c) {
  size_t group = 0, marks = 0;
  for (size_t i = 0; i < n; i++) {
    if (s[i] != c) {
      group++;
      continue;
    }
    if (marks ? group != 3 : group < 1 || group > 3)
      return 0;
    marks++;
    group = 0;
  }
  return marks > 0 && group == 3;
}

static size_t count(const char *s, size_t n, char c) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    k += s[i] == c;
  return k;
}

/* Is `mark` a decimal mark beyond doubt: it stands once, and behind it are not three digits, or it could not separate thousands? */
static int is_decimal(const char *s, size_t n, char mark, char other) {
  size_t marks = count(s, n, mark), others = count(s, n, other);
  const char *at = memchr(s, mark, n);
  if (marks != 1)
    return marks == 0 && others > 1 && groups_of_three(s, n, other);
  if (others > 0)
    return groups_of_three(s, (size_t)(at - s), other);
  return !groups_of_three(s, n, mark) || s[0] == '0';
}

/* The field with its decimal comma made a point. */
static char *mended(const char *field, const struct figure *f) {
  struct text t = {0};
  text_addn(&t, field, f->before);
  for (size_t i = 0; i < f->n; i++)
    if (f->s[i] != '.')
      text_addn(&t, f->s[i] == ',' ? "." : f->s + i, 1);
  text_add(&t, f->unit);
  return t.s;
}

void sheet_mend_commas(struct sheet *t) {
  size_t commas = 0, points = 0;
  struct figure f;
  for (size_t i = 0; i < t->nrow; i++)
    for (size_t k = 0; k < t->row[i].n; k++)
      if (read_figure(t->row[i].field[k], &f)) {
        commas += (size_t)is_decimal(f.s, f.n, ',', '.');
        points += (size_t)is_decimal(f.s, f.n, '.', ',');
      }
  if (commas == 0 || points > 0)
    return;
  for (size_t i = 0; i < t->nrow; i++)
    for (size_t k = 0; k < t->row[i].n; k++)
      if (read_figure(t->row[i].field[k], &f)) {
        char *field = mended(t->row[i].field[k], &f);
        free(t->row[i].field[k]);
        t->row[i].field[k] = field;
      }
}

/* ---- a table on its side ---- */

/* A number, maybe with a unit of size behind it: 128, "16 GB", 512M. */
static int is_size(const char *field) {
  double v;
  const char *rest;
  if (sheet_number_at(field, &v, &rest) != 0 || !(v > 0))
    return 0;
  size_t n = strlen(rest);
  return n == 0 || (n <= 3 && strchr("kKmMgGtT", *rest) && strspn(rest + 1, "iIbB") == n - 1);
}

void sheet_mend_side(struct sheet *t) {
  double v;
  if (t->ncol < 4 || sheet_number(t->column[0], &v) == 0)
    return;
  for (size_t k = 1; k < t->ncol; k++)
    if (!is_size(t->column[k]))
      return;
  for (size_t i = 0; i < t->nrow; i++)
    if (t->row[i].n == 0 || t->row[i].n > t->ncol || sheet_number(t->row[i].field[0], &v) == 0)
      return;
  struct sheet side = {.ncol = t->nrow + 1, .nrow = t->ncol - 1};
  side.column = xcalloc(side.ncol, sizeof *side.column);
  side.row = xcalloc(side.nrow, sizeof *side.row);
  side.column[0] = xstrdup(*t->column[0] ? t->column[0] : "memory");
  for (size_t i = 0; i < t->nrow; i++)
    side.column[i + 1] = xstrdup(t->row[i].field[0]);
  for (size_t k = 0; k < side.nrow; k++) {
    side.row[k] = (struct sheet_row){.line = t->row[0].line, .n = side.ncol, .field = xcalloc(side.ncol, sizeof(char *))};
    side.row[k].field[0] = xstrdup(t->column[k + 1]);
    for (size_t i = 0; i < t->nrow; i++)
      side.row[k].field[i + 1] = xstrdup(k + 1 < t->row[i].n ? t->row[i].field[k + 1] : "");
  }
  struct sheet *old = xcalloc(1, sizeof *old);
  *old = *t;
  *t = side;
  sheet_free(old);
}

/* ---- rows of one thing ---- */

static int same(const char *field, const char *value) {
  double a, b;
  if (sheet_number(field, &a) == 0 && sheet_number(value, &b) == 0)
    return !(a < b) && !(a > b);
  return strcasecmp(field, value) == 0;
}

size_t sheet_keep(struct sheet *t, int column, const char *value) {
  size_t n = 0;
  for (size_t i = 0; i < t->nrow; i++) {
    struct sheet_row *r = &t->row[i];
    if ((size_t)column < r->n && same(r->field[column], value)) {
      t->row[n++] = *r;
      continue;
    }
    for (size_t k = 0; k < r->n; k++)
      free(r->field[k]);
    free(r->field);
  }
  t->nrow = n;
  return n;
}
