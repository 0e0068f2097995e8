#include "config.h"

#include "report/join.h"
#include "report/day.h"
#include "report/meta.h"
#include "report/words.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int64_t pause_ns = 10 * NS_PER_S; /* between two points: nothing is taken for a difference of the two */
enum { DRAIN_EVERY = 500 };                    /* seconds that are handed over before the disk is waited for */

struct joined {
  struct run_data **run;
  size_t nrun;
  struct point {
    const struct step_data *step;
    size_t run;
    int64_t mib; /* that of a neighbour within 1 % counts as its own */
  } *point;
  size_t npoint;
  struct text notes; /* one a line */
  int damaged;       /* a step was left out that could not be read */
};

char *join_default_folder(void) {
  char stamp[32];
  time_t now = time(NULL);
  struct tm tm;
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
  return xprintf("ramknee-joined-%s", stamp);
}

/* ---- do they compare? ---- */

/* What must be the same.  Never: not even by force. */
static const struct condition {
  const char *path, *what;
  int never;
} conditions[] = {
  {"label", "the kind of server", 1},
  {"database.mix", "mix", 1},
  {"types", "the mix's transaction types", 1},
  {"database.scale", "scale of the load", 0},
  {"database.density", "density of the load", 0},
  {"database.seed", "seed of the load", 0},
  {"database.stationary", "stationary", 0},
  {"demand.users", "users", 0},
  {"demand.rate", "rate", 0},
  {"demand.think_s", "think time (s)", 0},
  {"demand.seed", "seed of the requests", 0},
  {"client.host", "client", 0},
  {"client.cpus", "the client's processors", 0},
};

static int same(const json_t *a, const json_t *b) {
  if (json_is_number(a) && json_is_number(b)) {
    double x = json_number_value(a), y = json_number_value(b);
    return fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
  }
  return (!a && !b) || (a && b && json_equal(a, b));
}

static char *value_text(const json_t *j) {
  if (!j)
    return xstrdup("none");
  if (json_is_string(j))
    return xprintf("'%.60s'", json_string_value(j));
  char *s = json_dumps(j, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)), *copy = xprintf("%.60s", s ? s : "?");
  free(s);
  return copy;
}

static void add_difference(struct text *t, const char *what, const json_t *a, const json_t *b) {
  char *x = value_text(a), *y = value_text(b);
  text_addf(t, "%s%s %s against %s", t->len ? "; " : "", what, x, y);
  free(x);
  free(y);
}

/* Runs of before the client was recorded do not tell it. */
static int is_unknown(const struct condition *k, const json_t *a, const json_t *b) {
  return strncmp(k->path, "client.", 7) == 0 && (!a || !b);
}

/* What keeps b from being joined with a: into `never` and `unless` (by force). */
static void compare(const struct run_data *a, const struct run_data *b, struct text *never, struct text *unless) {
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
    const struct condition *k = &conditions[i];
    const json_t *x = meta_at(a->meta, k->path), *y = meta_at(b->meta, k->path);
    if (!same(x, y) && !is_unknown(k, x, y))
      add_difference(k->never ? never : unless, k->what, x, y);
  }
}

/* Of the same seed and demand the same requests must have been sent. */
static void compare_digests(const struct joined *j, struct text *unless) {
  const struct step_facts *first = NULL;
  for (size_t i = 0; i < j->npoint; i++) {
    const struct step_facts *f = &j->point[i].step->facts;
    if (f->digest == 0)
      continue;
    if (!first)
      first = f;
    else if (f->digest != first->digest || f->digest_requests != first->digest_requests) {
      char a[24], b[24];
      text_addf(unless, "%sthe requests sent at %s are not those of %s", unless->len ? "; " : "",
                memory_name(f->setting_mib, a, sizeof a), memory_name(first->setting_mib, b, sizeof b));
      return;
    }
  }
}

static void add_note(struct joined *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_note(struct joined *j, const char *fmt, ...) {
  char text[900];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  text_addf(&j->notes, "%s\n", text);
}

/* What may differ and still shows in the curve. */
static void note_servers(struct joined *j) {
  static const struct {
    const char *path, *what;
  } may[] = {{"server.name", "server"}, {"server.version", "version"}, {"server.edition", "edition"}, {"server.cpus", "processors"},
             {"program", "version of ramknee"}};
  struct text t = {0};
  for (size_t k = 0; k < sizeof may / sizeof *may; k++)
    for (size_t i = 1; i < j->nrun; i++) {
      const json_t *a = meta_at(j->run[0]->meta, may[k].path), *b = meta_at(j->run[i]->meta, may[k].path);
      if (same(a, b))
        continue;
      add_difference(&t, may[k].what, a, b);
      break;
    }
  if (t.len)
    add_note(j, "the points do not all come from the same server, and what differs shows in the curve: %s", t.s);
  text_free(&t);
}

static int refuse(const struct text *t, const char *a, const char *b, int never, struct cause *c) {
  cause_set(c, STATUS_SETUP, "%s and %s do not make one curve: %s", a, b, t->s);
  if (never)
    return cause_remedy(c, "join runs of the same mix on the same kind of server");
  return cause_remedy(c, "measure again with --like %s and the same load, or say --force: the report then names the differences", a);
}

static int check_conditions(struct joined *j, int force, struct cause *c) {
  int rc = 0;
  for (size_t i = 1; i < j->nrun && rc == 0; i++) {
    struct text never = {0}, unless = {0};
    compare(j->run[0], j->run[i], &never, &unless);
    if (never.len)
      rc = refuse(&never, j->run[0]->folder, j->run[i]->folder, 1, c);
    else if (unless.len && !force)
      rc = refuse(&unless, j->run[0]->folder, j->run[i]->folder, 0, c);
    else if (unless.len)
      add_note(j, "%s was joined by force: %s", j->run[i]->folder, unless.s);
    text_free(&never);
    text_free(&unless);
  }
  return rc;
}

static int check_requests(struct joined *j, int force, struct cause *c) {
  struct text t = {0};
  int rc = 0;
  compare_digests(j, &t);
  if (t.len && !force) {
    cause_set(c, STATUS_SETUP, "these points do not make one curve: %s", t.s);
    rc = cause_remedy(c, "measure again with --like and the same version of ramknee, or say --force: the report then says so");
  } else if (t.len)
    add_note(j, "joined by force: %s", t.s);
  text_free(&t);
  return rc;
}

/* ---- the points ---- */

static int larger_first(const void *a, const void *b) {
  const struct point *x = a, *y = b;
  if (x->step->facts.setting_mib != y->step->facts.setting_mib)
    return x->step->facts.setting_mib > y->step->facts.setting_mib ? -1 : 1;
  return x->run != y->run ? (x->run > y->run) - (x->run < y->run) : (x->step > y->step) - (x->step < y->step);
}

/* 131,070 and 131,072 MB are one memory, not two points of a curve. */
static void unite_neighbours(struct joined *j) {
  char a[24], b[24];
  for (size_t i = 0; i < j->npoint; i++) {
    struct point *p = &j->point[i];
    p->mib = p->step->facts.setting_mib;
    if (i > 0 && p->mib != j->point[i - 1].mib && p->mib >= j->point[i - 1].mib / 100 * 99) {
      add_note(j, "%s of %s counts as %s", memory_name(p->mib, a, sizeof a), j->run[p->run]->folder,
               memory_name(j->point[i - 1].mib, b, sizeof b));
      p->mib = j->point[i - 1].mib;
    }
  }
}

static int take_points(struct joined *j, struct cause *c) {
  for (size_t r = 0; r < j->nrun; r++) {
    size_t before = j->npoint;
    for (size_t i = 0; i < j->run[r]->nstep; i++) {
      const struct step_data *s = &j->run[r]->step[i];
      if (s->damage) {
        add_note(j, "step %s of %s is left out: %s", s->name, j->run[r]->folder, s->damage);
        j->damaged = 1;
      } else if (s->facts.incomplete)
        add_note(j, "step %s of %s is left out: it was not measured whole", s->name, j->run[r]->folder);
      if (s->facts.incomplete || s->facts.role != STEP_MEASURED)
        continue;
      if (s->facts.setting_mib <= 0) {
        cause_set(c, STATUS_SETUP, "the memory of the point in %s is not known", j->run[r]->folder);
        return cause_remedy(c, "measure it again, and say its memory with --memory");
      }
      j->point = xrealloc(j->point, j->npoint + 1, sizeof *j->point);
      j->point[j->npoint++] = (struct point){.step = s, .run = r};
    }
    if (j->npoint == before) {
      cause_set(c, STATUS_SETUP, "%s holds no point that was measured whole", j->run[r]->folder);
      return cause_remedy(c, "leave it out; 'ramknee report %s' says what it holds", j->run[r]->folder);
    }
  }
  qsort(j->point, j->npoint, sizeof *j->point, larger_first);
  unite_neighbours(j);
  return 0;
}

/* ---- writing ---- */

/* The same in all runs, else the different texts; a number that differs is null. */
static void merge_member(const struct joined *j, json_t *server, const char *key) {
  struct text t = {0};
  char path[64], *last = NULL;
  int differs = 0, texts = 1;
  snprintf(path, sizeof path, "server.%s", key);
  const json_t *first = meta_at(j->run[0]->meta, path);
  for (size_t i = 0; i < j->nrun; i++) {
    const json_t *v = meta_at(j->run[i]->meta, path);
    const char *s = json_string_value(v);
    differs |= !same(first, v);
    texts &= s != NULL;
    if (!s || (last && strcmp(last, s) == 0) || (t.len && strstr(t.s, s)))
      continue;
    if (last)
      text_addf(&t, "%s%s", t.len ? ", " : "", last);
    free(last);
    last = xprintf("%.80s", s);
  }
  text_addf(&t, "%s%s", t.len ? " and " : "", last ? last : "");
  free(last);
  if (differs)
    json_object_set_new(server, key, texts ? json_string(t.s) : json_null());
  text_free(&t);
}

/* "128 GB and 64 GB of RUN; 32 GB of RUN". */
static char *sources_text(const struct joined *j) {
  struct text t = {0};
  char size[24];
  for (size_t r = 0; r < j->nrun; r++) {
    int n = 0;
    text_add(&t, t.len ? "; " : "");
    for (size_t i = 0; i < j->npoint; i++)
      if (j->point[i].run == r)
        text_addf(&t, "%s%s", n++ ? ", " : "", memory_name(j->point[i].step->facts.setting_mib, size, sizeof size));
    text_addf(&t, " of %s", j->run[r]->folder);
  }
  return t.s;
}

/* One for each run; what was joined before keeps those that it has. */
static json_t *make_entries(const struct joined *j) {
  json_t *all = json_array();
  for (size_t r = 0; r < j->nrun; r++) {
    json_t *before = json_object_get(j->run[r]->meta, "runs");
    if (json_array_size(before) > 0)
      json_array_extend(all, before);
    else
      json_array_append_new(all, joined_entry(j->run[r]));
  }
  return all;
}

/* Joined by force: what one run asked for is not what all did. */
static void forget_differences(const struct joined *j, json_t *demand) {
  static const char *const key[] = {"users", "think_s"};
  for (size_t k = 0; k < sizeof key / sizeof *key; k++)
    for (size_t r = 1; r < j->nrun; r++) {
      char path[32];
      snprintf(path, sizeof path, "demand.%s", key[k]);
      if (!same(meta_at(j->run[0]->meta, path), meta_at(j->run[r]->meta, path)))
        json_object_set_new(demand, key[k], json_null());
    }
}

static json_t *make_meta(const struct joined *j) {
  static const char *const merged[] = {"name", "node", "version", "edition", "platform", "engine_edition", "physical_memory_mib", "cpus",
                                       "start_ticks", "file_system"};
  json_t *meta = json_deep_copy(j->run[0]->meta), *server = json_object_get(meta, "server"), *sources = json_array(), *steps = json_array();
  for (size_t i = 0; json_is_object(server) && i < sizeof merged / sizeof *merged; i++)
    merge_member(j, server, merged[i]);
  for (size_t r = 0; r < j->nrun; r++)
    json_array_append_new(sources, json_string(j->run[r]->folder));
  for (size_t i = 0; i < j->npoint; i++)
    if (i == 0 || j->point[i].mib != j->point[i - 1].mib)
      json_array_append_new(steps, json_integer(j->point[i].mib));
  char *text = sources_text(j);
  json_object_set_new(meta, "runs", make_entries(j));
  json_object_set_new(meta, "schema", json_integer(1));
  json_object_set_new(meta, "kind", json_string("joined"));
  json_object_set_new(meta, "sources", sources);
  json_object_set_new(meta, "points", json_string(text));
  json_object_set_new(meta, "plan", json_pack("{s:o, s:b}", "steps_mib", steps, "drift", 0));
  json_object_set_new(meta, "before", json_null());
  forget_differences(j, json_object_get(meta, "demand"));
  json_object_del(meta, "memory");
  free(text);
  return meta;
}

/* Where a step begins in its own run, a whole second. */
static int64_t begin_of(const struct step_data *s) {
  int64_t ns = INT64_MAX;
  if (s->nsample && s->sample[0].at_ns != ABSENT)
    ns = s->sample[0].at_ns;
  if (s->nsecond && s->second[0].second * NS_PER_S < ns)
    ns = s->second[0].second * NS_PER_S;
  for (int p = 0; p < PHASES; p++)
    if (s->facts.begin_ns[p] != ABSENT && s->facts.begin_ns[p] < ns)
      ns = s->facts.begin_ns[p];
  return ns == INT64_MAX ? 0 : ns / NS_PER_S * NS_PER_S;
}

static int64_t end_of(const struct step_data *s) {
  int64_t ns = 0;
  if (s->nsample && s->sample[s->nsample - 1].at_ns != ABSENT)
    ns = s->sample[s->nsample - 1].at_ns;
  if (s->nsecond && (s->second[s->nsecond - 1].second + 1) * NS_PER_S > ns)
    ns = (s->second[s->nsecond - 1].second + 1) * NS_PER_S;
  for (int p = 0; p < PHASES; p++)
    if (s->facts.end_ns[p] != ABSENT && s->facts.end_ns[p] > ns)
      ns = s->facts.end_ns[p];
  return ns;
}

static void shift(int64_t *ns, int64_t by) {
  if (*ns != ABSENT)
    *ns += by;
}

static void copy_seconds(struct run_step *to, const struct step_data *s, int64_t by_s) {
  size_t at = 0;
  for (size_t i = 0; i < s->nsecond; i++) {
    struct load_second second = s->second[i];
    while (at < s->nhist && s->hist[at].second < second.second)
      at++;
    size_t end = at;
    while (end < s->nhist && s->hist[end].second == second.second)
      end++;
    struct hist_record_row *row = xcalloc(end - at + 1, sizeof *row);
    for (size_t k = at; k < end; k++) {
      row[k - at] = s->hist[k];
      row[k - at].second += (int32_t)by_s;
    }
    second.second += by_s;
    run_step_second(to, &second, row, end - at);
    free(row);
    at = end;
    if (i % DRAIN_EVERY == 0)
      run_step_drain(to);
  }
}

static int copy_point(const struct joined *j, struct run *run, size_t i, int64_t *now_ns, struct cause *c) {
  const struct point *p = &j->point[i];
  const struct step_data *s = p->step;
  const int64_t by_ns = *now_ns - begin_of(s);
  struct run_step *to;
  if (run_step_begin(run, &to, (int)i + 1, p->mib, STEP_MEASURED, c) != 0)
    return -1;
  for (size_t k = 0; k < s->nsample; k++) {
    struct server_sample sample = s->sample[k];
    shift(&sample.at_ns, by_ns);
    run_step_sample(to, &sample);
    if (k % DRAIN_EVERY == 0)
      run_step_drain(to);
  }
  copy_seconds(to, s, by_ns / NS_PER_S);
  for (size_t k = 0; k < s->nnote; k++)
    if (strcmp(s->note[k].code, NOTE_STOP_ABOVE) != 0) /* that ends its own run: in the run's entry */
      run_step_note(to, s->note[k].code, "%s", s->note[k].text);
  for (char *line = i == 0 ? j->notes.s : NULL; line && *line; line += strcspn(line, "\n") + 1)
    run_step_note(to, NOTE_JOINED, "%.*s", (int)strcspn(line, "\n"), line);
  struct step_facts f = s->facts;
  for (int q = 0; q < PHASES; q++) {
    shift(&f.begin_ns[q], by_ns);
    shift(&f.end_ns[q], by_ns);
  }
  *now_ns = (end_of(s) + by_ns + pause_ns + NS_PER_S - 1) / NS_PER_S * NS_PER_S;
  return run_step_end(to, &f, s->wait, s->nwait, c);
}

static int write_all(const struct joined *j, const char *to, struct cause *c) {
  struct run *run = NULL;
  int64_t now_ns = 0;
  json_t *meta = make_meta(j);
  int existed = access(to, F_OK) == 0, rc = run_create(&run, to, meta, c), created = rc == 0;
  json_decref(meta);
  for (size_t i = 0; i < j->npoint && rc == 0; i++)
    rc = copy_point(j, run, i, &now_ns, c);
  if (rc == 0)
    rc = run_end(run, STATUS_DONE, -1, NULL, c);
  run_close(run);
  if (rc != 0 && created && !existed)
    folder_remove(to, NULL);
  return rc;
}

/* One run given twice would be counted twice, and call itself sure. */
static int check_folders(const char *const *folder, size_t n, struct cause *c) {
  struct stat a, b;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (stat(folder[i], &a) == 0 && stat(folder[k], &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
        cause_set(c, STATUS_SETUP, "%s and %s are the same run", folder[k], folder[i]);
        return cause_remedy(c, "give each run once");
      }
  return 0;
}

int join_runs(const char *const *folder, size_t n, const char *to, int force, struct cause *c) {
  struct joined j = {.run = xcalloc(n, sizeof *j.run)};
  int rc = check_folders(folder, n, c);
  for (size_t i = 0; i < n && rc == 0; i++) {
    rc = run_read(&j.run[i], folder[i], c);
    j.nrun += rc == 0;
    if (rc == 0 && day_is(j.run[i])) {
      cause_set(c, STATUS_SETUP, "%s is a working day without a load: it has no latency to be joined", folder[i]);
      rc = cause_remedy(c, "leave it out; 'ramknee report %s' reports it alone", folder[i]);
    }
  }
  if (rc == 0 && (check_conditions(&j, force, c) != 0 || take_points(&j, c) != 0 || check_requests(&j, force, c) != 0))
    rc = -1;
  if (rc == 0) {
    note_servers(&j);
    rc = write_all(&j, to, c) != 0 ? -1 : j.damaged;
  }
  for (size_t i = 0; i < j.nrun; i++)
    run_data_free(j.run[i]);
  free(j.run);
  free(j.point);
  text_free(&j.notes);
  return rc;
}
