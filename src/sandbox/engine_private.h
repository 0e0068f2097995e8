/* engine_private: what engine.c (the process) and pool.c (the connections) share. */
#ifndef RK_SANDBOX_ENGINE_PRIVATE_H
#define RK_SANDBOX_ENGINE_PRIVATE_H

#include "sandbox/engine.h"

#include <pthread.h>

struct engine {
  char *folder, *data, *program, *pid_file, *log_file, *help;
  char version[80];
  pid_t pid;
  int status;            /* of waitpid, once ended */
  int ended;
  _Atomic int dead;
  int64_t started_ms;
  int folder_fd;         /* of `data`: "/proc/self/fd/N/s" keeps the socket's path short whatever the folder is called */
  pthread_mutex_t lock;  /* all below */
  pthread_cond_t given;
  struct engine_conn *idle; /* the last one given back first: its prepared calls are warm */
  int open, max;
  int64_t waits, wait_ns;
  pthread_mutex_t admin_lock;
  MYSQL *admin;          /* for KILL QUERY */
};

/* A fresh connection to the engine, or NULL with a cause. */
MYSQL *pool_connect(const struct engine *, struct cause *);
void pool_close_all(struct engine *);

#endif
