#include "config.h"

#include "base/text.h"
#include "check/check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *severity_name(enum severity s) {
  static const char *const names[] = {[CHECK_OK] = "ok", [CHECK_WARNING] = "warning", [CHECK_REFUSAL] = "refusal"};
  return names[s];
}

void findings_add(struct findings *l, const char *code, enum severity severity, const char *remedy, const char *fmt, ...) {
  l->all = xrealloc(l->all, l->n + 1, sizeof *l->all);
  struct finding *f = &l->all[l->n++];
  memset(f, 0, sizeof *f);
  f->severity = severity;
  snprintf(f->code, sizeof f->code, "%s", code);
  snprintf(f->remedy, sizeof f->remedy, "%s", remedy ? remedy : "");
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(f->text, sizeof f->text, fmt, ap);
  va_end(ap);
}

static size_t count(const struct findings *l, enum severity s) {
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++)
    n += l->all[i].severity == s;
  return n;
}

size_t findings_refusals(const struct findings *l) {
  return count(l, CHECK_REFUSAL);
}

void findings_free(struct findings *l) {
  free(l->all);
  memset(l, 0, sizeof *l);
}

void findings_print(const struct findings *l, int all, FILE *out) {
  for (size_t i = 0; i < l->n; i++) {
    const struct finding *f = &l->all[i];
    if (f->severity == CHECK_OK && !all)
      continue;
    fprintf(out, "%-8s %-18s %s\n", severity_name(f->severity), f->code, f->text);
    if (f->remedy[0])
      fprintf(out, "%-8s %-18s -> %s\n", "", "", f->remedy);
  }
}

/* Texts of the server are UTF-8, but may have been cut inside a character. */
static json_t *text_json(const char *s) {
  json_t *j = json_string(s);
  if (j)
    return j;
  char *copy = xstrdup(s);
  for (char *p = copy; *p; p++)
    if (*p & 0x80)
      *p = '?';
  j = json_string(copy);
  free(copy);
  return j;
}

json_t *findings_json(const struct findings *l) {
  json_t *list = json_array();
  for (size_t i = 0; i < l->n; i++) {
    const struct finding *f = &l->all[i];
    json_array_append_new(list, json_pack("{ss ss so so}", "code", f->code, "severity", severity_name(f->severity), "text", text_json(f->text),
                                           "remedy", text_json(f->remedy)));
  }
  return json_pack("{so sI sI}", "findings", list, "refusals", (json_int_t)findings_refusals(l), "warnings", (json_int_t)count(l, CHECK_WARNING));
}

int check_run(struct conn *conn, const struct check_plan *plan, struct findings *list, struct cause *c) {
  struct check_facts f;
  if (check_read(conn, plan, &f, c) != 0)
    return -1;
  check_judge(&f, plan, list);
  return 0;
}
