/* packet: TDS packets over a socket: a header of 8 bytes, then a piece of a message ([MS-TDS] 2.2.3).
 *
 * Both directions belong to the thread of their connection.  A socket error or the peer's end makes the side broken for good; what is
 * written after that is dropped, so that callers need not look after every byte. */
#ifndef RK_SANDBOX_PACKET_H
#define RK_SANDBOX_PACKET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum packet_type {
  PACKET_BATCH = 0x01,
  PACKET_RPC = 0x03,
  PACKET_REPLY = 0x04,
  PACKET_ATTENTION = 0x06,
  PACKET_BULK = 0x07,
  PACKET_TRANSACTION = 0x0E,
  PACKET_LOGIN7 = 0x10,
  PACKET_PRELOGIN = 0x12,
};
enum packet_status { PACKET_EOM = 0x01, PACKET_IGNORE = 0x02, PACKET_RESET = 0x08, PACKET_RESET_KEEP = 0x10 };

enum { PACKET_HEADER = 8, PACKET_LEAST = 512, PACKET_DEFAULT = 4096, PACKET_MOST = 32767 };

struct packet {
  uint8_t type, status;
  const uint8_t *body; /* in the reader's buffer, until the next packet_read */
  size_t len;
};

struct packet_in {
  int fd, broken;
  uint8_t *buf;
  size_t size;       /* longest packet taken */
  size_t start, end; /* the bytes that no packet_read has returned yet */
};
void packet_in_open(struct packet_in *, int fd);
void packet_in_close(struct packet_in *);
/* 1: a packet; 0: the peer has gone (broken is set); -1: a header that cannot be right. */
int packet_read(struct packet_in *, struct packet *);
/* The type of the packet that waits to be read, without blocking: 0 when none does, -1 when the peer has gone.  Leaves the body of
 * the last packet_read in its place. */
int packet_waiting(struct packet_in *);
/* Overwrite what has been read: there was a password in it.  Ends the life of the last packet's body. */
void packet_in_wipe(struct packet_in *);
/* Take packets up to `size`; between packets only. */
void packet_in_resize(struct packet_in *, size_t size);

struct packet_out {
  int fd, broken;
  uint8_t *buf;
  size_t size, len; /* size: of a whole packet; len: bytes in buf, with the header's place */
  uint16_t spid;
  uint8_t number;
};
void packet_out_open(struct packet_out *, int fd);
void packet_out_close(struct packet_out *);
/* Send what is there as the last packet of a message. */
void packet_out_end(struct packet_out *);
/* Send the full buffer, as more comes. */
void packet_out_more(struct packet_out *);
/* Between messages only. */
void packet_out_resize(struct packet_out *, size_t size);

/* `n` bytes of room in one piece, or NULL when the packet has not that much left: fill it, then add to len. */
static inline uint8_t *out_room(struct packet_out *o, size_t n) {
  return o->size - o->len >= n ? o->buf + o->len : NULL;
}

static inline void out_bytes(struct packet_out *o, const void *p, size_t n) {
  const uint8_t *s = p;
  while (n > 0) {
    if (o->len == o->size)
      packet_out_more(o);
    size_t k = o->size - o->len < n ? o->size - o->len : n;
    memcpy(o->buf + o->len, s, k);
    o->len += k;
    s += k;
    n -= k;
  }
}

/* The n low bytes of v, little-endian. */
static inline void out_uint(struct packet_out *o, uint64_t v, size_t n) {
  uint8_t b[8];
  for (size_t i = 0; i < 8; i++)
    b[i] = (uint8_t)(v >> (8 * i));
  out_bytes(o, b, n);
}

static inline void out_u8(struct packet_out *o, unsigned v) {
  out_uint(o, v, 1);
}

static inline void out_u16(struct packet_out *o, size_t v) {
  out_uint(o, v, 2);
}

static inline void out_u32(struct packet_out *o, size_t v) {
  out_uint(o, v, 4);
}

#endif
