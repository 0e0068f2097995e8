#include "config.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void file_hold_standard(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      /* The lowest free number is fd.  The wrong way round: what is meant to fail with EBADF still does. */
      (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int file_expect_regular(const char *path, struct cause *c) {
  struct stat st;
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
    return 0;
  cause_set(c, STATUS_SETUP, "%s is a pipe or a device, not a file", path);
  return cause_remedy(c, "take it away, or restore the file from a copy");
}

int file_read(const char *path, size_t max, char **data, size_t *size, struct cause *c) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot read %s", path);
  struct text t = {0};
  char buf[16384];
  ssize_t n;
  while ((n = read(fd, buf, sizeof buf)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      cause_errno(c, STATUS_SETUP, errno, "cannot read %s", path);
      goto fail;
    }
    if (t.len + (size_t)n > max) {
      cause_set(c, STATUS_SETUP, "%s is longer than %zu bytes", path, max);
      goto fail;
    }
    text_addn(&t, buf, (size_t)n);
  }
  close(fd);
  text_addn(&t, "", 0);
  *data = t.s;
  *size = t.len;
  return 0;
fail:
  close(fd);
  text_free(&t);
  return -1;
}

static int write_all(int fd, const char *p, size_t n) {
  while (n > 0) {
    ssize_t w = write(fd, p, n);
    if (w < 0 && errno == EINTR)
      continue;
    if (w < 0)
      return -1;
    p += w;
    n -= (size_t)w;
  }
  return 0;
}

int folder_sync(const char *path, struct cause *c) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* Some file systems cannot sync a folder (EINVAL): then the rename is as safe as they make it. */
  if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL)) {
    int err = errno;
    if (fd >= 0)
      close(fd);
    return cause_errno(c, STATUS_SETUP, err, "cannot sync the folder %s", path);
  }
  close(fd);
  return 0;
}

int file_write(const char *path, const char *data, size_t size, mode_t mode, struct cause *c) {
  char *tmp = xprintf("%s.tmp.%ld", path, (long)getpid());
  char *folder = xstrdup(path);
  char *slash = strrchr(folder, '/');
  int rc = -1;
  int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot write %s", path);
    goto out;
  }
  int bad = write_all(fd, data, size) != 0 || fsync(fd) != 0;
  int err = errno;
  if (close(fd) != 0 && !bad) {
    bad = 1;
    err = errno;
  }
  if (!bad && rename(tmp, path) != 0) {
    bad = 1;
    err = errno;
  }
  if (bad) {
    unlink(tmp);
    cause_errno(c, STATUS_SETUP, err, "cannot write %s", path);
    goto out;
  }
  if (slash && slash != folder)
    *slash = '\0';
  rc = folder_sync(slash ? (slash == folder ? "/" : folder) : ".", c);
out:
  free(tmp);
  free(folder);
  return rc;
}

int folder_make(const char *path, struct cause *c) {
  if (!*path)
    return cause_set(c, STATUS_SETUP, "the name of the folder is empty");
  char *p = xstrdup(path);
  int rc = 0;
  for (char *s = p + 1; rc == 0 && s[-1]; s++) {
    if (*s != '/' && *s != '\0')
      continue;
    char keep = *s;
    *s = '\0';
    struct stat st;
    if (mkdir(p, 0777) != 0) {
      int err = errno;
      if (err != EEXIST && !(err == EROFS && stat(p, &st) == 0))
        rc = cause_errno(c, STATUS_SETUP, err, "cannot make the folder %s", p);
      else if (stat(p, &st) != 0 || !S_ISDIR(st.st_mode))
        rc = cause_errno(c, STATUS_SETUP, ENOTDIR, "cannot make the folder %s", p);
    }
    *s = keep;
    if (!keep)
      break;
  }
  free(p);
  return rc;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *f) {
  (void)st;
  (void)kind;
  (void)f;
  return remove(path);
}

int folder_remove(const char *path, struct cause *c) {
  if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0 && errno != ENOENT)
    return cause_errno(c, STATUS_SETUP, errno, "cannot remove the folder %s", path);
  return 0;
}

char *state_folder(struct cause *c) {
  const char *x = getenv("XDG_STATE_HOME");
  if (x && x[0] == '/')
    return xprintf("%s/ramknee", x);
  const char *home = getenv("HOME");
  if (!home || home[0] != '/') {
    struct passwd *pw = getpwuid(getuid());
    home = pw ? pw->pw_dir : NULL;
  }
  if (!home || home[0] != '/') {
    cause_set(c, STATUS_SETUP, "cannot tell where state is kept: neither XDG_STATE_HOME nor HOME is set");
    cause_remedy(c, "set XDG_STATE_HOME to an absolute path");
    return NULL;
  }
  return xprintf("%s/.local/state/ramknee", home);
}
