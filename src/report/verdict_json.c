#include "config.h"

#include "report/verdict_json.h"
#include "report/tables.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *number(double v) {
  return isfinite(v) ? json_real(v) : json_null();
}

/* Text that is not UTF-8 is no JSON. */
static json_t *text(const char *s) {
  json_t *j = s ? json_string(s) : json_null();
  return j ? j : json_string("(text that is not UTF-8)");
}

static json_t *estimate(const struct estimate *e) {
  return json_pack("{s:o, s:o, s:o}", "value", number(e->value), "lo", number(e->lo), "hi", number(e->hi));
}

static json_t *bracket(const struct bracket *b) {
  if (!b->found)
    return json_null();
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "a_mib", number(b->a_mib), "b_mib", number(b->b_mib), "confidence",
                   number(b->confidence), "near", number(b->near), "lost_above", number(b->lost_above), "lost_below",
                   number(b->lost_below));
}

static json_t *one_verdict(const struct verdict *v) {
  static const char *const plateau[] = {
      [PLATEAU_EDGE] = "edge", [PLATEAU_FLAT] = "flat", [PLATEAU_NOT_REACHED] = "not reached", [PLATEAU_UNSURE] = "unsure"};
  if (!v->ok)
    return json_null();
  struct estimate gain = {v->top_gain, v->top_gain_lo, v->top_gain_hi};
  return json_pack("{s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:b}", "plateau", plateau[v->plateau], "edge", bracket(&v->edge),
                   "knee", bracket(&v->knee), "second_knee", bracket(&v->knee2), "below_knee", v->below_knee,
                   "gain_per_doubling_at_top", estimate(&gain), "plateau_value", number(v->plateau_y), "smallest_to_largest",
                   number(v->range), "noise_assumed", v->noise_assumed);
}

static json_t *answer(const char *of, double limit, const struct slo_answer *s) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", of, number(limit), "likely_mib", number(s->likely_mib), "sure_mib",
                   number(s->sure_mib), "at_mib", number(s->at_mib), "at_lo_mib", number(s->at_lo_mib), "at_hi_mib",
                   number(s->at_hi_mib));
}

static json_t *one_limit(const struct account_limit *l) {
  json_t *j = answer("limit", l->limit, &l->answer);
  const char *name = l->stat < 0 ? l->metric : l->stat == MS_P999 ? "p99.9" : latency_stat_name[l->stat];
  json_object_set_new(j, "metric", text(name));
  return j;
}

static json_t *one_pressure(const struct figures *f) {
  json_t *kinds = json_array(), *ms = json_object();
  unsigned bits = words_pressures(f);
  for (int k = 0; k < PRESSURES; k++) {
    if (bits >> k & 1)
      json_array_append_new(kinds, json_string(pressure_name[k]));
    json_object_set_new(ms, pressure_name[k], number(f->wait_ms_per_tx[k]));
  }
  return json_pack("{s:o, s:o}", "kinds", kinds, "wait_ms_per_tx", ms);
}

/* Each visit by itself, in the order of the passes. */
static json_t *visits(const struct account *a, const struct figures *f) {
  json_t *all = json_array();
  char name[24];
  snprintf(name, sizeof name, "%s%s", latency_stat_name[a->subject.main], table_latency_suffix(a));
  for (size_t i = 0; i < f->nvisit; i++) {
    const struct figures *v = &f->visit[i];
    json_array_append_new(all, json_pack("{s:o, s:o, s:b}", "step", text(v->step->name), name, estimate(&v->ms[a->subject.main]), "left_out",
                                         figures_leave_out(f, v)));
  }
  return all;
}

static json_t *one_step(const struct account *a, const struct figures *f) {
  json_t *j = json_pack("{s:o, s:s, s:o, s:o}", "step", text(f->step->name), "row", row_kind_name[f->kind],
                        a->subject.memory_unit ? "memory" : "memory_mib", number(f->memory_gb * 1024), "tx_s", estimate(&f->tx_s));
  for (int q = MS_MEAN; q < MS_MAX; q++) {
    char name[24];
    snprintf(name, sizeof name, "%s%s", latency_stat_name[q], table_latency_suffix(a));
    json_object_set_new(j, name, estimate(&f->ms[q]));
  }
  json_object_set_new(j, "read_mb_s", estimate(&f->read_mb_s));
  if (a->subject.outside)
    return j;
  if (f->nvisit > 0)
    json_object_set_new(j, "visits", visits(a, f));
  json_object_set_new(j, "pressure", one_pressure(f));
  json_object_set_new(j, "saturated", json_boolean(f->marks & MARK_SATURATED));
  json_object_set_new(j, "client_bound", json_boolean(f->marks & MARK_CLIENT_BOUND));
  json_object_set_new(j, "not_steady", json_boolean(f->marks & MARK_NOT_STEADY));
  json_object_set_new(j, "not_reached", json_boolean(f->marks & MARK_NOT_REACHED));
  return j;
}

static json_t *texts(const struct sentences *s, int with_remedy) {
  json_t *a = json_array();
  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(a, with_remedy
                                 ? json_pack("{s:o, s:o}", "text", text(s->item[i].text), "remedy", text(s->item[i].remedy))
                                 : text(s->item[i].text));
  return a;
}

/* What only a run has. */
static void add_run(json_t *j, const struct account *f) {
  json_t *within = json_array();
  for (int w = 0; w < WITHIN; w++)
    json_array_append_new(within, answer("more", within_more[w], &f->within[w]));
  json_object_set_new(j, "incomplete", json_boolean(f->incomplete));
  json_object_set_new(j, "drifting", json_boolean(f->drifting));
  json_object_set_new(j, "drift_p95", estimate(&f->drift));
  if (f->rows.nvisit > 0)
    json_object_set_new(j, "visits_spread_p95", number(f->rows.spread));
  json_object_set_new(j, "p95_within", within);
}

json_t *verdict_json(const struct account *f) {
  int outside = f->subject.outside;
  json_t *j = json_pack("{s:i, s:o, s:o, s:o, s:o}", "schema", 1, "label", text(f->label), "judged",
                        text(outside ? f->subject.metric : judged_name[JUDGED_MAIN]), "tolerance", number(f->options.tolerance),
                        "seed", json_integer((json_int_t)f->options.seed));
  json_t *v = json_object(), *steps = json_array(), *limits = json_array();
  for (int k = 0; k < (outside ? 1 : JUDGED); k++)
    json_object_set_new(v, outside ? f->subject.metric : judged_name[k], one_verdict(&f->verdict[k]));
  for (size_t i = 0; i < f->nlimit; i++)
    json_array_append_new(limits, one_limit(&f->limit[i]));
  for (size_t i = 0; i < f->rows.n; i++)
    json_array_append_new(steps, one_step(f, &f->rows.row[i]));
  json_object_set_new(j, "verdict", v);
  json_object_set_new(j, "limits", limits);
  json_object_set_new(j, "steps", steps);
  if (!outside)
    add_run(j, f);
  json_object_set_new(j, "sentences", texts(&f->verdicts, 0));
  json_object_set_new(j, "warnings", texts(&f->warnings, 1));
  return j;
}
