#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"
#include "mix/load_private.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define TICK_NS (100 * NS_PER_MS)
#define GRACE_NS (5 * NS_PER_S) /* to end by itself */
#define HARD_NS (10 * NS_PER_S) /* then the socket goes */
#define BAR 24

static void *run(void *arg) {
  struct job *j = arg;
  j->rc = j->all->fn(j);
  j->ended = 1;
  return NULL;
}

static void show_bar(const struct jobs *a, int64_t begun_ns, int force) {
  char bar[BAR + 1], done[32], all[32], left[40] = "";
  int64_t rows = a->rows, ns = mono_ns() - begun_ns;
  double share = (double)rows / (double)a->rows_wanted, s = (double)ns / (double)NS_PER_S;
  int filled = share >= 1 ? BAR : (int)(share * BAR);
  memset(bar, '.', BAR);
  memset(bar, '#', (size_t)filled);
  bar[BAR] = '\0';
  if (share > 0.01 && share < 1) {
    char t[32];
    snprintf(left, sizeof left, ", %s left", duration_text((int64_t)((double)ns * (1 - share) / share), t, sizeof t));
  }
  progress(force, "%s [%s] %3.0f %%  %s of %s rows, %.1f MB/s%s", a->what, bar, 100 * (share < 1 ? share : 1),
           count_text(rows, done, sizeof done), count_text(a->rows_wanted, all, sizeof all),
           s > 0 ? (double)a->bytes / 1e6 / s : 0, left);
}

static void show(const struct jobs *a, int64_t begun_ns, int force) {
  char t[32];
  if (!a->show_progress)
    return;
  if (a->rows_wanted > 0)
    show_bar(a, begun_ns, force);
  else
    progress(force, "%s (%s)", a->what, duration_text((mono_ns() - begun_ns) / NS_PER_S * NS_PER_S, t, sizeof t));
}

/* The first that has failed, in the order of the parts; NULL: none. */
static const struct job *first_failed(const struct jobs *a) {
  for (int i = 0; i < a->n; i++)
    if (a->job[i].ended && a->job[i].rc != 0)
      return &a->job[i];
  return NULL;
}

static int running(const struct jobs *a) {
  int n = 0;
  for (int i = 0; i < a->n; i++)
    n += !a->job[i].ended;
  return n;
}

static void interrupt(struct jobs *a, int hard) {
  for (int i = 0; i < a->n; i++)
    if (!a->job[i].ended)
      conn_interrupt(a->job[i].conn, hard);
}

/* Until all have ended.  Who works in the server hears of an end through an interrupt; who does not hear that loses its socket.
 * 1: a job has failed by itself, and *why says why (what the others say then is only that they were interrupted). */
static int watch(struct jobs *a, int64_t begun_ns, struct cause *why) {
  int64_t ending_ns = 0;
  int told = 0, failed = 0;
  for (;;) {
    int n = running(a);
    const struct job *bad = first_failed(a);
    if (!ending_ns && (bad || (a->stop && *a->stop))) {
      ending_ns = mono_ns();
      a->ending = 1;
      failed = bad != NULL;
      if (bad)
        *why = bad->cause;
    }
    if (n == 0)
      return failed;
    int64_t ago_ns = ending_ns ? mono_ns() - ending_ns : -1;
    if (told == 0 && ago_ns >= (a->rows_wanted > 0 ? GRACE_NS : 0)) {
      interrupt(a, 0);
      told = 1;
    } else if (told == 1 && ago_ns > HARD_NS) {
      interrupt(a, 1);
      told = 2;
    }
    show(a, begun_ns, 0);
    sleep_until_ns(mono_ns() + TICK_NS);
  }
}

static int start(struct jobs *a, pthread_t *thread, struct cause *c) {
  sigset_t all, before;
  int begun = 0, err = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before); /* signals are for the thread that watches */
  for (; begun < a->n && err == 0; begun++)
    err = pthread_create(&thread[begun], NULL, run, &a->job[begun]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (err == 0)
    return begun;
  begun--;
  for (int i = begun; i < a->n; i++)
    a->job[i].ended = 1;
  a->ending = 1;
  cause_errno(c, STATUS_INCOMPLETE, err, "cannot start a thread");
  return begun;
}

int jobs_run(struct jobs *a, const struct target *t, const char *database, struct cause *c) {
  pthread_t thread[LOAD_STREAMS_MAX];
  struct cause why = {0}, starting = {0};
  int opened = 0, failed = 0;
  a->rows = a->bytes = 0;
  a->ending = 0;
  memset(a->job, 0, sizeof a->job);
  for (; opened < a->n; opened++) {
    struct job *j = &a->job[opened];
    j->all = a;
    j->part = opened;
    if (load_open(t, database, 1, &j->conn, &why) != 0) {
      failed = 1;
      break;
    }
  }
  if (!failed) {
    int64_t begun_ns = mono_ns();
    int begun = start(a, thread, &starting);
    failed = watch(a, begun_ns, &why);
    for (int i = 0; i < begun; i++)
      pthread_join(thread[i], NULL);
    if (begun < a->n) {
      why = starting;
      failed = 1;
    }
    if (a->rows_wanted > 0)
      show(a, begun_ns, 1); /* the whole bar stays in a log */
    if (a->show_progress)
      progress(1, "%s", "");
  }
  for (int i = 0; i < opened; i++)
    conn_close(a->job[i].conn);
  if (failed) {
    *c = why;
    return -1;
  }
  if (a->stop && *a->stop)
    return cause_set(c, STATUS_INCOMPLETE, "the load was stopped");
  return 0;
}
