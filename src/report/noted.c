/* What fell into the measured phases, one sentence for each kind: "pages written by checkpoints: 120 (0.1 MB/s) at 128 GB; ...". */
#include "config.h"

#include "report/words.h"
#include "base/text.h"
#include "report/meta.h"

#include <stdlib.h>
#include <string.h>

/* Length of what stands before ": " in the text of a fact; 0 when the note is none. */
static size_t label_length(const struct run_note *n) {
  const char *end = strncmp(n->code, "saw-", 4) == 0 ? strstr(n->text, ": ") : NULL;
  return end ? (size_t)(end - n->text) : 0;
}

/* Each kind stands where its first note does. */
static int is_first(const struct account *f, size_t step, size_t note, size_t label) {
  const struct run_note *this = &f->run->step[step].note[note];
  for (size_t i = 0; i <= step; i++)
    for (size_t k = 0; k < (i == step ? note : f->run->step[i].nnote); k++) {
      const struct run_note *n = &f->run->step[i].note[k];
      if (label_length(n) == label && strncmp(n->text, this->text, label) == 0)
        return 0;
    }
  return 1;
}

/* The facts of that kind that stand in one step. */
static void add_facts(struct text *t, const struct step_data *s, const struct run_note *first, size_t label) {
  for (size_t k = 0; k < s->nnote; k++)
    if (label_length(&s->note[k]) == label && strncmp(s->note[k].text, first->text, label) == 0)
      text_addf(t, "%s%s", t->len ? " / " : "", s->note[k].text + label + 2);
}

static int same_place(const struct step_facts *a, const struct step_facts *b) {
  return a->setting_mib == b->setting_mib && a->role == b->role;
}

/* Visits of one step stand together: "4,898 / 6,855 at 128 GB". */
static void add_kind(struct account *f, const struct run_note *first, size_t label) {
  struct text t = {0}, here = {0};
  for (size_t i = 0; i < f->run->nstep; i++) {
    const struct step_facts *s = &f->run->step[i].facts;
    int told = 0;
    for (size_t k = 0; k < i; k++)
      told |= same_place(&f->run->step[k].facts, s);
    text_clear(&here);
    for (size_t k = i; k < f->run->nstep && !told; k++)
      if (same_place(&f->run->step[k].facts, s))
        add_facts(&here, &f->run->step[k], first, label);
    char memory[24];
    if (here.len > 0)
      text_addf(&t, "%s%s at %s%s", t.len ? "; " : "", here.s, memory_text((double)s->setting_mib, memory, sizeof memory),
                s->role == STEP_DRIFT ? " (again)" : "");
  }
  sentence_add(&f->noted, NULL, "%.*s: %s", (int)label, first->text, t.s);
  text_free(&t);
  text_free(&here);
}

void words_noted(struct account *f) {
  for (size_t i = 0; i < f->run->nstep; i++)
    for (size_t k = 0; k < f->run->step[i].nnote; k++) {
      const struct run_note *n = &f->run->step[i].note[k];
      size_t label = label_length(n);
      if (label > 0 && is_first(f, i, k, label))
        add_kind(f, n, label);
    }
}

void words_stopped(struct account *f) {
  char memory[24];
  const char *why;
  int64_t mib = run_stopped_mib(f->run, &why);
  if (mib > 0) /* one of several passes can have ended higher than those before it */
    sentence_add(&f->verdicts, NULL, "The descent ended at %s, as asked: its %s; smaller steps were not measured%s.",
                 memory_text((double)mib, memory, sizeof memory), why, meta_number(f->run->meta, "plan.passes") > 1 ? " any more" : "");
  joined_stopped(f);
}
