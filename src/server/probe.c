/* Ask a server what it offers, in the clear, as a client's first message does (PRELOGIN, [MS-TDS] 2.2.6.5).  db-lib says only that a
 * connection failed; with this the reason can be named. */
#include "config.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "server/impl.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int wait_for(int fd, short events, int64_t deadline_ns) {
  for (;;) {
    int64_t left_ms = (deadline_ns - mono_ns()) / NS_PER_MS;
    if (left_ms <= 0)
      return -1;
    struct pollfd p = {.fd = fd, .events = events};
    int n = poll(&p, 1, (int)left_ms);
    if (n > 0)
      return 0;
    if (n < 0 && errno != EINTR)
      return -1;
  }
}

static int dial(const char *host, int port, int64_t deadline_ns) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all = NULL;
  char service[16];
  snprintf(service, sizeof service, "%d", port);
  if (getaddrinfo(host, service, &hints, &all) != 0)
    return -1;
  int fd = -1;
  for (struct addrinfo *a = all; a; a = a->ai_next) {
    int error = 0;
    socklen_t n = sizeof error;
    fd = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
    if (fd < 0)
      continue;
    if (connect(fd, a->ai_addr, a->ai_addrlen) == 0 ||
        (errno == EINPROGRESS && wait_for(fd, POLLOUT, deadline_ns) == 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 &&
         error == 0))
      break;
    close(fd);
    fd = -1;
  }
  freeaddrinfo(all);
  return fd;
}

/* The whole answer is shorter than one packet. */
static enum probe read_answer(int fd, int64_t deadline_ns, unsigned char *buf, size_t size, size_t *got) {
  *got = 0;
  while (*got < size) {
    if (wait_for(fd, POLLIN, deadline_ns) != 0)
      return PROBE_SILENT;
    ssize_t n = recv(fd, buf + *got, size - *got, 0);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (n <= 0)
      return *got ? PROBE_NONSENSE : PROBE_CLOSED;
    *got += (size_t)n;
    if (buf[0] != 0x04)
      return PROBE_NONSENSE;
    if (*got >= 8 && *got >= (size_t)(buf[2] << 8 | buf[3]))
      break;
  }
  return PROBE_ENCRYPTS;
}

/* Options follow the packet's header: token, offset, length (big-endian, from the first option), ended by 0xFF.  Token 1 is ENCRYPTION:
 * 0 off (but there), 1 on, 2 not supported, 3 required. */
static enum probe judge(const unsigned char *buf, size_t got) {
  size_t end = got < 8 ? 0 : (size_t)(buf[2] << 8 | buf[3]);
  if (end > got || end < 9)
    return PROBE_NONSENSE;
  for (size_t o = 8; o + 5 <= end && buf[o] != 0xFF; o += 5)
    if (buf[o] == 0x01) {
      size_t at = 8 + (size_t)(buf[o + 1] << 8 | buf[o + 2]);
      if (at >= end)
        return PROBE_NONSENSE;
      return buf[at] == 2 ? PROBE_CLEAR_ONLY : PROBE_ENCRYPTS;
    }
  return PROBE_NONSENSE;
}

enum probe probe_encryption(const char *host, int port, int timeout_s) {
  static const unsigned char prelogin[] = {
    0x12, 0x01, 0, 26, 0, 0, 0, 0,             /* header: the only packet of a PRELOGIN, 26 bytes */
    0x00, 0, 11, 0, 6,                         /* VERSION at 11, 6 bytes */
    0x01, 0, 17, 0, 1,                         /* ENCRYPTION at 17, 1 byte */
    0xFF, 0, 0, 0, 0, 0, 0, 1,                 /* no more options; version 0; encryption on */
  };
  int64_t deadline_ns = mono_ns() + timeout_s * NS_PER_S;
  int fd = dial(host, port, deadline_ns);
  if (fd < 0)
    return PROBE_UNREACHABLE;
  unsigned char buf[4096];
  size_t got;
  enum probe p = PROBE_CLOSED;
  if (send(fd, prelogin, sizeof prelogin, MSG_NOSIGNAL) == (ssize_t)sizeof prelogin) {
    p = read_answer(fd, deadline_ns, buf, sizeof buf, &got);
    if (p == PROBE_ENCRYPTS)
      p = judge(buf, got);
  }
  close(fd);
  return p;
}
