#include "config.h"

#include "cmd/analysis.h"

#include "analysis/verdict_words.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Five significant digits, and thousands in full. */
static char *value_text(double v, char *buf, size_t size) {
  snprintf(buf, size, v >= 1e5 && v < 1e15 ? "%.0f" : "%.5g", v);
  return buf;
}

/* What the row is in the verdict, or "". */
static const char *mark_of(const struct verdict *v, double mem) {
  if (v->knee.found && mem == v->knee.b_mib)
    return v->edge.found && mem == v->edge.b_mib ? "plateau and knee end here" : "the knee ends here";
  if (v->knee.found && mem == v->knee.a_mib)
    return v->edge.found && mem == v->edge.b_mib ? "the plateau ends here; below the knee" : "below the knee";
  return v->edge.found && mem == v->edge.b_mib ? "the plateau ends here" : "";
}

static void add_points(struct text *t, const struct outside *a) {
  const struct points *p = &a->points;
  char m[40], y[40], top[40];
  int wide = (int)strlen(p->metric_name) > 12 ? (int)strlen(p->metric_name) : 12;
  const struct verdict_point *largest = &p->point[a->judged - 1];
  text_addf(t, "%16s  %*s  against %s\n", "memory", wide, p->metric_name, points_memory_text(p, largest->mem_mib, top, sizeof top));
  for (size_t i = p->n; i-- > 0;) {
    const struct verdict_point *v = &p->point[i];
    char change[24] = "-";
    if (v != largest)
      verdict_percent(v->y / largest->y - 1, change, sizeof change);
    const char *mark = i >= a->judged ? "worse than with less: not judged" : mark_of(&a->verdict, v->mem_mib);
    text_addf(t, "%16s  %*s  %14s%s%s\n", points_memory_text(p, v->mem_mib, m, sizeof m), wide, value_text(v->y, y, sizeof y),
            change, *mark ? "  " : "", mark);
  }
}

void analysis_text(struct text *t, const struct outside *a) {
  const struct points *p = &a->points;
  struct text words = {0}, first = {0};
  text_addf(&first, "%s: %s against %s, %zu points, %s is better", a->name, p->metric_name, p->memory_name, p->n,
            p->sense == MORE_IS_BETTER ? "more" : "less");
  text_visible(t, first.s);
  text_add(t, "\n\n");
  add_points(t, a);
  outside_words(&words, a);
  text_addf(t, "\n%s", words.s ? words.s : "");
  text_free(&words);
  text_free(&first);
}

/* ---- JSON ---- */

static json_t *number(double v) {
  return isfinite(v) ? json_real(v == 0 ? 0 : v) : json_null(); /* no -0 */
}

/* A file's name need not be UTF-8. */
static json_t *string(const char *s) {
  json_t *j = json_string(s);
  return j ? j : json_string("(a name that is not UTF-8)");
}

static json_t *bracket(const struct bracket *b, int is_knee) {
  if (!b->found)
    return json_null();
  json_t *j = json_pack("{s:o, s:o, s:o, s:o}", "a", number(b->a_mib), "b", number(b->b_mib), "confidence", number(b->confidence),
                        "near", number(b->near));
  if (is_knee) {
    json_object_set_new(j, "lost_above", number(b->lost_above));
    json_object_set_new(j, "lost_below", number(b->lost_below));
  }
  return j;
}

static json_t *limits(const struct outside *a) {
  json_t *all = json_array();
  for (size_t i = 0; i < a->nlimit; i++) {
    const struct outside_limit *l = &a->limit[i];
    json_array_append_new(all, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "metric", string(l->points.metric_name), "limit",
                                         number(l->limit), "sure", number(l->answer.sure_mib), "likely",
                                         number(l->answer.likely_mib), "at", number(l->answer.at_mib), "at_lo",
                                         number(l->answer.at_lo_mib), "at_hi", number(l->answer.at_hi_mib)));
  }
  return all;
}

static json_t *points(const struct points *p) {
  json_t *all = json_array();
  for (size_t i = 0; i < p->n; i++)
    json_array_append_new(all, json_pack("{s:o, s:o, s:o}", "memory", number(p->point[i].mem_mib), "value", number(p->point[i].y),
                                         "se_log", number(p->point[i].se_log)));
  return all;
}

static json_t *left_out(const struct points *p) {
  json_t *all = json_array();
  for (size_t i = 0; i < p->nnote; i++)
    json_array_append_new(all, json_pack("{s:I, s:o}", "line", (json_int_t)p->note[i].line, "why", string(p->note[i].text)));
  return all;
}

static json_t *sentences(const struct outside *a) {
  json_t *all = json_array();
  struct text t = {0};
  outside_words(&t, a);
  for (char *s = t.s, *nl; s && (nl = strchr(s, '\n')); s = nl + 1) {
    *nl = '\0';
    json_array_append_new(all, string(s));
  }
  text_free(&t);
  return all;
}

void analysis_json(struct text *t, const struct outside *a) {
  static const char *const plateau[] = {
      [PLATEAU_EDGE] = "edge", [PLATEAU_FLAT] = "flat", [PLATEAU_NOT_REACHED] = "not reached", [PLATEAU_UNSURE] = "unsure"};
  const struct points *p = &a->points;
  const struct verdict *v = &a->verdict;
  const char *unit = p->sized ? "MiB" : p->memory_unit;
  json_t *j = json_pack("{s:i, s:o, s:{s:o, s:o}, s:{s:o, s:o, s:s}, s:o, s:o, s:b, s:I}", "schema", 1, "table", string(a->name),
                        "memory", "column", string(p->memory_name), "unit", *unit ? string(unit) : json_null(), "metric",
                        "column", string(p->metric_name), "unit", *p->unit ? string(p->unit) : json_null(), "better",
                        p->sense == MORE_IS_BETTER ? "more" : "less", "tolerance", number(a->options.tolerance), "noise",
                        number(v->noise), "noise_assumed", v->noise_assumed, "seed", (json_int_t)a->options.seed);
  json_object_set_new(j, "points", points(p));
  json_object_set_new(j, "worse_from", number(a->judged < p->n ? p->point[a->judged].mem_mib : NAN));
  json_object_set_new(j, "left_out", left_out(p));
  json_object_set_new(j, "plateau", json_string(plateau[v->plateau]));
  json_object_set_new(j, "edge", bracket(&v->edge, 0));
  json_object_set_new(j, "knee", bracket(&v->knee, 1));
  json_object_set_new(j, "second_knee", bracket(&v->knee2, 1));
  json_object_set_new(j, "below_knee", json_boolean(v->below_knee));
  json_object_set_new(
      j, "gain_per_doubling_at_top",
      json_pack("{s:o, s:o, s:o}", "value", number(v->top_gain), "lo", number(v->top_gain_lo), "hi", number(v->top_gain_hi)));
  json_object_set_new(j, "limits", limits(a));
  json_object_set_new(j, "sentences", sentences(a));
  char *dump = json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
  text_addf(t, "%s\n", dump ? dump : "{}");
  free(dump);
  json_decref(j);
}
