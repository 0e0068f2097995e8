#include "config.h"

#include "sweep/plan.h"
#include "analysis/refine.h"
#include "base/text.h"
#include "base/units.h"
#include "knob/command.h"
#include "knob/knob.h"
#include "sweep/judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const int64_t default_steps_mib[] = {131072, 98304, 65536, 32768, 16384, 8192};
enum { NDEFAULT = sizeof default_steps_mib / sizeof *default_steps_mib, STEPS_MAX = 64 };

const int64_t *plan_default_steps(size_t *n) {
  *n = NDEFAULT;
  return default_steps_mib;
}

/* Filling the cache of a step that goes up: storage that reads 1 GiB/s at best and 100 MiB/s at worst. */
static const int64_t fill_best = GIB, fill_worst = 100 * MIB;

void sweep_options_init(struct sweep_options *o) {
  *o = (struct sweep_options){.demand = {.users = 64, .think_s = 0, .seed = 1}, .settle_max_ns = -1, .warm_ns = -1, .warm_max_ns = -1,
                              .measure_ns = -1, .measure_max_ns = -1, .precision = -1, .burn_in_ns = -1, .budget_ns = -1, .put_back_max_ns = -1, .drift = 1, .stationary = -1,
                              .floor_mib = -1, .set_with_max_ns = COMMAND_USUAL_NS};
}

/* ---- steps ---- */

static int larger_first(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static int step_size(const char *what, int64_t bytes, int64_t *mib, struct cause *c) {
  if (bytes % MIB != 0) {
    cause_set(c, STATUS_SETUP, "the step %s is no whole number of megabytes", what);
    return cause_remedy(c, "the server's setting counts megabytes: give a size like 12288M or 12G");
  }
  if (bytes < MEMORY_LEAST_MIB * MIB) {
    cause_set(c, STATUS_SETUP, "the step %s is below the least that SQL Server takes, %" PRId64 " MB", what, MEMORY_LEAST_MIB);
    return cause_remedy(c, "so little memory can keep a server from starting again; choose larger steps");
  }
  *mib = bytes / MIB;
  return 0;
}

int steps_parse(const char *text, int64_t **out, size_t *n, struct cause *c) {
  int64_t mib[STEPS_MAX] = {0}, bytes;
  char *copy = xstrdup(text), *rest = copy, *one, key[32];
  size_t k = 0;
  int rc = -1;
  while ((one = strsep(&rest, ",")) != NULL) {
    if (k == STEPS_MAX) {
      cause_set(c, STATUS_SETUP, "more than %d steps were named", STEPS_MAX);
      cause_remedy(c, "name fewer steps");
      goto out;
    }
    if (size_parse(one, &bytes, c) != 0 || step_size(one, bytes, &mib[k], c) != 0)
      goto out;
    k++;
  }
  qsort(mib, k, sizeof *mib, larger_first);
  for (size_t i = 1; i < k; i++)
    if (mib[i] == mib[i - 1]) {
      cause_set(c, STATUS_SETUP, "the step %s is named twice", size_key(mib[i] * MIB, key, sizeof key));
      cause_remedy(c, "name each step once; --passes N goes through all of them N times");
      goto out;
    }
  *out = xmalloc(k * sizeof **out);
  memcpy(*out, mib, k * sizeof *mib);
  *n = k;
  rc = 0;
out:
  free(copy);
  return rc;
}

int steps_between(int64_t from, int64_t to, int64_t **out, size_t *n, struct cause *c) {
  char a[32], b[32];
  int64_t hi, lo;
  size_key(from, a, sizeof a);
  size_key(to, b, sizeof b);
  if (step_size(a, from, &hi, c) != 0 || step_size(b, to, &lo, c) != 0)
    return -1;
  if (hi <= lo) {
    cause_set(c, STATUS_SETUP, "steps go down: --from %s is not above --to %s", a, b);
    return cause_remedy(c, "swap them");
  }
  int64_t *mib = xmalloc(STEPS_MAX * sizeof *mib);
  size_t k = 0;
  mib[k++] = hi;
  if (hi * 3 / 4 > lo)
    mib[k++] = hi * 3 / 4;
  for (int64_t m = hi / 2; m > lo; m /= 2)
    mib[k++] = m;
  mib[k++] = lo;
  *out = mib;
  *n = k;
  return 0;
}

/* ---- the plan ---- */

/* Why a step makes no sense on this server; NULL when it does.  New memory. */
static char *why_not(int64_t mib, int64_t floor_mib, const struct plan_facts *f) {
  char a[32], b[32];
  size_text(mib * MIB, a, sizeof a);
  if (mib < floor_mib)
    return xprintf("%s is below the floor of %s (--floor)", a, size_text(floor_mib * MIB, b, sizeof b));
  if (mib < f->least_mib)
    return xprintf("%s is below the least that this server takes, %s", a, size_text(f->least_mib * MIB, b, sizeof b));
  if (f->physical_mib > 0 && mib > f->physical_mib)
    return xprintf("%s is more than the %s of memory that the server's machine has", a, size_text(f->physical_mib * MIB, b, sizeof b));
  if (f->edition_mib > 0 && mib > f->edition_mib)
    return xprintf("%s is more than the %s that %s uses for its cache", a, size_text(f->edition_mib * MIB, b, sizeof b), f->edition);
  return NULL;
}

/* So low a step hurts everybody on a real server; the sandbox's is only this machine. */
static const int64_t usual_floor_mib = 4096;

static int refuse_step(const char *why, int floored, struct cause *c) {
  cause_set(c, STATUS_SETUP, floored ? "a step is refused: %s" : "a step cannot be reached: %s", why);
  if (floored)
    return cause_remedy(c, "so little memory can starve everybody on the server; name larger steps, or say --floor SIZE");
  return cause_remedy(c, "name steps that the server can reach, or none: the default steps that it cannot reach are left out");
}

/* The steps that this server can reach, into mib[]; -1 when a named one is not among them. */
static int choose(const struct sweep_options *o, const struct plan_facts *f, int64_t *mib, size_t *n, char **left_out, struct cause *c) {
  const int64_t *want = o->nstep ? o->step_mib : default_steps_mib;
  size_t nwant = o->nstep ? o->nstep : NDEFAULT;
  int64_t floor_mib = o->floor_mib >= 0 ? o->floor_mib : o->target.is_sandbox ? 0 : usual_floor_mib;
  struct text left = {0};
  *n = 0;
  for (size_t i = 0; i < nwant && *n < STEPS_MAX; i++) {
    char *why = want[i] < MEMORY_LEAST_MIB ? xprintf("%" PRId64 " MB is below the least that SQL Server takes", want[i])
                                               : why_not(want[i], floor_mib, f);
    if (why && o->steps_named) {
      refuse_step(why, want[i] < floor_mib, c);
      free(why);
      text_free(&left);
      return -1;
    }
    if (why)
      text_addf(&left, "%s%s", left.len ? "; " : "left out of the default steps: ", why);
    else
      mib[(*n)++] = want[i];
    free(why);
  }
  *left_out = left.s;
  if (*n >= 2)
    return 0;
  cause_set(c, STATUS_SETUP, "a sweep needs at least two steps%s%s", left.s ? ": " : "", left.s ? left.s : "");
  return cause_remedy(c, "name steps that this server can reach, for instance --from 16G --to 2G");
}

static int64_t or_default(int64_t given, int64_t usual) {
  return given >= 0 ? given : usual;
}

/* A machine that client, server and storage share changes its speed over minutes: two sweeps after one another with the same demand can give
 * p95 figures that differ by a factor of two or more, each with a narrow interval: nothing within one short visit tells of it.  Several
 * visits of a step, minutes apart, do, so a rehearsal whose length nobody has named has three short ones in place of a longer one.  On a real
 * server a pass takes an hour, and each goes up once more to the largest step: there it is for the user to ask. */
static int choose_passes(const struct sweep_options *o) {
  int free_length = o->measure_ns < 0 && o->precision < 0 && o->measure_max_ns < 0;
  return o->passes > 0 ? o->passes : o->target.is_sandbox && free_length ? 3 : 1;
}

/* Fixed, or until p95 is known well enough.  In the sandbox fixed unless the user asks otherwise: on a machine that client, server and
 * storage share the scatter is the machine's and shrinks little with time, and a rehearsal is to end when it says. */
static void choose_measure(struct plan *p, const struct sweep_options *o) {
  int small = o->target.is_sandbox;
  int fixed = o->measure_ns >= 0 || (small && o->precision < 0 && o->measure_max_ns < 0);
  p->measure_ns = or_default(o->measure_ns, (!small ? 120 : p->passes > 1 ? 10 : 20) * NS_PER_S);
  p->measure_max_ns = fixed ? p->measure_ns : or_default(o->measure_max_ns, (small ? 120 : 900) * NS_PER_S);
  if (p->measure_ns > p->measure_max_ns)
    p->measure_ns = p->measure_max_ns;
  p->precision = fixed ? 0 : o->precision >= 0 ? o->precision : 0.05;
}

void plan_budget(struct plan *p, int64_t budget_ns, int64_t used_ns) {
  int64_t least = p->warm_ns + p->measure_ns;
  p->budget_ns = budget_ns;
  p->budget_used_ns = used_ns < budget_ns ? used_ns : budget_ns;
  p->added_most = (size_t)((p->budget_ns - p->budget_used_ns) / (least > NS_PER_S ? least : NS_PER_S));
}

static void choose_refine(struct plan *p, const struct sweep_options *o) {
  p->refine = o->refine;
  plan_budget(p, o->refine ? or_default(o->budget_ns, (o->target.is_sandbox ? 300 : 4 * 3600) * NS_PER_S) : 0, 0);
}

static void choose_times(struct plan *p, const struct sweep_options *o) {
  /* The sandbox fills a cache that is 1,024 times smaller; its short warm-up cannot be judged, and is a fixed time: shorter where several
   * passes share the time, for it is spent in each. */
  int small = o->target.is_sandbox;
  p->settle_max_ns = or_default(o->settle_max_ns, (small ? 30 : 600) * NS_PER_S);
  p->warm_ns = or_default(o->warm_ns, (!small ? 60 : p->passes > 1 ? 5 : 8) * NS_PER_S);
  p->warm_max_ns = or_default(o->warm_max_ns, p->warm_ns * (small ? 1 : 15));
  if (p->warm_max_ns < p->warm_ns && o->warm_ns < 0)
    p->warm_ns = p->warm_max_ns; /* what was given wins over a default */
  if (p->warm_max_ns < p->warm_ns)
    p->warm_max_ns = p->warm_ns;
  choose_measure(p, o);
  p->burn_in_ns = or_default(o->burn_in_ns, (small ? 10 : 300) * NS_PER_S);
  p->probe = !o->demand_named;
  p->rate_most = o->demand.rate > 0 ? o->demand.rate : o->demand.think_s > 0 ? o->demand.users / o->demand.think_s : 0;
  p->probe_ns = p->probe ? (small ? 4 : 30) * NS_PER_S : 0;
  choose_refine(p, o);
}

static int64_t fill_ns(int64_t mib, const struct plan_facts *f, int64_t bytes_per_s) {
  int64_t bytes = mib * MIB < f->data_bytes ? mib * MIB : f->data_bytes;
  return (int64_t)((double)bytes / (double)(f->scale > 1 ? f->scale : 1) / (double)bytes_per_s * (double)NS_PER_S);
}

/* Fill the cache at this step or not; its time follows. */
static void set_fill(const struct plan *p, struct plan_step *s, int fill) {
  int sign = fill - s->fill;
  s->least_ns += sign * fill_ns(s->mib, &p->facts, fill_best);
  s->most_ns += sign * fill_ns(s->mib, &p->facts, fill_worst);
  s->fill = fill;
}

static struct plan_step step_of(const struct plan *p, int index, enum step_role role, int64_t mib, int fill) {
  struct plan_step s = {.index = index, .role = role, .mib = mib};
  if (role == STEP_BURN_IN) {
    s.least_ns = p->burn_in_ns + 2 * p->probe_ns;
    s.most_ns = s.least_ns + p->settle_max_ns;
  } else {
    s.least_ns = p->warm_ns + p->measure_ns;
    s.most_ns = p->settle_max_ns + p->warm_max_ns + p->measure_max_ns;
  }
  set_fill(p, &s, fill);
  return s;
}

static struct plan_step *add(struct plan *p, int index, enum step_role role, int64_t mib) {
  int fill = mib > 0 && (p->nstep == 0 || mib > p->step[p->nstep - 1].mib);
  struct plan_step s = step_of(p, index, role, mib, fill);
  p->step[p->nstep++] = s;
  p->least_ns += s.least_ns;
  p->most_ns += s.most_ns;
  return &p->step[p->nstep - 1];
}

int plan_make(struct plan *p, const struct sweep_options *o, const struct plan_facts *f, struct cause *c) {
  memset(p, 0, sizeof *p);
  p->facts = *f;
  int64_t mib[STEPS_MAX];
  size_t n;
  if (choose(o, f, mib, &n, &p->left_out, c) != 0) {
    plan_free(p);
    return -1;
  }
  p->passes = choose_passes(o);
  choose_times(p, o);
  p->stop = stop_text(&o->stop);
  p->step = xcalloc((size_t)p->passes * n + 2, sizeof *p->step);
  add(p, 0, STEP_BURN_IN, mib[0]);
  for (int pass = 1; pass <= p->passes; pass++)
    for (size_t i = 0; i < n; i++)
      add(p, (int)p->nstep, STEP_MEASURED, mib[i])->pass = pass;
  if (o->drift)
    add(p, (int)p->nstep, STEP_DRIFT, mib[0]);
  p->most_ns += p->budget_ns;
  return 0;
}

void plan_take_out(struct plan *p, int (*is_there)(const void *arg, const struct plan_step *), const void *arg) {
  size_t n = 0;
  p->least_ns = 0;
  p->most_ns = p->budget_ns - p->budget_used_ns;
  for (size_t i = 0; i < p->nstep; i++) {
    struct plan_step s = p->step[i];
    if (is_there(arg, &s))
      continue;
    set_fill(p, &s, n == 0 ? s.fill : s.mib > p->step[n - 1].mib);
    p->step[n++] = s;
    p->least_ns += s.least_ns;
    p->most_ns += s.most_ns;
  }
  p->nstep = n;
}

size_t plan_add_step(struct plan *p, int64_t mib) {
  size_t at = p->nstep;
  if (p->step[at - 1].role == STEP_DRIFT)
    at--;
  p->step = xrealloc(p->step, p->nstep + 1, sizeof *p->step);
  struct plan_step *s = &p->step[at];
  memmove(s + 1, s, (p->nstep - at) * sizeof *s);
  p->nstep++;
  int index = (s[-1].index > p->taken ? s[-1].index : p->taken) + 1;
  *s = step_of(p, index, STEP_MEASURED, mib, mib > s[-1].mib);
  if (at + 1 < p->nstep)
    s[1].index = index + 1;
  return at;
}

void plan_point(struct plan *p, const struct sweep_options *o, const struct plan_facts *f, int64_t mib) {
  memset(p, 0, sizeof *p);
  p->facts = *f;
  p->passes = 1;
  choose_times(p, o);
  p->settle_max_ns = 0;
  p->refine = 0;
  p->step = xcalloc(2, sizeof *p->step);
  add(p, 0, STEP_BURN_IN, mib);
  add(p, 1, STEP_MEASURED, mib)->pass = 1;
}

void plan_free(struct plan *p) {
  free(p->step);
  free(p->left_out);
  free(p->stop);
  memset(p, 0, sizeof *p);
}

/* A step that is bound to be too short to be judged is better known before hours of measuring. */
static void print_few(const struct plan *p, FILE *f) {
  char a[40], b[40];
  double requests = p->rate_most * (double)p->measure_max_ns / (double)NS_PER_S;
  if (p->rate_most <= 0 || requests >= DIGEST_REQUESTS)
    return;
  int64_t least_s = (int64_t)(1.1 * DIGEST_REQUESTS / p->rate_most) + 1;
  fprintf(f, "Note: at %.3g requests a second or fewer, %s give no %d requests, and such a step is not judged: %s %s or longer.\n",
          p->rate_most, duration_text(p->measure_max_ns, a, sizeof a), DIGEST_REQUESTS, p->precision > 0 ? "--measure-max" : "--measure",
          duration_text(least_s * NS_PER_S, b, sizeof b));
}

static void print_step(const struct plan_step *s, FILE *f) {
  static const char *const role[] = {[STEP_BURN_IN] = "burn-in", [STEP_MEASURED] = "measure", [STEP_DRIFT] = "first again"};
  char a[40], b[40], c[40];
  fprintf(f, "%4d  %-10s  %-12s  %-14s  %s\n", s->index, size_text(s->mib * MIB, a, sizeof a), role[s->role],
          duration_text(s->least_ns, b, sizeof b), duration_text(s->most_ns, c, sizeof c));
}

char *plan_pass_text(const struct plan *p, const struct plan_step *s, char *buf, size_t size) {
  buf[0] = '\0';
  if (p->passes > 1 && s->pass > 0)
    snprintf(buf, size, "pass %d of %d, ", s->pass, p->passes);
  return buf;
}

/* How many steps from i on are of one pass. */
static size_t pass_length(const struct plan *p, size_t i) {
  size_t n = 1;
  while (i + n < p->nstep && p->step[i + n].pass == p->step[i].pass)
    n++;
  return n;
}

/* The steps of the pass before, in their order? */
static int same_again(const struct plan_step *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((s + i - n)->pass != s->pass - 1 || (s + i - n)->mib != s[i].mib)
      return 0;
  return 1;
}

/* One of several passes; a line is enough where its steps are those of the one before. */
static void print_pass(const struct plan *p, size_t at, size_t n, FILE *f) {
  const struct plan_step *s = &p->step[at];
  int64_t least_ns = 0, most_ns = 0;
  char a[40], b[40];
  if (at <= n || !same_again(s, n)) {
    fprintf(f, "pass %d of %d:\n", s->pass, p->passes);
    for (size_t i = 0; i < n; i++)
      print_step(&s[i], f);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    least_ns += s[i].least_ns;
    most_ns += s[i].most_ns;
  }
  fprintf(f, "pass %d of %d: the same again, as steps %d to %d, at least %s, at most %s\n", s->pass, p->passes, s->index, s[n - 1].index,
          duration_text(least_ns, a, sizeof a), duration_text(most_ns, b, sizeof b));
}

/* All but the drift step. */
static void print_steps(const struct plan *p, FILE *f) {
  for (size_t i = 0, n; i < p->nstep; i += n) {
    n = pass_length(p, i);
    if (p->passes > 1 && p->step[i].pass > 0)
      print_pass(p, i, n, f);
    else
      for (size_t k = i; k < i + n; k++)
        if (p->step[k].role != STEP_DRIFT)
          print_step(&p->step[k], f);
  }
}

/* How long a step's phases are. */
static void print_phases(const struct plan *p, FILE *f) {
  char a[40], b[40];
  fprintf(f, "\nEach step: settle for up to %s, warm for %s", duration_text(p->settle_max_ns, a, sizeof a), duration_text(p->warm_ns, b, sizeof b));
  if (p->warm_max_ns > p->warm_ns)
    fprintf(f, " to %s until steady", duration_text(p->warm_max_ns, a, sizeof a));
  fprintf(f, ", measure for %s", duration_text(p->measure_ns, a, sizeof a));
  if (p->measure_max_ns > p->measure_ns)
    fprintf(f, " to %s until p95 is known to %.3g %% up or down", duration_text(p->measure_max_ns, b, sizeof b), 100 * p->precision);
  fprintf(f, ".\n");
}

static void print_refine(const struct plan *p, FILE *f) {
  char a[40], b[40];
  fprintf(f, "Then steps are added inside the brackets of the verdict, until their ends differ by a factor of %.3g or by 1 GB, as far as the budget of %s goes",
          REFINE_RATIO, duration_text(p->budget_ns, a, sizeof a));
  if (p->budget_used_ns > 0)
    fprintf(f, ", of which %s are used already", duration_text(p->budget_used_ns, b, sizeof b));
  fprintf(f, ".\n");
}

void plan_print(const struct plan *p, FILE *f) {
  char a[40], b[40];
  fprintf(f, "%-4s  %-10s  %-12s  %-14s  %s\n", "step", "memory", "what", "at least", "at most");
  print_steps(p, f);
  if (p->refine)
    fprintf(f, "%4s  %-10s  %-12s  %-14s  %s\n", "+", "between", "refine", "0 s",
            duration_text(p->budget_ns - p->budget_used_ns, b, sizeof b));
  if (p->step[p->nstep - 1].role == STEP_DRIFT)
    print_step(&p->step[p->nstep - 1], f);
  print_phases(p, f);
  if (p->passes > 1)
    fprintf(f, "The steps are gone through %d times: how far the visits of a step differ tells how much the machine itself changes over minutes.\n",
            p->passes);
  if (p->refine)
    print_refine(p, f);
  if (p->probe)
    fprintf(f, "The demand is set by a probe at the largest step.\n");
  if (p->stop)
    fprintf(f, "The descent ends at the first step with %s%s.\n", p->stop, p->passes > 1 ? ", in that pass and in those after it" : "");
  if (p->left_out)
    fprintf(f, "Note: %s.\n", p->left_out);
  print_few(p, f);
  fprintf(f, "It takes at least %s and at most %s.\n", duration_text(p->least_ns, a, sizeof a), duration_text(p->most_ns, b, sizeof b));
}
