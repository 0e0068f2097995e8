/* write: the files of an account into its folder: those that a run and a table of others have in common. */
#ifndef RK_REPORT_WRITE_H
#define RK_REPORT_WRITE_H

#include "base/text.h"
#include "report/account.h"

/* folder/name; whole or not at all. */
int report_put(const char *folder, const char *name, const struct text *, struct cause *);

/* steps.tsv, verdict.json, summary.txt (`summary`), plots/ with its pictures, and report.html.  *drawn: how many pictures there are
 * afterwards.  A picture that cannot be drawn is a warning, one for all. */
int report_write(const struct account *, const char *folder, const struct text *summary, int *drawn, struct cause *);

#endif
