/* record: the plain records of a run, as they are sampled, written to the run folder and read back.
 *
 * Whole numbers throughout; ABSENT stands for "could not be sampled" and is written as an empty field, never as zero.
 * Times are nanoseconds of the monotonic clock since the start of the run. */
#ifndef RK_RUN_RECORD_H
#define RK_RUN_RECORD_H

#include "analysis/hist.h"

#include <stddef.h>
#include <stdint.h>

#define ABSENT INT64_MIN
#define RECORD_TYPES_MAX 8 /* = MIX_TYPES_MAX */

enum phase { PHASE_SETTLE, PHASE_WARM, PHASE_MEASURE, PHASES };
const char *phase_name(enum phase);

/* What the server says, once a second.  kind: C cumulative count, G gauge.  The names carry their units and head the columns.
 * cache_hit_ppm is SQL Server's own "Buffer cache hit ratio" (of its last few thousand look-ups); over an interval take
 * 1 - d(page_reads) / d(page_lookups).  log_flush_wait_ms is shown as observed: servers' documents say "total", watchers "of the
 * last flush"; what the log's storage takes is log_write_stall_ms.  grants_pending counts everybody's requests, grants_pending_others
 * those of other programs alone; grants_wait_others_ms is the longest wait among these. */
#define SERVER_FIELDS(X) \
  X(at_ns, G) \
  X(page_lookups, C) X(page_reads, C) X(page_writes, C) X(readahead_pages, C) X(lazy_writes, C) X(checkpoint_pages, C) \
  X(background_writer_pages, C) X(free_list_stalls, C) \
  X(cache_hit_ppm, G) X(page_life_expectancy_s, G) X(database_pages, G) X(target_pages, G) \
  X(target_memory_kb, G) X(total_memory_kb, G) X(database_cache_kb, G) X(stolen_memory_kb, G) X(free_memory_kb, G) \
  X(grants_pending, G) X(grants_outstanding, G) \
  X(batch_requests, C) X(compilations, C) X(transactions, C) \
  X(log_flushes, C) X(log_bytes_flushed, C) X(log_flush_wait_ms, G) X(log_growths, C) X(log_used_percent, G) \
  X(data_reads, C) X(data_read_bytes, C) X(data_read_stall_ms, C) \
  X(data_writes, C) X(data_write_bytes, C) X(data_write_stall_ms, C) \
  X(log_writes, C) X(log_write_bytes, C) X(log_write_stall_ms, C) \
  X(tempdb_read_bytes, C) X(tempdb_write_bytes, C) \
  X(data_size_bytes, G) \
  X(cpu_ms, C) X(schedulers, G) X(start_ticks, G) X(process_memory_low, G) \
  X(grants_pending_others, G) X(grants_wait_others_ms, G)

struct server_sample {
#define X(name, kind) int64_t name;
  SERVER_FIELDS(X)
#undef X
};

/* What the users did in one second, by the client's own clock.  A request belongs to the second in which it ended.
 *
 *   done + rolled_back + failed + lost   requests that ended in this second (deadlocks are sent again: a request may meet several)
 *   late_count         starts behind the three lateness figures: how long after it could have (its time had come and a user was
 *                      free) a request was really sent, so by the client's fault
 *   ring_overflow      requests that ended but could not be recorded: 0 in a valid second
 *   waiting            at the end of the second: arrivals of a rate whose time had come and that no free user had taken yet
 *   host_*_permille    of all processors of the client's machine */
#define LOAD_FIELDS(X) \
  X(second) X(phase) X(users) \
  X(done) X(rolled_back) X(deadlocks) X(failed) X(lost) X(late_count) \
  X(lateness_p50_us) X(lateness_p99_us) X(lateness_max_us) \
  X(ring_overflow) X(waiting) \
  X(client_cpu_ms) X(host_idle_permille) X(host_iowait_permille) X(host_steal_permille)

struct load_second {
#define X(name) int64_t name;
  LOAD_FIELDS(X)
#undef X
  int64_t by_type[RECORD_TYPES_MAX]; /* done, a transaction type */
};

/* One bucket of one second's histogram: response times (intended start to end: waiting for a free user, deadlocks and the pauses
 * after them included) and service times (in calls to the server alone) of the transactions done, and start lateness of all
 * requests whatever their type (type 0), so that it can be merged over seconds too. */
enum hist_what { HIST_RESPONSE, HIST_SERVICE, HIST_LATENESS, HIST_WHATS };
struct hist_record_row {
  int32_t second;
  uint8_t type;  /* transaction type */
  uint8_t what;  /* enum hist_what */
  struct hist_entry e;
};

/* The fields of the two structs above as tables, in the order of their columns: all are int64_t.  kind: 'C' or 'G'. */
struct record_field {
  const char *name;
  size_t offset;
  char kind;
};
const struct record_field *record_server_fields(size_t *n);
const struct record_field *record_load_fields(size_t *n);

/* A wait type's counts over a step's measured phase (differences). */
struct wait_row {
  char type[64];
  int64_t tasks, wait_ms, signal_ms;
};

/* "128 GB", or "unknown memory" of 0 or less.  Returns buf. */
char *memory_name(int64_t mib, char *buf, size_t size);

/* Facts about a step.  -1 or ABSENT where unknown. */
enum step_role { STEP_BURN_IN, STEP_MEASURED, STEP_DRIFT };
const char *role_name(enum step_role);

struct step_facts {
  int index;                /* 1.. in the order they ran */
  enum step_role role;
  int64_t setting_mib;      /* 'max server memory' asked for, or the memory that a point stands for; 0: not known */
  int64_t reached_kib;      /* memory held at the end of settling */
  int64_t cache_kib;        /* data pages really held at the end of the measured phase */
  int64_t begin_ns[PHASES], end_ns[PHASES];
  int64_t sent;             /* requests sent in the measured phase */
  int64_t digest_requests;  /* requests that the digest covers (of each user's first ones) */
  uint64_t digest;          /* of the first 1,000 requests really sent in the measured phase, 0: fewer were sent */
  int64_t digest_long_requests; /* the same over each user's first 1,000, 0 when a user sent fewer (and under a rate) */
  uint64_t digest_long;
  int reached;              /* the server came down (up) to the setting in time */
  int steady;               /* 1 steady, 0 not, -1 not judged */
  int saturated, client_bound, incomplete;
  double rate_wanted, rate_reached; /* arrivals a second, 0 with closed users */
  int64_t row_lock_wait_ms; /* over the measured phase, ABSENT when not known */
};

#endif
