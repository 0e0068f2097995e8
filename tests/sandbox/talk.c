#include "config.h"

#include "talk.h"

#include "sandbox/tds_type.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

int fd = -1;
struct text msg, reply;
static struct arena arena;
static struct text told;

int dial(int port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval limit = {.tv_sec = 20}; /* no test hangs */
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  cr_assert_eq(connect(s, (struct sockaddr *)&a, sizeof a), 0);
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  return s;
}

void send_all(const void *p, size_t n) {
  const char *s = p;
  while (n > 0) {
    ssize_t k = send(fd, s, n, MSG_NOSIGNAL);
    if (k <= 0)
      return; /* the server has hung up: what it said last can still be read */
    s += k;
    n -= (size_t)k;
  }
}

void send_packet(int type, int status, const void *p, size_t n) {
  const uint8_t h[8] = {(uint8_t)type, (uint8_t)status, (uint8_t)((n + 8) >> 8), (uint8_t)(n + 8), 0, 0, 1, 0};
  struct text t = {0};
  text_addn(&t, (const char *)h, sizeof h);
  if (n)
    text_addn(&t, p, n);
  send_all(t.s, t.len);
  text_free(&t);
}

void send_msg(int type, int status, size_t size) {
  for (size_t at = 0;; at += size) {
    int last = msg.len - at <= size;
    send_packet(type, (at == 0 ? status : 0) | (last ? 1 : 0), msg.s + at, last ? msg.len - at : size);
    if (last)
      break;
  }
  text_clear(&msg);
}

static int read_exactly(void *p, size_t n) {
  for (size_t got = 0; got < n;) {
    ssize_t k = recv(fd, (char *)p + got, n - got, 0);
    if (k <= 0)
      return 0;
    got += (size_t)k;
  }
  return 1;
}

size_t longest, packets;

int read_packet(void) {
  uint8_t h[8], body[32768];
  if (!read_exactly(h, sizeof h))
    return 0;
  size_t n = (size_t)h[2] << 8 | h[3];
  cr_assert(h[0] == 4 && n >= 8 && n <= sizeof body && h[1] <= 1);
  packets++;
  cr_assert_eq((uint8_t)packets, h[6], "packet %zu has number %d", packets, h[6]);
  longest = n > longest ? n : longest;
  cr_assert(read_exactly(body, n - 8));
  text_addn(&reply, (const char *)body, n - 8);
  return 1 + (h[1] & 1);
}

int read_reply(void) {
  int rc;
  text_clear(&reply);
  packets = longest = 0;
  while ((rc = read_packet()) == 1) {
  }
  return rc;
}

static void tell_row(struct cursor *c, const struct type_info *t, int n, struct text *out) {
  for (int i = 0; i < n; i++) {
    struct field f;
    cr_assert_eq(type_value_read(c, &t[i], &arena, &f), 0);
    text_add(out, i ? "," : ":");
    if (f.type == F_INT)
      text_addf(out, "%lld", (long long)f.i);
    else if (f.type == F_REAL)
      text_addf(out, "%g", f.r);
    else if (f.type == F_NULL)
      text_add(out, "NULL");
    else if (f.type != F_BIN)
      text_addn(out, f.p, f.len);
  }
}

static void tell_done(struct cursor *c, const char *name, struct text *out) {
  unsigned status = cursor_u16(c);
  cursor_u16(c);
  uint64_t rows = cursor_u64(c);
  text_add(out, name);
  if (status & 0x10)
    text_addf(out, ":%llu", (unsigned long long)rows);
  text_addf(out, "%s%s%s ", status & 2 ? "!" : "", status & 0x20 ? "@" : "", status & 1 ? "+" : "");
}

const char *tell(void) {
  static struct type_info t[64];
  int n = 0;
  text_clear(&told);
  text_add(&told, "");
  struct cursor c = cursor_of(reply.s, reply.len);
  while (cursor_left(&c) > 0 && c.state == CURSOR_OK) {
    uint8_t token = cursor_u8(&c);
    struct cursor in;
    switch (token) {
    case 0xE3:
      in.p = cursor_take(&c, cursor_u16(&c));
      text_addf(&told, "env%d ", in.p[0]);
      break;
    case 0xAA:
    case 0xAB:
    case 0xAD: {
      size_t len = cursor_u16(&c);
      in = cursor_of(cursor_take(&c, len), len);
      if (token == 0xAD)
        text_add(&told, "ack ");
      else
        text_addf(&told, "%s%u ", token == 0xAA ? "error" : "info", (unsigned)cursor_u32(&in));
      break;
    }
    case 0x81:
      n = cursor_u16(&c);
      cr_assert(n <= 64);
      for (int i = 0; i < n; i++) {
        cursor_take(&c, 6);
        cr_assert_eq(type_info_read(&c, &t[i]), 0);
        cursor_take(&c, 2 * (size_t)cursor_u8(&c));
      }
      text_add(&told, "columns ");
      break;
    case 0xD1:
      text_add(&told, "row");
      tell_row(&c, t, n, &told);
      text_add(&told, " ");
      break;
    case 0x79:
      text_addf(&told, "status:%d ", (int)(int32_t)cursor_u32(&c));
      break;
    case 0xAC: {
      struct type_info v;
      text_addf(&told, "value%d", cursor_u16(&c));
      cursor_take(&c, 2 * (size_t)cursor_u8(&c));
      cursor_take(&c, 7);
      cr_assert_eq(type_info_read(&c, &v), 0);
      tell_row(&c, &v, 1, &told);
      text_add(&told, " ");
      break;
    }
    case 0xFD:
      tell_done(&c, "done", &told);
      break;
    case 0xFE:
      tell_done(&c, "doneproc", &told);
      break;
    case 0xFF:
      tell_done(&c, "doneinproc", &told);
      break;
    default:
      cr_assert(0, "token %02X after '%s'", token, told.s);
    }
  }
  cr_assert_eq(c.state, CURSOR_OK);
  if (told.len > 0)
    told.s[told.len - 1] = '\0';
  return told.s;
}

void expect_end(void) {
  char b;
  cr_assert(recv(fd, &b, 1, 0) <= 0, "the server did not hang up");
}

void talk_end(void) {
  text_free(&msg);
  text_free(&reply);
  text_free(&told);
  arena_free(&arena);
}
