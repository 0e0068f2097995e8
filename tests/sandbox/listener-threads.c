/* Many connections at once that come, ask, leave in order or not, while the listener is shut under them.  A plain program, so that the
 * thread sanitizer can watch it; TAP. */
#include "config.h"

#include "base/clock.h"
#include "build.h"
#include "echo.h"
#include "sandbox/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 4, CLIENTS = 24, REQUESTS = 8, ROUND_MS = 150 };

static atomic_int stop, port;
static atomic_long answered;

static void put_packet(struct text *t, int type, const struct text *body) {
  size_t n = body->len + 8;
  const char h[8] = {(char)type, 1, (char)(n >> 8), (char)n, 0, 0, 1, 0};
  text_addn(t, h, sizeof h);
  text_addn(t, body->s, body->len);
}

/* A log-in and some requests, all at once. */
static void conversation(struct text *all) {
  struct text body = {0};
  put_login(&body, &(struct build_login){.user = "sa", .password = "x", .packet_size = 4096});
  put_packet(all, 0x10, &body);
  for (int i = 0; i < REQUESTS; i++) {
    text_clear(&body);
    put_batch(&body, i % 2 ? "rows 200 50" : "select 1");
    put_packet(all, 1, &body);
  }
  text_free(&body);
}

/* One connection after another until it is time to stop; every third leaves without reading. */
static void *visit(void *arg) {
  const struct text *all = arg;
  for (int i = 0; !stop; i++) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char dump[8192];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
        send(fd, all->s, all->len, MSG_NOSIGNAL) == (ssize_t)all->len && i % 3) {
      shutdown(fd, SHUT_WR);
      while (recv(fd, dump, sizeof dump, 0) > 0)
        answered++;
    }
    close(fd);
  }
  return NULL;
}

static int round_of_visits(struct text *all) {
  struct server server = {0};
  struct cause c;
  struct listener *l = listener_start(&server, &(struct listener_options){.server_name = "echo", .max_connections = CLIENTS / 2}, &c);
  pthread_t t[CLIENTS];
  if (!l) {
    printf("# %s\n", c.text);
    return 0;
  }
  stop = 0;
  port = listener_port(l);
  for (int i = 0; i < CLIENTS; i++)
    if (pthread_create(&t[i], NULL, visit, all) != 0)
      return 0;
  int most = 0;
  const long before = answered;
  const int64_t begin = mono_ns();
  /* Some time, and until somebody was answered, however slow the machine is; alarm() bounds it. */
  while (mono_ns() < begin + ROUND_MS * INT64_C(1000000) || answered == before) {
    int n = listener_connections(l);
    most = n > most ? n : most;
    sleep_until_ns(mono_ns() + 5000000);
  }
  listener_shut(l);
  stop = 1;
  for (int i = 0; i < CLIENTS; i++)
    pthread_join(t[i], NULL);
  listener_free(l);
  return server.sessions == 0 && most <= CLIENTS / 2;
}

int main(void) {
  struct text all = {0};
  alarm(120); /* no test hangs */
  conversation(&all);
  printf("1..%d\n", ROUNDS + 1);
  for (int i = 1; i <= ROUNDS; i++)
    printf("%s %d - shut under its visitors, round %d\n", round_of_visits(&all) ? "ok" : "not ok", i, i);
  printf("%s %d - visitors were answered\n", answered > 0 ? "ok" : "not ok", ROUNDS + 1);
  text_free(&all);
  return 0;
}
