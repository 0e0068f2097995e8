/* Whole connections: what a client sends from its first byte, or (first byte odd) after a good log-in, over a socket, with the echo
 * session behind. */
#include "config.h"

#include "fuzz.h"

#include "../sandbox/build.h"
#include "../sandbox/echo.h"
#include "sandbox/client.h"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

const char fuzz_name[] = "client";
const int fuzz_rounds = 6000;

static void put_packet(struct text *t, int type, int status, const struct text *body) {
  size_t n = body->len + 8;
  const char h[8] = {(char)type, (char)status, (char)(n >> 8), (char)n, 0, 0, 1, 0};
  text_addn(t, h, sizeof h);
  if (body->len)
    text_addn(t, body->s, body->len);
}

static void put_good_login(struct text *t) {
  struct text body = {0};
  put_login(&body, &(struct build_login){.user = "sa", .password = "x", .database = "demo", .packet_size = 512});
  put_packet(t, 0x10, 1, &body);
  text_free(&body);
}

static void *drain(void *arg) {
  int fd = *(int *)arg;
  char dump[4096];
  while (recv(fd, dump, sizeof dump, 0) > 0) {
  }
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  struct server server = {.most_rows = 200}; /* the peer reads on: without an end of its own "forever" would have none */
  struct text in = {0};
  int fd[2];
  pthread_t t;
  if (n == 0 || n > 60000 || socketpair(AF_UNIX, SOCK_STREAM, 0, fd) != 0)
    return 0;
  if (p[0] & 1)
    put_good_login(&in);
  text_addn(&in, (const char *)p + 1, n - 1);
  FUZZ_MUST(send(fd[1], in.s, in.len, MSG_NOSIGNAL) == (ssize_t)in.len); /* the socket's buffer takes it all */
  shutdown(fd[1], SHUT_WR);
  text_free(&in);
  FUZZ_MUST(pthread_create(&t, NULL, drain, &fd[1]) == 0);
  client_serve(fd[0], &(struct client_options){.server = &server, .server_name = "echo", .product = {16, 0, 1000}, .spid = 51});
  close(fd[0]);
  pthread_join(t, NULL);
  close(fd[1]);
  FUZZ_MUST(server.sessions == 0);
  return 0;
}

void fuzz_seeds(void (*add)(const void *, size_t)) {
  struct text t = {0}, body = {0};
  text_add(&t, "\x02"); /* the log-in itself, then a request */
  put_good_login(&t);
  put_batch(&body, "types");
  put_packet(&t, 1, 9, &body);
  add(t.s, t.len);

  static const char *const sql[] = {"select 1", "rows 100 50", "forever", "fail", "exec"};
  for (int i = 0; i < 5; i++) {
    text_clear(&t);
    text_clear(&body);
    text_add(&t, "\x01");
    put_batch(&body, sql[i]);
    put_packet(&t, 1, 1, &body);
    put_packet(&t, 6, 1, &(struct text){0});
    put_packet(&t, 1, 1, &body);
    add(t.s, t.len);
  }

  text_clear(&t);
  text_clear(&body);
  text_add(&t, "\x01");
  put_headers(&body);
  put_rpc(&body, "echo");
  put_int_param(&body, "@a", 1, 7);
  put_text_param(&body, "@t", "text");
  put_packet(&t, 3, 1, &body);
  add(t.s, t.len);

  text_clear(&t);
  text_add(&t, "\x01");
  for (int id = 11; id <= 15; id++) {
    text_clear(&body);
    put_headers(&body);
    put_uint(&body, 0xFFFF, 2);
    put_uint(&body, (uint64_t)id, 2);
    put_uint(&body, 0, 2);
    put_int_param(&body, "@h", 1, 1);
    put_text_param(&body, "", "@a int, @b varchar(10)");
    put_text_param(&body, "", "values");
    put_int_param(&body, "", 0, 1);
    put_packet(&t, 3, 1, &body);
  }
  add(t.s, t.len);

  text_clear(&t);
  text_clear(&body);
  text_add(&t, "\x01");
  put_batch(&body, "insert bulk t");
  put_packet(&t, 1, 1, &body);
  text_clear(&body);
  put_bulk_columns(&body, "id");
  for (int i = 0; i < 9; i++)
    put_bulk_row(&body, i, "some name");
  put_packet(&t, 7, 0, &body);
  text_clear(&body);
  put_bulk_row(&body, 10, "last");
  put_packet(&t, 7, 1, &body);
  put_packet(&t, 7, 1, &(struct text){0});
  add(t.s, t.len);

  text_clear(&t);
  text_clear(&body);
  text_add(&t, "\x01");
  put_headers(&body);
  put_uint(&body, 5, 2);
  put_uint(&body, 4, 2);
  put_packet(&t, 14, 1, &body);
  add(t.s, t.len);
  text_free(&t);
  text_free(&body);
}
