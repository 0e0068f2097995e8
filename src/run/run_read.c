#include "config.h"

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "run/run.h"
#include "run/tsv.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JSON_MAX ((size_t)(16 * MIB))
#define SCHEMA 1

/* ---- JSON ---- */

/* Of two such figures the difference is a number, too; of times in ns it is 126 years. */
#define FIGURE_MOST INT64_C(4000000000000000000)

static int not_understood(const char *path, const char *what, struct cause *c) {
  cause_set(c, STATUS_INCOMPLETE, "%s is damaged: %s", path, what);
  return cause_remedy(c, "take it out of the run, or restore it from a copy");
}

/* An object with a "schema" that this program knows. */
static int read_json(const char *path, json_t **out, struct cause *c) {
  char *data;
  size_t n;
  json_error_t e;
  if (file_expect_regular(path, c) != 0 || file_read(path, JSON_MAX, &data, &n, c) != 0)
    return -1;
  json_t *j = json_loadb(data, n, JSON_REJECT_DUPLICATES, &e);
  free(data);
  if (!j) {
    cause_set(c, STATUS_INCOMPLETE, "%s:%d is damaged: %s", path, e.line, e.text);
    return cause_remedy(c, "restore it from a copy");
  }
  const json_t *schema = json_object_get(j, "schema");
  int rc = 0;
  if (!json_is_integer(schema))
    rc = not_understood(path, "it has no schema version", c);
  else if (json_integer_value(schema) != SCHEMA) {
    cause_set(c, STATUS_SETUP, "%s has schema version %lld, this program knows %d", path, (long long)json_integer_value(schema), SCHEMA);
    rc = cause_remedy(c, "use the version of ramknee that wrote it");
  }
  if (rc != 0)
    json_decref(j);
  else
    *out = j;
  return rc;
}

static int64_t get_int(const json_t *j, const char *key) {
  const json_t *v = json_object_get(j, key);
  return json_is_integer(v) && llabs(json_integer_value(v)) <= FIGURE_MOST ? json_integer_value(v) : ABSENT;
}

static double get_real(const json_t *j, const char *key) {
  return json_number_value(json_object_get(j, key));
}

static int get_flag(const json_t *j, const char *key) {
  const json_t *v = json_object_get(j, key);
  return json_is_boolean(v) ? json_is_true(v) : -1;
}

/* 16 hexadecimal digits; 0 when it is null or not that. */
static uint64_t get_digest(const json_t *j, const char *key) {
  const char *s = json_string_value(json_object_get(j, key));
  if (!s || strlen(s) != 16 || strspn(s, "0123456789abcdef") != 16)
    return 0;
  return strtoull(s, NULL, 16);
}

/* ---- a step ---- */

static int read_facts(const json_t *j, struct step_facts *f) {
  const char *role = json_string_value(json_object_get(j, "role"));
  int known = 0;
  for (int r = STEP_BURN_IN; r <= STEP_DRIFT; r++)
    if (role && strcmp(role, role_name((enum step_role)r)) == 0) {
      f->role = (enum step_role)r;
      known = 1;
    }
  f->index = (int)get_int(j, "index");
  f->setting_mib = json_is_null(json_object_get(j, "setting_mib")) ? 0 : get_int(j, "setting_mib");
  f->reached_kib = get_int(j, "reached_kib");
  f->cache_kib = get_int(j, "cache_kib");
  const json_t *phases = json_object_get(j, "phases");
  for (int p = 0; p < PHASES; p++) {
    const json_t *phase = json_object_get(phases, phase_name((enum phase)p));
    f->begin_ns[p] = get_int(phase, "begin_ns");
    f->end_ns[p] = get_int(phase, "end_ns");
  }
  f->sent = get_int(j, "sent");
  f->digest_requests = get_int(j, "digest_requests");
  f->digest = get_digest(j, "digest");
  f->digest_long_requests = get_int(j, "digest_long_requests");
  f->digest_long = get_digest(j, "digest_long");
  f->reached = get_flag(j, "reached");
  f->steady = get_flag(j, "steady");
  f->saturated = get_flag(j, "saturated");
  f->client_bound = get_flag(j, "client_bound");
  f->incomplete = get_flag(j, "incomplete") != 0;
  f->rate_wanted = get_real(j, "rate_wanted");
  f->rate_reached = get_real(j, "rate_reached");
  f->row_lock_wait_ms = get_int(j, "row_lock_wait_ms");
  return known && f->index > 0 && f->setting_mib >= 0 ? 0 : -1;
}

static void read_notes(const json_t *j, struct step_data *s) {
  const json_t *notes = json_object_get(j, "notes");
  size_t n = json_array_size(notes);
  s->note = n ? xcalloc(n, sizeof *s->note) : NULL;
  for (size_t i = 0; i < n; i++) {
    const char *code = json_string_value(json_object_get(json_array_get(notes, i), "code"));
    const char *text = json_string_value(json_object_get(json_array_get(notes, i), "text"));
    if (code && text)
      s->note[s->nnote++] = (struct run_note){xstrdup(code), xstrdup(text)};
  }
}

static int read_step_json(const char *folder, struct step_data *s, struct cause *c) {
  char *path = xprintf("%s/step.json", folder);
  json_t *j = NULL;
  int rc = read_json(path, &j, c);
  if (rc == 0) {
    struct step_facts by_name = s->facts;
    rc = read_facts(j, &s->facts);
    if (rc != 0) {
      s->facts = by_name;
      not_understood(path, "index, role or setting_mib is missing", c);
    } else
      read_notes(j, s);
    json_decref(j);
  }
  free(path);
  return rc;
}

static int read_samples(const char *path, struct step_data *s, struct cause *c) {
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  struct tsv_column *col = xcalloc(n, sizeof *col);
  for (size_t i = 0; i < n; i++)
    col[i] = (struct tsv_column){f[i].name, TSV_I64, f[i].offset, f[i].offset == offsetof(struct server_sample, at_ns) ? 0 : -FIGURE_MOST, FIGURE_MOST};
  void *row;
  int rc = tsv_read(path, col, n, sizeof *s->sample, &row, &s->nsample, c);
  s->sample = row;
  free(col);
  return rc;
}

static int read_seconds(const char *path, const struct run_data *d, struct step_data *s, struct cause *c) {
  size_t n;
  const struct record_field *f = record_load_fields(&n);
  struct tsv_column *col = xcalloc(n + RECORD_TYPES_MAX, sizeof *col);
  char *name[RECORD_TYPES_MAX];
  for (size_t i = 0; i < n; i++)
    col[i] = f[i].offset == offsetof(struct load_second, second)
                 ? (struct tsv_column){f[i].name, TSV_I64, f[i].offset, 0, FIGURE_MOST / 1000000000}
                 : (struct tsv_column){f[i].name, TSV_I64, f[i].offset, -FIGURE_MOST, FIGURE_MOST};
  for (int i = 0; i < d->ntype; i++) {
    name[i] = xprintf("done_%s", d->type_name[i]);
    col[n + (size_t)i] =
        (struct tsv_column){name[i], TSV_I64, offsetof(struct load_second, by_type) + (size_t)i * sizeof(int64_t), -FIGURE_MOST, FIGURE_MOST};
  }
  void *row;
  int rc = tsv_read(path, col, n + (size_t)d->ntype, sizeof *s->second, &row, &s->nsecond, c);
  s->second = row;
  for (int i = 0; i < d->ntype; i++)
    free(name[i]);
  free(col);
  return rc;
}

static int read_hist(const char *path, struct step_data *s, struct cause *c) {
  static const struct tsv_column col[] = {
      {"second", TSV_I32, offsetof(struct hist_record_row, second), 0, INT32_MAX},
      {"type", TSV_U8, offsetof(struct hist_record_row, type), 0, RECORD_TYPES_MAX - 1},
      {"what", TSV_WHAT, offsetof(struct hist_record_row, what), 0, 0},
      {"bucket", TSV_U32, offsetof(struct hist_record_row, e.bucket), 1, HIST_BUCKETS - 1},
      {"count", TSV_U32, offsetof(struct hist_record_row, e.count), 1, UINT32_MAX},
  };
  void *row;
  int rc = tsv_read(path, col, sizeof col / sizeof *col, sizeof *s->hist, &row, &s->nhist, c);
  s->hist = row;
  return rc;
}

static int read_waits(const char *path, struct step_data *s, struct cause *c) {
  static const struct tsv_column col[] = {
      {"type", TSV_TEXT, offsetof(struct wait_row, type), 0, sizeof s->wait->type},
      {"tasks", TSV_I64, offsetof(struct wait_row, tasks), -FIGURE_MOST, FIGURE_MOST},
      {"wait_ms", TSV_I64, offsetof(struct wait_row, wait_ms), -FIGURE_MOST, FIGURE_MOST},
      {"signal_ms", TSV_I64, offsetof(struct wait_row, signal_ms), -FIGURE_MOST, FIGURE_MOST},
  };
  void *row;
  int rc = tsv_read(path, col, sizeof col / sizeof *col, sizeof *s->wait, &row, &s->nwait, c);
  s->wait = row;
  return rc;
}

/* A file that a broken-off step did not come to write is no damage. */
static int unless_missing(int rc, int partial, struct cause *c) {
  if (rc == 0 || !partial || (c->number != -ENOENT && c->number != -ENODATA))
    return rc;
  cause_clear(c);
  return 0;
}

/* "01-128G" or "01-128G.part": 1, and what the name tells; 0: not a step's folder. */
static int parse_name(const char *name, struct step_data *s, int *partial) {
  size_t digits = strspn(name, "0123456789"), n = strlen(name);
  char number[12], key[32];
  if (digits < 2 || digits > 6 || name[digits] != '-')
    return 0;
  *partial = n > 5 && strcmp(name + n - 5, ".part") == 0;
  size_t keylen = n - digits - 1 - (*partial ? 5 : 0);
  if (keylen == 0 || keylen >= sizeof key)
    return 0;
  snprintf(number, sizeof number, "%.*s", (int)digits, name);
  snprintf(key, sizeof key, "%.*s", (int)keylen, name + digits + 1);
  int64_t index, bytes = 0;
  if (int_parse(number, "index", 1, 999999, &index, NULL) != 0 || (strcmp(key, RUN_UNKNOWN) != 0 && size_parse(key, &bytes, NULL) != 0))
    return 0;
  s->facts = (struct step_facts){
      .index = (int)index, .role = STEP_MEASURED, .setting_mib = bytes / MIB, .reached_kib = ABSENT, .cache_kib = ABSENT,
      .begin_ns = {ABSENT, ABSENT, ABSENT}, .end_ns = {ABSENT, ABSENT, ABSENT}, .sent = ABSENT, .digest_requests = ABSENT,
      .digest_long_requests = ABSENT, .reached = -1, .steady = -1, .saturated = -1, .client_bound = -1, .incomplete = *partial,
      .row_lock_wait_ms = ABSENT};
  s->name = xprintf("%.*s", (int)(digits + 1 + keylen), name);
  return 1;
}

/* What could not be read of a step; the file is named from the run folder on. */
static void keep_damage(struct step_data *s, const struct run_data *d, const struct cause *c) {
  size_t n = strlen(d->folder);
  s->facts.incomplete = 1;
  if (s->damage)
    return;
  const char *at = strstr(c->text, d->folder);
  if (at && at[n] == '/')
    s->damage = xprintf("%.*s%s", (int)(at - c->text), c->text, at + n + 1);
  else
    s->damage = xstrdup(c->text);
}

static void read_step(const char *folder, const struct run_data *d, struct step_data *s, int partial) {
  struct cause c = {0};
  if (unless_missing(read_step_json(folder, s, &c), partial, &c) != 0)
    keep_damage(s, d, &c);
  s->facts.incomplete |= partial;
  static const char *const name[] = {"samples.tsv", "load.tsv", "latency.tsv", "waits.tsv"};
  for (int i = 0; i < 4; i++) {
    char *path = xprintf("%s/%s", folder, name[i]);
    int rc = i == 0   ? read_samples(path, s, &c)
             : i == 1 ? read_seconds(path, d, s, &c)
             : i == 2 ? read_hist(path, s, &c)
                      : read_waits(path, s, &c);
    if (unless_missing(rc, partial, &c) != 0)
      keep_damage(s, d, &c);
    free(path);
  }
}

/* ---- the run ---- */

static int by_order(const void *a, const void *b) {
  const struct step_facts *x = &((const struct step_data *)a)->facts, *y = &((const struct step_data *)b)->facts;
  if (x->incomplete != y->incomplete)
    return x->incomplete - y->incomplete;
  return (x->index > y->index) - (x->index < y->index);
}

static int read_steps(struct run_data *d, struct cause *c) {
  char *steps = xprintf("%s/steps", d->folder);
  DIR *dir = opendir(steps);
  int rc = 0;
  if (!dir && errno != ENOENT)
    rc = cause_errno(c, STATUS_SETUP, errno, "cannot read %s", steps);
  const struct dirent *e;
  while (dir && (e = readdir(dir))) {
    struct step_data s = {0};
    int partial;
    if (!parse_name(e->d_name, &s, &partial))
      continue;
    d->step = xrealloc(d->step, d->nstep + 1, sizeof *d->step);
    d->step[d->nstep++] = s;
    char *path = xprintf("%s/%s", steps, e->d_name);
    read_step(path, d, &d->step[d->nstep - 1], partial);
    free(path);
  }
  if (dir)
    closedir(dir);
  free(steps);
  if (d->nstep)
    qsort(d->step, d->nstep, sizeof *d->step, by_order);
  return rc;
}

static int read_meta(struct run_data *d, struct cause *c) {
  char *path = xprintf("%s/run.json", d->folder);
  int rc = read_json(path, &d->meta, c);
  if (rc != 0 && (c->number == -ENOENT || c->number == -ENOTDIR)) {
    char *verdict = xprintf("%s/verdict.json", d->folder);
    if (access(verdict, F_OK) == 0)
      cause_set(c, STATUS_SETUP, "%s was made from a table by 'ramknee analyze': it is no run", d->folder);
    else
      cause_set(c, STATUS_SETUP, "%s is not a run folder: it has no run.json", d->folder);
    cause_remedy(c, "name the folder that a sweep wrote");
    free(verdict);
  }
  const json_t *types = json_object_get(d->meta, "types");
  size_t n = json_array_size(types);
  if (rc == 0 && n > RECORD_TYPES_MAX)
    rc = not_understood(path, "it has too many transaction types", c);
  d->type_name = xcalloc(RECORD_TYPES_MAX, sizeof *d->type_name);
  for (size_t i = 0; rc == 0 && i < n; i++) {
    const char *s = json_string_value(json_array_get(types, i));
    if (s && s[0])
      d->type_name[d->ntype++] = xstrdup(s);
    else
      rc = not_understood(path, "a transaction type has no name", c);
  }
  free(path);
  return rc;
}

/* What became known after run.json was written stands in it when read. */
static int read_later(struct run_data *d, const char *member, struct cause *c) {
  char *path = xprintf("%s/%s.json", d->folder, member);
  json_t *j = NULL;
  int rc = unless_missing(read_json(path, &j, c), 1, c);
  free(path);
  if (j)
    json_object_set_new(d->meta, member, j);
  return rc;
}

static int read_sessions(struct run_data *d, struct cause *c) {
  char *path = xprintf("%s/sessions.json", d->folder);
  json_t *j = NULL;
  int rc = unless_missing(read_json(path, &j, c), 1, c);
  if (j && !json_is_array(json_object_get(j, "sessions")))
    rc = not_understood(path, "it has no list of sessions", c);
  else if (j)
    json_object_set(d->meta, "sessions", json_object_get(j, "sessions"));
  json_decref(j);
  free(path);
  return rc;
}

static int read_end(struct run_data *d, struct cause *c) {
  char *path = xprintf("%s/end.json", d->folder);
  int rc = unless_missing(read_json(path, &d->end, c), 1, c);
  free(path);
  return rc;
}

int64_t run_stopped_mib(const struct run_data *d, const char **why) {
  int64_t mib = 0;
  for (size_t i = 0; i < d->nstep; i++)
    for (size_t k = 0; k < d->step[i].nnote; k++)
      if (strcmp(d->step[i].note[k].code, "stop-above") == 0 && d->step[i].facts.setting_mib > mib) {
        if (why)
          *why = d->step[i].note[k].text;
        mib = d->step[i].facts.setting_mib;
      }
  return mib;
}

int run_read(struct run_data **out, const char *folder, struct cause *c) {
  struct cause own = {0};
  c = c ? c : &own;
  struct run_data *d = xcalloc(1, sizeof *d);
  d->folder = xstrdup(folder);
  if (read_meta(d, c) != 0 || read_later(d, "demand", c) != 0 || read_later(d, "refine", c) != 0 || read_sessions(d, c) != 0 || read_end(d, c) != 0 ||
      read_steps(d, c) != 0) {
    run_data_free(d);
    return -1;
  }
  *out = d;
  return 0;
}

static void step_data_free(struct step_data *s) {
  free(s->name);
  free(s->sample);
  free(s->second);
  free(s->hist);
  free(s->wait);
  for (size_t i = 0; i < s->nnote; i++) {
    free(s->note[i].code);
    free(s->note[i].text);
  }
  free(s->note);
  free(s->damage);
}

void run_data_drop_steps(struct run_data *d) {
  for (size_t i = 0; i < d->nstep; i++)
    step_data_free(&d->step[i]);
  free(d->step);
  d->step = NULL;
  d->nstep = 0;
}

void run_data_free(struct run_data *d) {
  if (!d)
    return;
  run_data_drop_steps(d);
  for (int i = 0; i < d->ntype; i++)
    free(d->type_name[i]);
  free(d->type_name);
  json_decref(d->meta);
  json_decref(d->end);
  free(d->folder);
  free(d);
}
