#include "config.h"

#include "report/report.h"
#include "report/account.h"
#include "report/day.h"
#include "report/hdr.h"
#include "report/plot.h"
#include "report/summary.h"
#include "report/tables.h"
#include "report/write.h"
#include "analysis/points.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int report_slo_add(struct report_options *o, const char *text, struct cause *c) {
  const char *equals = strchr(text, '=');
  size_t n = equals ? (size_t)(equals - text) : 0;
  int stat = 0;
  double v = 0;
  const char *unit = "";
  for (; stat < MS_MAX; stat++) {
    const char *name = latency_stat_name[stat], *other = stat == MS_P999 ? "p99.9" : name;
    if ((strlen(name) == n && strncmp(text, name, n) == 0) || (strlen(other) == n && strncmp(text, other, n) == 0))
      break;
  }
  if (n == 0 || stat == MS_MAX) {
    cause_set(c, STATUS_SETUP, "'%.60s' is no limit", text);
    return cause_remedy(c, "write mean, p50, p90, p95, p99 or p99.9 and a duration: --slo p95=5ms");
  }
  if (sheet_number_at(equals + 1, &v, &unit) != 0 || !(v > 0) || isnan(points_unit_ms(unit))) {
    cause_set(c, STATUS_SETUP, "'%.60s' is no limit for a latency", text);
    return cause_remedy(c, "write a figure above 0 and its unit, ms, us or s: --slo p95=5ms");
  }
  o->slo = xrealloc(o->slo, o->nslo + 1, sizeof *o->slo);
  o->slo[o->nslo++] = (struct report_slo){stat, v * points_unit_ms(unit)};
  return 0;
}

/* What only a run has. */
static int write_run_files(const struct account *f, const char *folder, struct cause *c) {
  struct text samples = {0}, latency = {0};
  table_samples(&samples, f->run, f->label);
  table_latency(&latency, f->run, &f->rows, f->label);
  int rc = report_put(folder, "samples.tsv", &samples, c) != 0 || report_put(folder, "latency.tsv", &latency, c) != 0 ||
           hdr_write(f, folder, c) != 0;
  text_free(&samples);
  text_free(&latency);
  return rc ? -1 : 0;
}

static int write_files(const struct account *f, const char *folder, int *drawn, struct cause *c) {
  struct text summary = {0};
  summary_text(&summary, f, NULL);
  int rc = write_run_files(f, folder, c) != 0 || report_write(f, folder, &summary, drawn, c) != 0 ? -1 : 0;
  text_free(&summary);
  return rc;
}

static void say_where(const struct account *f, const char *folder, int written, int drawn, FILE *out) {
  struct text t = {0};
  char *files = NULL;
  if (written && drawn > 0 && plot_wanted(f, &plots[0]))
    files = xprintf("Files in %s: report.html has everything in one page; the pictures are plots/*.png, plots/%s.png is the one "
                    "for a paper; figures in steps.tsv, samples.tsv, latency.tsv, hdr/ and verdict.json.",
                    folder, plots[0].name);
  else if (written)
    files = xprintf("Files in %s: report.html has everything in one page; scripts for gnuplot in plots/; figures in steps.tsv, "
                    "samples.tsv, latency.tsv, hdr/ and verdict.json.",
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
  *v = f.verdict[JUDGED_MAIN];
  account_free(&f);
  run_data_free(run);
  return 0;
}
