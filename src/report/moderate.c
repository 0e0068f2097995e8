#include "config.h"

#include "report/moderate.h"
#include "base/text.h"

#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdlib.h>

/* The y with trigamma(y) = x > 0, by Newton's method on 1 / trigamma, which is nearly straight (Smyth 2004, appendix). */
static double trigamma_inverse(double x) {
  if (x > 1e7)
    return 1 / sqrt(x);
  if (x < 1e-6)
    return 1 / x;
  double y = 0.5 + 1 / x;
  for (int i = 0; i < 50; i++) {
    double tri = gsl_sf_psi_1(y), step = tri * (1 - tri / x) / gsl_sf_psi_n(2, y);
    y += step;
    if (fabs(step) < 1e-8 * y)
      break;
  }
  return y;
}

/* The distribution that the squared errors are drawn from: around `middle`, with so many degrees of freedom. */
struct prior {
  double middle, df;
};

static struct prior prior_of(struct stats_value *const *v, size_t n) {
  double *e = xmalloc(n * sizeof *e), mean = 0, var = 0, expected = 0, dn = (double)n;
  for (size_t i = 0; i < n; i++) {
    double half = v[i]->df / 2;
    e[i] = 2 * log(v[i]->se_log) - gsl_sf_psi(half) + log(half);
    mean += e[i] / dn;
    expected += gsl_sf_psi_1(half) / dn;
  }
  for (size_t i = 0; i < n; i++)
    var += (e[i] - mean) * (e[i] - mean) / (dn - 1);
  free(e);
  /* No more scatter than the errors' own: all steps are equally noisy. */
  if (!(var > expected))
    return (struct prior){exp(mean), INFINITY};
  double half = trigamma_inverse(var - expected);
  return (struct prior){exp(mean + gsl_sf_psi(half) - log(half)), 2 * half};
}

void moderate_errors(struct stats_value **v, size_t n) {
  struct stats_value **use = xmalloc((n + 1) * sizeof(struct stats_value *));
  size_t k = 0;
  double all = 0;
  for (size_t i = 0; i < n; i++)
    if (v[i]->se_log > 0 && isfinite(v[i]->se_log) && v[i]->df > 0 && isfinite(v[i]->df)) {
      use[k++] = v[i];
      all += v[i]->df;
    }
  if (k >= 3) {
    struct prior p = prior_of(use, k);
    for (size_t i = 0; i < k; i++) {
      double own = use[i]->se_log * use[i]->se_log, df = use[i]->df;
      use[i]->se_log = sqrt(isinf(p.df) ? p.middle : (p.df * p.middle + df * own) / (p.df + df));
      use[i]->df = fmin(df + p.df, all);
    }
  }
  free(use);
}

/* Interval and replicates are stretched as the error is, in logs. */
static void stretch(struct estimate *e, const struct stats_value *old, struct stats_value *now, double *draw, size_t ndraw) {
  double half_old = stats_t(0.975, old->df) * old->se_log, half = stats_t(0.975, now->df) * now->se_log, k = half / half_old;
  if (!(e->value > 0) || !isfinite(k) || k == 1)
    return;
  /* An end that was cut at 0, or that the samples did not reach, is taken from the error alone. */
  e->lo = e->value * (e->lo > 0 ? pow(e->lo / e->value, k) : exp(-half));
  e->hi = e->value * (isfinite(e->hi) ? pow(e->hi / e->value, k) : exp(half));
  now->e = *e;
  for (size_t d = 0; draw && d < ndraw; d++)
    if (draw[d] > 0)
      draw[d] = e->value * pow(draw[d] / e->value, k);
}

struct quantity quantity_of(struct figures *f, int which) {
  switch (which) {
  case MS_STATS: return (struct quantity){&f->tx_s, &f->tx_stat, &f->draw_tx_s};
  case MS_STATS + 1: return (struct quantity){&f->read_mb_s, &f->read_stat, &f->draw_read_mb_s};
  case MS_STATS + 2: return (struct quantity){&f->reads_per_tx, &f->reads_stat, &f->draw_reads_per_tx};
  default: return (struct quantity){&f->ms[which], &f->stat[which], &f->draw_ms[which]};
  }
}

void moderate(struct figures_list *l) {
  struct stats_value *old = xcalloc(l->n, sizeof *old), **v = xcalloc(l->n, sizeof(struct stats_value *));
  for (int which = 0; which < QUANTITIES; which++) {
    for (size_t i = 0; i < l->n; i++) {
      v[i] = quantity_of(&l->row[i], which).v;
      old[i] = *v[i];
    }
    moderate_errors(v, l->n);
    for (size_t i = 0; i < l->n; i++) {
      struct quantity q = quantity_of(&l->row[i], which);
      stretch(q.e, &old[i], q.v, *q.draw, l->row[i].ndraw);
    }
  }
  free(old);
  free(v);
}
