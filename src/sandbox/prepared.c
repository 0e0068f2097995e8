#include "config.h"

#include "sandbox/prepared.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct prepared_statement {
  struct prepared_statement *next;
  int handle;
  char *declaration, *text; /* with a NUL */
  size_t bytes;
};

static void forget(struct prepared *p, struct prepared_statement **at) {
  struct prepared_statement *s = *at;
  *at = s->next;
  p->bytes -= s->bytes;
  free(s->declaration);
  free(s->text);
  free(s);
}

void prepared_clear(struct prepared *p) {
  while (p->first)
    forget(p, &p->first);
}

static int name_char(char c) {
  return (c && strchr("@_#$", c)) || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80);
}

size_t prepared_name(const char **at, const char **name) {
  int depth = 0;
  size_t len = 0;
  const char *p = *at;
  while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
    p++;
  while (*p == '@' && name_char(p[len]))
    len++;
  *name = p;
  for (; *p && (*p != ',' || depth > 0); p++) /* a comma within (10, 2) ends no parameter */
    depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
  *at = *p ? p + 1 : p;
  return len;
}

/* A text parameter as a string of its own; "" for NULL.  NULL when it is of another type. */
static char *text_of(const struct rpc_param *p) {
  if (p->value.type != F_TEXT && p->value.type != F_NULL)
    return NULL;
  size_t n = p->value.type == F_TEXT ? p->value.len : 0;
  char *s = xmalloc(n + 1);
  if (n)
    memcpy(s, p->value.p, n);
  s[n] = '\0';
  return s;
}

/* Keep the declaration and text of sp_prepare's parameters 1 and 2; NULL after an error. */
static struct prepared_statement *keep(struct prepared *p, const struct rpc *rpc, struct reply *r) {
  char *declaration = rpc->nparam > 2 ? text_of(&rpc->param[1]) : NULL;
  char *text = rpc->nparam > 2 ? text_of(&rpc->param[2]) : NULL;
  if (!declaration || !text) {
    reply_error(r, 214, 2, 16, rpc->name, 1, "Procedure expects parameter '@%s' of type 'ntext/nchar/nvarchar'.",
                declaration ? "stmt" : "params");
    goto fail;
  }
  size_t bytes = strlen(declaration) + strlen(text) + sizeof(struct prepared_statement);
  if (bytes > PREPARED_MOST_BYTES - p->bytes) {
    reply_error(r, 701, 1, 17, rpc->name, 1, "There is insufficient system memory in resource pool 'default' to run this query.");
    goto fail;
  }
  struct prepared_statement *s = xmalloc(sizeof *s);
  *s = (struct prepared_statement){p->first, ++p->last_handle, declaration, text, bytes};
  p->first = s;
  p->bytes += bytes;
  return s;
fail:
  free(declaration);
  free(text);
  return NULL;
}

/* The statement of the handle in parameter 0; NULL after an error. */
static struct prepared_statement **find(struct prepared *p, const struct rpc *rpc, struct reply *r) {
  int64_t handle = rpc->nparam > 0 && rpc->param[0].value.type == F_INT ? rpc->param[0].value.i : 0;
  struct prepared_statement **s = &p->first;
  while (*s && (*s)->handle != handle)
    s = &(*s)->next;
  if (*s)
    return s;
  reply_error(r, 8179, 2, 16, rpc->name, 1, "Could not find prepared statement with handle %lld.", (long long)handle);
  return NULL;
}

static struct rpc_param text_param(const char *name, const char *text) {
  struct rpc_param p = {.name = name, .column = {.name = "", .type = W_NVARCHAR}};
  p.value = (struct field){.type = F_TEXT, .p = text, .len = strlen(text)};
  return p;
}

/* Run it with the values from parameter `from` on, which are named after the declaration, as they come in its order. */
static void run(const struct prepared_statement *s, const struct rpc *rpc, int from, struct session *session, struct reply *r) {
  int n = rpc->nparam > from ? rpc->nparam - from : 0;
  struct rpc_param *p = xcalloc((size_t)n + 2, sizeof *p);
  char *names = xmalloc(strlen(s->declaration) + (size_t)n + 1), *end = names;
  const char *declaration = s->declaration;
  p[0] = text_param("@stmt", s->text);
  p[1] = text_param("@params", s->declaration);
  for (int i = 0; i < n; i++) {
    const char *name;
    size_t len = prepared_name(&declaration, &name);
    p[i + 2] = rpc->param[from + i];
    if (len == 0)
      continue;
    memcpy(end, name, len);
    end[len] = '\0';
    p[i + 2].name = end;
    end += len + 1;
  }
  session_rpc(session, &(struct rpc){.name = "sp_executesql", .nparam = n + 2, .param = p}, r);
  free(names);
  free(p);
}

static void tell_handle(const struct prepared_statement *s, const struct rpc *rpc, struct reply *r) {
  static const struct column integer = {.name = "", .type = W_INT};
  reply_return_value(r, rpc->param[0].name, &integer, &(struct field){.type = F_INT, .i = s->handle});
}

int prepared_rpc(struct prepared *p, struct session *session, const struct rpc *rpc, struct reply *r) {
  struct prepared_statement *s, **at;
  if (strcmp(rpc->name, "sp_prepare") == 0) {
    if ((s = keep(p, rpc, r))) {
      reply_return_status(r, 0);
      tell_handle(s, rpc, r);
    }
  } else if (strcmp(rpc->name, "sp_prepexec") == 0) {
    if ((s = keep(p, rpc, r))) {
      run(s, rpc, 3, session, r);
      tell_handle(s, rpc, r);
    }
  } else if (strcmp(rpc->name, "sp_execute") == 0) {
    if ((at = find(p, rpc, r)))
      run(*at, rpc, 1, session, r);
  } else if (strcmp(rpc->name, "sp_unprepare") == 0) {
    if ((at = find(p, rpc, r))) {
      forget(p, at);
      reply_return_status(r, 0);
    }
  } else {
    return 0;
  }
  return 1;
}
