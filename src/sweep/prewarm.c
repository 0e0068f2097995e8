#include "config.h"

#include "sweep/prewarm.h"
#include "base/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_S = 6 * 3600 }; /* a scan says nothing until its end: 1 TB at 50 MB/s takes 6 hours */

struct prewarm {
  pthread_t thread;
  const struct target *target;
  const char *const *table;
  pthread_mutex_t lock; /* conn: interrupted only while it is open */
  struct conn *conn;
  atomic_int stop, state; /* state: as prewarm_poll tells it */
  struct cause cause;     /* of the thread until state is set */
};

static int read_all(struct prewarm *p) {
  for (int i = 0; p->table[i] && !atomic_load(&p->stop); i++) {
    struct val name = VAL_T(p->table[i]);
    if (conn_query(p->conn, "server/prewarm", &name, 1, NULL, NULL, &p->cause) != 0)
      return cause_prefix(&p->cause, "reading %s through the cache", p->table[i]);
  }
  return 0;
}

static void *run(void *arg) {
  struct prewarm *p = arg;
  struct conn *conn = NULL;
  int rc = conn_open(&conn, p->target, &p->cause);
  if (rc == 0) {
    pthread_mutex_lock(&p->lock);
    p->conn = conn;
    pthread_mutex_unlock(&p->lock);
    conn_patience(conn, PATIENCE_S);
    rc = read_all(p);
    pthread_mutex_lock(&p->lock);
    p->conn = NULL;
    pthread_mutex_unlock(&p->lock);
    conn_close(conn);
  }
  atomic_store(&p->state, rc == 0 || atomic_load(&p->stop) ? 1 : -1);
  return NULL;
}

int prewarm_start(struct prewarm **out, const struct target *t, const char *const *table, struct cause *c) {
  struct prewarm *p = xcalloc(1, sizeof *p);
  p->target = t;
  p->table = table;
  pthread_mutex_init(&p->lock, NULL);
  int err = pthread_create(&p->thread, NULL, run, p);
  if (err != 0) {
    pthread_mutex_destroy(&p->lock);
    free(p);
    return cause_errno(c, STATUS_INCOMPLETE, err, "cannot start a thread");
  }
  *out = p;
  return 0;
}

int prewarm_poll(struct prewarm *p, struct cause *c) {
  int state = atomic_load(&p->state);
  if (state < 0 && c)
    *c = p->cause;
  return state;
}

void prewarm_stop(struct prewarm *p) {
  if (!p)
    return;
  atomic_store(&p->stop, 1);
  pthread_mutex_lock(&p->lock);
  if (p->conn)
    conn_interrupt(p->conn, 0);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  pthread_mutex_destroy(&p->lock);
  free(p);
}
