/* summary: the table, the verdict and the warnings as plain text of at most about 100 columns. */
#ifndef RK_REPORT_SUMMARY_H
#define RK_REPORT_SUMMARY_H

#include "base/text.h"
#include "report/account.h"

/* A cell of the table: what the text and the HTML show.  Unknown is "-"; the columns for intervals and marks
 * are left out when no row has one. */
#define TABLE_COLUMNS 18
struct table {
  size_t ncol, nrow;
  const char *head[TABLE_COLUMNS][2]; /* two lines */
  char **cell;                        /* nrow x ncol; row i is the account's row i */
  struct sentences legend;            /* only what occurs; text: the sign, remedy: what it means */
};
void table_make(struct table *, const struct account *);
void table_free(struct table *);

/* `files`: a sentence about where the files are, NULL: none. */
void summary_text(struct text *, const struct account *, const char *files);

/* Add s, broken at blanks so that no line is longer than `width`; the first line begins with `first`, the others with `rest`. */
void text_wrap(struct text *, const char *s, const char *first, const char *rest, size_t width);

#endif
