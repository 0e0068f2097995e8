#include "config.h"

#include "report/report.h"
#include "report/account.h"
#include "report/day.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/summary.h"
#include "report/tables.h"
#include "report/verdict_json.h"
#include "base/file.h"
#include "base/log.h"
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_TIMEOUT_S 60

static int put(const char *folder, const char *name, const struct text *t, struct cause *c) {
  char *path = xprintf("%s/%s", folder, name);
  int rc = file_write(path, t->s ? t->s : "", t->len, 0666, c);
  free(path);
  return rc;
}

static int write_tables(const struct account *f, const char *folder, struct cause *c) {
  struct text steps = {0}, samples = {0}, latency = {0};
  table_steps(&steps, &f->rows, f->label);
  table_samples(&samples, f->run, f->label);
  table_latency(&latency, f->run, &f->rows, f->label);
  int rc = put(folder, "steps.tsv", &steps, c) != 0 || put(folder, "samples.tsv", &samples, c) != 0 ||
           put(folder, "latency.tsv", &latency, c) != 0;
  text_free(&steps);
  text_free(&samples);
  text_free(&latency);
  return rc ? -1 : 0;
}

static int write_verdict(const struct account *f, const char *folder, struct cause *c) {
  json_t *j = verdict_json(f);
  char *s = json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  struct text t = {0}, summary = {0};
  text_add(&t, s ? s : "{}");
  text_add(&t, "\n");
  summary_text(&summary, f, NULL);
  int rc = put(folder, "verdict.json", &t, c) != 0 || put(folder, "summary.txt", &summary, c) != 0;
  free(s);
  json_decref(j);
  text_free(&t);
  text_free(&summary);
  return rc ? -1 : 0;
}

/* The scripts, then their pictures.  A picture that cannot be drawn is a warning, one for all. */
static int write_plots(const struct account *f, const char *folder, int *drawn, struct cause *c) {
  char *plots_folder = xprintf("%s/plots", folder);
  int rc = folder_make(plots_folder, c);
  free(plots_folder);
  for (const struct plot *p = plots; rc == 0 && p->name; p++) {
    struct text t = {0};
    char *name = xprintf("plots/%s.gp", p->name);
    rc = plot_script(&t, f, p, c) != 0 || put(folder, name, &t, c) != 0 ? -1 : 0;
    free(name);
    text_free(&t);
  }
  int failed = 0;
  for (const struct plot *p = plots; rc == 0 && f->options.pictures && !failed && p->name; p++) {
    struct cause why;
    if (plot_draw(folder, p, PICTURE_TIMEOUT_S, &why) == 0)
      ++*drawn;
    else {
      warn_cause(&why);
      failed = 1;
    }
  }
  return rc;
}

static int write_files(const struct account *f, const char *folder, int *drawn, struct cause *c) {
  if (write_tables(f, folder, c) != 0 || write_verdict(f, folder, c) != 0 || write_plots(f, folder, drawn, c) != 0)
    return -1;
  struct text page = {0};
  html_page(&page, f, folder);
  int rc = put(folder, "report.html", &page, c);
  text_free(&page);
  return rc;
}

static void say_where(const struct account *f, const char *folder, int written, int drawn, FILE *out) {
  struct text t = {0};
  char *files = NULL;
  if (written && drawn > 0)
    files = xprintf("Files in %s: report.html has everything in one page; the pictures are plots/*.png, plots/%s.png is the one "
                    "for a paper; figures in steps.tsv, samples.tsv, latency.tsv and verdict.json.",
                    folder, plots[0].name);
  else if (written)
    files = xprintf("Files in %s: report.html has everything in one page; scripts for gnuplot in plots/; figures in steps.tsv, "
                    "samples.tsv, latency.tsv and verdict.json.",
                    folder);
  summary_text(&t, f, files);
  fwrite(t.s, 1, t.len, out);
  fflush(out);
  free(files);
  text_free(&t);
}

int report_run(const char *folder, const struct report_options *o, FILE *out, struct cause *c) {
  struct run_data *run;
  struct cause own = {0};
  c = c ? c : &own;
  if (run_read(&run, folder, c) != 0)
    return -1;
  if (day_is(run)) {
    int status = day_report(run, folder, o, out, c);
    run_data_free(run);
    return status;
  }
  struct account f;
  account_make(&f, run, o);
  int drawn = 0, rc = write_files(&f, folder, &drawn, c);
  if (rc != 0 && !c->remedy[0])
    cause_remedy(c, "copy the run folder to where it can be written, and report on the copy");
  say_where(&f, folder, rc == 0, drawn, out);
  if (rc == 0)
    rc = f.incomplete ? STATUS_INCOMPLETE : STATUS_DONE;
  account_free(&f);
  run_data_free(run);
  return rc;
}

int report_verdict(const char *folder, const struct report_options *o, struct verdict *v, struct cause *c) {
  struct run_data *run;
  if (run_read(&run, folder, c) != 0)
    return -1;
  struct account f;
  account_make(&f, run, o);
  *v = f.verdict[JUDGED_P95];
  account_free(&f);
  run_data_free(run);
  return 0;
}
