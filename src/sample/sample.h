/* sample: what the server and this host are doing, once a second.
 *
 * server: a thread with a connection of its own reads counters, files and CPU; what cannot be read is ABSENT.
 * host: this client's CPU, and idle, iowait and steal of its machine (/proc/stat), for "client-bound". */
#ifndef RK_SAMPLE_SAMPLE_H
#define RK_SAMPLE_SAMPLE_H

#include "run/record.h"
#include "server/conn.h"

/* What is sampled: the files and counters of one database, or (whole) of the instance: the files of all databases, counters of
 * "_Total".  `database` is the one to log in to. */
struct sample_scope {
  const char *database;
  int whole;
};
/* The instance of the "Databases" counters that it means. */
const char *sample_scope_counters(const struct sample_scope *);

struct sampler;
typedef void sample_fn(void *arg, const struct server_sample *);

/* Open a connection into that database and start the thread: a sample at every whole second of run time; a late one is taken at once,
 * seconds that passed meanwhile are not made up for.  A lost connection is opened again at the next second.  `fn` is called by the
 * thread. */
int sampler_start(struct sampler **, const struct target *, const char *database, int64_t run_start_ns, sample_fn *, void *arg,
                  struct cause *);
/* The same for a scope; it is copied. */
int sampler_start_scope(struct sampler **, const struct target *, const struct sample_scope *, int64_t run_start_ns, sample_fn *, void *arg,
                        struct cause *);
/* The newest sample (zeroes of ABSENT before the first); any thread. */
void sampler_latest(struct sampler *, struct server_sample *);
/* -1 and the cause while its connection is lost and could not be had again; 0 when all is well. */
int sampler_failed(struct sampler *, struct cause *);
/* -1 and the cause once the server had no memory (server_message_starved) for one of its statements, from then on; 0 before. */
int sampler_starved(struct sampler *, struct cause *);
/* The calls that its samples took, for "other people's batches". */
int64_t sampler_calls(struct sampler *);
/* A sample that hangs is interrupted after 5 s, hard after 10.  NULL is fine. */
void sampler_stop(struct sampler *);

/* One sample on a given connection, from the calling thread.  at_ns is the middle of the time in which the files were read.  What the
 * server refuses to tell is ABSENT; -1 only when the connection is lost.  After a 0 the cause (NULL is fine) is clear, or says which
 * statement the server had no memory for (server_message_starved of its number). */
int sample_take(struct conn *, const char *database, int64_t run_start_ns, struct server_sample *, struct cause *);

int sample_take_scope(struct conn *, const struct sample_scope *, int64_t run_start_ns, struct server_sample *, struct cause *);

/* Waits: read cumulative counts; the caller subtracts.  *row is new memory (free), NULL when there are none. */
int sample_waits(struct conn *, struct wait_row **row, size_t *n, struct cause *);

/* This host. */
struct host_sample {
  int64_t at_ns;
  int64_t process_cpu_ns;                 /* this process */
  int64_t total, idle, iowait, steal;     /* ticks of all processors together, ABSENT when /proc/stat has none; idle is without iowait */
};
void host_sample(struct host_sample *);
/* The same from the text of /proc/stat: total, idle, iowait and steal.  -1 and nothing changed when its first line is not as known. */
int host_parse_stat(const char *text, struct host_sample *);

#endif
