#include "config.h"

#include "sweep/stop.h"
#include "analysis/stats.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

static const struct stop_rule known[STOP_MAX] = {
  {"p50", 0.5, 0}, {"p90", 0.9, 0}, {"p95", 0.95, 0}, {"p99", 0.99, 0}, {"p99.9", 0.999, 0}, {"mean", NAN, 0},
};

static const struct stop_rule *find(const char *name, size_t len) {
  for (size_t i = 0; i < STOP_MAX; i++)
    if (strlen(known[i].name) == len && strncmp(known[i].name, name, len) == 0)
      return &known[i];
  return NULL;
}

int stop_add(struct stop_rules *s, const char *text, struct cause *c) {
  const char *eq = strchr(text, '=');
  const struct stop_rule *k = eq ? find(text, (size_t)(eq - text)) : NULL;
  int64_t ns;
  if (!k) {
    cause_set(c, STATUS_SETUP, "--stop-above takes FIGURE=TIME, not '%s'", text);
    return cause_remedy(c, "the figures are p50, p90, p95, p99, p99.9 and mean, for instance --stop-above p95=50ms");
  }
  for (size_t i = 0; i < s->n; i++)
    if (s->rule[i].name == k->name) {
      cause_set(c, STATUS_SETUP, "--stop-above names %s twice", k->name);
      return cause_remedy(c, "one limit for each figure");
    }
  if (duration_parse(eq + 1, &ns, c) != 0)
    return -1;
  if (ns <= 0) {
    cause_set(c, STATUS_SETUP, "the limit of %s must be above 0", k->name);
    return cause_remedy(c, "for instance --stop-above %s=50ms", k->name);
  }
  s->rule[s->n] = *k;
  s->rule[s->n++].limit_ms = (double)ns / (double)NS_PER_MS;
  return 0;
}

int stop_judge(const struct stop_rule *r, const struct hist *h, double *value_ms) {
  *value_ms = isnan(r->q) ? hist_mean_ms(h) : hist_quantile_ms(h, r->q);
  if (h->total == 0 || (!isnan(r->q) && !stats_quantile_supported(h->total, r->q)))
    return -1;
  return *value_ms > r->limit_ms;
}

char *stop_text(const struct stop_rules *s) {
  struct text t = {0};
  for (size_t i = 0; i < s->n; i++)
    text_addf(&t, "%s%s above %.4g %s", i ? " or " : "", s->rule[i].name, s->rule[i].limit_ms / (s->rule[i].limit_ms < 1000 ? 1 : 1000),
              s->rule[i].limit_ms < 1000 ? "ms" : "s");
  return t.s;
}
