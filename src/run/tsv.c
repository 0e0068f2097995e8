#include "config.h"

#include "run/tsv.h"
#include "base/file.h"
#include "base/text.h"
#include "run/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 32)

/* Where reading stands.  `end` is behind the last whole line. */
struct place {
  const char *path, *p, *end;
  long line;
};

static int damaged(const struct place *at, struct cause *c, const char *what, const char *name) {
  cause_set(c, STATUS_INCOMPLETE, "%s:%ld is damaged: %s%s", at->path, at->line, what, name);
  return cause_remedy(c, "take this step's folder out of the run, or restore the file from a copy");
}

/* The next field of the line: *n bytes from the result; *last: the line ends behind it. */
static const char *next_field(struct place *at, size_t *n, int *last) {
  const char *s = at->p;
  while (*at->p != '\t' && *at->p != '\n')
    at->p++;
  *n = (size_t)(at->p - s);
  *last = *at->p++ == '\n';
  return s;
}

/* The columns in the order of the file: map[i] is an index into col, or -1.  *nmap columns; new memory. */
static int *read_header(struct place *at, const struct tsv_column *col, size_t ncol, size_t *nmap, struct cause *c) {
  int *map = NULL, last = 0;
  unsigned char *seen = xcalloc(ncol + 1, 1);
  *nmap = 0;
  while (!last) {
    size_t n;
    const char *s = next_field(at, &n, &last);
    map = xrealloc(map, *nmap + 1, sizeof *map);
    map[*nmap] = -1;
    for (size_t i = 0; i < ncol; i++)
      if (strlen(col[i].name) == n && memcmp(col[i].name, s, n) == 0 && !seen[i]) {
        map[*nmap] = (int)i;
        seen[i] = 1;
      }
    ++*nmap;
  }
  for (size_t i = 0; i < ncol; i++)
    if (!seen[i] && col[i].kind != TSV_I64) {
      damaged(at, c, "it has no column ", col[i].name);
      free(map);
      map = NULL;
      break;
    }
  free(seen);
  return map;
}

static int take_int(const char *s, size_t n, int64_t *v) {
  int negative = n > 0 && *s == '-';
  size_t i = (size_t)negative;
  uint64_t u = 0;
  if (i == n || n - i > 19)
    return -1;
  for (; i < n; i++) {
    if (s[i] < '0' || s[i] > '9')
      return -1;
    u = u * 10 + (uint64_t)(s[i] - '0'); /* 19 digits fit */
  }
  if (u > INT64_MAX)
    return -1;
  *v = negative ? -(int64_t)u : (int64_t)u;
  return 0;
}

/* 0, or what is wrong. */
static const char *store(const struct tsv_column *col, const char *s, size_t n, char *row) {
  int64_t v = ABSENT;
  if (col->kind == TSV_TEXT) {
    if (n == 0 || n >= (size_t)col->max)
      return "a text of a wrong length in column ";
    memcpy(row + col->offset, s, n);
    return NULL;
  }
  if (col->kind == TSV_WHAT) {
    static const char letter[HIST_WHATS + 1] = "rsl";
    const char *w = n == 1 ? memchr(letter, *s, HIST_WHATS) : NULL;
    if (!w)
      return "neither r, s nor l in column ";
    row[col->offset] = (char)(w - letter);
    return NULL;
  }
  if (n == 0 && col->kind == TSV_I64) {
    memcpy(row + col->offset, &v, sizeof v);
    return NULL;
  }
  if (take_int(s, n, &v) != 0)
    return "not a whole number in column ";
  if (col->min < col->max && (v < col->min || v > col->max))
    return "a number out of its range in column ";
  switch (col->kind) {
  case TSV_I64:
    memcpy(row + col->offset, &v, sizeof v);
    break;
  case TSV_I32:
    memcpy(row + col->offset, &(int32_t){(int32_t)v}, sizeof(int32_t));
    break;
  case TSV_U32:
    memcpy(row + col->offset, &(uint32_t){(uint32_t)v}, sizeof(uint32_t));
    break;
  default:
    row[col->offset] = (char)(uint8_t)v;
  }
  return NULL;
}

static int read_row(struct place *at, const int *map, size_t nmap, const struct tsv_column *col, size_t ncol, char *row,
                    struct cause *c) {
  const int64_t absent = ABSENT;
  for (size_t i = 0; i < ncol; i++)
    if (col[i].kind == TSV_I64)
      memcpy(row + col[i].offset, &absent, sizeof absent);
  int last = 0;
  for (size_t i = 0; i < nmap; i++) {
    size_t n;
    if (last)
      return damaged(at, c, "it has fewer fields than the header", "");
    const char *s = next_field(at, &n, &last);
    if (map[i] < 0)
      continue;
    const char *wrong = store(&col[map[i]], s, n, row);
    if (wrong)
      return damaged(at, c, wrong, col[map[i]].name);
  }
  return last ? 0 : damaged(at, c, "it has more fields than the header", "");
}

int tsv_read(const char *path, const struct tsv_column *col, size_t ncol, size_t size, void **out, size_t *n, struct cause *c) {
  char *data, *rows = NULL;
  size_t len, cap = 0;
  *out = NULL;
  *n = 0;
  if (file_expect_regular(path, c) != 0 || file_read(path, FILE_MAX, &data, &len, c) != 0)
    return -1;
  /* A cut-off last line, and the tail of NULs that a file system may leave behind when it lost its power. */
  while (len > 0 && data[len - 1] != '\n')
    len--;
  struct place at = {.path = path, .p = data, .end = data + len, .line = 1};
  size_t nmap;
  int *map = NULL, rc = -1;
  if (len == 0) {
    cause_set(c, STATUS_INCOMPLETE, "%s is damaged: it is empty", path);
    cause_remedy(c, "restore it from a copy, or measure the step again");
    c->number = -ENODATA;
    goto out;
  }
  map = read_header(&at, col, ncol, &nmap, c);
  if (!map)
    goto out;
  while (at.p < at.end) {
    at.line++;
    if (*n == cap) {
      cap = cap ? 2 * cap : 256;
      rows = xrealloc(rows, cap, size);
    }
    memset(rows + *n * size, 0, size);
    if (read_row(&at, map, nmap, col, ncol, rows + *n * size, c) != 0)
      goto out;
    ++*n;
  }
  rc = 0;
out:
  if (rc != 0) {
    free(rows);
    rows = NULL;
    *n = 0;
  }
  *out = rows;
  free(map);
  free(data);
  return rc;
}
