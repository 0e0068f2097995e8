/* day: the report of a working day that was sampled without a load (run.json's "kind" is "day"): hours instead of steps, no latency. */
#ifndef RK_REPORT_DAY_H
#define RK_REPORT_DAY_H

#include "report/account.h"
#include "report/report.h"
#include "run/run.h"

/* What lies between two samples, at most DAY_GAP_NS apart, of a server that was not restarted in between.  NaN where it was not told.
 * Counts are differences, gauges those of the later sample.  MB are 10^6 bytes, GB 2^30. */
#define DAY_GAP_NS (INT64_C(5) * 1000000000)
struct day_second {
  double at_s, span_s; /* middle, seconds of the run; length */
  double read_mb, reads, read_stall_ms, write_mb, log_mb, batches;
  double page_reads, page_lookups;
  double page_life_s, cache_gb, total_gb, target_gb;
  double cpu_ms, processor_ms; /* used, and what its schedulers could have used */
};

/* A stretch of time: NaN where nothing tells. */
struct day_row {
  double from_s, to_s;  /* of the run */
  double sampled_s;     /* what the samples cover */
  double read_mb_s, read_mb_s_p95, read_mb_s_max; /* weighted mean; of the seconds */
  double reads_s, read_ms, write_mb_s, log_mb_s;
  double batches_s, batches_s_max;
  double hit_ratio;     /* 1 - page reads / page lookups */
  double page_life_s, page_life_min_s; /* median, least */
  double cache_gb, total_gb, target_gb; /* means */
  double cpu;           /* of the server's processors, 0..1 */
};

struct day {
  struct day_second *second;
  size_t n;
  struct day_row whole;
  struct day_row *part;  /* hours of local time, or shorter or longer ones as the day is short or long; also those without a sample */
  size_t npart;
  double part_s;         /* their width */
  double clock0_s;       /* local time at second 0 of the run, since 1970 */
  double first_s, last_s; /* of the samples */
  size_t gaps;           /* stretches of more than DAY_GAP_NS without a sample */
  double gap_s, longest_gap_s; /* together, the longest */
  size_t restarts;
  double planned_s;      /* NaN: not known */
};

/* Pure.  Rows without a sample have sampled_s 0. */
void day_make(struct day *, const struct run_data *);
void day_free(struct day *);
/* The seconds in [from_s, to_s). */
void day_sum(struct day_row *, const struct day *, double from_s, double to_s);

/* 1 when the run is a day. */
int day_is(const struct run_data *);

/* What the parts of the report share. */
struct day_told {
  const struct run_data *run;
  const char *label; /* the sandbox's; NULL */
  struct day day;
  struct sentences facts, findings, warnings;
  int incomplete;
};
/* Its facts, findings and warnings, and whether it is incomplete, from run and day.  In day_words.c. */
void day_words(struct day_told *);
/* "09:00" of local time, with the day where there are several.  Returns buf. */
char *day_clock(const struct day *, double run_s, char *buf, size_t size);

/* hours.tsv, series.tsv (at most 1,440 rows), samples.tsv, summary.txt, plots/day.gp and .png, report.html into `folder`, the summary to
 * `out`.  Returns as report_run. */
int day_report(const struct run_data *, const char *folder, const struct report_options *, FILE *out, struct cause *);

#endif
