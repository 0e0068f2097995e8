#include "config.h"

#include "cmd/again.h"
#include "base/log.h"
#include "base/text.h"
#include "run/run.h"
#include "sweep/options.h"
#include "sweep/resume.h"

#include <stdlib.h>
#include <string.h>

void again_note(struct again *a, const char *name) {
  char *before = a->given;
  a->given = before ? xprintf("%s, --%s", before, name) : xprintf("--%s", name);
  free(before);
}

/* The command line says where; else it is the same as then, with the login's name and how safely. */
static void connect_again(struct connect_options *o, const json_t *meta) {
  struct options_target t = sweep_options_target(meta);
  o->database = o->database ? o->database : t.database;
  if (o->server)
    return;
  o->server = t.server;
  o->user = o->user ? o->user : t.user;
  o->encrypt = o->encrypt ? o->encrypt : t.encrypt;
  o->ca_file = o->ca_file ? o->ca_file : t.ca_file;
}

static int take(struct again *a, const char *folder, struct run_data **run, struct sweep_options *o, struct connect_options *connect, struct cause *c) {
  if (run_read(run, folder, c) != 0) {
    c->status = STATUS_SETUP;
    return -1;
  }
  a->meta = json_incref((*run)->meta);
  if (sweep_options_of_sweep(a->meta, folder, c) != 0 || sweep_options_take(o, a->meta, c) != 0) {
    run_data_free(*run);
    return -1;
  }
  connect_again(connect, a->meta);
  return 0;
}

int again_like(struct again *a, struct sweep_options *o, struct connect_options *connect, struct cause *c) {
  struct run_data *run;
  if (take(a, a->like, &run, o, connect, c) != 0)
    return -1;
  run_data_free(run);
  o->like = a->like;
  struct options_target then = sweep_options_target(a->meta);
  if (o->set_with && connect->server && then.server && strcmp(connect->server, then.server) != 0) {
    warn("the command of --set-with may belong to the server of %s, and is not taken over: give it here when this one needs one", a->like);
    o->set_with = NULL;
  }
  return 0;
}

int again_demand(const struct again *a, const struct sweep_options *o, struct cause *c) {
  if (o->demand_named)
    return 0;
  cause_set(c, STATUS_SETUP, "%s has no demand to be taken over: it was broken off before its probe had set one", a->like);
  return cause_remedy(c, "go on with it first (--resume), or name the demand here (--think or --rate)");
}

int again_resume(struct again *a, struct sweep_options *o, struct connect_options *connect, struct cause *c) {
  struct run_data *run;
  if (a->given) {
    cause_set(c, STATUS_SETUP, "%s cannot be given with --resume: a run goes on with the options that it was begun with", a->given);
    return cause_remedy(c, "leave it out; 'ramknee sweep --like %s' makes a new run, where options can differ", a->resume);
  }
  if (take(a, a->resume, &run, o, connect, c) != 0 || resume_new(&o->resume, run, c) != 0)
    return -1;
  o->run_folder = a->resume;
  o->steps_named = 1; /* those of its plan: one that cannot be reached any more is no matter to pass over */
  if (resume_missing(o->resume) > 0)
    return 0;
  say("%s has all of its steps: there is nothing left to measure", a->resume);
  return 1;
}

void again_tell(const struct again *a, const struct sweep_options *o) {
  char *text = sweep_options_text(o);
  say("as %s: %s%s%s%s", a->like, text, a->given ? " (given here: " : "", a->given ? a->given : "", a->given ? ")" : "");
  free(text);
}

void again_free(struct again *a) {
  free(a->given);
  json_decref(a->meta);
  a->given = NULL;
  a->meta = NULL;
}
