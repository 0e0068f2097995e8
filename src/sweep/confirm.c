#include "config.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/supervisor.h"
#include "sweep/work.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

static void show_others(const struct check_facts *f) {
  if (!f->sessions.have)
    fprintf(stderr, "Whose sessions will feel it is not known (%s)\n", f->sessions.why);
  else if (f->sessions_n == 0)
    fprintf(stderr, "Nobody else is connected\n");
  else
    fprintf(stderr, "Other people's sessions (%" PRId64 ") will feel it: %s\n", f->sessions_n, f->sessions_text);
  if (f->requests.have && f->requests_n > 0)
    fprintf(stderr, "  they run now: %s\n", f->requests_text);
}

static void show(struct work *w) {
  const struct plan *p = &w->plan;
  const struct knob_state *b = &w->facts.before;
  char now[40], hi[32], lo[32];
  int64_t least = INT64_MAX, most = 0;
  size_t changes = 1; /* and back */
  for (size_t i = 0; i < p->nstep; i++) {
    least = p->step[i].mib < least ? p->step[i].mib : least;
    most = p->step[i].mib > most ? p->step[i].mib : most;
    changes += i == 0 || p->step[i].mib != p->step[i - 1].mib;
  }
  /* Steps that are added can lie between any two that the run has, be they measured already. */
  for (size_t i = 0; p->refine && i < w->o->nstep; i++)
    least = w->o->step_mib[i] < least ? w->o->step_mib[i] : least;
  fprintf(stderr, "\n");
  plan_print(p, stderr);
  fprintf(stderr, "\nThis changes a setting of the whole instance %s (%s, %s):\n", b->server, w->facts.seen.edition, w->facts.seen.version);
  fprintf(stderr, "  max server memory, now %s, goes from %s to %s", knob_value_text(b->max_mib, now, sizeof now),
          size_text(most * MIB, hi, sizeof hi), size_text(least * MIB, lo, sizeof lo));
  if (p->passes > 1)
    fprintf(stderr, ", in %d passes", p->passes);
  fprintf(stderr, "\n");
  if (b->min_mib > least && !b->command[0])
    fprintf(stderr, "  min server memory, now %" PRId64 " MB, is lowered with it\n", b->min_mib);
  changes += p->added_most;
  fprintf(stderr, "  each of the %s%zu changes empties the plan cache of all databases\n", p->refine ? "at most " : "", changes);
  if (b->command[0])
    fprintf(stderr, "  each is made by the command '%s'\n", b->command);
  fprintf(stderr, "It goes back at the end, whatever happens; the journal is %s\n", w->journal.path);
  if (w->o->dead_man_ns)
    fprintf(stderr, "Should this sweep not be heard of for %s, a job of SQL Server Agent puts it back ('ramknee sql dead-man' prints it)\n",
            duration_text(w->o->dead_man_ns, now, sizeof now));
  show_others(&w->facts.seen);
  fprintf(stderr, "\n");
}

/* A line from the terminal, with an eye on signals; -1: a signal or the end of input. */
static int ask(char *answer, size_t size) {
  fprintf(stderr, "Go on? [y/N] ");
  for (size_t n = 0;;) {
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&p, 1, 200);
    if (supervised_wait(0) > 0)
      return -1;
    if (ready <= 0)
      continue;
    char ch;
    ssize_t got = read(STDIN_FILENO, &ch, 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got != 1)
      return -1;
    if (ch == '\n') {
      answer[n] = '\0';
      return 0;
    }
    if (n + 1 < size)
      answer[n++] = ch;
  }
}

int sweep_confirm(struct work *w, struct cause *c) {
  char answer[16];
  if (supervised_wait(0) > 0)
    return cause_set(c, STATUS_SETUP, "interrupted: nothing was changed");
  show(w);
  if (w->o->yes)
    return 0;
  if (ask(answer, sizeof answer) == 0 && (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0))
    return 0;
  return cause_set(c, STATUS_SETUP, "not confirmed: nothing was changed");
}
