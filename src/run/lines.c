#include "config.h"

#include "run/lines.h"
#include "base/thread.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What may wait in memory for a slow disk: minutes of the busiest run. */
#define PENDING_MAX ((size_t)(64 * MIB))

/* `in` is filled under the lock, `out` belongs to the thread. */
struct stream {
  char *path;
  int fd;
  struct text in, out;
  int broken; /* a write failed, perhaps in mid-line: nothing more may follow */
};

struct lines {
  int n;
  struct stream stream[LINES_FILES];
  pthread_t thread;
  int started;
  pthread_mutex_t lock; /* for all below, and the streams but `out` */
  pthread_cond_t more, done; /* something was added; a round was written */
  int ending, writing;
  struct cause error;
  int failed;
};

int lines_remedy(struct cause *c) {
  if (!c)
    return -1;
  switch (-c->number) {
  case ENOSPC:
  case EDQUOT:
    return cause_remedy(c, "make room on that file system, or name a run folder on another one");
  case EFBIG:
    return cause_remedy(c, "raise the limit on file sizes (ulimit -f), or name a run folder elsewhere");
  default:
    return cause_remedy(c, "name a run folder that can be written");
  }
}

/* Keep the first failure.  Called with the lock held. */
static void fail(struct lines *l, struct stream *st, int err) {
  struct cause c;
  st->broken = 1;
  if (err) {
    cause_errno(&c, STATUS_INCOMPLETE, err, "cannot write %s", st->path);
    lines_remedy(&c);
  } else {
    cause_set(&c, STATUS_INCOMPLETE, "%s cannot be written as fast as it grows", st->path);
    cause_remedy(&c, "name a run folder on a faster file system");
  }
  if (!l->failed)
    l->error = c;
  l->failed = 1;
}

static int write_whole(int fd, const char *p, size_t n) {
  while (n > 0) {
    ssize_t w = write(fd, p, n);
    if (w < 0 && errno == EINTR)
      continue;
    if (w < 0)
      return errno;
    p += w;
    n -= (size_t)w;
  }
  return 0;
}

static int pending(const struct lines *l) {
  for (int i = 0; i < l->n; i++)
    if (l->stream[i].in.len)
      return 1;
  return 0;
}

/* One round: take what was added, write it without the lock. */
static void write_round(struct lines *l) {
  int err[LINES_FILES] = {0};
  for (int i = 0; i < l->n; i++) {
    struct stream *st = &l->stream[i];
    struct text swap = st->in;
    st->in = st->out;
    st->out = swap;
  }
  l->writing = 1;
  pthread_mutex_unlock(&l->lock);
  for (int i = 0; i < l->n; i++) {
    struct stream *st = &l->stream[i];
    if (st->out.len)
      err[i] = write_whole(st->fd, st->out.s, st->out.len);
    text_clear(&st->out);
  }
  pthread_mutex_lock(&l->lock);
  for (int i = 0; i < l->n; i++)
    if (err[i]) {
      fail(l, &l->stream[i], err[i]);
      text_clear(&l->stream[i].in); /* added meanwhile: must not follow half a line */
    }
  l->writing = 0;
  pthread_cond_broadcast(&l->done);
}

static void *run_thread(void *arg) {
  struct lines *l = arg;
  pthread_mutex_lock(&l->lock);
  for (;;) {
    while (!l->ending && !pending(l))
      pthread_cond_wait(&l->more, &l->lock);
    if (!pending(l))
      break;
    write_round(l);
  }
  pthread_mutex_unlock(&l->lock);
  return NULL;
}

int lines_open(struct lines **out, const char *const *path, int n, struct cause *c) {
  struct lines *l = xcalloc(1, sizeof *l);
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->more, NULL);
  pthread_cond_init(&l->done, NULL);
  for (int i = 0; i < n; i++) {
    struct stream *st = &l->stream[l->n++];
    st->path = xstrdup(path[i]);
    st->fd = open(path[i], O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (st->fd < 0) {
      cause_errno(c, STATUS_INCOMPLETE, errno, "cannot write %s", path[i]);
      lines_remedy(c);
      goto fail;
    }
  }
  int err = thread_start(&l->thread, 0, "rk-lines", run_thread, l);
  if (err) {
    cause_errno(c, STATUS_INCOMPLETE, err, "cannot start the thread that writes %s", path[0]);
    goto fail;
  }
  l->started = 1;
  *out = l;
  return 0;
fail:
  lines_close(l, NULL);
  return -1;
}

struct text *lines_begin(struct lines *l, int which) {
  pthread_mutex_lock(&l->lock);
  struct stream *st = &l->stream[which];
  if (st->in.len > PENDING_MAX && !st->broken)
    fail(l, st, 0);
  return st->broken ? NULL : &st->in;
}

void lines_end(struct lines *l) {
  pthread_cond_signal(&l->more);
  pthread_mutex_unlock(&l->lock);
}

void lines_drain(struct lines *l) {
  pthread_mutex_lock(&l->lock);
  while (pending(l) || l->writing)
    pthread_cond_wait(&l->done, &l->lock);
  pthread_mutex_unlock(&l->lock);
}

int lines_error(struct lines *l, struct cause *c) {
  pthread_mutex_lock(&l->lock);
  int failed = l->failed;
  if (failed && c)
    *c = l->error;
  pthread_mutex_unlock(&l->lock);
  return failed ? -1 : 0;
}

int lines_close(struct lines *l, struct cause *c) {
  if (!l)
    return 0;
  if (l->started) {
    pthread_mutex_lock(&l->lock);
    l->ending = 1;
    pthread_cond_signal(&l->more);
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->thread, NULL);
  }
  for (int i = 0; i < l->n; i++) {
    struct stream *st = &l->stream[i];
    if (st->fd >= 0) {
      int err = fsync(st->fd) != 0 ? errno : 0;
      if (close(st->fd) != 0 && !err)
        err = errno;
      if (err && !st->broken)
        fail(l, st, err);
    }
    text_free(&st->in);
    text_free(&st->out);
  }
  int failed = l->failed;
  if (failed && c)
    *c = l->error;
  for (int i = 0; i < l->n; i++)
    free(l->stream[i].path);
  pthread_mutex_destroy(&l->lock);
  pthread_cond_destroy(&l->more);
  pthread_cond_destroy(&l->done);
  free(l);
  return failed ? -1 : 0;
}
