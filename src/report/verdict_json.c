#include "config.h"

#include "report/verdict_json.h"

#include <math.h>
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

static json_t *one_limit(double more, const struct slo_answer *s) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "more", number(more), "likely_mib", number(s->likely_mib), "sure_mib",
                   number(s->sure_mib), "at_mib", number(s->at_mib), "at_lo_mib", number(s->at_lo_mib), "at_hi_mib",
                   number(s->at_hi_mib));
}

static json_t *one_step(const struct figures *f) {
  return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:b}", "step", text(f->step->name), "row",
                   row_kind_name[f->kind], "memory_mib", number(f->memory_gb * 1024), "tx_s", estimate(&f->tx_s), "p50_ms",
                   estimate(&f->ms[MS_P50]), "p95_ms", estimate(&f->ms[MS_P95]), "p99_ms", estimate(&f->ms[MS_P99]), "mean_ms",
                   estimate(&f->ms[MS_MEAN]), "read_mb_s", estimate(&f->read_mb_s), "saturated", (f->marks & MARK_SATURATED) != 0,
                   "client_bound", (f->marks & MARK_CLIENT_BOUND) != 0, "not_steady", (f->marks & MARK_NOT_STEADY) != 0,
                   "not_reached", (f->marks & MARK_NOT_REACHED) != 0);
}

static json_t *texts(const struct sentences *s, int with_remedy) {
  json_t *a = json_array();
  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(a, with_remedy
                                 ? json_pack("{s:o, s:o}", "text", text(s->item[i].text), "remedy", text(s->item[i].remedy))
                                 : text(s->item[i].text));
  return a;
}

json_t *verdict_json(const struct account *f) {
  json_t *j = json_pack("{s:i, s:o, s:o, s:o, s:b, s:b, s:o}", "schema", 1, "label", text(f->label), "tolerance",
                        number(f->options.tolerance), "seed", json_integer((json_int_t)f->options.seed), "incomplete",
                        f->incomplete, "drifting", f->drifting, "drift_p95", estimate(&f->drift));
  json_t *v = json_object(), *within = json_array(), *steps = json_array();
  for (int k = 0; k < JUDGED; k++)
    json_object_set_new(v, judged_name[k], one_verdict(&f->verdict[k]));
  for (int w = 0; w < WITHIN; w++)
    json_array_append_new(within, one_limit(within_more[w], &f->within[w]));
  for (size_t i = 0; i < f->rows.n; i++)
    json_array_append_new(steps, one_step(&f->rows.row[i]));
  json_object_set_new(j, "verdict", v);
  json_object_set_new(j, "p95_within", within);
  json_object_set_new(j, "steps", steps);
  json_object_set_new(j, "sentences", texts(&f->verdicts, 0));
  json_object_set_new(j, "warnings", texts(&f->warnings, 1));
  return j;
}
