#include "config.h"

#include "report/summary.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 100

void text_wrap(struct text *t, const char *s, const char *first, const char *rest, size_t width) {
  size_t col = strlen(first);
  text_add(t, first);
  for (int word = 0; *s; word++) {
    s += strspn(s, " ");
    size_t n = strcspn(s, " ");
    /* A number stays with its unit. */
    while (s[n] == ' ' && n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9' && strcspn(s + n + 1, " ") <= 4)
      n += 1 + strcspn(s + n + 1, " ");
    if (n == 0)
      break;
    if (word > 0 && col + 1 + n > width) {
      text_addf(t, "\n%s", rest);
      col = strlen(rest);
    } else if (word > 0) {
      text_add(t, " ");
      col++;
    }
    text_addn(t, s, n);
    col += n;
    s += n;
  }
  text_add(t, "\n");
}

static void cell_add(struct text *t, const char *s, size_t width) {
  text_addf(t, "%*s", (int)width, s);
}

static void line_end(struct text *t) {
  while (t->len > 0 && t->s[t->len - 1] == ' ')
    t->s[--t->len] = '\0';
  text_add(t, "\n");
}

static void table_text(struct text *t, const struct table *tab, const struct account *f) {
  size_t width[TABLE_COLUMNS] = {0};
  for (size_t c = 0; c < tab->ncol; c++) {
    for (int h = 0; h < 2; h++)
      width[c] = strlen(tab->head[c][h]) > width[c] ? strlen(tab->head[c][h]) : width[c];
    for (size_t i = 0; i < tab->nrow; i++) {
      size_t n = strlen(tab->cell[i * TABLE_COLUMNS + c]);
      width[c] = n > width[c] ? n : width[c];
    }
  }
  for (int h = 0; h < 2; h++) {
    for (size_t c = 0; c < tab->ncol; c++)
      cell_add(t, tab->head[c][h], width[c] + (c ? 2 : 1));
    line_end(t);
  }
  enum row_kind kind = ROW_STEP;
  for (size_t i = 0; i < tab->nrow; i++) {
    if (f->rows.row[i].kind != kind) {
      kind = f->rows.row[i].kind;
      text_add(t, kind == ROW_AGAIN ? "the first step again, and its change since:\n" : "not judged:\n");
    }
    for (size_t c = 0; c < tab->ncol; c++)
      cell_add(t, tab->cell[i * TABLE_COLUMNS + c], width[c] + (c ? 2 : 1));
    line_end(t);
  }
}

static void facts_text(struct text *t, const struct sentences *facts) {
  for (size_t i = 0; i < facts->n; i++) {
    char first[16];
    snprintf(first, sizeof first, "%-8s", facts->item[i].text);
    text_wrap(t, facts->item[i].remedy, first, "        ", WIDTH);
  }
}

void summary_text(struct text *t, const struct account *f, const char *files) {
  if (f->label)
    text_wrap(t, f->label, "", "", WIDTH);
  facts_text(t, &f->facts);
  struct table tab;
  table_make(&tab, f);
  if (tab.nrow > 0) {
    text_add(t, "\n");
    table_text(t, &tab, f);
    if (tab.legend.n > 0)
      text_add(t, "\n");
    for (size_t i = 0; i < tab.legend.n; i++) {
      char first[16];
      snprintf(first, sizeof first, "%s: ", tab.legend.item[i].text);
      text_wrap(t, tab.legend.item[i].remedy, first, "  ", WIDTH);
    }
  }
  table_free(&tab);
  text_add(t, "\n");
  for (size_t i = 0; i < f->verdicts.n; i++)
    text_wrap(t, f->verdicts.item[i].text, "- ", "  ", WIDTH);
  if (f->label)
    text_wrap(t, "These latencies are the sandbox's: evidence relative to its own largest step, no more.", "- ", "  ", WIDTH);
  if (f->warnings.n > 0)
    text_add(t, "\n");
  for (size_t i = 0; i < f->warnings.n; i++) {
    const struct sentence *w = &f->warnings.item[i];
    char *s = xprintf("%s%s%s.", w->text, w->remedy ? "; " : "", w->remedy ? w->remedy : "");
    text_wrap(t, s, "warning: ", "  ", WIDTH);
    free(s);
  }
  if (f->noted.n > 0)
    text_add(t, "\nWhat fell into the measured phases:\n");
  for (size_t i = 0; i < f->noted.n; i++)
    text_wrap(t, f->noted.item[i].text, "- ", "  ", WIDTH);
  if (files) {
    text_add(t, "\n");
    text_wrap(t, files, "", "  ", WIDTH);
  }
}
