#include "config.h"

#include "sandbox/settings.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct settings {
  pthread_mutex_t lock;
  char *path;
  struct setting option[SET_COUNT];
};

/* Ids, ranges and defaults as SQL Server 2022 has them.  In use a minimum memory of 0 is shown as 16. */
static const struct setting initial[SET_COUNT] = {
  {SET_ALLOW_UPDATES, "allow updates", "Allow updates to system tables", 0, 1, 0, 0, 0},
  {SET_PARALLEL_COST, "cost threshold for parallelism", "cost threshold for parallelism", 0, 32767, 1, 5, 5},
  {SET_PARALLEL, "max degree of parallelism", "maximum degree of parallelism", 0, 32767, 1, 0, 0},
  {SET_MAX_MEMORY, "max server memory (MB)", "Maximum size of server memory (MB)", 128, SET_UNLIMITED, 1, SET_UNLIMITED,
   SET_UNLIMITED},
  {SET_MIN_MEMORY, "min server memory (MB)", "Minimum size of server memory (MB)", 0, SET_UNLIMITED, 1, 0, 16},
  {SET_RECOVERY, "recovery interval (min)", "Maximum recovery interval in minutes", 0, 32767, 1, 0, 0},
  {SET_ADVANCED, "show advanced options", "show advanced options", 0, 1, 0, 0, 0},
};

static struct setting *by_id(struct settings *s, int id) {
  for (int i = 0; i < SET_COUNT; i++)
    if (s->option[i].id == id)
      return &s->option[i];
  abort(); /* ids come from settings_find or the enum */
}

static void run_stored(struct settings *s) {
  for (int i = 0; i < SET_COUNT; i++)
    s->option[i].in_use = s->option[i].value;
  struct setting *min = by_id(s, SET_MIN_MEMORY);
  if (min->in_use < 16)
    min->in_use = 16;
}

/* Lines "ID VALUE". */
static int load(struct settings *s, struct cause *c) {
  char *text, *save = NULL;
  size_t size;
  if (access(s->path, F_OK) != 0)
    return 0;
  if (file_read(s->path, 65536, &text, &size, c) != 0)
    return -1;
  int rc = 0;
  for (char *line = strtok_r(text, "\n", &save); line && rc == 0; line = strtok_r(NULL, "\n", &save)) {
    int64_t id = 0, value = 0;
    char *blank = strchr(line, ' ');
    if (blank)
      *blank = '\0';
    struct setting *o = NULL;
    if (blank && int_parse(line, "an option's number", 1, INT32_MAX, &id, NULL) == 0)
      for (int i = 0; i < SET_COUNT; i++)
        if (s->option[i].id == id)
          o = &s->option[i];
    if (!o || int_parse(blank + 1, o->name, o->min, o->max, &value, NULL) != 0) {
      rc = cause_set(c, STATUS_SETUP, "the sandbox's settings in %s are damaged", s->path);
      cause_remedy(c, "remove the file: the settings then begin with their defaults");
    } else
      o->value = (int32_t)value;
  }
  free(text);
  run_stored(s);
  return rc;
}

static int keep(struct settings *s, struct cause *c) {
  if (!s->path)
    return 0;
  struct text t = {0};
  for (int i = 0; i < SET_COUNT; i++)
    text_addf(&t, "%d %d\n", s->option[i].id, s->option[i].value);
  int rc = file_write(s->path, t.s, t.len, 0666, c);
  text_free(&t);
  return rc;
}

struct settings *settings_new(const char *path, struct cause *c) {
  struct settings *s = xcalloc(1, sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
  memcpy(s->option, initial, sizeof initial);
  s->path = path ? xstrdup(path) : NULL;
  if (path && load(s, c) != 0) {
    settings_free(s);
    return NULL;
  }
  return s;
}

void settings_free(struct settings *s) {
  if (!s)
    return;
  pthread_mutex_destroy(&s->lock);
  free(s->path);
  free(s);
}

struct setting settings_at(struct settings *s, int i) {
  pthread_mutex_lock(&s->lock);
  struct setting o = s->option[i];
  pthread_mutex_unlock(&s->lock);
  return o;
}

struct setting settings_get(struct settings *s, int id) {
  pthread_mutex_lock(&s->lock);
  struct setting o = *by_id(s, id);
  pthread_mutex_unlock(&s->lock);
  return o;
}

int settings_find(struct settings *s, const char *name, int *id) {
  size_t n = strlen(name);
  int hits = 0;
  pthread_mutex_lock(&s->lock);
  int shown = by_id(s, SET_ADVANCED)->in_use;
  for (int i = 0; i < SET_COUNT; i++) {
    const struct setting *o = &s->option[i];
    if ((o->advanced && !shown) || strncasecmp(o->name, name, n) != 0)
      continue;
    *id = o->id;
    hits++;
    if (o->name[n] == '\0') {
      hits = 1;
      break;
    }
  }
  pthread_mutex_unlock(&s->lock);
  return hits == 1 ? 0 : hits == 0 || n == 0 ? 15123 : 15124;
}

int settings_store(struct settings *s, int id, int64_t value, int32_t *before, struct cause *c) {
  pthread_mutex_lock(&s->lock);
  struct setting *o = by_id(s, id);
  int rc = 0;
  *before = o->value;
  if (value < o->min || value > o->max)
    rc = 15129;
  else {
    o->value = (int32_t)value;
    if (keep(s, c) != 0) {
      o->value = *before;
      rc = -1;
    }
  }
  pthread_mutex_unlock(&s->lock);
  return rc;
}

int settings_check(struct settings *s, int override) {
  int rc = 0;
  pthread_mutex_lock(&s->lock);
  if (by_id(s, SET_MIN_MEMORY)->value > by_id(s, SET_MAX_MEMORY)->value)
    rc = 5831;
  else if (!override && by_id(s, SET_ALLOW_UPDATES)->value == 1)
    rc = 5808;
  else if (!override && by_id(s, SET_RECOVERY)->value > 60)
    rc = 5807;
  pthread_mutex_unlock(&s->lock);
  return rc;
}

int settings_install(struct settings *s) {
  pthread_mutex_lock(&s->lock);
  int32_t before = by_id(s, SET_MAX_MEMORY)->in_use;
  run_stored(s);
  int changed = by_id(s, SET_MAX_MEMORY)->in_use != before;
  pthread_mutex_unlock(&s->lock);
  return changed;
}

int64_t settings_target_mib(struct settings *s, int64_t physical_mib) {
  int64_t max = settings_get(s, SET_MAX_MEMORY).in_use;
  return max < physical_mib ? max : physical_mib - physical_mib / 8;
}
