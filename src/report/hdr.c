#include "config.h"

#include "report/hdr.h"
#include "report/write.h"
#include "analysis/hdr_text.h"
#include "base/file.h"
#include "base/units.h"

#include <stdlib.h>

/* The first percentile that is told from fewer than ten samples, of those that people ask for. */
static void note_thin(struct text *t, uint64_t total) {
  static const struct {
    const char *name;
    double q;
  } asked[] = {{"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};
  char n[32];
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    if (!stats_quantile_supported(total, asked[i].q)) {
      text_addf(t, "# %s samples: from %s on fewer than ten of them stand behind a line\n",
                count_text((int64_t)total, n, sizeof n), asked[i].name);
      return;
    }
}

static int write_one(const struct account *f, const struct figures *r, enum hist_what what, const char *folder, struct hist *h,
                     struct cause *c) {
  struct seconds x;
  seconds_index(&x, r->step);
  figures_hist(h, r->step, &x, what);
  free(x.slot);
  if (h->total == 0)
    return 0;
  struct text t = {0};
  hdr_text(&t, h);
  text_addf(&t, "# %s times in ms at ", what == HIST_RESPONSE ? "response" : "service");
  text_visible(&t, r->memory);
  text_add(&t, r->kind == ROW_AGAIN ? " (again)\n" : r->kind == ROW_BROKEN ? " (not judged)\n" : "\n");
  note_thin(&t, h->total);
  if (f->label)
    text_addf(&t, "# %s\n", f->label);
  char *name = xprintf("hdr/%s-%s.hgrm", r->step->name, what == HIST_RESPONSE ? "response" : "service");
  int rc = report_put(folder, name, &t, c);
  free(name);
  text_free(&t);
  return rc;
}

int hdr_write(const struct account *f, const char *folder, struct cause *c) {
  char *hdr = xprintf("%s/hdr", folder);
  int rc = folder_remove(hdr, c) != 0 || folder_make(hdr, c) != 0 ? -1 : 0;
  struct hist *h = hist_new();
  for (size_t i = 0; rc == 0 && i < f->rows.n; i++)
    if (write_one(f, &f->rows.row[i], HIST_RESPONSE, folder, h, c) != 0 ||
        write_one(f, &f->rows.row[i], HIST_SERVICE, folder, h, c) != 0)
      rc = -1;
  free(h);
  free(hdr);
  return rc;
}
