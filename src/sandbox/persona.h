/* persona: what a sandbox pretends to be besides an ordinary server, for tests (--persona).  A persona is one row of a table:
 * some plain facts, and hooks that are asked at the few places where servers differ.  A zeroed row is the ordinary server. */
#ifndef RK_SANDBOX_PERSONA_H
#define RK_SANDBOX_PERSONA_H

#include <stdint.h>

struct session;
struct server;
struct reply;

struct persona {
  const char *name, *what;
  const char *instance;      /* a named instance: ServerName HOST\INSTANCE, counters "MSSQL$INSTANCE:..." */
  const char *edition;       /* SERVERPROPERTY('Edition'); NULL: the sandbox's own */
  int engine_edition;        /* SERVERPROPERTY('EngineEdition'); 0: 3 (Enterprise, Developer) */
  const char *version;       /* SERVERPROPERTY('ProductVersion'); NULL: 16.0.1000.0 */
  int64_t memory_limit_mib;  /* the edition's buffer pool limit; 0: none */
  int32_t min_memory_mib;    /* 'min server memory' as somebody has set it */
  int no_counters;           /* sys.dm_os_performance_counters is empty (error 3409 at start) */
  int null_names;            /* its names are NULL, as on some managed services */
  int no_alter_settings;     /* logins other than dba may look, but not set: 15247, 5812 */
  int no_view_state;         /* nor look at server state: 300 */
  int no_configure;          /* there is no sp_configure and no RECONFIGURE: 2812, 40510 */
  int reconfigure_fails;     /* the number of the error that RECONFIGURE always gives: 5808, 5812, 5831, 5869 */
  int large_pages;           /* sql_memory_model = 3 */
  int german;                /* messages in German, as for a login of that language */
  int no_agent;              /* SQL Server Agent does not run */
  int pending;               /* somebody's 'cost threshold for parallelism' waits for RECONFIGURE */
  /* Below 32 GB: */
  const char *no_memory_for; /* this statement ("server/counters"), or every procedure of a mix ("call"), ends with an error ... */
  int no_memory_error;       /* ... of this number: 701, 802, 8645 */
  int others_wait;           /* so many requests of other people wait for memory grants */
  int memory_low;            /* process_physical_memory_low is 1 */
  int busy;                  /* at any setting: somebody else's plans are compiled and the log grows */
  /* Before a log-in is taken, and before each batch and procedure call: 1 when the persona has answered it. */
  int (*before_login)(struct server *, struct reply *);
  int (*before_request)(struct session *, struct reply *);
  /* Once, a second after the memory was set below 32 GB.  From the server's minder. */
  void (*event)(struct server *);
  /* The pool that a resize should come to, when a target of `target` bytes replaces `now`: asked again each second until it is
   * reached. */
  int64_t (*pool_size)(int64_t now, int64_t target);
};

/* 1 below 32 GB, where some personas misbehave. */
int persona_starved(struct server *);
/* 1 after an error: there is no memory for that statement (its tag, or "call" for a procedure of a mix). */
int persona_no_memory(struct session *, const char *what, struct reply *);

/* The persona of that name; NULL when there is none ("" or "plain" is the ordinary server). */
const struct persona *persona_find(const char *name);
/* May this session's login change the server's options? */
int persona_may_set(const struct session *);
/* For --help and errors: persona i, NULL after the last. */
const struct persona *persona_at(int i);

/* The text of a message in German. */
const char *persona_german(int number);

#endif
