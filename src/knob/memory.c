#include "config.h"

#include "knob/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* sp_configure takes 2147483647 alone. */
static int64_t limit(int64_t max_mib) {
  return memory_limit(max_mib);
}

int64_t memory_limit(int64_t max_mib) {
  return max_mib == 0 ? MEMORY_NO_LIMIT_MIB : max_mib;
}

/* A floor of 0 runs as 16, and is shown as 16 or, before the first RECONFIGURE, as 0. */
static int64_t floor_in_use(int64_t min_in_use_mib) {
  return min_in_use_mib < 16 ? 16 : min_in_use_mib;
}

static int64_t floor_for(const struct knob_state *s, int64_t max_mib) {
  return s->min_mib < max_mib ? s->min_mib : max_mib;
}

char *memory_by_hand(const struct knob_state *s) {
  return xprintf("EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max server memory (MB)', %" PRId64
                 "; EXEC sp_configure 'min server memory (MB)', %" PRId64 "; RECONFIGURE;%s",
                 limit(s->max_mib), s->min_mib, s->advanced ? "" : " EXEC sp_configure 'show advanced options', 0; RECONFIGURE;");
}

/* ---- decisions ---- */

/* A value that we may have left there: the one before, the last one set, or the one that was about to be set.  A batch that broke
 * off in the middle can leave min and max of different steps, hence each is looked at alone. */
int memory_ours_max(const struct knob_state *was, int64_t v) {
  v = limit(v);
  return v == limit(was->max_mib) || (was->last_mib && v == was->last_mib) || (was->next_mib && v == was->next_mib);
}

static int ours_min(const struct knob_state *was, int64_t v) {
  return v == was->min_mib || (was->last_mib && v == was->last_min_mib) || (was->next_mib && v == was->next_min_mib);
}

struct memory_plan memory_plan_back(const struct knob_state *was, const struct knob_state *now) {
  struct memory_plan p = {.what = BACK_NOTHING, .max_mib = limit(was->max_mib), .min_mib = was->min_mib};
  if (strcmp(was->server, now->server) != 0) {
    p.what = BACK_OTHER_SERVER;
    return p;
  }
  p.advanced = now->advanced != was->advanced;
  int max_back = limit(now->max_mib) == limit(was->max_mib) && limit(now->max_in_use_mib) == limit(was->max_in_use_mib);
  int min_back = now->min_mib == was->min_mib && floor_in_use(now->min_in_use_mib) == floor_in_use(was->min_in_use_mib);
  if (max_back && min_back)
    return p;
  int max_ours = memory_ours_max(was, now->max_mib), min_ours = ours_min(was, now->min_mib);
  if (max_ours && min_ours) {
    p.what = BACK_SET;
  } else if (min_ours && !min_back && was->min_mib <= limit(now->max_mib)) {
    p.what = BACK_MIN_ONLY;
    p.max_mib = now->max_mib;
  } else {
    p.what = BACK_LEAVE;
  }
  return p;
}

int memory_has_settled(int64_t want_mib, int64_t committed_kib, int64_t target_kib) {
  /* 2 %: the server's target is rounded to its blocks, and a few threads always hold some pages on the way back. */
  int64_t want = want_mib * 1024, slack = want / 50;
  return committed_kib <= want + slack && target_kib <= want + slack && target_kib >= want - slack;
}

/* ---- talk ---- */

struct one_row {
  int n;
  struct knob_state *state;
  int64_t value[4];
};

static void copy_name(char *to, size_t size, const struct val *v) {
  snprintf(to, size, "%.*s", v->type == VAL_TEXT ? v->len : 0, v->type == VAL_TEXT ? v->p : "");
}

static int take_settings(void *arg, int result, const struct val *col, int ncol) {
  struct one_row *r = arg;
  (void)result;
  (void)ncol;
  r->n++;
  copy_name(r->state->server, sizeof r->state->server, &col[0]);
  r->state->max_mib = col[1].i;
  r->state->max_in_use_mib = col[2].i;
  r->state->min_mib = col[3].i;
  r->state->min_in_use_mib = col[4].i;
  r->state->advanced = col[5].i != 0;
  return 0;
}

static int memory_read(struct conn *conn, struct knob_state *s, struct cause *c) {
  memset(s, 0, sizeof *s);
  struct one_row r = {.state = s};
  if (conn_query(conn, "server/settings", NULL, 0, take_settings, &r, c) != 0)
    return -1;
  if (r.n != 1) {
    cause_set(c, STATUS_SETUP, "the server does not show its memory settings");
    return cause_remedy(c, "a managed service has none, and 'ramknee measure' takes one point there as it is; on SQL Server every login may read "
                        "sys.configurations");
  }
  return 0;
}

static void memory_intend(struct knob_state *s, int64_t value_mib) {
  s->next_mib = value_mib;
  s->next_min_mib = floor_for(s, value_mib);
}

static int take_set(void *arg, int result, const struct val *col, int ncol) {
  struct one_row *r = arg;
  (void)result;
  r->n++;
  for (int i = 0; i < 4 && i < ncol; i++)
    r->value[i] = col[i].i;
  return 0;
}

/* A failure of `set` in words that say whose turn it is. */
static int explain(struct cause *c) {
  switch (c->number) {
  case KNOB_OTHER_SERVER:
    return cause_remedy(c, "connect to the instance itself, not to a listener or an alias that can move");
  case KNOB_PENDING:
    return cause_remedy(c, "see which with: SELECT name, value, value_in_use FROM sys.configurations WHERE value <> value_in_use");
  case KNOB_CHANGED:
    return cause_remedy(c, "nothing was changed now; agree with whoever did that before the next try");
  default:
    return -1;
  }
}

static int set_both(struct conn *conn, const struct knob_state *now, int64_t max_mib, int64_t min_mib, struct cause *c) {
  struct val v[] = {VAL_T(now->server), VAL_I(now->max_mib), VAL_I(now->min_mib), VAL_I(max_mib), VAL_I(min_mib)};
  struct one_row r = {0};
  if (conn_query(conn, "server/set", v, 5, take_set, &r, c) != 0)
    return explain(c);
  if (r.n != 1 || limit(r.value[0]) != limit(max_mib) || limit(r.value[1]) != limit(max_mib) || r.value[2] != min_mib) {
    cause_set(c, STATUS_INCOMPLETE, "the server took max server memory %" PRId64 " MB without an error, but shows %" PRId64
              " (in use: %" PRId64 ")", limit(max_mib), r.value[0], r.value[1]);
    return -1;
  }
  return 0;
}

static int memory_set(struct conn *conn, struct knob_state *s, struct cause *c) {
  if (s->next_mib < MEMORY_LEAST_MIB)
    return cause_set(c, STATUS_SETUP, "max server memory cannot be set below %" PRId64 " MB", MEMORY_LEAST_MIB);
  struct knob_state now = *s;
  if (s->last_mib) {
    now.max_mib = s->last_mib;
    now.min_mib = s->last_min_mib;
  }
  if (set_both(conn, &now, s->next_mib, s->next_min_mib, c) != 0)
    return -1;
  s->last_mib = s->next_mib;
  s->last_min_mib = s->next_min_mib;
  return 0;
}

static int memory_holds(struct conn *conn, const struct knob_state *s, struct cause *c) {
  struct knob_state now;
  if (memory_read(conn, &now, c) != 0)
    return -1;
  int64_t max = limit(s->last_mib ? s->last_mib : s->max_mib);
  if (strcmp(now.server, s->server) == 0 && limit(now.max_mib) == max && limit(now.max_in_use_mib) == max)
    return 1;
  if (strcmp(now.server, s->server) != 0)
    cause_set(c, STATUS_INCOMPLETE, "another instance answers now: %s, not %s", now.server, s->server);
  else
    cause_set(c, STATUS_INCOMPLETE, "somebody else has changed max server memory from %" PRId64 " to %" PRId64 " MB", max, now.max_mib);
  c->number = strcmp(now.server, s->server) != 0 ? KNOB_OTHER_SERVER : KNOB_CHANGED;
  return 0;
}

static int take_reached(void *arg, int result, const struct val *col, int ncol) {
  struct one_row *r = arg;
  (void)result;
  (void)ncol;
  r->n++;
  r->value[0] = col[0].i;
  r->value[1] = col[1].i;
  return 0;
}

static int memory_settled(struct conn *conn, int64_t want_mib, int64_t *reached_kib, struct cause *c) {
  struct one_row r = {0};
  if (conn_query(conn, "server/reached", NULL, 0, take_reached, &r, c) != 0)
    return -1;
  if (r.n != 1)
    return cause_set(c, STATUS_INCOMPLETE, "the server does not say how much memory it holds");
  *reached_kib = r.value[0];
  return memory_has_settled(want_mib, r.value[0], r.value[1]);
}

static int set_advanced(struct conn *conn, const struct knob_state *was, struct cause *c) {
  struct val v[] = {VAL_T(was->server), VAL_I(was->advanced)};
  return conn_query(conn, "server/set_advanced", v, 2, NULL, NULL, c) == 0 ? 0 : explain(c);
}

int memory_tell_left_alone(const struct knob_state *was, const struct knob_state *now, struct cause *c) {
  char before[32], there[32];
  cause_set(c, STATUS_DONE, "somebody else has changed the memory setting of %s meanwhile: max server memory is %s now, and it was left so",
            now->server, knob_value_text(now->max_mib, there, sizeof there));
  cause_remedy(c, "before ramknee's sweep it was %s, with min server memory %" PRId64 " MB",
               knob_value_text(was->max_mib, before, sizeof before), was->min_mib);
  c->number = KNOB_CHANGED;
  return 1;
}

static int memory_put_back(struct conn *conn, const struct knob_state *was, struct cause *c) {
  struct knob_state now;
  if (memory_read(conn, &now, c) != 0)
    return -1;
  struct memory_plan p = memory_plan_back(was, &now);
  if (p.what == BACK_OTHER_SERVER) {
    cause_set(c, STATUS_NOT_PUT_BACK, "another instance answers: %s, not %s, whose setting was changed", now.server, was->server);
    c->number = KNOB_OTHER_SERVER;
    return explain(c);
  }
  if ((p.what == BACK_SET || p.what == BACK_MIN_ONLY) && set_both(conn, &now, p.max_mib, p.min_mib, c) != 0)
    return -1;
  int left = p.what == BACK_LEAVE || p.what == BACK_MIN_ONLY; /* then 'show advanced options' is theirs, too */
  if (p.advanced && !left && set_advanced(conn, was, c) != 0)
    return -1;
  struct knob_state then;
  if (memory_read(conn, &then, c) != 0)
    return -1;
  if (left)
    return memory_tell_left_alone(was, &then, c);
  if (memory_plan_back(was, &then).what != BACK_NOTHING)
    return cause_set(c, STATUS_NOT_PUT_BACK, "max server memory of %s was put back, but the server shows %" PRId64 " MB (in use: %" PRId64 ")",
                     was->server, then.max_mib, then.max_in_use_mib);
  return 0;
}

const struct knob knob_memory = {
  .name = "max server memory",
  .unit = "MB",
  .read = memory_read,
  .intend = memory_intend,
  .set = memory_set,
  .holds = memory_holds,
  .settled = memory_settled,
  .put_back = memory_put_back,
};
