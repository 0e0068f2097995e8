#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

size_t refined_count(const struct account *f) {
  return json_array_size(meta_at(f->run->meta, "refine.added"));
}

double refined_mib(const struct account *f, size_t i) {
  const json_t *v = json_object_get(json_array_get(meta_at(f->run->meta, "refine.added"), i), "mib");
  return json_is_number(v) ? json_number_value(v) : NAN;
}

void words_refined(struct account *f) {
  size_t n = refined_count(f);
  const char *end = meta_text(f->run->meta, "refine.end");
  struct text t = {0};
  char mib[24];
  if (!meta_at(f->run->meta, "refine"))
    return;
  for (size_t i = 0; i < n; i++)
    text_addf(&t, "%s%s", i == 0 ? n == 1 ? "a step at " : "steps at " : i + 1 == n ? " and " : ", ", memory_text(refined_mib(f, i), mib, sizeof mib));
  sentence_add(&f->verdicts, NULL, "Refined after the other steps: %s %s added%s%s.", n ? t.s : "no step", n > 1 ? "were" : "was", end ? "; " : "",
               end ? end : ", and the run ended before more was known");
  text_free(&t);
}

static int is_imprecise(const struct step_data *st) {
  for (size_t k = 0; k < st->nnote; k++)
    if (strcmp(st->note[k].code, NOTE_PRECISION) == 0)
      return 1;
  return 0;
}

/* One visit that is not known well enough is. */
static int row_imprecise(const struct figures *r) {
  int any = is_imprecise(r->step);
  for (size_t i = 0; i < r->nvisit; i++)
    any |= is_imprecise(r->visit[i].step);
  return any;
}

void words_precision(struct account *f) {
  struct text t = {0};
  size_t total = 0, n = 0;
  for (size_t i = 0; i < f->rows.n; i++)
    total += (size_t)row_imprecise(&f->rows.row[i]);
  for (size_t i = 0; i < f->rows.n; i++) {
    const struct figures *r = &f->rows.row[i];
    if (!row_imprecise(r))
      continue;
    n++;
    text_addf(&t, "%s%s%s", n == 1 ? "" : n == total ? " and " : ", ", r->memory, r->kind == ROW_AGAIN ? " (again)" : "");
  }
  if (n > 0)
    sentence_add(&f->warnings, "give a longer --measure-max, or look for what disturbs",
                 "p95 was to be known to %.3g %% up or down, and the time was used up before at %s", 100 * meta_number(f->run->meta, "plan.precision"),
                 t.s);
  text_free(&t);
}
