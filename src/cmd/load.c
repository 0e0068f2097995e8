#include "config.h"

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/confirm.h"
#include "cmd/connect.h"
#include "cmd/option.h"
#include "mix/load.h"
#include "sweep/put_back.h"

#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_MIX = 0x2000, OPT_SIZE, OPT_SCALE, OPT_DENSITY, OPT_STREAMS, OPT_SEED, OPT_REPLACE, OPT_YES };

struct args {
  struct connect_options connect;
  struct load_options load;
  const char *mix;
  int yes, density_given;
};

static const struct argp_option options[] = {
  {0, 0, 0, 0, "Load:", 1},
  {"mix", OPT_MIX, "NAME", 0, "Which mix to load (default orders)", 0},
  {"size", OPT_SIZE, "SIZE", 0, "Size of the data (200G): at least 1.2 times the largest memory step", 0},
  {"scale", OPT_SCALE, "N", 0, "Warehouses; default: as many as the size holds", 0},
  {"density", OPT_DENSITY, "D", 0,
   "Rows of a warehouse, against TPC-C's (0.02 to 1); default 1, in the sandbox what gives 64 warehouses", 0},
  {"streams", OPT_STREAMS, "N", 0, "Parallel bulk loads (1 to 64, default 4)", 0},
  {"seed", OPT_SEED, "N", 0, "Seed of the data (default 1): equal seeds make equal data", 0},
  {"replace", OPT_REPLACE, 0, 0, "Drop what was loaded there before, and load anew", 0},
  {"yes", OPT_YES, 0, 0, "Do not ask", 0},
  {0},
};

static const struct argp_child children[] = {{&connect_argp, 0, NULL, 10}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c = {0};
  int64_t n;
  int rc = 0;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &a->connect; break;
  case OPT_MIX: a->mix = arg; break;
  case OPT_SIZE: rc = size_parse(arg, &a->load.size_bytes, &c); break;
  case OPT_SCALE: rc = int_parse(arg, "--scale", 1, 1000000, &a->load.scale, &c); break;
  case OPT_DENSITY:
    rc = real_parse(arg, "--density", 0, 1, &a->load.density, &c);
    a->density_given = 1;
    break;
  case OPT_STREAMS:
    rc = int_parse(arg, "--streams", 1, LOAD_STREAMS_MAX, &n, &c);
    if (rc == 0)
      a->load.streams = (int)n;
    break;
  case OPT_SEED: a->load.seed = option_seed(state, arg); break;
  case OPT_REPLACE: a->load.replace = 1; break;
  case OPT_YES: a->yes = 1; break;
  case ARGP_KEY_ARG: return connect_no_argument(state, arg);
  default: return ARGP_ERR_UNKNOWN;
  }
  option_check(state, rc, &c);
  return 0;
}

static void show_plan(const struct load_plan *p, const struct mix *m) {
  char size[32], rows[32];
  const struct mix_load *l = &p->load;
  int letters = (int)strlen(m->scale_name);
  fprintf(stderr, "\nThis makes the database '%s' on %s:\n", p->database, p->server);
  fprintf(stderr, "  %s, %" PRId64 " %.*s, density %g, seed %" PRIu64 "\n", m->title, l->scale, letters - (l->scale == 1), m->scale_name, l->density, l->seed);
  fprintf(stderr, "  about %s in %s rows, by %d stream%s", size_text(p->bytes, size, sizeof size),
          count_text(p->rows, rows, sizeof rows), p->streams, p->streams == 1 ? "" : "s");
  if (p->factor > 1)
    fprintf(stderr, "; really %s, as the sandbox shows sizes times %" PRId64 "\n",
            size_text(p->bytes / p->factor, size, sizeof size), p->factor);
  else
    fprintf(stderr, "; the data file gets %s, for indexes are built beside the data\n",
            size_text(p->bytes * 3 / 2, size, sizeof size));
  if (p->state == LOAD_BROKEN)
    fprintf(stderr, "  a load was broken off there: what it left is dropped first\n");
  if (p->state == LOAD_DONE)
    fprintf(stderr, "  what is loaded there now is DROPPED first: %s, %" PRId64 " %.*s, density %g, %s\n", p->present.mix,
            p->present.scale, letters - (p->present.scale == 1), m->scale_name, p->present.density, size_text(p->present.data_bytes, size, sizeof size));
  if (p->factor == 1)
    fprintf(stderr, "Exclude it from backups, CHECKDB and index jobs: they would disturb every measurement.\n");
  fprintf(stderr, "\n");
}

static void print(const struct load_plan *p, const struct mix *m, const struct mix_load *l) {
  char size[32], rows[32];
  printf("server\t%s\ndatabase\t%s\nmix\t%s\n%s\t%" PRId64 "\ndensity\t%g\nseed\t%" PRIu64 "\nrows\t%s\nsize\t%s\n", p->server,
         p->database, m->title, m->scale_name, l->scale, l->density, l->seed, count_text(p->rows, rows, sizeof rows),
         size_text(l->data_bytes, size, sizeof size));
}

static _Atomic int stopped;

static void on_signal(int number) {
  (void)number;
  stopped = 1;
}

static int load(struct args *a, const struct target *t) {
  struct cause c = {0};
  struct load_plan plan;
  struct mix_load done;
  struct conn *lock = NULL;
  /* The lock comes first: what another load is about to finish is not broken off, and a sweep is not to be disturbed. */
  int rc = server_init(t, load_connections(a->load.streams) + 2, &c) != 0 || open_in_master(&lock, t, &c) != 0 || lock_take(lock, &c) != 0 ? -1 : 0;
  if (rc == 0)
    rc = load_plan(t, &a->load, &plan, &c);
  if (rc == 0 && plan.state != LOAD_NEW)
    rc = put_back_refuse_loss(t, plan.database, &c);
  if (rc == 0) {
    show_plan(&plan, a->load.mix);
    rc = confirm(a->yes, &c);
  }
  if (rc == 0) {
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    rc = load_run(t, &a->load, &done, &c);
  }
  conn_close(lock);
  server_done();
  if (rc == 0)
    print(&plan, a->load.mix, &done);
  else
    say_cause(&c);
  return rc == 0 ? STATUS_DONE : c.status ? c.status : STATUS_SETUP;
}

int cmd_load(int argc, char **argv) {
  static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .doc = "Make a database and load a mix into it: tables, data by parallel bulk loads, indexes, procedures, full-scan "
           "statistics; then row counts and consistency are verified, and what was loaded is recorded in the database."
           "\vTwo of --size, --scale and --density give the third.  A load that was broken off is recognised and done again; a "
           "database that load did not make is never touched.  Exit status: 0 done, 1 nothing was changed, 2 broken off: the "
           "database is marked incomplete.",
  };
  struct args a = {.mix = "orders", .load = {.seed = 1, .streams = 4, .stop = &stopped, .show_progress = 1}};
  struct target t = {0};
  struct cause c = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  a.load.database = a.connect.database;
  a.load.mix = mix_find(a.mix);
  if (!a.load.mix) {
    struct text names = {0};
    for (const struct mix *const *m = mix_all(); *m; m++)
      text_addf(&names, "%s%s", names.len ? ", " : "", (*m)->name);
    cause_set(&c, STATUS_SETUP, "there is no mix '%s'", a.mix);
    cause_remedy(&c, "these can be loaded: %s", names.s);
    text_free(&names);
  } else if (a.density_given && a.load.density < a.load.mix->density_min) {
    cause_set(&c, STATUS_SETUP, "a density of %g is out of range", a.load.density);
    cause_remedy(&c, "the %s mix takes %g to 1", a.load.mix->name, a.load.mix->density_min);
  }
  if (c.text[0] || connect_target(&a.connect, &t, &c) != 0) {
    say_cause(&c);
    return STATUS_SETUP;
  }
  int status = load(&a, &t);
  target_free(&t);
  return status;
}
