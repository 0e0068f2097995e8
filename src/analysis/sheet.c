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

/* A line that only draws: "-----  ----", "|---|---:|", "+----+", "====". */
static int is_ruler(const struct line *l) {
  size_t dashes = 0;
  for (size_t i = 0; i < l->len; i++) {
    if (!strchr("-=+|: \t", l->s[i]))
      return 0;
    dashes += l->s[i] == '-' || l->s[i] == '=';
  }
  return dashes >= 3 || (dashes > 0 && memchr(l->s, '|', l->len));
}

/* What SQL tools say below a table: "(6 rows)", "6 rows selected." */
static int is_footer(const struct line *l) {
  size_t i = 0;
  while (i < l->len && (l->s[i] == ' ' || l->s[i] == '('))
    i++;
  size_t digits = i;
  while (i < l->len && isdigit((unsigned char)l->s[i]))
    i++;
  return i > digits && l->len - i >= 4 && strncmp(l->s + i, " row", 4) == 0;
}

#define WIDE '\2' /* as a separator: two blanks or more */

/* What separates the fields: outside of quotes, the first of these that is there. */
static char separator(const struct line *l) {
  static const char candidates[] = "\t|;,";
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
    if (!quoted && (c == sep || ((sep == ' ' || sep == WIDE) && c == '\t')))
      break;
    if (!quoted && sep == WIDE && c == ' ' && *i + 1 < l->len && (l->s[*i + 1] == ' ' || l->s[*i + 1] == '\t'))
      break;
    text_addn(&t, &c, 1);
  }
  while (t.len > keep && (t.s[t.len - 1] == ' ' || t.s[t.len - 1] == '\t'))
    t.s[--t.len] = '\0';
  return t.s;
}

/* Without the bars at both ends. */
static struct line inside_bars(const struct line *l) {
  struct line in = *l;
  while (in.len > 0 && (in.s[0] == ' ' || in.s[0] == '\t')) {
    in.s++;
    in.len--;
  }
  while (in.len > 0 && (in.s[in.len - 1] == ' ' || in.s[in.len - 1] == '\t'))
    in.len--;
  if (in.len > 0 && in.s[0] == '|') {
    in.s++;
    in.len--;
  }
  if (in.len > 0 && in.s[in.len - 1] == '|')
    in.len--;
  return in;
}

static void split(const struct line *whole, char sep, struct sheet_row *row) {
  struct line inner = sep == '|' ? inside_bars(whole) : *whole;
  const struct line *l = &inner;
  size_t i = 0, cap = 0;
  *row = (struct sheet_row){.line = l->number};
  if (sep == WIDE)
    while (i < l->len && (l->s[i] == ' ' || l->s[i] == '\t'))
      i++;
  for (;;) {
    if (row->n == cap)
      row->field = xrealloc(row->field, cap = cap ? 2 * cap : 8, sizeof *row->field);
    row->field[row->n++] = next_field(l, sep, &i);
    if (sep == ' ' || sep == WIDE)
      while (i < l->len && (l->s[i] == ' ' || l->s[i] == '\t'))
        i++;
    if (i >= l->len || row->n > SHEET_COLUMNS_MAX)
      break;
    if (sep != ' ' && sep != WIDE)
      i++;
  }
}

/* ---- columns by their places ---- */

/* Where a ruler's groups of dashes end; the fields end there, too, and begin behind the one before. */
struct places {
  size_t n, end[SHEET_COLUMNS_MAX];
};

/* Two groups at least, of dashes and blanks alone: else *p is empty. */
static void read_places(const struct line *l, struct places *p) {
  p->n = 0;
  for (size_t i = 0; i < l->len; i++) {
    char c = l->s[i];
    if (c != '-' && c != '=' && c != ' ') {
      p->n = 0;
      return;
    }
    if (c != ' ' && (i + 1 == l->len || l->s[i + 1] == ' ') && p->n < SHEET_COLUMNS_MAX)
      p->end[p->n++] = i + 1;
  }
  if (p->n < 2)
    p->n = 0;
}

/* The text of column k, trimmed.  What stands behind the last column is a remark, and no field. */
static char *placed_field(const struct line *l, const struct places *p, size_t k) {
  size_t from = k ? p->end[k - 1] : 0, to = p->end[k] < l->len ? p->end[k] : l->len;
  from = from < l->len ? from : l->len;
  while (from < to && l->s[from] == ' ')
    from++;
  while (to > from && l->s[to - 1] == ' ')
    to--;
  return xprintf("%.*s", (int)(to - from), l->s + from);
}

static void split_placed(const struct line *l, const struct places *p, struct sheet_row *row) {
  *row = (struct sheet_row){.line = l->number, .n = p->n, .field = xcalloc(p->n, sizeof *row->field)};
  for (size_t k = 0; k < p->n; k++)
    row->field[k] = placed_field(l, p, k);
}

/* Does the line above the ruler hold names?  Under rows of figures it draws a sum. */
static int has_names(const struct line *l, const struct places *p) {
  double v;
  for (size_t k = 0; k < p->n; k++) {
    char *field = placed_field(l, p, k);
    int name = *field && sheet_number(field, &v) != 0;
    free(field);
    if (name)
      return 1;
  }
  return 0;
}

/* The names in all lines above the ruler, one below the other. */
static void heading_placed(const struct line *l, size_t n, const struct places *p, struct sheet_row *row) {
  *row = (struct sheet_row){.line = l[0].number, .n = p->n, .field = xcalloc(p->n, sizeof *row->field)};
  for (size_t k = 0; k < p->n; k++) {
    struct text t = {0};
    text_add(&t, "");
    for (size_t i = 0; i < n; i++) {
      char *part = placed_field(&l[i], p, k);
      if (*part)
        text_addf(&t, "%s%s", t.len ? " " : "", part);
      free(part);
    }
    row->field[k] = t.s;
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

/* Names are printed: nothing in them may be a command to a terminal. */
static char *visible(const char *name) {
  struct text t = {0};
  text_visible(&t, name);
  return t.s;
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
    t->column[i] = numbers ? xprintf("%zu", i + 1) : visible(first->field[i]);
  if (numbers) {
    t->row = xmalloc(sizeof *t->row);
    t->row[t->nrow++] = *first;
  } else
    row_free(first);
}

/* How the lines are to be read. */
struct shape {
  char sep;
  struct places places; /* n > 0: by their places */
};

static void split_line(const struct line *l, const struct shape *shape, struct sheet_row *row) {
  if (shape->places.n > 0)
    split_placed(l, &shape->places, row);
  else
    split(l, shape->sep, row);
}

static size_t fields(const struct line *l, char sep) {
  struct sheet_row row;
  split(l, sep, &row);
  size_t n = row.n;
  row_free(&row);
  return n;
}

#define HEADING_LINES 4

/* The heading: all lines above a ruler with places, else the first one.  *at and *number come to stand behind it. */
static int read_heading(const char *data, size_t size, size_t *at, size_t *number, struct shape *shape, struct sheet_row *heading) {
  struct line l[HEADING_LINES + 1];
  size_t n = 0, begin_at = 0, begin_number = 0;
  *shape = (struct shape){0};
  while (n <= HEADING_LINES && next_line(data, size, at, number, &l[n])) {
    if (is_ruler(&l[n])) {
      if (n == 0)
        continue; /* the upper edge of a frame */
      read_places(&l[n], &shape->places);
      break;
    }
    if (n == 0) {
      begin_at = *at;
      begin_number = *number;
    }
    n++;
  }
  if (n == 0)
    return -1;
  char sep = separator(&l[0]);
  if (shape->places.n > 0 && sep != '\t' && sep != '|' && sep != ';' && has_names(&l[n - 1], &shape->places)) {
    heading_placed(l, n, &shape->places, heading);
    return 0;
  }
  shape->places.n = 0;
  /* Names with blanks in them: then the rows have as many fields as the heading only where two blanks separate. */
  if (sep == ' ' && n > 1 && fields(&l[0], ' ') != fields(&l[1], ' ') && fields(&l[0], WIDE) == fields(&l[1], WIDE) &&
      fields(&l[0], WIDE) > 1)
    sep = WIDE;
  shape->sep = sep;
  split(&l[0], sep, heading);
  *at = begin_at;
  *number = begin_number;
  return 0;
}

static int too_wide(size_t line, struct cause *c) {
  return cause_set(c, STATUS_SETUP, "line %zu has more than %d columns", line, SHEET_COLUMNS_MAX);
}

static int read_rows(struct sheet *t, const char *data, size_t size, size_t *at, size_t *number, const struct shape *shape,
                     struct cause *c) {
  size_t cap = t->nrow;
  struct line l;
  while (next_line(data, size, at, number, &l)) {
    if (is_ruler(&l) || is_footer(&l))
      continue;
    if (t->nrow == SHEET_ROWS_MAX) {
      cause_set(c, STATUS_SETUP, "the table has more than %d rows", SHEET_ROWS_MAX);
      return cause_remedy(c, "give one row a memory setting, not raw samples");
    }
    if (t->nrow >= cap)
      t->row = xrealloc(t->row, cap = cap > 1 ? 2 * cap : 64, sizeof *t->row);
    split_line(&l, shape, &t->row[t->nrow++]);
  }
  if (t->nrow == 0) {
    cause_set(c, STATUS_SETUP, "the table has a heading but no rows");
    return cause_remedy(c, "it needs a row for each memory setting, three at least");
  }
  return 0;
}

int sheet_parse(struct sheet **out, const char *data, size_t size, struct cause *c) {
  *out = NULL;
  if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
    data += 3;
    size -= 3;
  }
  if (check_bytes(data, size, c) != 0)
    return -1;
  size_t at = 0, number = 0;
  struct shape shape;
  struct sheet_row heading;
  if (read_heading(data, size, &at, &number, &shape, &heading) != 0) {
    cause_set(c, STATUS_SETUP, "the table is empty");
    return cause_remedy(c, "it needs a heading that names its columns, and a row for each memory setting");
  }
  struct sheet *t = xcalloc(1, sizeof *t);
  size_t line = heading.line;
  take_heading(t, &heading);
  int rc = t->ncol > SHEET_COLUMNS_MAX ? too_wide(line, c) : read_rows(t, data, size, &at, &number, &shape, c);
  if (rc != 0) {
    sheet_free(t);
    return -1;
  }
  sheet_mend_commas(t);
  sheet_mend_side(t);
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

/* The length of what separates thousands here: a comma, a blank (also the unbroken, the thin and the narrow one), an apostrophe or an
 * underscore; 0: nothing does. */
static size_t thousands(const char *s) {
  static const char *const marks[] = {",", " ", "'", "_", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strncmp(s, marks[i], strlen(marks[i])) == 0)
      return strlen(marks[i]);
  return 0;
}

/* Digits, in groups of three behind a first of one to three where one mark separates them.  Returns the number of digits; they are
 * added to `digits`.  A comma that separates nothing is -1; another mark ends the number. */
static int whole_part(const char **s, struct text *digits) {
  int n = 0;
  const char *mark = NULL;
  size_t mark_length = 0;
  for (;;) {
    size_t group = strspn(*s, "0123456789");
    text_addn(digits, *s, group);
    *s += group;
    n += (int)(group < 1000 ? group : 1000);
    size_t m = thousands(*s), next = m ? strspn(*s + m, "0123456789") : 0;
    int first_fits = mark ? group == 3 : group >= 1 && group <= 3;
    int same = !mark || (m == mark_length && memcmp(*s, mark, m) == 0);
    if (m && first_fits && same && next == 3 && n <= 40) {
      mark = *s;
      mark_length = m;
      *s += m;
      continue;
    }
    return **s == ',' ? -1 : n;
  }
}

int sheet_number_at(const char *field, double *value, const char **rest) {
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
  if (n > 0 && n <= 40) {
    /* Only digits, a sign, a point and an exponent are left: strtod reads all of them, in the C locale that the program keeps. */
    char *end;
    double v = strtod(digits.s, &end);
    ok = *end == '\0' && isfinite(v);
    if (ok)
      *value = v;
  }
  text_free(&digits);
  while (isspace((unsigned char)*s))
    s++;
  *rest = s;
  return ok ? 0 : -1;
}

int sheet_number(const char *field, double *value) {
  double v;
  const char *s;
  if (sheet_number_at(field, &v, &s) != 0)
    return -1;
  if (*s == '%')
    s++;
  while (isspace((unsigned char)*s))
    s++;
  if (*s)
    return -1;
  *value = v;
  return 0;
}
