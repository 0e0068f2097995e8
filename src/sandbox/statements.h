/* statements: tagged texts and their twins.
 *
 * A text that begins with "/ * ramknee:X/Y * /" is answered by its twin, sql/sandbox/X/Y.sql, written for the engine.  The twin's
 * first lines are
 *
 *     -- twin of X/Y sha256:HEX      the digest of the text that it was written for, changed by hand after looking
 *     -- native: NAME                (only when it is a function of native.c)
 *
 * A text with another digest is refused: twin and original cannot drift apart unseen.  Parameters come to the twin as user
 * variables of the same names (@db, @mb); besides it can use @rk_spid, @rk_db, @rk_db_id, @rk_login, @rk_app.
 *
 * A tag without a twin is judged by its text, as if a person had typed it.  That is the rule for texts that are made at run time,
 * with names in them, and so have no digest: CREATE DATABASE [x], DROP DATABASE [x], ALTER DATABASE [x] SET ..., and whatever
 * else prompt.c knows. */
#ifndef RK_SANDBOX_STATEMENTS_H
#define RK_SANDBOX_STATEMENTS_H

#include "base/cause.h"
#include "base/sqltext.h"

#include <stddef.h>

#define DIGEST_HEX 65 /* with its NUL */

struct twin {
  const char *tag;
  const char *text;          /* the whole file */
  size_t size;
  char digest[DIGEST_HEX];   /* of the original that it was written for */
  char *native;              /* NULL: `text` is run */
  unsigned need;             /* FACT_* that it reads */
  int has_schema;            /* it makes or drops procedures */
  int has_jobs;              /* it changes the Agent's jobs */
  const struct sqltext *original; /* as built in; NULL when there is none */
  int same;                  /* the built-in original has that digest */
};

/* Read the headers of all twins that are built in.  A malformed one is our own mistake: a sentence that names the file.
 * Idempotent, before threads start. */
int statements_init(struct cause *);

const struct twin *twin_find(const char *tag);
const struct twin *twin_all(size_t *n);

/* The tag that a text begins with, in buf; 0: it has none. */
int statements_tag(const char *text, size_t len, char *buf, size_t size);

/* SHA-256 in hex. */
void digest_hex(const char *text, size_t len, char hex[DIGEST_HEX]);

/* 1 when `text` is the one that the twin was written for. */
int twin_fits(const struct twin *, const char *text, size_t len);

#endif
