/* report: from the run folder alone to tables, gnuplot scripts, PNGs, HTML.  Needs no server. */
#ifndef RK_REPORT_REPORT_H
#define RK_REPORT_REPORT_H

#include "analysis/verdict.h"
#include "base/cause.h"

#include <stdint.h>
#include <stdio.h>

/* A limit to look for: the smallest memory that keeps this percentile (or the mean) of the response time. */
struct report_slo {
  int stat; /* enum latency_stat */
  double limit_ms;
};

struct report_options {
  double tolerance; /* of the plateau edge, 0.05 */
  double noise;     /* of a step that is too short to tell its own, 0.03 */
  int pictures;     /* 0: no gnuplot */
  uint64_t seed;    /* of the bootstrap */
  size_t nslo;
  struct report_slo *slo; /* borrowed; report_slo_add makes it, free() it */
};

/* What a sweep reports with. */
#define REPORT_DEFAULTS ((struct report_options){.tolerance = 0.05, .noise = 0.03, .pictures = 1, .seed = 1})

/* Add a limit as people write it: "p95=5ms"; mean, p50, p90, p95, p99 and p99.9, and a duration above 0.  0, or -1 with a cause. */
int report_slo_add(struct report_options *, const char *text, struct cause *);

/* Write steps.tsv, samples.tsv, latency.tsv, hdr/, verdict.json, summary.txt, plots/, report.html into `folder`, and the table and
 * the verdict to `out` (which is done even where the folder cannot be written).  gnuplot missing or failing: everything else is made,
 * one warning is said.  STATUS_DONE; STATUS_INCOMPLETE when the run did not end in order or a step of its plan is missing or
 * broken off (all that is there is reported, and says so); or -1 with a cause. */
int report_run(const char *folder, const struct report_options *, FILE *out, struct cause *);

/* The verdict on p95 that report_run would give on what the folder holds so far; ok = 0 when there is none yet.  0 or -1. */
int report_verdict(const char *folder, const struct report_options *, struct verdict *, struct cause *);

#endif
