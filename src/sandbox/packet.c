#include "config.h"

#include "sandbox/packet.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

/* Room behind a whole packet for the header of an attention, so that it can be seen while the packet's body is still in use. */
enum { SLACK = 64 };

void packet_in_open(struct packet_in *in, int fd) {
  *in = (struct packet_in){.fd = fd, .size = PACKET_DEFAULT, .buf = xmalloc(PACKET_DEFAULT + SLACK)};
}

void packet_in_close(struct packet_in *in) {
  free(in->buf);
  in->buf = NULL;
}

void packet_in_resize(struct packet_in *in, size_t size) {
  if (size < PACKET_DEFAULT)
    size = PACKET_DEFAULT; /* taking more than was agreed on costs nothing */
  if (in->start > 0)
    memmove(in->buf, in->buf + in->start, in->end - in->start);
  in->end -= in->start;
  in->start = 0;
  if (size <= in->size)
    return;
  in->buf = xrealloc(in->buf, size + SLACK, 1);
  in->size = size;
}

void packet_in_wipe(struct packet_in *in) {
  wipe(in->buf, in->start);
  wipe(in->buf + in->end, in->size + SLACK - in->end);
}

/* Receive what there is room for; flags as recv.  1: got some, 0: nothing now, -1: broken. */
static int receive(struct packet_in *in, int flags) {
  ssize_t n;
  do
    n = recv(in->fd, in->buf + in->end, in->size + SLACK - in->end, flags);
  while (n < 0 && errno == EINTR);
  if (n > 0) {
    in->end += (size_t)n;
    return 1;
  }
  if (n < 0 && (flags & MSG_DONTWAIT) && errno == EAGAIN)
    return 0;
  in->broken = 1;
  return -1;
}

int packet_read(struct packet_in *in, struct packet *p) {
  if (in->start == in->end)
    in->start = in->end = 0;
  size_t need = PACKET_HEADER;
  for (;;) {
    size_t have = in->end - in->start;
    if (have >= PACKET_HEADER) {
      const uint8_t *h = in->buf + in->start;
      need = (size_t)h[2] << 8 | h[3];
      if (need < PACKET_HEADER || need > in->size)
        return -1;
      if (have >= need) {
        *p = (struct packet){.type = h[0], .status = h[1], .body = h + PACKET_HEADER, .len = need - PACKET_HEADER};
        in->start += need;
        return 1;
      }
    }
    if (in->broken)
      return 0;
    if (in->start > 0) {
      memmove(in->buf, in->buf + in->start, have);
      in->start = 0;
      in->end = have;
    }
    if (receive(in, 0) < 0)
      return 0;
  }
}

int packet_waiting(struct packet_in *in) {
  if (in->end - in->start < PACKET_HEADER && in->end < in->size + SLACK && !in->broken)
    receive(in, MSG_DONTWAIT);
  if (in->end - in->start >= PACKET_HEADER)
    return in->buf[in->start];
  return in->broken ? -1 : 0;
}

void packet_out_open(struct packet_out *out, int fd) {
  *out = (struct packet_out){.fd = fd, .size = PACKET_DEFAULT, .len = PACKET_HEADER, .buf = xmalloc(PACKET_DEFAULT)};
}

void packet_out_close(struct packet_out *out) {
  free(out->buf);
  out->buf = NULL;
}

void packet_out_resize(struct packet_out *out, size_t size) {
  out->buf = xrealloc(out->buf, size, 1);
  out->size = size;
}

static void send_packet(struct packet_out *out, int status) {
  uint8_t *h = out->buf;
  h[0] = PACKET_REPLY;
  h[1] = (uint8_t)status;
  h[2] = (uint8_t)(out->len >> 8);
  h[3] = (uint8_t)out->len;
  h[4] = (uint8_t)(out->spid >> 8);
  h[5] = (uint8_t)out->spid;
  h[6] = ++out->number;
  h[7] = 0;
  const uint8_t *p = out->buf;
  size_t left = out->len;
  while (left > 0 && !out->broken) {
    ssize_t n = send(out->fd, p, left, MSG_NOSIGNAL);
    if (n > 0) {
      p += n;
      left -= (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      out->broken = 1;
    }
  }
  out->len = PACKET_HEADER;
}

void packet_out_more(struct packet_out *out) {
  send_packet(out, 0);
}

void packet_out_end(struct packet_out *out) {
  send_packet(out, PACKET_EOM);
  out->number = 0;
}
