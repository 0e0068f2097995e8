#include "config.h"

#include "sweep/here.h"
#include "base/log.h"
#include "base/units.h"
#include "knob/knob.h"

#include <stdio.h>
#include <string.h>

enum { FILES, COUNTERS, CPU, WAITS };
enum { AZURE_DATABASE = 5 }; /* SERVERPROPERTY('EngineEdition') */

static const char *const name[HERE_GROUPS] = {
  [FILES] = "reads and writes of the storage",
  [COUNTERS] = "hit ratio, page life expectancy, batches and the memory that is held",
  [CPU] = "the server's processor time, and whether it was restarted",
  [WAITS] = "what the server waits for",
};

const char *here_group_name(int i) {
  return name[i];
}

/* ---- the memory ---- */

int64_t here_memory(const struct here_memory *m, const char **from) {
  int64_t max = m->max_in_use_mib, target = m->target_kib == ABSENT ? 0 : m->target_kib / 1024;
  /* A database of Azure is given memory by its service objective, whatever its sys.configurations may show. */
  int limited = m->engine_edition != AZURE_DATABASE && max != ABSENT && max > 0 && max < MEMORY_NO_LIMIT_MIB;
  if (m->given_mib > 0) {
    *from = "--memory";
    return m->given_mib;
  }
  if (limited && (target <= 0 || target >= max / 100 * 95)) {
    *from = "max server memory";
    return max;
  }
  if (target > 0) {
    *from = limited ? "the server's target, which is below its setting" : "the server's target";
    return target;
  }
  if (m->total_kib != ABSENT && m->total_kib >= 1024) {
    *from = "what the server holds";
    return m->total_kib / 1024;
  }
  *from = NULL;
  return 0;
}

/* ---- what can be sampled ---- */

static int count_row(void *arg, int result, const struct val *col, int ncol) {
  int *n = arg;
  (void)result, (void)ncol;
  *n += col[0].type != VAL_NULL;
  return 0;
}

static void explain(struct here_group *g, const struct cause *c) {
  enum { NO_SERVER_STATE = 300, NO_PERMISSION = 229, NO_SERVER_PERMISSION = 297, NO_DATABASE_STATE = 262 };
  g->absent = 1;
  snprintf(g->why, sizeof g->why, "%.299s", c->text);
  if (c->number == NO_SERVER_STATE || c->number == NO_PERMISSION || c->number == NO_SERVER_PERMISSION || c->number == NO_DATABASE_STATE)
    snprintf(g->remedy, sizeof g->remedy,
             "have a DBA grant VIEW SERVER STATE (from 2022 on: VIEW SERVER PERFORMANCE STATE; Azure SQL Database: VIEW DATABASE STATE)");
  else
    snprintf(g->remedy, sizeof g->remedy, "%.199s", c->remedy);
}

/* -1 when the connection is lost. */
static int ask(struct here_group *g, struct conn *conn, const char *tag, const struct val *param, const char *none, struct cause *c) {
  struct cause why = {0};
  int n = 0;
  if (conn_query(conn, tag, param, param != NULL, count_row, &n, &why) != 0) {
    if (conn_lost(conn)) {
      if (c)
        *c = why;
      return -1;
    }
    explain(g, &why);
  } else if (n == 0 && none) {
    g->absent = 1;
    snprintf(g->why, sizeof g->why, "%s", none);
  }
  return 0;
}

int here_read(struct here *h, struct conn *conn, struct sample_scope *scope, const struct check_facts *f, int64_t given_mib, struct cause *c) {
  memset(h, 0, sizeof *h);
  struct here_group whole = {0};
  if (scope->whole) {
    if (ask(&whole, conn, "server/files_whole", NULL, NULL, c) != 0)
      return -1;
    scope->whole = !whole.absent;
  }
  h->whole = scope->whole;
  const struct val db = VAL_T(sample_scope_counters(scope));
  if (ask(&h->group[FILES], conn, h->whole ? "server/files_whole" : "server/files", NULL, "the server shows no file", c) != 0 ||
      ask(&h->group[COUNTERS], conn, "server/counters", &db, "the server has no performance counters, or gives them no names", c) != 0 ||
      ask(&h->group[CPU], conn, "server/cpu", NULL, NULL, c) != 0 || ask(&h->group[WAITS], conn, "server/waits", NULL, NULL, c) != 0 ||
      sample_take_scope(conn, scope, 0, &h->first, c) != 0)
    return -1;
  struct here_memory m = {
    .engine_edition = f->engine_edition,
    .max_in_use_mib = f->settings.have ? f->max_in_use_mib : ABSENT,
    .target_kib = f->memory.have && f->target_kib != CHECK_UNKNOWN ? f->target_kib : h->first.target_memory_kb,
    .total_kib = f->memory.have && f->committed_kib != CHECK_UNKNOWN ? f->committed_kib : h->first.total_memory_kb,
  };
  h->told_mib = here_memory(&m, &h->told_from);
  m.given_mib = given_mib;
  h->memory_mib = here_memory(&m, &h->memory_from);
  return 0;
}

int here_blind(const struct here *h) {
  return h->group[FILES].absent && h->group[COUNTERS].absent && h->group[CPU].absent && h->group[WAITS].absent;
}

/* Some megabytes of a target that is on its way are no other memory. */
static void say_other(const struct here *h) {
  char given[32], told[32];
  int64_t apart = h->told_mib > h->memory_mib ? h->told_mib - h->memory_mib : h->memory_mib - h->told_mib;
  if (h->told_mib > 0 && apart > h->told_mib / 100)
    warn("--memory says %s, but the server tells %s (%s): the point stands for what --memory says, and the run has both",
         size_text(h->memory_mib * MIB, given, sizeof given), size_text(h->told_mib * MIB, told, sizeof told), h->told_from);
}

void here_say(const struct here *h) {
  say_other(h);
  for (int i = 0; i < HERE_GROUPS; i++) {
    const struct here_group *g = &h->group[i];
    struct cause c = {0};
    if (!g->absent)
      continue;
    cause_set(&c, STATUS_DONE, "%s will be absent: %s", name[i], g->why);
    if (g->remedy[0])
      cause_remedy(&c, "%s", g->remedy);
    warn_cause(&c);
  }
}

static json_t *mib_or_null(int64_t mib) {
  return mib > 0 ? json_integer(mib) : json_null();
}

json_t *here_json(const struct here *h) {
  return json_pack("{s:o, s:s?, s:o, s:s?}", "mib", mib_or_null(h->memory_mib), "from", h->memory_from, "told_mib", mib_or_null(h->told_mib),
                   "told_from", h->told_from);
}
