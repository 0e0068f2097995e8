#include "config.h"

#include "sandbox/hold.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int64_t look_ns = 20 * NS_PER_MS;

/* FOLDER/KIND-server-set, new memory. */
static char *path_of(const struct server *v, const char *kind, const char *tag) {
  char *path = xprintf("%s/%s-%s", v->folder, kind, tag);
  for (char *p = path + strlen(v->folder) + 1; *p; p++)
    if (*p == '/')
      *p = '-';
  return path;
}

/* "after 2": which, and how many may pass before. */
static enum hold parse(char *text, int64_t *pass) {
  text[strcspn(text, "\n")] = '\0';
  char *number = strchr(text, ' ');
  if (!number || int_parse(number + 1, "a count", 0, 1000000, pass, NULL) != 0)
    return HOLD_NOT;
  *number = '\0';
  return strcmp(text, "before") == 0 ? HOLD_BEFORE : strcmp(text, "after") == 0 ? HOLD_AFTER : HOLD_NOT;
}

/* One statement less may pass; 1: none may, and this one is held. */
static int count(const struct server *v, const char *tag, const char *path, const char *how, int64_t pass) {
  if (pass == 0) {
    char *held = path_of(v, "held", tag);
    int ours = rename(path, held) == 0;
    free(held);
    return ours;
  }
  char line[40];
  int n = snprintf(line, sizeof line, "%s %lld\n", how, (long long)pass - 1);
  file_write(path, line, (size_t)n, 0666, NULL);
  return 0;
}

enum hold hold_wanted(struct server *v, const char *tag) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  char *path = path_of(v, "hold", tag), *text;
  enum hold h = HOLD_NOT;
  int64_t pass;
  size_t size;
  if (access(path, F_OK) == 0) {
    pthread_mutex_lock(&lock);
    if (file_read(path, 100, &text, &size, NULL) == 0) {
      h = parse(text, &pass);
      if (h == HOLD_NOT)
        warn("%s is not understood: it takes 'before N' or 'after N'", path);
      else if (!count(v, tag, path, text, pass))
        h = HOLD_NOT;
      free(text);
    }
    pthread_mutex_unlock(&lock);
  }
  free(path);
  return h;
}

int hold_wait(struct session *s, const char *tag, struct reply *r) {
  struct server *v = s->server;
  char *held = path_of(v, "held", tag);
  int gone = 0;
  while (!gone && access(held, F_OK) == 0 && !engine_dead(v->engine)) {
    gone = reply_broken(r) || reply_cancelled(r);
    if (!gone)
      sleep_until_ns(mono_ns() + look_ns);
  }
  if (gone)
    unlink(held);
  free(held);
  return gone;
}
