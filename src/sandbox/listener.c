#include "config.h"

#include "sandbox/listener.h"

#include "base/text.h"
#include "sandbox/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* SQL Server gives the session numbers up to 50 to itself. */
enum { FIRST_SPID = 51, MOST_CONNECTIONS = 4000, BACKLOG = 1024, STACK_BYTES = 256 << 10, FREE_SLOT = -1 };

struct listener {
  int fd, wake, port;
  struct client_options common;
  char *server_name;
  pthread_t acceptor;
  pthread_attr_t small;
  pthread_mutex_t lock;   /* guards what follows */
  pthread_cond_t gone;
  int *slot, slots, open; /* slot[i]: the descriptor of session FIRST_SPID + i */
  int shut;
};

struct job {
  struct listener *l;
  int fd, slot;
};

static void *serve(void *arg) {
  struct job *j = arg;
  struct listener *l = j->l;
  struct client_options o = l->common;
  o.spid = FIRST_SPID + j->slot;
  client_serve(j->fd, &o);
  pthread_mutex_lock(&l->lock);
  l->slot[j->slot] = FREE_SLOT; /* before the close: listener_shut must not meet the number again as another's */
  close(j->fd);
  free(j);
  l->open--;
  pthread_cond_broadcast(&l->gone);
  pthread_mutex_unlock(&l->lock);
  return NULL;
}

/* The lowest free slot for fd, or -1. */
static int take_slot(struct listener *l, int fd) {
  int found = -1;
  pthread_mutex_lock(&l->lock);
  for (int i = 0; !l->shut && found < 0 && i < l->slots; i++)
    if (l->slot[i] == FREE_SLOT)
      found = i;
  if (found >= 0) {
    l->slot[found] = fd;
    l->open++;
  }
  pthread_mutex_unlock(&l->lock);
  return found;
}

static void give_back_slot(struct listener *l, int slot) {
  pthread_mutex_lock(&l->lock);
  l->slot[slot] = FREE_SLOT;
  l->open--;
  pthread_mutex_unlock(&l->lock);
}

static void welcome(struct listener *l, int fd) {
  int slot = take_slot(l, fd);
  if (slot < 0) {
    close(fd);
    return;
  }
  struct job *j = xmalloc(sizeof *j);
  *j = (struct job){l, fd, slot};
  pthread_t t;
  if (pthread_create(&t, &l->small, serve, j) != 0) {
    give_back_slot(l, slot);
    close(fd);
    free(j);
  }
}

static void *accept_all(void *arg) {
  struct listener *l = arg;
  struct pollfd p[2] = {{.fd = l->fd, .events = POLLIN}, {.fd = l->wake, .events = POLLIN}};
  for (;;) {
    if ((poll(p, 2, -1) < 0 && errno != EINTR) || p[1].revents)
      break;
    int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
      welcome(l, fd);
    else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
      poll(p + 1, 1, 50); /* until somebody leaves */
  }
  close(l->fd); /* those whom nobody has welcomed need not wait for the others' end */
  l->fd = -1;
  return NULL;
}

static int open_port(int port, struct cause *c) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return cause_errno(c, STATUS_SETUP, errno, "cannot make a socket");
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, BACKLOG) != 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot listen on 127.0.0.1:%d", port);
    cause_remedy(c, "choose another port with --port, or let the system choose by --port 0");
    close(fd);
    return -1;
  }
  return fd;
}

static int port_of(int fd) {
  struct sockaddr_in a;
  socklen_t n = sizeof a;
  return getsockname(fd, (struct sockaddr *)&a, &n) == 0 ? ntohs(a.sin_port) : -1;
}

static void raise_limit(void) {
  struct rlimit r;
  if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
    r.rlim_cur = r.rlim_max;
    setrlimit(RLIMIT_NOFILE, &r);
  }
}

static void release(struct listener *l) {
  if (l->fd >= 0)
    close(l->fd);
  if (l->wake >= 0)
    close(l->wake);
  pthread_attr_destroy(&l->small);
  pthread_cond_destroy(&l->gone);
  pthread_mutex_destroy(&l->lock);
  free(l->server_name);
  free(l->slot);
  free(l);
}

/* Signals belong to main: our threads take none. */
static int start_acceptor(struct listener *l) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int err = pthread_create(&l->acceptor, NULL, accept_all, l);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return err;
}

struct listener *listener_start(struct server *server, const struct listener_options *o, struct cause *c) {
  struct listener *l = xcalloc(1, sizeof *l);
  l->slots = o->max_connections > 0 ? o->max_connections : MOST_CONNECTIONS;
  l->slot = xcalloc((size_t)l->slots, sizeof *l->slot);
  for (int i = 0; i < l->slots; i++)
    l->slot[i] = FREE_SLOT;
  l->server_name = xstrdup(o->server_name ? o->server_name : "");
  l->common = (struct client_options){.server = server, .server_name = l->server_name, .product = {o->major, o->minor, o->build}};
  if (o->major == 0)
    l->common.product = (struct product){16, 0, 1000};
  pthread_mutex_init(&l->lock, NULL);
  pthread_cond_init(&l->gone, NULL);
  pthread_attr_init(&l->small);
  pthread_attr_setstacksize(&l->small, STACK_BYTES);
  pthread_attr_setdetachstate(&l->small, PTHREAD_CREATE_DETACHED);
  raise_limit();
  l->wake = -1;
  l->fd = open_port(o->port, c);
  if (l->fd < 0)
    goto fail;
  l->port = port_of(l->fd);
  l->wake = eventfd(0, EFD_CLOEXEC);
  if (l->wake < 0) {
    cause_errno(c, STATUS_SETUP, errno, "cannot make an event descriptor");
    goto fail;
  }
  int err = start_acceptor(l);
  if (err) {
    cause_errno(c, STATUS_SETUP, err, "cannot start a thread");
    goto fail;
  }
  return l;
fail:
  release(l);
  return NULL;
}

int listener_port(const struct listener *l) {
  return l->port;
}

int listener_connections(struct listener *l) {
  pthread_mutex_lock(&l->lock);
  int n = l->open;
  pthread_mutex_unlock(&l->lock);
  return n;
}

void listener_reset(struct listener *l) {
  const struct linger at_once = {.l_onoff = 1}; /* the close then sends a reset, and what is under way is dropped */
  pthread_mutex_lock(&l->lock);
  for (int i = 0; i < l->slots; i++)
    if (l->slot[i] != FREE_SLOT) {
      setsockopt(l->slot[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      shutdown(l->slot[i], SHUT_RDWR);
    }
  pthread_mutex_unlock(&l->lock);
}

void listener_shut(struct listener *l) {
  pthread_mutex_lock(&l->lock);
  l->shut = 1;
  for (int i = 0; i < l->slots; i++)
    if (l->slot[i] != FREE_SLOT)
      shutdown(l->slot[i], SHUT_RDWR);
  pthread_mutex_unlock(&l->lock);
  uint64_t one = 1;
  if (write(l->wake, &one, sizeof one) < 0) { /* only when the counter is full: then it is awake already */
  }
}

void listener_free(struct listener *l) {
  if (!l)
    return;
  listener_shut(l);
  pthread_join(l->acceptor, NULL);
  pthread_mutex_lock(&l->lock);
  while (l->open > 0)
    pthread_cond_wait(&l->gone, &l->lock);
  pthread_mutex_unlock(&l->lock);
  release(l);
}
