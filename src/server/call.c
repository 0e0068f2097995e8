#include "config.h"

#include "server/impl.h"

#include <stdio.h>
#include <string.h>

/* An output parameter needs room for its value on the way back. */
static DBINT room_for(const struct proc_param *p) {
  switch (p->type) {
  case P_VARCHAR:
  case P_VARBINARY: return p->size;
  case P_DECIMAL: return sizeof(DBNUMERIC);
  default: return -1;
  }
}

static int add_arguments(struct conn *conn, const struct proc *proc, const struct val *arg, struct cause *c) {
  for (int i = 0; i < proc->nparam; i++) {
    const struct proc_param *p = &proc->param[i];
    /* A NULL decimal travels as an int (see bind_value), which an output parameter must not: it goes out as 0. */
    const struct val zero = VAL_I(0), *v = p->out && p->type == P_DECIMAL && arg[i].type == VAL_NULL ? &zero : &arg[i];
    struct bound b;
    if (bind_value(&b, &conn->slot[i], p->type, p->size, v, p->name, c) != 0)
      return -1;
    if (dbrpcparam(conn->db, p->name, p->out ? DBRPCRETURN : 0, b.type, p->out ? room_for(p) : -1, b.len, b.at) == FAIL)
      return cause_set(c, STATUS_SETUP, "FreeTDS does not take the parameter %s of %s", p->name, proc->name);
  }
  return 0;
}

static enum outcome judge(struct conn *conn, const struct proc *proc, struct cause *c) {
  const struct heard *h = &conn->heard;
  int status = 0;
  if (!h->number && !h->lib && !h->silences && !h->stopped && !DBDEAD(conn->db)) {
    if (dbhasretstat(conn->db) && ((status = dbretstatus(conn->db)) == 0 || status == 1))
      return status == 0 ? DONE : ROLLED_BACK;
    if (dbhasretstat(conn->db))
      cause_set(c, STATUS_SETUP, "%s on %s returned the status %d", proc->name, conn->server, status);
    else
      cause_set(c, STATUS_SETUP, "%s on %s ended without a return status", proc->name, conn->server);
    return FAILED;
  }
  enum outcome out = h->deadlock ? DEADLOCK : FAILED;
  if (c) {
    char doing[200];
    snprintf(doing, sizeof doing, "%s failed on %s", proc->name, conn->server);
    cause_of_heard(c, h, conn->silence_s, doing);
  }
  if (!DBDEAD(conn->db) && (h->stopped || h->silences)) {
    struct heard kept = *h;
    dbcancel(conn->db);
    conn->heard = kept;
  }
  conn->lost = conn_lost(conn);
  return conn->lost ? LOST : out;
}

enum outcome conn_call(struct conn *conn, const struct proc *proc, const struct val *arg, struct cause *c) {
  if (proc->nparam > ARGS_MAX) {
    cause_set(c, STATUS_SETUP, "%s has more than %d parameters", proc->name, ARGS_MAX);
    return FAILED;
  }
  if (conn_begin(conn, c) != 0)
    return LOST;
  if (dbrpcinit(conn->db, proc->name, 0) == FAIL)
    return judge(conn, proc, c);
  if (add_arguments(conn, proc, arg, c) != 0) {
    dbrpcinit(conn->db, "", DBRPCRESET);
    return FAILED;
  }
  if (dbrpcsend(conn->db) != FAIL && (dbsqlok(conn->db) != FAIL || !DBDEAD(conn->db)))
    conn_drain(conn);
  return judge(conn, proc, c);
}
