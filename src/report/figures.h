/* figures: the raw records of a run turned into the figures that all parts of a report share.  Pure but for memory. */
#ifndef RK_REPORT_FIGURES_H
#define RK_REPORT_FIGURES_H

#include "analysis/stats.h" /* struct estimate */
#include "run/run.h"

#include <stddef.h>

enum latency_stat { MS_MEAN, MS_P50, MS_P90, MS_P95, MS_P99, MS_P999, MS_MAX, MS_STATS };
/* "mean", "p50", ... as they stand in column names. */
extern const char *const latency_stat_name[MS_STATS];

/* What a row of the table stands for. */
enum row_kind { ROW_STEP, ROW_AGAIN /* the first step once more: drift */, ROW_BROKEN /* broken off */, ROW_KINDS };
extern const char *const row_kind_name[ROW_KINDS];

/* Why a step's figures must be read with care, as bits. */
enum { MARK_SATURATED = 1, MARK_CLIENT_BOUND = 2, MARK_NOT_STEADY = 4, MARK_NOT_REACHED = 8, MARK_BROKEN = 16 };

/* What a transaction waits for, by the server's wait types and counters. */
enum pressure {
  PRESSURE_READS,   /* pages from data files */
  PRESSURE_GRANTS,  /* memory to sort and hash in */
  PRESSURE_CPU,     /* a processor, once it could go on */
  PRESSURE_LOG,     /* the log to be written, or a replica to have it */
  PRESSURE_LOCKS,   /* other transactions */
  PRESSURE_LATCHES, /* pages in memory that others change */
  PRESSURE_THREADS, /* a worker thread */
  PRESSURE_CLIENT,  /* the client to take its rows */
  PRESSURES
};
/* "reads", "memory_grants", ...: in column names and verdict.json. */
extern const char *const pressure_name[PRESSURES];

/* One step over its measured phase, or all visits of one step (report/pool.h).  Doubles are NaN where the run holds nothing to tell them from; so is a percentile
 * with fewer than ten transactions beyond it.  MB are 10^6 bytes, GB 2^30. */
struct figures {
  const struct step_data *step; /* of several visits: their measured seconds, latencies and waits together, and no samples */
  size_t nvisit; /* 0: measured once */
  struct figures *visit; /* each by itself, in the order they ran; belongs to the list */
  size_t nleft_out; /* visits that the figures leave out: their client was busy, and it was not in the others */
  enum row_kind kind;
  unsigned marks;
  char memory[40];       /* "128 GB" */
  double memory_gb;      /* the setting; NaN of a point whose memory is not known */
  double reached_gb;     /* memory held when it had settled */
  double cache_gb;       /* data pages really held at the end */
  double begin_s, end_s; /* the measured phase, seconds of the run */
  double done, rolled_back, deadlocks, failed, lost;
  double overflow;  /* ended, but not recorded: 0 in a valid step */
  double latencies; /* how many the percentiles rest on */
  struct estimate tx_s;
  struct estimate ms[MS_STATS]; /* response time, all types together */
  struct estimate change;       /* relative change of p95 against the row above: 0.66 is +66 % */
  struct estimate read_mb_s, reads_per_tx;
  double reads_s, read_ms, read_stall_ms_per_tx;
  double write_mb_s, log_write_mb_s;
  double hit_ratio;   /* 1 - d(page reads) / d(page lookups) */
  double page_life_s; /* median of the seconds */
  double cpu;         /* of the server's processors, 0..1 */
  double row_lock_ms_per_tx;
  double wait_ms_per_tx[PRESSURES];
  double grants_pending; /* highest number of queries that waited for a grant at once */
  double lateness_p99_ms; /* of the starts of requests, by the client's fault */
  double host_idle;       /* lowest second of this host, 0..1, waiting for I/O counted as idle */
  size_t nsecond;         /* seconds of the measured phase */
  /* With what it takes to compare them: mean and percentiles; tx_s, read_mb_s, reads_per_tx. */
  struct stats_value stat[MS_STATS], tx_stat, read_stat, reads_stat;
  /* Bootstrap replicates, ndraw each (NULL when there are too few seconds): */
  size_t ndraw;
  double *draw_ms[MS_STATS]; /* mean, p50, p95, p99 only */
  double *draw_tx_s, *draw_read_mb_s, *draw_reads_per_tx;
};

/* The rows of a run: complete measured steps, largest memory first and each memory once; then the drift step; then what was broken off. */
struct figures_list {
  struct figures *row;
  size_t n, nstep; /* all rows; those of kind ROW_STEP */
  struct figures *visit; /* of the steps that were measured more than once, by memory and time */
  size_t nvisit;
  struct step_data *pooled; /* what their rows stand for */
  size_t npooled;
  double spread; /* how much more the p95 of visits of one step differ than their seconds tell; NaN: not known */
};

void figures_make(struct figures_list *, const struct run_data *, uint64_t seed);
void figures_free(struct figures_list *);

/* What the users saw: counts, throughput, latencies, of the measured seconds of f->step. */
void figures_users(struct figures *);

/* Do the figures of a row leave that one of its visits out? */
int figures_leave_out(const struct figures *row, const struct figures *visit);

/* The value or NaN for ABSENT. */
double figure_of(int64_t);
/* For qsort of doubles without NaN. */
int double_order(const void *, const void *);
/* Where the measured phase lies, in ns of the run; 0 when the step never came to it. */
int figures_window(const struct step_data *, int64_t *begin_ns, int64_t *end_ns);
/* A second of the measured phase that lies in that window as a whole.  The phase's name is on the seconds after its end too, until the
 * next phase begins: requests that were under way then end in them. */
int figures_measured(const struct step_data *, const struct load_second *);
/* What becomes of a latency from row a to row b: b / a - 1, with its interval from the replicates of both where both have
 * some. */
struct estimate figures_change(const struct figures *a, const struct figures *b, enum latency_stat);

/* The measured seconds of a step: slot 0.. in their order, -1 for all others.  free(slot). */
#define SECONDS_MAX 100000000
struct seconds {
  int64_t first;
  size_t span, n;
  int32_t *slot;
};
void seconds_index(struct seconds *, const struct step_data *);
int32_t seconds_slot(const struct seconds *, int64_t second);
/* The histogram of all types of those seconds together. */
void figures_hist(struct hist *, const struct step_data *, const struct seconds *, enum hist_what);
/* Everything unknown. */
void figures_blank(struct figures *);
/* What pressure a step was under: wait_ms_per_tx and grants_pending.  In pressure.c. */
void figures_pressure(struct figures *);

#endif
