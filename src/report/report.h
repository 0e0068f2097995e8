/* report: from the run folder alone to tables, gnuplot scripts, PNGs, HTML.  Needs no server. */
#ifndef RK_REPORT_REPORT_H
#define RK_REPORT_REPORT_H

#include "analysis/verdict.h"
#include "base/cause.h"

#include <stdint.h>
#include <stdio.h>

struct report_options {
  double tolerance; /* of the plateau edge, 0.05 */
  int pictures;     /* 0: no gnuplot */
  uint64_t seed;    /* of the bootstrap */
};

/* What a sweep reports with. */
#define REPORT_DEFAULTS ((struct report_options){.tolerance = 0.05, .pictures = 1, .seed = 1})

/* Write steps.tsv, samples.tsv, latency.tsv, verdict.json, summary.txt, plots/, report.html into `folder`, and the table and the
 * verdict to `out` (which is done even where the folder cannot be written).  gnuplot missing or failing: everything else is made,
 * one warning is said.  STATUS_DONE; STATUS_INCOMPLETE when the run did not end in order or a step of its plan is missing or
 * broken off (all that is there is reported, and says so); or -1 with a cause. */
int report_run(const char *folder, const struct report_options *, FILE *out, struct cause *);

/* The verdict on p95 that report_run would give on what the folder holds so far; ok = 0 when there is none yet.  0 or -1. */
int report_verdict(const char *folder, const struct report_options *, struct verdict *, struct cause *);

#endif
