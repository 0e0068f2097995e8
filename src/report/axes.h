/* axes: ranges and tics for the pictures, as gnuplot commands: what the steps are, whether a range asks for a logarithm, and
 * labels that do not run into each other however many there are. */
#ifndef RK_REPORT_AXES_H
#define RK_REPORT_AXES_H

#include "base/text.h"
#include "report/account.h"

/* The memory axis (log2), in GB, or in the units of memories that are no size. */
double axes_memory(const struct account *, double gb);
void axes_memory_range(const struct account *, double *lo, double *hi);
/* Where a memory lies on it, 0 (left) to 1. */
double axes_memory_at(const struct account *, double gb);
/* "GB", or "MB" where all are smaller than that; "pages" or "" where they are no size. */
const char *axes_memory_unit(const struct account *);
/* The inside of set xtics (...), with or without labels. */
void axes_memory_tics(struct text *, const struct account *, int labels);

/* set yrange, set logscale y and tics: latency (returns the unit of the labels: "ms", "s", or "" where nobody knows), reads and
 * throughput against memory (return what the labels count: "", "thousands", "millions" or "billions").  *hi: the end of the latency
 * range, for what is drawn into it. */
const char *axes_latency(struct text *, const struct account *, double *hi);
/* Where a latency lies on that axis, 0 (bottom) to 1. */
double axes_latency_at(const struct account *, double);
const char *axes_reads(struct text *, const struct account *);
const char *axes_throughput(struct text *, const struct account *);

/* The timeline: its range in seconds, the shades of the measured phases and the names of the steps. */
void axes_time(struct text *, const struct account *);
/* The inside of set xtics (...); returns the unit of the labels, "min:s" or "h:min". */
const char *axes_time_tics(struct text *, const struct account *, int labels);
void axes_time_memory(struct text *, const struct account *);
void axes_time_throughput(struct text *, const struct account *);
const char *axes_time_latency(struct text *, const struct account *);
void axes_time_reads(struct text *, const struct account *);

#endif
