/* html: one file that says everything, pictures inside; needs no network and no script. */
#ifndef RK_REPORT_HTML_H
#define RK_REPORT_HTML_H

#include "base/text.h"
#include "report/account.h"

/* The page.  Pictures are read from folder/plots; one that is not there is left out. */
void html_page(struct text *, const struct account *, const char *folder);

/* Text as HTML: & < > " ' escaped, control characters shown as \xHH, bytes that are not UTF-8 replaced by U+FFFD. */
void html_text(struct text *, const char *);

#endif
