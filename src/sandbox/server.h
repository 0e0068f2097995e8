/* server: the whole sandbox: its folder, settings, engine, databases, sessions.
 *
 * The struct is open to the sandbox's own files; the listener only passes it on.  What changes after server_start says which lock
 * guards it. */
#ifndef RK_SANDBOX_SERVER_H
#define RK_SANDBOX_SERVER_H

#include "sandbox/engine.h"
#include "sandbox/persona.h"
#include "sandbox/reply.h"
#include "sandbox/settings.h"

#include <pthread.h>

/* One sandbox gigabyte is a real megabyte. */
#define SERVER_SCALE 1024

struct agent;
struct session;

struct server_options {
  const char *name;          /* of the sandbox: letters, digits, '-', '_' */
  const char *folder;        /* absolute */
  int64_t physical_mib;      /* memory that the server claims to have */
  const char *password;      /* of sa; NULL: any login with any password */
  const struct persona *persona;
};

/* A database that clients see.  Kept until the end of the sandbox: sessions point at it. */
struct database {
  struct database *next;
  int id;
  int dropped;
  int compatibility;
  char name[130];            /* in lower case, as the engine keeps it */
  _Atomic int64_t transactions;
};

/* sp_getapplock: who holds what. */
struct applock {
  struct applock *next;
  const struct session *owner;
  int database_id;
  char name[130];
};

struct server {
  const struct persona *persona;
  char name[132];            /* SERVERPROPERTY('ServerName'), but use server_name */
  char other_name[136];      /* that of the instance it has failed over to */
  char version[40];          /* SERVERPROPERTY('ProductVersion') */
  char *folder;
  int lock_fd;
  int64_t physical_mib;
  char *password;
  struct engine *engine;
  struct settings *settings;
  struct facts *facts;
  _Atomic int moved;         /* other_name answers now */
  _Atomic int64_t started_again_ms; /* by CLOCK_BOOTTIME, when it has pretended a restart; else 0 */
  _Atomic int64_t closed_until_ns;  /* no log-ins before */
  _Atomic int64_t batches;   /* requests taken: Batch Requests/sec */
  _Atomic int64_t schema_version; /* counts CREATE and DROP of procedures */
  _Atomic int64_t jobs_version;   /* counts changes of msdb.sysjobs */
  struct agent *agent;       /* NULL: the persona has none that runs */
  pthread_mutex_t lock;      /* guards all below */
  struct session *sessions;
  struct database *databases;
  struct applock *locks;
  pthread_t minder;          /* see server.c */
  pthread_cond_t wake;
  int stop, minding;
  int64_t starved_ns;          /* since when, for the persona's event; 0: not; the minder's */
  int event_done;
  pthread_mutex_t resize_lock; /* one RECONFIGURE at a time; guards pool_* */
  int64_t pool_wanted;         /* bytes */
  _Atomic int64_t pool_reached;
};

/* Take the folder (one sandbox at a time), read the settings, start the engine.  From the main thread, with signals blocked and
 * no other thread.  NULL with a cause. */
struct server *server_start(const struct server_options *, struct cause *);
/* After the listener was freed. */
void server_stop(struct server *);

/* The database of that name that is there, or NULL; case does not matter. */
struct database *server_database(struct server *, const char *name);
/* Remember a database that the engine has made; forget one that it has dropped. */
struct database *server_database_add(struct server *, const char *name);
void server_database_drop(struct server *, struct database *);

/* The memory that the running settings and the edition allow, MiB. */
int64_t server_target_mib(struct server *);

/* Give the engine the pool that the running settings ask for; the error that it answers with is a cause, and it is tried again
 * each second until it is reached or the settings change. */
int server_resize(struct server *, struct cause *);

/* The name of the instance that answers now. */
const char *server_name(const struct server *);

/* sqlserver_start_time_ms_ticks. */
int64_t server_started_ms(const struct server *);

/* @@VERSION, new memory. */
char *server_version_text(const struct server *);

#endif
