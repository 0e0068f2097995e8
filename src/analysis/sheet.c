#include "config.h"

#include "analysis/sheet.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- lines and fields ---- */

struct line {
  const char *s;
  size_t len, number;
};

/* The next line that holds anything, or 0 at the end. */
static int next_line(const char *data, size_t size, size_t *at, size_t *number, struct line *l) {
  while (*at < size) {
    const char *s = data + *at, *nl = memchr(s, '\n', size - *at);
    size_t len = nl ? (size_t)(nl - s) : size - *at;
    *at += len + (nl != NULL);
    ++*number;
    if (len > 0 && s[len - 1] == '\r')
      len--;
    size_t i = 0;
    while (i < len && (s[i] == ' ' || s[i] == '\t'))
      i++;
    if (i == len || s[i] == '#')
      continue;
    *l = (struct line){s, len, *number};
    return 1;
  }
  return 0;
}

/* What separates the fields: outside of quotes, the first of these that is there. */
static char separator(const struct line *l) {
  static const char candidates[] = "\t;,";
  for (const char *c = candidates; *c; c++) {
    int quoted = 0;
    for (size_t i = 0; i < l->len; i++) {
      if (l->s[i] == '"')
        quoted = !quoted;
      else if (l->s[i] == *c && !quoted)
        return *c;
    }
  }
  return ' ';
}

/* One field from *i on, trimmed, without its quotes; *i comes to stand on the separator or at the end. */
static char *next_field(const struct line *l, char sep, size_t *i) {
  struct text t = {0};
  int quoted = 0;
  size_t keep = 0; /* blanks inside quotes stay */
  text_add(&t, "");
  while (*i < l->len && l->s[*i] == ' ')
    ++*i;
  for (; *i < l->len; ++*i) {
    char c = l->s[*i];
    if (c == '"') {
      if (quoted && *i + 1 < l->len && l->s[*i + 1] == '"')
        text_addn(&t, l->s + (*i)++, 1);
      else
        quoted = !quoted;
      keep = t.len;
      continue;
    }
    if (!quoted && (c == sep || (sep == ' ' && c == '\t')))
      break;
    text_addn(&t, &c, 1);
  }
  while (t.len > keep && (t.s[t.len - 1] == ' ' || t.s[t.len - 1] == '\t'))
    t.s[--t.len] = '\0';
  return t.s;
}

static void split(const struct line *l, char sep, struct sheet_row *row) {
  size_t i = 0, cap = 0;
  *row = (struct sheet_row){.line = l->number};
  for (;;) {
    if (row->n == cap)
      row->field = xrealloc(row->field, cap = cap ? 2 * cap : 8, sizeof *row->field);
    row->field[row->n++] = next_field(l, sep, &i);
    if (sep == ' ')
      while (i < l->len && (l->s[i] == ' ' || l->s[i] == '\t'))
        i++;
    if (i >= l->len || row->n > SHEET_COLUMNS_MAX)
      break;
    if (sep != ' ')
      i++;
  }
}

static void row_free(struct sheet_row *r) {
  for (size_t i = 0; i < r->n; i++)
    free(r->field[i]);
  free(r->field);
}

void sheet_free(struct sheet *t) {
  if (!t)
    return;
  for (size_t i = 0; i < t->nrow; i++)
    row_free(&t->row[i]);
  for (size_t i = 0; i < t->ncol; i++)
    free(t->column[i]);
  free(t->row);
  free(t->column);
  free(t);
}

/* ---- the whole ---- */

/* The length of the UTF-8 character at s, or 0 when there is none. */
static size_t utf8_length(const unsigned char *s, size_t left) {
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
             : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
             : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                           : 0;
  if (n == 0 || n > left)
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  /* Neither longer than need be, nor a surrogate, nor beyond U+10FFFF. */
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF0 && s[1] < 0x90) ||
      (s[0] == 0xF4 && s[1] >= 0x90))
    return 0;
  return n;
}

static int check_bytes(const char *data, size_t size, struct cause *c) {
  if (size > SHEET_BYTES_MAX) {
    cause_set(c, STATUS_SETUP, "the table is larger than %u MiB", SHEET_BYTES_MAX >> 20);
    return cause_remedy(c, "give one row a memory setting, not raw samples");
  }
  size_t line = 1;
  for (size_t i = 0, len; i < size; i += len) {
    const unsigned char *s = (const unsigned char *)data + i, ch = *s;
    len = utf8_length(s, size - i);
    line += ch == '\n';
    if (len == 0 || (ch < ' ' && ch != '\n' && ch != '\r' && ch != '\t') || ch == 0x7f) {
      cause_set(c, STATUS_SETUP, "line %zu holds the byte 0x%02x: this is no table of text", line, ch);
      return cause_remedy(c, "save the table as UTF-8 text, with tabs or commas between the columns");
    }
  }
  return 0;
}

/* The heading becomes the names; a first line of numbers stays a row. */
static void take_heading(struct sheet *t, struct sheet_row *first) {
  int numbers = 1;
  double v;
  for (size_t i = 0; i < first->n; i++)
    numbers &= sheet_number(first->field[i], &v) == 0;
  t->ncol = first->n;
  t->column = xcalloc(first->n, sizeof *t->column);
  for (size_t i = 0; i < first->n; i++)
    t->column[i] = numbers ? xprintf("%zu", i + 1) : xstrdup(first->field[i]);
  if (numbers) {
    t->row = xmalloc(sizeof *t->row);
    t->row[t->nrow++] = *first;
  } else
    row_free(first);
}

int sheet_parse(struct sheet **out, const char *data, size_t size, struct cause *c) {
  *out = NULL;
  if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
    data += 3;
    size -= 3;
  }
  if (check_bytes(data, size, c) != 0)
    return -1;
  size_t at = 0, number = 0, cap = 1;
  struct line l;
  if (!next_line(data, size, &at, &number, &l)) {
    cause_set(c, STATUS_SETUP, "the table is empty");
    return cause_remedy(c, "it needs a heading that names its columns, and a row for each memory setting");
  }
  char sep = separator(&l);
  struct sheet *t = xcalloc(1, sizeof *t);
  struct sheet_row row;
  split(&l, sep, &row);
  take_heading(t, &row);
  if (t->ncol > SHEET_COLUMNS_MAX) {
    sheet_free(t);
    return cause_set(c, STATUS_SETUP, "line %zu has more than %d columns", l.number, SHEET_COLUMNS_MAX);
  }
  while (next_line(data, size, &at, &number, &l)) {
    if (t->nrow == SHEET_ROWS_MAX) {
      sheet_free(t);
      cause_set(c, STATUS_SETUP, "the table has more than %d rows", SHEET_ROWS_MAX);
      return cause_remedy(c, "give one row a memory setting, not raw samples");
    }
    if (t->nrow >= cap || !t->row)
      t->row = xrealloc(t->row, cap = t->row ? 2 * cap : 64, sizeof *t->row);
    split(&l, sep, &t->row[t->nrow++]);
  }
  if (t->nrow == 0) {
    sheet_free(t);
    cause_set(c, STATUS_SETUP, "the table has a heading but no rows");
    return cause_remedy(c, "it needs a row for each memory setting, three at least");
  }
  *out = t;
  return 0;
}

int sheet_column(const struct sheet *t, const char *name) {
  for (size_t i = 0; i < t->ncol; i++)
    if (strcasecmp(t->column[i], name) == 0)
      return (int)i;
  double v;
  if (sheet_number(name, &v) == 0 && v >= 1 && v <= (double)t->ncol && v == floor(v))
    return (int)v - 1;
  return -1;
}

/* ---- fields as numbers ---- */

int sheet_empty(const char *field) {
  static const char *const nothing[] = {"", "-", "--", "na", "n/a", "null", "nan"};
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
    if (strcasecmp(field, nothing[i]) == 0)
      return 1;
  return 0;
}

/* Digits, commas only where thousands end.  Returns the number of digits, or -1; they are added to `digits`. */
static int whole_part(const char **s, struct text *digits) {
  int n = 0, group = 0, commas = 0;
  for (; isdigit((unsigned char)**s) || **s == ','; ++*s) {
    if (**s == ',') {
      if (n == 0 || group > 3 || (commas && group != 3))
        return -1;
      commas++;
      group = 0;
      continue;
    }
    text_addn(digits, *s, 1);
    n++;
    group++;
  }
  return commas && group != 3 ? -1 : n;
}

int sheet_number(const char *field, double *value) {
  struct text digits = {0};
  const char *s = field;
  int ok = 0;
  while (isspace((unsigned char)*s))
    s++;
  if (*s == '-' || *s == '+')
    text_addn(&digits, s++, 1);
  int n = whole_part(&s, &digits);
  if (n >= 0 && *s == '.') {
    text_addn(&digits, s++, 1);
    for (; isdigit((unsigned char)*s); s++, n++)
      text_addn(&digits, s, 1);
  }
  if (n > 0 && n <= 40 && (*s == 'e' || *s == 'E')) {
    const char *e = s + 1;
    if (*e == '-' || *e == '+')
      e++;
    size_t k = 0;
    while (isdigit((unsigned char)e[k]))
      k++;
    if (k > 0 && k <= 3) {
      text_addn(&digits, s, (size_t)(e + k - s));
      s = e + k;
    }
  }
  while (isspace((unsigned char)*s))
    s++;
  if (*s == '%')
    s++;
  while (isspace((unsigned char)*s))
    s++;
  if (n > 0 && n <= 40 && *s == '\0') {
    /* Only digits, a sign, a point and an exponent are left: strtod reads all of them, in the C locale that the program keeps. */
    char *end;
    double v = strtod(digits.s, &end);
    ok = *end == '\0' && isfinite(v);
    if (ok)
      *value = v;
  }
  text_free(&digits);
  return ok ? 0 : -1;
}
