#include "config.h"

#include "base/thread.h"

#include <signal.h>

int thread_start(pthread_t *t, size_t stack, const char *name, void *(*fn)(void *), void *arg) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  sigset_t all, before;
  pthread_attr_t attr;
  int err = pthread_attr_init(&attr);
  if (err)
    return err;
  if (stack)
    err = pthread_attr_setstacksize(&attr, stack);
  sigfillset(&all);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&all, faults[i]);
  if (!err) {
    pthread_sigmask(SIG_SETMASK, &all, &before);
    err = pthread_create(t, &attr, fn, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  if (!err)
    pthread_setname_np(*t, name);
  pthread_attr_destroy(&attr);
  return err;
}

void cond_init(pthread_cond_t *c) {
  pthread_condattr_t a;
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_cond_init(c, &a);
  pthread_condattr_destroy(&a);
}

int cond_wait_until(pthread_cond_t *c, pthread_mutex_t *m, long long ns) {
  struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
  return pthread_cond_timedwait(c, m, &t);
}
