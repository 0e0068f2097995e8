#include "config.h"

#include "report/write.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/tables.h"
#include "report/verdict_json.h"
#include "base/file.h"
#include "base/log.h"

#include <stdlib.h>
#include <unistd.h>

#define PICTURE_TIMEOUT_S 60

int report_put(const char *folder, const char *name, const struct text *t, struct cause *c) {
  char *path = xprintf("%s/%s", folder, name);
  int rc = file_write(path, t->s ? t->s : "", t->len, 0666, c);
  free(path);
  return rc;
}

static int write_steps(const struct account *f, const char *folder, struct cause *c) {
  struct text t = {0};
  table_steps(&t, f);
  int rc = report_put(folder, "steps.tsv", &t, c);
  text_free(&t);
  return rc;
}

static int write_verdict(const struct account *f, const char *folder, struct cause *c) {
  json_t *j = verdict_json(f);
  char *s = json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  struct text t = {0};
  text_add(&t, s ? s : "{}");
  text_add(&t, "\n");
  int rc = report_put(folder, "verdict.json", &t, c);
  free(s);
  json_decref(j);
  text_free(&t);
  return rc;
}

/* A picture of an earlier report that is not drawn again would lie, and so would a script that this one has nothing for. */
static void remove_plot(const char *folder, const char *name, const char *end) {
  char *path = xprintf("%s/plots/%s.%s", folder, name, end);
  unlink(path);
  free(path);
}

static int write_script(const struct account *f, const char *folder, const struct plot *p, struct cause *c) {
  struct text t = {0};
  char *name = xprintf("plots/%s.gp", p->name);
  int rc = plot_script(&t, f, p, c) != 0 || report_put(folder, name, &t, c) != 0 ? -1 : 0;
  free(name);
  text_free(&t);
  return rc;
}

/* The scripts, then their pictures. */
static int write_plots(const struct account *f, const char *folder, int *drawn, struct cause *c) {
  char *plots_folder = xprintf("%s/plots", folder);
  int rc = folder_make(plots_folder, c);
  free(plots_folder);
  for (const struct plot *p = plots; rc == 0 && p->name; p++) {
    remove_plot(folder, p->name, "png");
    if (plot_wanted(f, p))
      rc = write_script(f, folder, p, c);
    else
      remove_plot(folder, p->name, "gp");
  }
  int failed = 0;
  for (const struct plot *p = plots; rc == 0 && f->options.pictures && !failed && p->name; p++) {
    struct cause why;
    if (!plot_wanted(f, p))
      continue;
    if (plot_draw(folder, p, PICTURE_TIMEOUT_S, &why) == 0)
      ++*drawn;
    else {
      warn_cause(&why);
      failed = 1;
    }
  }
  return rc;
}

int report_write(const struct account *f, const char *folder, const struct text *summary, int *drawn, struct cause *c) {
  if (write_steps(f, folder, c) != 0 || write_verdict(f, folder, c) != 0 || report_put(folder, "summary.txt", summary, c) != 0 ||
      write_plots(f, folder, drawn, c) != 0)
    return -1;
  struct text page = {0};
  html_page(&page, f, folder);
  int rc = report_put(folder, "report.html", &page, c);
  text_free(&page);
  return rc;
}
