/* again: sweep --resume and --like: where the options of a run that is there come from. */
#ifndef RK_CMD_AGAIN_H
#define RK_CMD_AGAIN_H

#include "cmd/connect.h"
#include "sweep/sweep.h"

#include <jansson.h>

/* Zero-initialise it; again_free after the options are freed. */
struct again {
  const char *resume, *like;
  char *given;  /* "--steps, --measure": the options on the command line that make a run what it is */
  json_t *meta; /* of the run; the options borrow from it */
};

/* An option of that name was given, which --resume does not go with. */
void again_note(struct again *, const char *name);

/* Both fill in the options of the run, and server and database where the command line names none.  For --like to be called before the
 * command line is read once more, whose options then win.  For --resume: 1 when the run has everything (that was said). */
int again_like(struct again *, struct sweep_options *, struct connect_options *, struct cause *);
int again_resume(struct again *, struct sweep_options *, struct connect_options *, struct cause *);

/* With --like, after that: is there a demand, of the run or given? */
int again_demand(const struct again *, const struct sweep_options *, struct cause *);

/* What --like came to. */
void again_tell(const struct again *, const struct sweep_options *);

void again_free(struct again *);

#endif
