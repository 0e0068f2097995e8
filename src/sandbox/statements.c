#include "config.h"

#include "sandbox/statements.h"
#include "sandbox/facts.h"
#include "sandbox/hold.h"
#include "sandbox/quote.h"
#include "sandbox/session_private.h"
#include "base/embed.h"
#include "base/text.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct twin *twins;
static size_t n_twins;
static int ready;

void digest_hex(const char *text, size_t len, char hex[DIGEST_HEX]) {
  unsigned char d[32];
  gnutls_hash_fast(GNUTLS_DIG_SHA256, text, len, d);
  for (int i = 0; i < 32; i++)
    snprintf(hex + 2 * i, 3, "%02x", d[i]);
}

static int parse(const struct embed *e, struct twin *t) {
  char head[200];
  const char *text = (const char *)e->data;
  size_t n = strlen(e->path) - strlen("sql/sandbox/") - strlen(".sql");
  char *tag = xprintf("%.*s", (int)n, e->path + strlen("sql/sandbox/"));
  snprintf(head, sizeof head, "-- twin of %s sha256:", tag);
  t->tag = tag;
  t->text = text;
  t->size = e->size;
  size_t h = strlen(head);
  if (strncmp(text, head, h) != 0 || strspn(text + h, "0123456789abcdef") != DIGEST_HEX - 1 || text[h + DIGEST_HEX - 1] != '\n')
    return -1;
  memcpy(t->digest, text + h, DIGEST_HEX - 1);
  const char *next = text + h + DIGEST_HEX;
  if (strncmp(next, "-- native: ", 11) == 0)
    t->native = xprintf("%.*s", (int)strcspn(next + 11, "\n"), next + 11);
  t->need = facts_needed(text);
  t->has_schema = strcasestr(text, "PROCEDURE") != NULL;
  t->has_jobs = strstr(text, "msdb.sysjobs") != NULL;
  t->original = sqltext_find(tag);
  if (t->original) {
    char hex[DIGEST_HEX];
    digest_hex(t->original->text, t->original->size, hex);
    t->same = strcmp(hex, t->digest) == 0;
  }
  return 0;
}

static int by_tag(const void *a, const void *b) {
  return strcmp(((const struct twin *)a)->tag, ((const struct twin *)b)->tag);
}

int statements_init(struct cause *c) {
  if (ready)
    return 0;
  if (sqltext_init(c) != 0)
    return -1;
  for (const struct embed *e = embed_files; e->path; e++) {
    if (strncmp(e->path, "sql/sandbox/", 12) != 0 || strncmp(e->path, "sql/sandbox/engine/", 19) == 0)
      continue;
    struct twin t = {0};
    if (parse(e, &t) != 0)
      return cause_set(c, STATUS_SETUP, "the header of the built-in statement %s is malformed", e->path);
    twins = xrealloc(twins, n_twins + 1, sizeof *twins);
    twins[n_twins++] = t;
  }
  if (n_twins)
    qsort(twins, n_twins, sizeof *twins, by_tag);
  ready = 1;
  return 0;
}

const struct twin *twin_find(const char *tag) {
  struct twin key = {.tag = tag};
  return n_twins ? bsearch(&key, twins, n_twins, sizeof *twins, by_tag) : NULL;
}

const struct twin *twin_all(size_t *n) {
  *n = n_twins;
  return twins;
}

int statements_tag(const char *text, size_t len, char *buf, size_t size) {
  static const char mark[] = "/* ramknee:";
  size_t n = sizeof mark - 1;
  if (len < n || memcmp(text, mark, n) != 0)
    return 0;
  const char *end = memmem(text + n, len - n < size ? len - n : size, " */", 3);
  if (!end)
    return 0;
  snprintf(buf, size, "%.*s", (int)(end - text - (long)n), text + n);
  return 1;
}

int twin_fits(const struct twin *t, const char *text, size_t len) {
  if (t->same && t->original->size == len && memcmp(t->original->text, text, len) == 0)
    return 1;
  char hex[DIGEST_HEX];
  digest_hex(text, len, hex);
  return strcmp(hex, t->digest) == 0;
}

static void add_value(struct text *t, const struct field *f) {
  switch (f->type) {
  case F_NULL: text_add(t, "NULL"); break;
  case F_INT: text_addf(t, "%lld", (long long)f->i); break;
  case F_REAL: text_addf(t, "%.17g", f->r); break;
  case F_DECIMAL: text_addn(t, f->p, f->len); break;
  case F_BIN:
    text_add(t, "X'");
    for (size_t i = 0; i < f->len; i++)
      text_addf(t, "%02x", (unsigned char)f->p[i]);
    text_add(t, "'");
    break;
  default: quote_text(t, f->p, f->len);
  }
}

static void add_text(struct text *t, const char *name, const char *value) {
  text_addf(t, ", @%s = ", name);
  quote_text(t, value, strlen(value));
}

void statements_variables(const struct session *s, const struct rpc_param *p, int n, struct text *t) {
  text_addf(t, "SET @rk_spid = %d, @rk_db_id = %d", s->login.spid, s->db->id);
  add_text(t, "rk_db", s->db->name);
  add_text(t, "rk_login", s->login.user);
  add_text(t, "rk_app", s->login.app);
  for (int i = 0; i < n; i++) {
    const char *name = p[i].name[0] == '@' ? p[i].name + 1 : p[i].name;
    if (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name))
      continue;
    text_addf(t, ", @%s = ", name);
    add_value(t, &p[i].value);
  }
  text_add(t, ";\n");
}

static void run_twin(struct session *s, const struct twin *w, const struct rpc_param *p, int n, struct reply *r) {
  struct cause c;
  if (session_view_refused(s, w->need, r))
    return;
  struct engine_conn *k = session_take(s, r);
  if (!k)
    return;
  if (w->need && facts_refresh(s->server, k, w->need, &c) != 0)
    engine_error(s, k, mysql_errno(k->my), mysql_error(k->my), r);
  else {
    struct text t = {0};
    statements_variables(s, p, n, &t);
    text_addn(&t, w->text, w->size);
    result_run(s, k, t.s, t.len, w->original, 0, r);
    text_free(&t);
    if (w->has_schema)
      s->server->schema_version++;
    if (w->has_jobs)
      s->server->jobs_version++;
  }
  session_give(s, k);
}

/* The parameters in the order of the statement's header: clients may send them by name in any order. */
static int run_native(struct session *s, const struct twin *w, const struct rpc_param *p, int n, struct reply *r) {
  struct field f[16];
  int want = w->original ? w->original->nparam : 0;
  for (int i = 0; i < want && i < 16; i++) {
    f[i] = (struct field){.type = F_NULL};
    for (int j = 0; j < n; j++)
      if (p[j].name[0] ? strcasecmp(p[j].name, w->original->param[i]) == 0 : j == i)
        f[i] = p[j].value;
  }
  return native_run(s, w->native, f, want, r);
}

static void run_fitting(struct session *s, const struct twin *w, const struct rpc_param *p, int n, struct reply *r) {
  enum hold h = hold_wanted(s->server, w->tag);
  if (h == HOLD_BEFORE && hold_wait(s, w->tag, r))
    return;
  if (!w->native)
    run_twin(s, w, p, n, r);
  else if (!run_native(s, w, p, n, r))
    reply_error(r, 50000, 1, 16, "", 1, "The sandbox has no function '%s' for ramknee:%s.", w->native, w->tag);
  if (h == HOLD_AFTER)
    hold_wait(s, w->tag, r);
}

int statements_run(struct session *s, const char *text, size_t len, const struct rpc_param *p, int n, struct reply *r) {
  char tag[130];
  if (!statements_tag(text, len, tag, sizeof tag))
    return 0;
  const struct twin *w = twin_find(tag);
  if (!w)
    return 0;
  if (persona_no_memory(s, tag, r))
    return 1;
  if (twin_fits(w, text, len)) {
    run_fitting(s, w, p, n, r);
  } else {
    char hex[DIGEST_HEX];
    digest_hex(text, len, hex);
    reply_error(r, 50000, 1, 16, "", 1,
                "The sandbox knows another text of ramknee:%s than this one (sha256 %.12s..., its twin was written for "
                "%.12s...). Use the ramknee and ramknee-sandbox of one build.",
                tag, hex, w->digest);
  }
  return 1;
}
