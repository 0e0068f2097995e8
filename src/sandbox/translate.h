/* translate: one T-SQL statement of the simple kind that people type, into the engine's SQL.
 *
 * It works on tokens: names are quoted the engine's way, dbo. is dropped, TOP becomes LIMIT, the functions and types in common
 * use are renamed.  What it does not know it passes on, and the engine's own error is then turned into SQL Server's.  It does not
 * try to be right for every query (1 / 2 is 0.5 here, 0 on SQL Server): ramknee's own statements have twins instead. */
#ifndef RK_SANDBOX_TRANSLATE_H
#define RK_SANDBOX_TRANSLATE_H

#include "sandbox/lex.h"

/* What stands in the query for things that only the session knows. */
struct translate_facts {
  const char *version;      /* @@VERSION */
  const char *server_name;  /* @@SERVERNAME */
  int spid, trancount;
  int fmtonly;              /* no rows */
  int (*declared)(const void *arg, const struct token *variable);
  /* SERVERPROPERTY(name) as SQL, in buf. */
  char *(*property)(const void *arg, const char *name, char *buf, size_t size);
  const void *arg;          /* of both */
};

/* Tokens from..to-1.  0, or the number of the error that SQL Server would give (102, 137) with *near the token that it names. */
int translate(const struct tokens *, int from, int to, const struct translate_facts *, struct text *sql, int *near);

/* A name at `from` of up to three parts: db (may be NULL) and object, new memory; returns the index behind it, or -1. */
int translate_name(const struct tokens *, int from, int to, char **db, char **object);

#endif
