#include "config.h"

#include "sandbox/engine_private.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <errmsg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int engine_cause(struct cause *c, MYSQL *my) {
  cause_set(c, 0, "the storage engine said: %s", mysql_error(my));
  if (c)
    c->number = (int)mysql_errno(my);
  return -1;
}

MYSQL *pool_connect(const struct engine *e, struct cause *c) {
  MYSQL *my = mysql_init(NULL);
  if (!my) {
    cause_set(c, 0, "out of memory");
    return NULL;
  }
  unsigned patience = 10;
  char *path = xprintf("/proc/self/fd/%d/s", e->folder_fd);
  mysql_options(my, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  mysql_options(my, MYSQL_OPT_CONNECT_TIMEOUT, &patience);
  /* Text comes as its column holds it, so that a latin1 column can be told from a utf8mb4 one (VARCHAR from NVARCHAR). */
  mysql_options(my, MYSQL_INIT_COMMAND, "SET character_set_results = NULL");
  MYSQL *ok = mysql_real_connect(my, NULL, "root", "", NULL, 0, path,
                                 CLIENT_MULTI_STATEMENTS | CLIENT_MULTI_RESULTS | CLIENT_LOCAL_FILES);
  free(path);
  if (!ok) {
    engine_cause(c, my);
    mysql_close(my);
    return NULL;
  }
  return my;
}

static void conn_close(struct engine_conn *k) {
  for (int i = 0; i < k->ncall; i++)
    mysql_stmt_close(k->call[i].stmt);
  mysql_close(k->my);
  free(k);
}

/* Open one more; its place in `open` is already taken. */
static struct engine_conn *conn_open(struct engine *e, struct cause *c) {
  MYSQL *my = pool_connect(e, c);
  if (my) {
    struct engine_conn *k = xcalloc(1, sizeof *k);
    k->my = my;
    k->lock_wait_s = -1;
    return k;
  }
  pthread_mutex_lock(&e->lock);
  e->open--;
  pthread_cond_signal(&e->given);
  pthread_mutex_unlock(&e->lock);
  return NULL;
}

struct engine_conn *engine_take(struct engine *e, struct cause *c) {
  pthread_mutex_lock(&e->lock);
  if (!e->idle && e->open >= e->max && !e->dead) {
    int64_t from = mono_ns();
    e->waits++;
    while (!e->idle && e->open >= e->max && !e->dead)
      pthread_cond_wait(&e->given, &e->lock);
    e->wait_ns += mono_ns() - from;
  }
  struct engine_conn *k = NULL;
  int open = 0;
  if (e->dead)
    cause_set(c, 0, "the storage engine has ended");
  else if (e->idle) {
    k = e->idle;
    e->idle = k->next;
  } else {
    e->open++;
    open = 1;
  }
  pthread_mutex_unlock(&e->lock);
  return open ? conn_open(e, c) : k;
}

void engine_give(struct engine *e, struct engine_conn *k) {
  int close = k->bad || e->dead;
  pthread_mutex_lock(&e->lock);
  if (close)
    e->open--;
  else {
    k->next = e->idle;
    e->idle = k;
  }
  pthread_cond_signal(&e->given);
  pthread_mutex_unlock(&e->lock);
  if (close)
    conn_close(k);
}

void engine_waits(const struct engine *e, int64_t *waits, int64_t *wait_ns) {
  struct engine *w = (struct engine *)e;
  pthread_mutex_lock(&w->lock);
  *waits = e->waits;
  *wait_ns = e->wait_ns;
  pthread_mutex_unlock(&w->lock);
}

void pool_close_all(struct engine *e) {
  struct engine_conn *k;
  while ((k = e->idle)) {
    e->idle = k->next;
    e->open--;
    conn_close(k);
  }
  if (e->admin)
    mysql_close(e->admin);
  e->admin = NULL;
}

void engine_kill_query(struct engine *e, unsigned long thread_id) {
  char sql[64];
  int n = snprintf(sql, sizeof sql, "KILL QUERY %lu", thread_id);
  pthread_mutex_lock(&e->admin_lock);
  if (!e->admin && !e->dead)
    e->admin = pool_connect(e, NULL);
  /* The statement may have ended meanwhile, or the engine: then there is nothing left to end. */
  if (e->admin && mysql_real_query(e->admin, sql, (unsigned long)n) != 0 &&
      (mysql_errno(e->admin) == CR_SERVER_GONE_ERROR || mysql_errno(e->admin) == CR_SERVER_LOST)) {
    mysql_close(e->admin);
    e->admin = NULL;
  }
  pthread_mutex_unlock(&e->admin_lock);
}

int engine_run(struct engine_conn *k, const char *sql, struct cause *c) {
  int more = mysql_real_query(k->my, sql, strlen(sql)) != 0 ? 1 : 0;
  while (more == 0) {
    MYSQL_RES *r = mysql_store_result(k->my);
    mysql_free_result(r);
    more = mysql_next_result(k->my);
  }
  if (more < 0)
    return 0;
  return engine_cause(c, k->my);
}

/* One whole number that a query gives; -1 when it gives none. */
static int64_t ask_number(struct engine_conn *k, const char *sql) {
  int64_t n = -1;
  MYSQL_RES *r = mysql_real_query(k->my, sql, strlen(sql)) == 0 ? mysql_store_result(k->my) : NULL;
  MYSQL_ROW row = r ? mysql_fetch_row(r) : NULL;
  if (row && row[0])
    n = strtoll(row[0], NULL, 10);
  mysql_free_result(r);
  return n;
}

int engine_resize(struct engine *e, int64_t bytes, int64_t *reached, struct cause *c) {
  struct engine_conn *k = engine_take(e, c);
  if (!k)
    return -1;
  char sql[80];
  bytes -= bytes % MIB;
  if (bytes < ENGINE_POOL_MIN)
    bytes = ENGINE_POOL_MIN;
  snprintf(sql, sizeof sql, "SET GLOBAL innodb_buffer_pool_size = %lld", (long long)bytes);
  int rc = engine_run(k, sql, c);
  /* Older engines resize in the background after the statement: the pages count, then, not the variable. */
  int64_t until = mono_ns() + 20 * NS_PER_S, pages;
  do {
    pages = ask_number(
        k, "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'Innodb_buffer_pool_pages_total'");
    *reached = ask_number(k, "SELECT @@GLOBAL.innodb_buffer_pool_size");
    if (rc != 0 || pages < 0 || pages * ENGINE_PAGE <= *reached)
      break;
    sleep_until_ns(mono_ns() + 10 * NS_PER_MS);
  } while (mono_ns() < until);
  if (pages > 0 && pages * ENGINE_PAGE > *reached)
    *reached = pages * ENGINE_PAGE;
  engine_give(e, k);
  return rc;
}
