#include "config.h"

#include "base/clock.h"
#include "base/units.h"
#include "server/impl.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* db-lib takes at most 128 bytes of each. */
static int login_fill(LOGINREC *login, const struct target *t, struct cause *c) {
  if (t->user && DBSETLUSER(login, t->user) == FAIL)
    return cause_set(c, STATUS_SETUP, "the login's name is longer than FreeTDS takes");
  if (t->password && DBSETLPWD(login, t->password) == FAIL)
    return cause_set(c, STATUS_SETUP, "the password is longer than FreeTDS takes");
  /* Contained users exist in their database only, so it is named at the log-in. */
  if (t->database && DBSETLDBNAME(login, t->database) == FAIL)
    return cause_set(c, STATUS_SETUP, "the database's name is longer than FreeTDS takes");
  DBSETLAPP(login, "ramknee");
  DBSETLCHARSET(login, "UTF-8");
  DBSETLVERSION(login, DBVERSION_74); /* otherwise a refused log-in is tried again as TDS 5.0, and the real message is lost */
  BCP_SETL(login, TRUE);
  return 0;
}

/* The first connection of a process initialises FreeTDS's character conversion, which takes no lock. */
static DBPROCESS *open_first_alone(LOGINREC *login) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static atomic_int initialised;
  if (atomic_load(&initialised))
    return dbopen(login, server_section());
  pthread_mutex_lock(&lock);
  DBPROCESS *db = dbopen(login, server_section());
  if (db)
    atomic_store(&initialised, 1);
  pthread_mutex_unlock(&lock);
  return db;
}

static DBPROCESS *dial(const struct target *t, struct cause *c) {
  if (!server_is_target(t)) {
    cause_set(c, STATUS_SETUP, "the client library was not set up for the server %s", t->name);
    return NULL;
  }
  LOGINREC *login = dblogin();
  if (!login) {
    cause_set(c, STATUS_SETUP, "no memory for a log-in record");
    return NULL;
  }
  if (login_fill(login, t, c) != 0) {
    dbloginfree(login);
    return NULL;
  }
  struct heard h = {0}, *before = listener;
  listener = &h;
  DBPROCESS *db = open_first_alone(login);
  listener = before;
  dbloginfree(login);
  /* A log-in can "succeed" into the default database after an error 4060; that is none. */
  if (db && h.number) {
    dbclose(db);
    db = NULL;
  }
  if (!db)
    cause_of_open(c, &h, t);
  return db;
}

/* db-lib asks these once in each idle second of a wait. */
static int must_stop(void *db) {
  struct conn *conn = (struct conn *)(void *)dbgetuserdata(db);
  return conn && (atomic_load(&conn->interrupt) || mono_ns() > conn->deadline_ns);
}

static int on_stop(void *db) {
  struct conn *conn = (struct conn *)(void *)dbgetuserdata(db);
  conn->heard.stopped = atomic_exchange(&conn->interrupt, 0) ? INTERRUPTED : TOO_LONG;
  conn->deadline_ns = mono_ns() + conn->silence_s * NS_PER_S; /* time for the server to acknowledge */
  return INT_CANCEL;
}

/* Of this connection; dbsettime would change those of all threads. */
static void wait_at_most(DBPROCESS *db, int s) {
  char seconds[16];
  snprintf(seconds, sizeof seconds, "%d", s);
  dbsetopt(db, DBSETTIME, seconds, 0);
}

void conn_patience(struct conn *conn, int silence_s) {
  conn->silence_s = silence_s;
  conn->hurried = 0;
  wait_at_most(conn->db, silence_s);
}

void conn_hurry(void *db) {
  struct conn *conn = (struct conn *)(void *)dbgetuserdata(db);
  if (conn && conn->silence_s > ACKNOWLEDGE_S) {
    conn->hurried = 1;
    wait_at_most(db, ACKNOWLEDGE_S);
  }
}

int conn_open(struct conn **out, const struct target *t, struct cause *c) {
  DBPROCESS *db = dial(t, c);
  if (!db)
    return -1;
  struct conn *conn = xcalloc(1, sizeof *conn);
  conn->db = db;
  conn->server = xstrdup(t->name);
  conn->user = t->user ? xstrdup(t->user) : NULL;
  conn->fd = fcntl(dbiordesc(db), F_DUPFD_CLOEXEC, 0);
  conn->heard.may_wait = 1;
  dbsetuserdata(db, (BYTE *)conn);
  dbsetinterrupt(db, must_stop, on_stop);
  conn_patience(conn, t->query_timeout_s);
  if (conn_query(conn, "server/session", NULL, 0, NULL, NULL, c) != 0) {
    cause_prefix(c, "logged in to %s", t->name);
    conn_close(conn);
    return -1;
  }
  *out = conn;
  return 0;
}

void conn_close(struct conn *conn) {
  if (!conn)
    return;
  listener = NULL;
  dbclose(conn->db);
  if (conn->fd >= 0)
    close(conn->fd);
  free(conn->server);
  free(conn->user);
  text_free(&conn->row);
  free(conn->col);
  free(conn);
}

int conn_lost(const struct conn *conn) {
  return conn->lost || DBDEAD(conn->db);
}

int64_t conn_calls(const struct conn *conn) {
  return atomic_load_explicit(&conn->calls, memory_order_relaxed);
}

void conn_interrupt(struct conn *conn, int hard) {
  atomic_store(&conn->interrupt, 1);
  if (hard)
    shutdown(conn->fd, SHUT_RDWR);
}

int conn_begin(struct conn *conn, struct cause *c) {
  struct heard *h = &conn->heard;
  h->number = h->deadlock = h->lib = h->os = h->silences = 0;
  h->stopped = RUNNING;
  listener = h;
  if (conn_lost(conn)) {
    conn->lost = 1;
    cause_set(c, STATUS_SETUP, "the connection to %s is closed", conn->server);
    if (c)
      c->number = SYBEDDNE;
    return -1;
  }
  if (conn->hurried)
    conn_patience(conn, conn->silence_s);
  conn->deadline_ns = mono_ns() + conn->silence_s * ELAPSED_FACTOR * NS_PER_S;
  /* One writer, any reader. */
  atomic_store_explicit(&conn->calls, atomic_load_explicit(&conn->calls, memory_order_relaxed) + 1, memory_order_relaxed);
  return 0;
}

int conn_failed(struct conn *conn, const char *doing, struct cause *c) {
  conn->lost = conn_lost(conn);
  if (c)
    cause_of_heard(c, &conn->heard, conn->silence_s, doing);
  return -1;
}

/* A batch goes on after some errors: what stands behind them is read, too, so that the connection is free again. */
int conn_drain(struct conn *conn) {
  for (int failures = 0;;) {
    RETCODE rc = dbresults(conn->db);
    if (rc == NO_MORE_RESULTS)
      break;
    if (rc == FAIL) {
      if (DBDEAD(conn->db) || conn->heard.stopped || ++failures > 100)
        break;
      continue;
    }
    if (dbnumcols(conn->db) > 0)
      for (STATUS s = REG_ROW; s != NO_MORE_ROWS && s != FAIL;)
        s = dbnextrow(conn->db);
  }
  const struct heard *h = &conn->heard;
  return h->number || h->lib || h->silences || h->stopped || DBDEAD(conn->db) ? -1 : 0;
}

char *quote_name(const char *name) {
  struct text t = {0};
  text_add(&t, "[");
  for (const char *s = name; *s; s++)
    text_addn(&t, *s == ']' ? "]]" : s, *s == ']' ? 2 : 1);
  text_add(&t, "]");
  return t.s;
}
