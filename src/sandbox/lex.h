/* lex: T-SQL text into tokens, and a batch into statements. */
#ifndef RK_SANDBOX_LEX_H
#define RK_SANDBOX_LEX_H

#include "base/text.h"

#include <stddef.h>

enum token_kind {
  T_WORD,   /* select, dbo, @x, @@spid, #t */
  T_NAME,   /* [x] or "x" */
  T_STRING, /* 'x' or N'x' */
  T_NUMBER, /* 12, 1.5, 0xAB */
  T_PUNCT,  /* one character, or <= >= <> != */
  T_BAD,    /* a quotation mark or bracket that is not closed */
};

struct token {
  enum token_kind kind;
  const char *p; /* as it stands, quotes included */
  size_t len;
};

struct tokens {
  struct token *t;
  int n;
};

/* All tokens of a text; comments and blanks are dropped.  At most one T_BAD, as the last.  Free with tokens_free. */
void tokens_read(struct tokens *, const char *text, size_t len);
void tokens_free(struct tokens *);

/* A T_WORD that reads so, whatever its case; `word` in upper case. */
int token_is(const struct token *, const char *word);
/* A T_PUNCT. */
int token_punct(const struct token *, char c);

/* What a name or string says, without its quotes (new memory); other tokens as they stand. */
char *token_text(const struct token *);

/* The end of the statement that begins at `from`: T-SQL needs no semicolon, so it is where a word stands that begins a statement
 * and cannot go on with this one. */
int statement_end(const struct tokens *, int from);

#endif
