#include "config.h"

#include "base/sqltext.h"
#include "base/embed.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct sqltext *all;
static size_t n_all;
static int ready;

/* The text between "/" "* KEY" and " *" "/" at *p when the line is such a comment (new memory), moving *p past the line; else NULL. */
static char *header_line(const char **p, const char *key) {
  const char *s = *p;
  size_t n = strlen(key);
  if (strncmp(s, "/* ", 3) != 0 || strncmp(s + 3, key, n) != 0)
    return NULL;
  s += 3 + n;
  const char *end = strstr(s, " */\n");
  if (!end || memchr(s, '\n', (size_t)(end - s)))
    return NULL;
  char *v = xmalloc((size_t)(end - s) + 1);
  memcpy(v, s, (size_t)(end - s));
  v[end - s] = '\0';
  *p = end + 4;
  return v;
}

static char *skip_space(char *s) {
  while (isspace((unsigned char)*s))
    s++;
  return s;
}

static int parse_params(struct sqltext *t, char *decl) {
  t->params = decl;
  int depth = 0, at_name = 1;
  for (char *s = decl; *s; s++) {
    depth += (*s == '(') - (*s == ')');
    if (*s == ',' && depth == 0)
      at_name = 1;
    else if (at_name && *s == '@') {
      size_t n = strcspn(s, " ");
      char *name = xmalloc(n + 1);
      memcpy(name, s, n);
      name[n] = '\0';
      t->param = xrealloc(t->param, (size_t)t->nparam + 1, sizeof *t->param);
      t->param[t->nparam++] = name;
      at_name = 0;
    } else if (at_name && !isspace((unsigned char)*s))
      return -1;
  }
  return t->nparam > 0 && !at_name && depth == 0 ? 0 : -1;
}

static int parse_result(struct sqltext *t, char *decl) {
  static const char *const kinds[] = {"int", "real", "text", "bin", "time"};
  struct sql_result r = {0};
  char *save = NULL;
  for (char *item = strtok_r(decl, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
    struct sql_column col = {.kind = (enum sql_kind)-1};
    char *name = skip_space(item);
    char *blank = strchr(name, ' ');
    if (!blank)
      return -1;
    *blank = '\0';
    char *kind = skip_space(blank + 1);
    size_t n = strcspn(kind, " ");
    kind[n] = '\0';
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      if (strcmp(kind, kinds[k]) == 0)
        col.kind = (enum sql_kind)k;
    if ((int)col.kind < 0 || !*name)
      return -1;
    n = strlen(name);
    if (name[n - 1] == '?') {
      name[n - 1] = '\0';
      col.nullable = 1;
    }
    col.name = name;
    r.col = xrealloc(r.col, (size_t)r.ncol + 1, sizeof *r.col);
    r.col[r.ncol++] = col;
  }
  t->result = xrealloc(t->result, (size_t)t->nresult + 1, sizeof *t->result);
  t->result[t->nresult++] = r;
  return r.ncol > 0 ? 0 : -1;
}

static int parse(const struct embed *e, struct sqltext *t) {
  const char *p = (const char *)e->data;
  char *v = header_line(&p, "ramknee:");
  size_t n = strlen(e->path) - strlen("sql/") - strlen(".sql");
  if (!v || strlen(v) != n || strncmp(v, e->path + 4, n) != 0)
    return -1;
  t->tag = v;
  t->text = (const char *)e->data;
  t->size = e->size;
  if ((v = header_line(&p, "params: ")) && parse_params(t, v) != 0)
    return -1;
  while ((v = header_line(&p, "result: ")))
    if (parse_result(t, v) != 0)
      return -1;
  return 0;
}

static int by_tag(const void *a, const void *b) {
  return strcmp(((const struct sqltext *)a)->tag, ((const struct sqltext *)b)->tag);
}

int sqltext_init(struct cause *c) {
  if (ready)
    return 0;
  for (const struct embed *e = embed_files; e->path; e++) {
    size_t n = strlen(e->path);
    if (strncmp(e->path, "sql/", 4) != 0 || strncmp(e->path, "sql/sandbox/", 12) == 0 || n < 9 || strcmp(e->path + n - 4, ".sql") != 0)
      continue;
    struct sqltext t = {0};
    if (parse(e, &t) != 0)
      return cause_set(c, STATUS_SETUP, "the header of the built-in statement %s is malformed", e->path);
    all = xrealloc(all, n_all + 1, sizeof *all);
    all[n_all++] = t;
  }
  if (n_all)
    qsort(all, n_all, sizeof *all, by_tag);
  ready = 1;
  return 0;
}

const struct sqltext *sqltext_find(const char *tag) {
  struct sqltext key = {.tag = tag};
  return n_all ? bsearch(&key, all, n_all, sizeof *all, by_tag) : NULL;
}

const struct sqltext *sqltext_all(size_t *n) {
  *n = n_all;
  return all;
}
