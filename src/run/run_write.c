#include "config.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "run/lines.h"
#include "run/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct run {
  char *folder;
  int log_fd;
  int ntype;
  char *type_name[RECORD_TYPES_MAX];
};

enum { SAMPLES, LOAD, LATENCY, STREAMS };

struct run_step {
  const struct run *run;
  char *part, *whole; /* the folder's name while it grows, and when it is complete */
  int index;
  int64_t setting_mib;
  enum step_role role;
  struct lines *lines;
  pthread_mutex_t lock; /* for the notes */
  json_t *notes;
};

/* ---- the run ---- */

static int folder_is_empty(const char *path, int *empty, struct cause *c) {
  DIR *d = opendir(path);
  if (!d) {
    cause_errno(c, STATUS_SETUP, errno, "cannot read the run folder %s", path);
    return cause_remedy(c, "name a new folder");
  }
  const struct dirent *e;
  *empty = 1;
  while (*empty && (e = readdir(d)))
    *empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
  closedir(d);
  return 0;
}

static int write_json(const char *path, const json_t *j, int status, struct cause *c) {
  char *s = json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
  if (!s)
    return cause_set(c, status, "cannot write %s: its text is not valid UTF-8", path);
  struct text t = {0};
  text_add(&t, s);
  text_add(&t, "\n");
  free(s);
  int rc = file_write(path, t.s, t.len, 0666, c);
  text_free(&t);
  if (rc != 0) {
    lines_remedy(c);
    if (c)
      c->status = status;
  }
  return rc;
}

/* The names of transaction types, for the columns of load.tsv. */
static int take_types(struct run *r, const json_t *meta, struct cause *c) {
  const json_t *types = json_object_get(meta, "types");
  r->ntype = (int)json_array_size(types);
  if (r->ntype > RECORD_TYPES_MAX)
    return cause_set(c, STATUS_SETUP, "a run has at most %d transaction types, not %d", RECORD_TYPES_MAX, r->ntype);
  for (int i = 0; i < r->ntype; i++) {
    const char *s = json_string_value(json_array_get(types, (size_t)i));
    if (!s || !s[0] || strpbrk(s, "\t\n")) {
      r->ntype = i;
      return cause_set(c, STATUS_SETUP, "transaction type %d has no usable name", i);
    }
    r->type_name[i] = xstrdup(s);
  }
  return 0;
}

static int fill_folder(struct run *r, json_t *meta, struct cause *c) {
  char *steps = xprintf("%s/steps", r->folder), *log = xprintf("%s/log.txt", r->folder), *json = xprintf("%s/run.json", r->folder);
  int rc = folder_make(steps, c);
  if (rc == 0 && (r->log_fd = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)) < 0)
    rc = cause_errno(c, STATUS_SETUP, errno, "cannot write %s", log);
  if (rc != 0)
    lines_remedy(c);
  else
    rc = write_json(json, meta, STATUS_SETUP, c);
  free(steps);
  free(log);
  free(json);
  return rc;
}

/* The folder is there. */
static int refuse_full(const char *folder, struct cause *c) {
  int empty = 0;
  if (folder_is_empty(folder, &empty, c) != 0)
    return -1;
  if (empty)
    return 0;
  cause_set(c, STATUS_SETUP, "the run folder %s exists and is not empty", folder);
  return cause_remedy(c, "name a new folder, or move that one away");
}

static int refuse_unwritable(const char *folder, const char *run, struct cause *c) {
  if (access(folder, W_OK | X_OK) == 0)
    return 0;
  cause_errno(c, STATUS_SETUP, errno, "cannot write the run folder %s", run);
  return lines_remedy(c);
}

/* The nearest folder above one that is not there must take a new one. */
static int refuse_above(const char *folder, struct cause *c) {
  char *above = xstrdup(folder), *slash;
  struct stat st;
  do {
    slash = strrchr(above, '/');
    if (slash)
      *slash = '\0';
  } while (slash && slash != above && lstat(above, &st) != 0 && errno == ENOENT);
  int rc = refuse_unwritable(!slash ? "." : slash == above ? "/" : above, folder, c);
  free(above);
  return rc;
}

int run_could_be(const char *folder, struct cause *c) {
  struct stat st;
  if (lstat(folder, &st) != 0 && errno == ENOENT)
    return refuse_above(folder, c);
  return refuse_full(folder, c) != 0 ? -1 : refuse_unwritable(folder, folder, c);
}

int run_create(struct run **out, const char *folder, json_t *meta, struct cause *c) {
  struct cause own;
  c = c ? c : &own; /* remedies follow from its number */
  struct run *r = xcalloc(1, sizeof *r);
  r->folder = xstrdup(folder);
  r->log_fd = -1;
  signal(SIGXFSZ, SIG_IGN);
  if (folder_make(folder, c) != 0) {
    lines_remedy(c);
    goto fail;
  }
  if (refuse_full(folder, c) != 0 || take_types(r, meta, c) != 0 || fill_folder(r, meta, c) != 0)
    goto fail;
  *out = r;
  return 0;
fail:
  run_close(r);
  return -1;
}

/* steps/00-SIZE becomes steps/00-SIZE.N: the next session has a burn-in of its own. */
static int set_burn_in_aside(const char *folder, size_t session, struct cause *c) {
  char *steps = xprintf("%s/steps", folder);
  DIR *d = opendir(steps);
  const struct dirent *e;
  int rc = 0;
  if (!d)
    rc = cause_errno(c, STATUS_SETUP, errno, "cannot read %s", steps);
  while (d && rc == 0 && (e = readdir(d))) {
    if (strncmp(e->d_name, "00-", 3) != 0 || strchr(e->d_name, '.'))
      continue;
    char *from = xprintf("%s/%s", steps, e->d_name), *to = xprintf("%s/%s.%zu", steps, e->d_name, session);
    if (rename(from, to) != 0)
      rc = cause_errno(c, STATUS_SETUP, errno, "cannot rename %s", from);
    free(from);
    free(to);
  }
  if (d)
    closedir(d);
  if (rc == 0)
    rc = folder_sync(steps, c);
  free(steps);
  return rc;
}

static int add_session(const struct run_data *d, json_t *session, struct cause *c) {
  json_t *all = json_object_get(d->meta, "sessions");
  all = all ? json_copy(all) : json_array();
  json_array_append(all, session);
  json_object_set(session, "before", d->end ? d->end : json_null());
  json_t *j = json_pack("{s:i, s:o}", "schema", 1, "sessions", all);
  char *path = xprintf("%s/sessions.json", d->folder);
  int rc = write_json(path, j, STATUS_SETUP, c);
  free(path);
  json_decref(j);
  return rc;
}

/* How the session before ended is no end of the run any more. */
static int forget_end(const char *folder, struct cause *c) {
  char *path = xprintf("%s/end.json", folder);
  int rc = unlink(path) != 0 && errno != ENOENT ? cause_errno(c, STATUS_SETUP, errno, "cannot remove %s", path) : folder_sync(folder, c);
  free(path);
  return rc;
}

int run_resume(struct run **out, const struct run_data *d, json_t *session, struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  size_t before = json_array_size(json_object_get(d->meta, "sessions")) + 1;
  signal(SIGXFSZ, SIG_IGN);
  if (run_open(out, d->folder, c) != 0) {
    c->status = STATUS_SETUP;
    return lines_remedy(c);
  }
  if (take_types(*out, d->meta, c) == 0 && set_burn_in_aside(d->folder, before, c) == 0 && add_session(d, session, c) == 0 &&
      forget_end(d->folder, c) == 0)
    return 0;
  run_close(*out);
  *out = NULL;
  return -1;
}

int run_open(struct run **out, const char *folder, struct cause *c) {
  struct run *r = xcalloc(1, sizeof *r);
  r->folder = xstrdup(folder);
  char *log = xprintf("%s/log.txt", folder);
  r->log_fd = open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
  int rc = r->log_fd < 0 ? cause_errno(c, STATUS_INCOMPLETE, errno, "cannot write %s", log) : 0;
  free(log);
  if (rc == 0)
    *out = r;
  else
    run_close(r);
  return rc;
}

/* A file of its own for what was not known when run.json was written. */
static int write_later(struct run *r, const char *name, json_t *members, struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  char *path = xprintf("%s/%s", r->folder, name);
  json_t *j = json_copy(members);
  json_object_set_new(j, "schema", json_integer(1));
  int rc = write_json(path, j, STATUS_INCOMPLETE, c);
  json_decref(j);
  free(path);
  return rc;
}

int run_demand(struct run *r, json_t *demand, struct cause *c) {
  return write_later(r, "demand.json", demand, c);
}

int run_refine(struct run *r, json_t *refine, struct cause *c) {
  return write_later(r, "refine.json", refine, c);
}

int run_log_fd(const struct run *r) {
  return r->log_fd;
}

void run_close(struct run *r) {
  if (!r)
    return;
  if (r->log_fd >= 0)
    close(r->log_fd);
  for (int i = 0; i < r->ntype; i++)
    free(r->type_name[i]);
  free(r->folder);
  free(r);
}

/* 1, 0, or null for -1. */
static json_t *flag_or_null(int v) {
  return v < 0 ? json_null() : json_boolean(v);
}

int run_end(struct run *r, int status, int put_back, const char *why, struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  char when[32];
  json_t *j = json_pack("{s:i, s:i, s:o, s:s?, s:s}", "schema", 1, "status", status, "put_back", flag_or_null(put_back), "why", why, "ended",
                        wall_text(wall_ns(), when, sizeof when));
  if (!j)
    return cause_set(c, STATUS_INCOMPLETE, "cannot write %s/end.json: its text is not valid UTF-8", r->folder);
  char *path = xprintf("%s/end.json", r->folder);
  int rc = write_json(path, j, STATUS_INCOMPLETE, c);
  free(path);
  json_decref(j);
  return rc;
}

/* ---- a step's lines ---- */

/* ABSENT adds nothing. */
static void add_int(struct text *t, int64_t v) {
  if (v == ABSENT)
    return;
  char buf[24], *p = buf + sizeof buf;
  uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
  do
    *--p = (char)('0' + u % 10);
  while ((u /= 10) != 0);
  if (v < 0)
    *--p = '-';
  text_addn(t, p, (size_t)(buf + sizeof buf - p));
}

static void add_fields(struct text *t, const struct record_field *f, size_t n, const void *record) {
  for (size_t i = 0; i < n; i++) {
    int64_t v;
    memcpy(&v, (const char *)record + f[i].offset, sizeof v);
    if (i)
      text_add(t, "\t");
    add_int(t, v);
  }
}

static void add_header(struct text *t, const struct record_field *f, size_t n) {
  for (size_t i = 0; i < n; i++)
    text_addf(t, "%s%s", i ? "\t" : "", f[i].name);
}

void run_step_sample(struct run_step *s, const struct server_sample *sample) {
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  struct text *t = lines_begin(s->lines, SAMPLES);
  if (t) {
    add_fields(t, f, n, sample);
    text_add(t, "\n");
  }
  lines_end(s->lines);
}

void run_step_second(struct run_step *s, const struct load_second *second, const struct hist_record_row *row, size_t nrow) {
  static const char what[HIST_WHATS] = {'r', 's', 'l'};
  size_t n;
  const struct record_field *f = record_load_fields(&n);
  struct text *t = lines_begin(s->lines, LOAD);
  if (t) {
    add_fields(t, f, n, second);
    for (int i = 0; i < s->run->ntype; i++) {
      text_add(t, "\t");
      add_int(t, second->by_type[i]);
    }
    text_add(t, "\n");
  }
  lines_end(s->lines);
  t = lines_begin(s->lines, LATENCY);
  for (size_t i = 0; t && i < nrow; i++) {
    const char kind[4] = {'\t', what[row[i].what % HIST_WHATS], '\t', '\0'};
    add_int(t, row[i].second);
    text_add(t, "\t");
    add_int(t, row[i].type);
    text_add(t, kind);
    add_int(t, row[i].e.bucket);
    text_add(t, "\t");
    add_int(t, row[i].e.count);
    text_add(t, "\n");
  }
  lines_end(s->lines);
}

void run_step_note(struct run_step *s, const char *code, const char *fmt, ...) {
  char text[1000];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  json_t *j = json_pack("{s:s, s:s}", "code", code, "text", text);
  if (!j) /* not UTF-8: a server's words, cut somewhere */
    j = json_pack("{s:s, s:s}", "code", code, "text", "(a text that could not be written)");
  pthread_mutex_lock(&s->lock);
  json_array_append_new(s->notes, j);
  pthread_mutex_unlock(&s->lock);
}

int run_step_error(struct run_step *s, struct cause *c) {
  return lines_error(s->lines, c);
}

void run_step_drain(struct run_step *s) {
  lines_drain(s->lines);
}

/* ---- a step's begin and end ---- */

static json_t *int_or_null(int64_t v) {
  return v == ABSENT ? json_null() : json_integer(v);
}

static json_t *digest_or_null(uint64_t digest) {
  char hex[20];
  snprintf(hex, sizeof hex, "%016llx", (unsigned long long)digest);
  return digest ? json_string(hex) : json_null();
}

static json_t *facts_json(const struct run_step *s, const struct step_facts *f) {
  json_t *phases = json_object();
  for (int p = 0; p < PHASES; p++)
    json_object_set_new(phases, phase_name((enum phase)p),
                        json_pack("{s:o, s:o}", "begin_ns", int_or_null(f->begin_ns[p]), "end_ns", int_or_null(f->end_ns[p])));
  json_t *j = json_pack("{s:i, s:i, s:s, s:o, s:o, s:o, s:o}", "schema", 1, "index", s->index, "role", role_name(s->role),
                        "setting_mib", s->setting_mib > 0 ? json_integer(s->setting_mib) : json_null(), "reached_kib", int_or_null(f->reached_kib), "cache_kib",
                        int_or_null(f->cache_kib), "phases", phases);
  json_object_set_new(j, "sent", int_or_null(f->sent));
  json_object_set_new(j, "digest_requests", int_or_null(f->digest_requests));
  json_object_set_new(j, "digest", digest_or_null(f->digest));
  json_object_set_new(j, "digest_long_requests", int_or_null(f->digest_long_requests));
  json_object_set_new(j, "digest_long", digest_or_null(f->digest_long));
  json_object_set_new(j, "reached", flag_or_null(f->reached));
  json_object_set_new(j, "steady", flag_or_null(f->steady));
  json_object_set_new(j, "saturated", flag_or_null(f->saturated));
  json_object_set_new(j, "client_bound", flag_or_null(f->client_bound));
  json_object_set_new(j, "incomplete", json_boolean(f->incomplete));
  json_object_set_new(j, "rate_wanted", json_real(f->rate_wanted));
  json_object_set_new(j, "rate_reached", json_real(f->rate_reached));
  json_object_set_new(j, "row_lock_wait_ms", int_or_null(f->row_lock_wait_ms));
  json_object_set(j, "notes", s->notes);
  return j;
}

static int write_facts(struct run_step *s, const struct step_facts *f, struct cause *c) {
  char *path = xprintf("%s/step.json", s->part);
  json_t *j = facts_json(s, f);
  int rc = write_json(path, j, STATUS_INCOMPLETE, c);
  json_decref(j);
  free(path);
  return rc;
}

static void add_headers(struct run_step *s) {
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  struct text *t = lines_begin(s->lines, SAMPLES);
  add_header(t, f, n);
  text_add(t, "\n");
  lines_end(s->lines);
  f = record_load_fields(&n);
  t = lines_begin(s->lines, LOAD);
  add_header(t, f, n);
  for (int i = 0; i < s->run->ntype; i++)
    text_addf(t, "\tdone_%s", s->run->type_name[i]);
  text_add(t, "\n");
  lines_end(s->lines);
  t = lines_begin(s->lines, LATENCY);
  text_add(t, "second\ttype\twhat\tbucket\tcount\n");
  lines_end(s->lines);
}

static int open_lines(struct run_step *s, struct cause *c) {
  static const char *const name[STREAMS] = {[SAMPLES] = "samples.tsv", [LOAD] = "load.tsv", [LATENCY] = "latency.tsv"};
  char *path[STREAMS];
  for (int i = 0; i < STREAMS; i++)
    path[i] = xprintf("%s/%s", s->part, name[i]);
  int rc = lines_open(&s->lines, (const char *const *)path, STREAMS, c);
  for (int i = 0; i < STREAMS; i++)
    free(path[i]);
  if (rc == 0)
    add_headers(s);
  return rc;
}

static void step_free(struct run_step *s) {
  pthread_mutex_destroy(&s->lock);
  json_decref(s->notes);
  free(s->part);
  free(s->whole);
  free(s);
}

static struct run_step *step_new(const struct run *r, int index, int64_t setting_mib, enum step_role role) {
  char key[32];
  struct run_step *s = xcalloc(1, sizeof *s);
  s->run = r;
  s->index = index;
  s->setting_mib = setting_mib;
  s->role = role;
  s->whole = xprintf("%s/steps/%02d-%s", r->folder, index, setting_mib > 0 ? size_key(setting_mib * MIB, key, sizeof key) : RUN_UNKNOWN);
  s->part = xprintf("%s.part", s->whole);
  s->notes = json_array();
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

static const struct step_facts nothing_known = {
    .reached_kib = ABSENT, .cache_kib = ABSENT, .begin_ns = {ABSENT, ABSENT, ABSENT}, .end_ns = {ABSENT, ABSENT, ABSENT},
    .sent = ABSENT, .digest_requests = ABSENT, .digest_long_requests = ABSENT, .reached = -1, .steady = -1, .saturated = -1,
    .client_bound = -1, .incomplete = 1, .row_lock_wait_ms = ABSENT,
};

int run_step_begin(struct run *r, struct run_step **out, int index, int64_t setting_mib, enum step_role role, struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  struct run_step *s = step_new(r, index, setting_mib, role);
  if (access(s->whole, F_OK) == 0) {
    cause_set(c, STATUS_INCOMPLETE, "the step %s is there already", s->whole);
    goto fail;
  }
  if (folder_remove(s->part, c) != 0 || folder_make(s->part, c) != 0) {
    lines_remedy(c);
    c->status = STATUS_INCOMPLETE;
    goto fail;
  }
  if (write_facts(s, &nothing_known, c) != 0 || open_lines(s, c) != 0)
    goto fail;
  *out = s;
  return 0;
fail:
  step_free(s);
  return -1;
}

static int write_waits(const struct run_step *s, const struct wait_row *w, size_t n, struct cause *c) {
  struct text t = {0};
  text_add(&t, "type\ttasks\twait_ms\tsignal_ms\n");
  for (size_t i = 0; i < n; i++) {
    const int64_t field[] = {w[i].tasks, w[i].wait_ms, w[i].signal_ms};
    text_add(&t, w[i].type);
    for (int k = 0; k < 3; k++) {
      text_add(&t, "\t");
      add_int(&t, field[k]);
    }
    text_add(&t, "\n");
  }
  char *path = xprintf("%s/waits.tsv", s->part);
  int rc = file_write(path, t.s, t.len, 0666, c);
  if (rc != 0) {
    lines_remedy(c);
    c->status = STATUS_INCOMPLETE;
  }
  free(path);
  text_free(&t);
  return rc;
}

static int make_whole(const struct run_step *s, struct cause *c) {
  char *steps = xprintf("%s/steps", s->run->folder);
  int rc = folder_sync(s->part, c);
  if (rc == 0 && rename(s->part, s->whole) != 0)
    rc = cause_errno(c, STATUS_INCOMPLETE, errno, "cannot rename %s", s->part);
  if (rc == 0)
    rc = folder_sync(steps, c);
  if (rc != 0)
    c->status = STATUS_INCOMPLETE;
  free(steps);
  return rc;
}

int run_step_end(struct run_step *s, const struct step_facts *facts, const struct wait_row *wait, size_t nwait, struct cause *c) {
  struct cause own;
  c = c ? c : &own;
  int rc = lines_close(s->lines, c);
  if (rc == 0)
    rc = write_waits(s, wait, nwait, c);
  struct step_facts f = *facts;
  f.incomplete = f.incomplete || rc != 0;
  struct cause second; /* the first failure is the one to tell */
  if (write_facts(s, &f, rc == 0 ? c : &second) != 0)
    rc = -1;
  if (rc == 0 && !f.incomplete)
    rc = make_whole(s, c);
  step_free(s);
  return rc;
}
