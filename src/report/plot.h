/* plot: the gnuplot scripts of a run, from the templates of plots/, and the pictures they draw. */
#ifndef RK_REPORT_PLOT_H
#define RK_REPORT_PLOT_H

#include "base/text.h"
#include "report/account.h"

struct plot {
  const char *name; /* plots/NAME.gp, plots/NAME.png */
  const char *what; /* "latency against memory": title and text beside the picture */
  int height;       /* pixels; they are 1600 wide */
  int needs;        /* what must have been measured for it, as bits of plot.c's own */
};
/* In the order of the report; the headline first.  Ended by a NULL name. */
extern const struct plot plots[];

/* The title of this picture of that account: plot's `what`, but that a run of joined points or of one is no sweep. */
const char *plot_what(const struct account *, const struct plot *);
/* Has the account anything for this picture? */
int plot_wanted(const struct account *, const struct plot *);

/* The script of one picture; plot_wanted.  0, or -1 when a template asks for what is not there: our own mistake. */
int plot_script(struct text *, const struct account *, const struct plot *, struct cause *);

/* Run gnuplot (found in PATH) on plots/NAME.gp in `folder`, without a shell and for at most timeout_s seconds; its words end up
 * in the cause.  0, or -1: the picture is then removed, since an old one would lie. */
int plot_draw(const char *folder, const struct plot *, int timeout_s, struct cause *);

/* Text as a gnuplot string that is taken literally: single quotes, control characters shown as \xHH. */
void plot_quote(struct text *, const char *);

#endif
