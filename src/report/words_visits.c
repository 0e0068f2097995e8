/* What the visits of the steps say of one another (report/pool.h). */
#include "config.h"

#include "report/words.h"
#include "base/text.h"

#include <math.h>

/* Nothing of the kind: the reader is told what the intervals cannot know. */
static void measured_once(struct account *f) {
  if (f->rows.nstep > 1)
    sentence_add(&f->verdicts, NULL,
                 "Each step was measured once: the intervals tell how its seconds scatter, not how far another sweep would differ (sweep --passes 3 "
                 "measures that).");
}

#define FAR_APART 2     /* the worst p95 of a step's visits / the best */
#define LIKE_WORST 0.85 /* the pooled p95 / the worst of the visits' */

/* The step whose visits differ most, among those whose pooled p95 is about that of the worst visit. */
static const struct figures *far_apart(const struct account *f) {
  const struct figures *worst = NULL;
  double most = FAR_APART;
  for (size_t i = 0; i < f->rows.nstep; i++) {
    const struct figures *r = &f->rows.row[i];
    double lo = INFINITY, hi = 0;
    for (size_t k = 0; k < r->nvisit; k++) {
      lo = fmin(lo, r->visit[k].ms[MS_P95].value);
      hi = fmax(hi, r->visit[k].ms[MS_P95].value);
    }
    if (r->nvisit > 1 && hi > most * lo && r->ms[MS_P95].value > LIKE_WORST * hi) {
      most = hi / lo;
      worst = r;
    }
  }
  return worst;
}

/* "128 GB 5.5, 5.1, 5.4; 64 GB ..." */
static void each_visit(struct account *f) {
  const struct figures *apart = far_apart(f);
  struct text t = {0};
  char b[24];
  size_t most = 0;
  for (size_t i = 0; i < f->rows.nstep; i++) {
    const struct figures *r = &f->rows.row[i];
    most = r->nvisit > most ? r->nvisit : most;
    if (r->nvisit > 0)
      text_addf(&t, "%s%s", t.len ? "; " : "", r->memory);
    for (size_t k = 0; k < r->nvisit; k++)
      text_addf(&t, "%s%s", k ? ", " : " ", figure_text(r->visit[k].ms[MS_P95].value, b, sizeof b));
  }
  sentence_add(&f->verdicts, NULL, "Steps were measured up to %zu times, and their figures pool all visits. p95 of each visit in ms: %s.%s%s%s", most, t.s,
               apart ? " At " : "", apart ? apart->memory : "",
               apart ? " the pooled p95 is about that of the worst visit: most of the slowest requests come from it." : "");
  text_free(&t);
}

static void spread(struct account *f) {
  char b[24];
  if (!isfinite(f->rows.spread))
    return;
  if (f->rows.spread > 1.005)
    sentence_add(&f->verdicts, NULL,
                 "The p95 of visits to the same memory differs %s times as much as the seconds within them tell; all intervals here are wider for it.",
                 figure_text(f->rows.spread, b, sizeof b));
  else
    sentence_add(&f->verdicts, NULL, "The p95 of visits to the same memory differs no more than the seconds within them tell.");
}

static void left_out(struct account *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->rows.nstep; i++)
    n += f->rows.row[i].nleft_out;
  if (n > 0)
    sentence_add(&f->verdicts, NULL, "%zu %s left out, for the client was busy in %s: another visit to the same memory had an idle client.", n,
                 n == 1 ? "visit is" : "visits are", n == 1 ? "it" : "them");
}

void words_visits(struct account *f) {
  if (f->rows.nvisit == 0) {
    measured_once(f);
    return;
  }
  each_visit(f);
  spread(f);
  left_out(f);
}
