/* A run that was broken off and gone on with. */
#include "config.h"

#include "report/words.h"
#include "report/meta.h"
#include "base/text.h"

void words_sessions(struct account *f) {
  const json_t *all = meta_at(f->run->meta, "sessions");
  size_t n = json_array_size(all);
  int restarted = 0;
  struct text t = {0};
  if (n == 0)
    return;
  if (n > 1)
    text_addf(&t, "%zu times, ", n);
  for (size_t i = 0; i < n; i++) {
    const json_t *s = json_array_get(all, i);
    const char *started = meta_text(s, "started");
    text_addf(&t, "%s%s", i == 0 ? "at " : i + 1 < n ? ", at " : " and at ", started ? started : "?");
    restarted += meta_true(s, "server_restarted");
  }
  text_add(&t, "; the time that it stood still is left out");
  sentence_add(&f->facts, t.s, "Resumed");
  text_free(&t);
  if (restarted > 0)
    sentence_add(&f->warnings, "compare the first step with the same again at the end",
                 "the server was restarted between two sessions of this run: steps from before and after it may differ for that");
}
