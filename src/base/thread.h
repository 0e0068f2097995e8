/* thread: start threads that leave the signals to the main thread. */
#ifndef RK_BASE_THREAD_H
#define RK_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* pthread_create with all signals blocked but those of a fault of the thread's own (SIGSEGV, ...), so that a handler runs in the
 * main thread and no system call here ends early.  `stack` bytes of stack, 0: the default; `name` (at most 15 bytes) is what top
 * and gdb show.  0, or an errno. */
int thread_start(pthread_t *, size_t stack, const char *name, void *(*fn)(void *), void *arg);

/* A condition variable that waits by the monotonic clock (pthread_cond_timedwait with mono_ns times). */
void cond_init(pthread_cond_t *);

/* Wait until signalled or until the monotonic instant `ns`: 0, or ETIMEDOUT. */
int cond_wait_until(pthread_cond_t *, pthread_mutex_t *, long long ns);

#endif
