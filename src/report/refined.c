#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "base/text.h"

#include <math.h>

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
