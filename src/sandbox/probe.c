#include "config.h"

#include "sandbox/probe.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PROBE_BYTES MIB

/* Bytes that this process has had read from devices; -1 when the kernel does not say. */
static int64_t device_reads(void) {
  char *io;
  size_t size;
  if (file_read("/proc/self/io", 4096, &io, &size, NULL) != 0)
    return -1;
  const char *p = strstr(io, "\nread_bytes: ");
  int64_t n = p ? (int64_t)strtoull(p + strlen("\nread_bytes: "), NULL, 10) : -1;
  free(io);
  return n;
}

static int refuse(const char *folder, struct cause *c) {
  cause_set(c, STATUS_SETUP, "direct reads in %s do not reach a device (a RAM disk?): there would be nothing to measure", folder);
  return cause_remedy(c, "choose a folder on a disk with --folder or XDG_STATE_HOME, below /var/tmp for instance");
}

static int probe(const char *folder, int fd, char *buf, struct cause *c) {
  memset(buf, 'r', PROBE_BYTES);
  for (int64_t done = 0; done < PROBE_BYTES;) {
    ssize_t n = write(fd, buf + done, (size_t)(PROBE_BYTES - done));
    if (n < 0)
      return cause_errno(c, STATUS_SETUP, errno, "cannot write in %s", folder);
    done += n;
  }
  if (fsync(fd) != 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot write in %s", folder);
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_DIRECT) != 0)
    return refuse(folder, c);
  int64_t before = device_reads();
  if (pread(fd, buf, PROBE_BYTES, 0) != PROBE_BYTES)
    return cause_errno(c, STATUS_SETUP, errno, "cannot read directly in %s", folder);
  int64_t after = device_reads();
  if (before < 0 || after < 0) {
    /* A kernel without task I/O accounting: only the kind of the file system is left to judge by. */
    struct statfs s;
    return fstatfs(fd, &s) == 0 && (s.f_type == TMPFS_MAGIC || s.f_type == RAMFS_MAGIC) ? refuse(folder, c) : 0;
  }
  return after - before < PROBE_BYTES / 2 ? refuse(folder, c) : 0;
}

int probe_direct_read(const char *folder, struct cause *c) {
  char *path = xprintf("%s/probe-XXXXXX", folder);
  int rc;
  void *buf = NULL;
  int fd = mkostemp(path, O_CLOEXEC);
  if (fd < 0) {
    rc = cause_errno(c, STATUS_SETUP, errno, "cannot write in %s", folder);
    goto out;
  }
  unlink(path);
  if (posix_memalign(&buf, 4096, PROBE_BYTES) != 0) {
    buf = NULL;
    rc = cause_errno(c, STATUS_SETUP, ENOMEM, "cannot look at %s", folder);
  } else
    rc = probe(folder, fd, buf, c);
  close(fd);
out:
  free(buf);
  free(path);
  return rc;
}
