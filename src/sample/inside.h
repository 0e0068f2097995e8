/* inside: the rows of the sampling statements, for server.c and its tests.  All row functions are row_fn of conn.h. */
#ifndef RK_SAMPLE_INSIDE_H
#define RK_SAMPLE_INSIDE_H

#include "sample/sample.h"

/* server/counters: its rows into *sample; the ratio needs two of them, so it is made at the end. */
struct counter_rows {
  struct server_sample *sample;
  int64_t hits, hits_base; /* ABSENT at the beginning */
};
int sample_counter_row(void *counter_rows, int result, const struct val *col, int ncol);
void sample_counters_end(struct counter_rows *);

/* server/files, server/cpu and server/grants: into a struct server_sample. */
int sample_file_row(void *sample, int result, const struct val *col, int ncol);
int sample_cpu_row(void *sample, int result, const struct val *col, int ncol);
int sample_grants_row(void *sample, int result, const struct val *col, int ncol);

/* Every field ABSENT. */
void sample_clear(struct server_sample *);

#endif
