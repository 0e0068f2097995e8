/* The sampler on a server that says what the test wants: this file stands in for server/conn.c when it is linked. */
#include "config.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "sample/inside.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

TestSuite(sample, .timeout = 60);
TestSuite(host, .timeout = 60);

/* ---- the server ---- */

struct conn {
  int number, lost;
  int64_t calls;
  _Atomic int interrupted;
};

static struct {
  const char *refuse;         /* a tag that is refused ... */
  int refuse_number;          /* ... with that number */
  _Atomic int lose, deny;     /* break the next call; refuse log-ins */
  _Atomic int hang, slow_ms;  /* a call hangs until interrupted; takes that long */
  _Atomic int opened, closed, samples;
  int null_names, no_rows;
} fake;

int conn_open(struct conn **out, const struct target *t, struct cause *c) {
  cr_assert_str_eq(t->database, "ramknee_orders");
  if (atomic_load(&fake.deny))
    return cause_set(c, STATUS_SETUP, "log-in refused");
  *out = xcalloc(1, sizeof **out);
  (*out)->number = atomic_fetch_add(&fake.opened, 1) + 1;
  return 0;
}
void conn_close(struct conn *c) {
  atomic_fetch_add(&fake.closed, 1);
  free(c);
}
int conn_lost(const struct conn *c) {
  return c->lost;
}
int64_t conn_calls(const struct conn *c) {
  return c->calls;
}
void conn_interrupt(struct conn *c, int hard) {
  (void)hard;
  atomic_store(&c->interrupted, 1);
}

static void counter(row_fn *fn, void *arg, const char *obj, const char *cnt, const char *inst, int64_t value, int64_t type) {
  const struct val null = {.type = VAL_NULL};
  struct val row[5] = {fake.null_names ? null : VAL_T(obj), fake.null_names ? null : VAL_T(cnt), fake.null_names ? null : VAL_T(inst),
                       VAL_I(value), VAL_I(type)};
  fn(arg, 0, row, 5);
}

static void counters(row_fn *fn, void *arg) {
  counter(fn, arg, "Buffer Manager", "Buffer cache hit ratio", "", 998, 537003264);
  counter(fn, arg, "Buffer Manager", "Page reads/sec", "", 4242, 272696576);
  counter(fn, arg, "Buffer Manager", "Page lookups/sec", "", 99, 65792); /* not the type that this name goes with */
  counter(fn, arg, "Buffer Manager", "page life expectancy", "", 300, 65792);
  counter(fn, arg, "Buffer Node", "Page life expectancy", "000", 17, 65792);
  counter(fn, arg, "Buffer Node", "Database pages", "000", 18, 65792);
  counter(fn, arg, "Buffer Manager", "Buffer cache hit ratio base", "", 1000, 1073939712);
  counter(fn, arg, "Memory Manager", "Total Server Memory (KB)", "", INT64_C(137438953472), 65792);
  counter(fn, arg, "SQL Statistics", "Batch Requests/sec", "", 5, 272696320);
  counter(fn, arg, "Databases", "Log Growths", "ramknee_orders", 2, 65792);
}

static void file(row_fn *fn, void *arg, int db, int id, int is_log, int64_t n) {
  const struct val row[10] = {VAL_I(db), VAL_I(id), VAL_I(is_log), VAL_I(n), VAL_I(8192 * n), VAL_I(n / 10), VAL_I(n + 1),
                              VAL_I(4096 * n), VAL_I(n / 5), VAL_I(1000000 * id)};
  fn(arg, 0, row, 10);
}

int conn_query(struct conn *c, const char *tag, const struct val *param, int n, row_fn *fn, void *arg, struct cause *cause) {
  c->calls++;
  if (atomic_load(&fake.slow_ms))
    sleep_until_ns(mono_ns() + atomic_exchange(&fake.slow_ms, 0) * NS_PER_MS);
  while (atomic_load(&fake.hang) && !atomic_load(&c->interrupted))
    sleep_until_ns(mono_ns() + 5 * NS_PER_MS);
  if (atomic_load(&c->interrupted) || atomic_exchange(&fake.lose, 0)) {
    c->lost = 1;
    return cause_set(cause, STATUS_INCOMPLETE, "the line is dead");
  }
  if (fake.refuse && strcmp(fake.refuse, tag) == 0) {
    cause_set(cause, STATUS_INCOMPLETE, "permission denied");
    if (cause)
      cause->number = fake.refuse_number;
    return -1;
  }
  if (fake.no_rows)
    return 0;
  if (strcmp(tag, "server/counters") == 0) {
    cr_assert(n == 1 && param[0].type == VAL_TEXT && strcmp(param[0].p, "ramknee_orders") == 0);
    counters(fn, arg);
  } else if (strcmp(tag, "server/files") == 0) {
    file(fn, arg, 7, 1, 0, 1000);
    file(fn, arg, 7, 2, 1, 100);
    file(fn, arg, 7, 3, 0, 500);
    file(fn, arg, 2, 1, 0, 10);
    file(fn, arg, 2, 3, 0, 20);
  } else if (strcmp(tag, "server/cpu") == 0) {
    const struct val row[5] = {VAL_I(777), VAL_I(1), VAL_I(4), VAL_I(123), {.type = VAL_NULL}};
    fn(arg, 0, row, 5);
  } else if (strcmp(tag, "server/grants") == 0) {
    const struct val row[2] = {VAL_I(3), VAL_I(1500)};
    fn(arg, 0, row, 2);
  } else if (strcmp(tag, "server/waits") == 0) {
    const struct val row[4] = {VAL_T("PAGEIOLATCH_SH"), VAL_I(10), VAL_I(200), VAL_I(3)}, other[4] = {VAL_T("WRITELOG"), VAL_I(1), VAL_I(2), VAL_I(0)};
    fn(arg, 0, row, 4);
    fn(arg, 0, other, 4);
  } else {
    cr_assert_fail("a statement that nobody knows: %s", tag);
  }
  return 0;
}

/* ---- one sample ---- */

static struct server_sample one(void) {
  struct server_sample s;
  struct conn c = {0};
  struct cause cause = {0};
  cr_assert_eq(sample_take(&c, "ramknee_orders", mono_ns() - NS_PER_S, &s, &cause), 0, "%s", cause.text);
  return s;
}

Test(sample, counters_by_name_object_and_type) {
  struct server_sample s = one();
  cr_assert_eq(s.page_reads, 4242);
  cr_assert_eq(s.page_lookups, ABSENT);
  cr_assert_eq(s.page_life_expectancy_s, 300); /* of the buffer manager, not of a node */
  cr_assert_eq(s.database_pages, ABSENT);
  cr_assert_eq(s.total_memory_kb, INT64_C(137438953472));
  cr_assert_eq(s.batch_requests, 5);
  cr_assert_eq(s.log_growths, 2);
  cr_assert_eq(s.cache_hit_ppm, 998000);
  cr_assert_eq(s.target_memory_kb, ABSENT);
  cr_assert_geq(s.at_ns, NS_PER_S);
  cr_assert_lt(s.at_ns, 60 * NS_PER_S);
}

Test(sample, files_are_summed_for_data_log_and_tempdb) {
  struct server_sample s = one();
  cr_assert_eq(s.data_reads, 1500);
  cr_assert_eq(s.data_read_bytes, 8192 * 1500);
  cr_assert_eq(s.data_read_stall_ms, 150);
  cr_assert_eq(s.data_writes, 1502);
  cr_assert_eq(s.data_write_bytes, 4096 * 1500);
  cr_assert_eq(s.data_write_stall_ms, 300);
  cr_assert_eq(s.data_size_bytes, 4000000);
  cr_assert_eq(s.log_writes, 101);
  cr_assert_eq(s.log_write_bytes, 409600);
  cr_assert_eq(s.log_write_stall_ms, 20);
  cr_assert_eq(s.tempdb_read_bytes, 8192 * 30);
  cr_assert_eq(s.tempdb_write_bytes, 4096 * 30);
  cr_assert_eq(s.cpu_ms, 777);
  cr_assert_eq(s.schedulers, 4);
  cr_assert_eq(s.start_ticks, 123);
  cr_assert_eq(s.process_memory_low, ABSENT);
  cr_assert_eq(s.grants_pending_others, 3);
  cr_assert_eq(s.grants_wait_others_ms, 1500);
}

Test(sample, a_statement_without_memory_is_told_others_are_not) {
  struct server_sample s;
  struct conn c = {0};
  struct cause cause = {.number = 5};
  fake.refuse = "server/counters";
  fake.refuse_number = 229;
  cr_assert_eq(sample_take(&c, "ramknee_orders", mono_ns() - NS_PER_S, &s, &cause), 0);
  cr_assert_eq(cause.number, 0);
  fake.refuse_number = 701;
  cr_assert_eq(sample_take(&c, "ramknee_orders", mono_ns() - NS_PER_S, &s, &cause), 0);
  cr_assert_eq(cause.number, 701);
  cr_assert_eq(s.page_reads, ABSENT);
  cr_assert_eq(s.cpu_ms, 777, "the others are asked");
}

Test(sample, what_is_not_told_is_absent_never_zero) {
  fake.null_names = 1;
  struct server_sample s = one();
  cr_assert_eq(s.page_reads, ABSENT);
  cr_assert_eq(s.cache_hit_ppm, ABSENT);
  cr_assert_eq(s.data_reads, 1500);
  fake.null_names = 0;
  fake.refuse = "server/counters";
  s = one();
  cr_assert_eq(s.page_reads, ABSENT);
  cr_assert_eq(s.cpu_ms, 777);
  fake.refuse = "server/files";
  s = one();
  cr_assert_eq(s.data_read_bytes, ABSENT);
  cr_assert_eq(s.tempdb_read_bytes, ABSENT);
  cr_assert_eq(s.page_reads, 4242);
  cr_assert_geq(s.at_ns, NS_PER_S);
  fake.refuse = NULL;
  fake.no_rows = 1;
  s = one();
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  for (size_t i = 1; i < n; i++) { /* all but the time */
    int64_t v;
    memcpy(&v, (char *)&s + f[i].offset, sizeof v);
    cr_assert_eq(v, ABSENT, "%s is %lld", f[i].name, (long long)v);
  }
}

Test(sample, a_ratio_without_a_base_is_absent) {
  struct server_sample s;
  sample_clear(&s);
  struct counter_rows r = {.sample = &s, .hits = 5, .hits_base = 0};
  sample_counters_end(&r);
  cr_assert_eq(s.cache_hit_ppm, ABSENT);
  r = (struct counter_rows){.sample = &s, .hits = 5, .hits_base = ABSENT};
  sample_counters_end(&r);
  cr_assert_eq(s.cache_hit_ppm, ABSENT);
}

Test(sample, waits_are_rows) {
  struct conn c = {0};
  struct wait_row *w;
  size_t n;
  cr_assert_eq(sample_waits(&c, &w, &n, NULL), 0);
  cr_assert_eq(n, 2);
  cr_assert_str_eq(w[0].type, "PAGEIOLATCH_SH");
  cr_assert_eq(w[0].wait_ms, 200);
  cr_assert_eq(w[1].tasks, 1);
  free(w);
  struct cause cause = {0};
  fake.refuse = "server/waits";
  cr_assert_eq(sample_waits(&c, &w, &n, &cause), -1);
  cr_assert_null(w);
  cr_assert(strstr(cause.text, "permission"));
}

/* ---- the thread ---- */

static int64_t at[64];

static void note(void *arg, const struct server_sample *s) {
  (void)arg;
  int i = atomic_load(&fake.samples);
  if (i < 64)
    at[i] = s->at_ns;
  atomic_store(&fake.samples, i + 1);
}

static int64_t started;

static struct sampler *start(void) {
  struct sampler *s = NULL;
  struct cause c = {0};
  const struct target t = {.query_timeout_s = 1};
  started = mono_ns();
  cr_assert_eq(sampler_start(&s, &t, "ramknee_orders", started, note, NULL, &c), 0, "%s", c.text);
  return s;
}

static void await(int n) {
  for (int i = 0; i < 4000 && atomic_load(&fake.samples) < n; i++)
    sleep_until_ns(mono_ns() + 5 * NS_PER_MS);
  cr_assert_geq(atomic_load(&fake.samples), n);
}

Test(sample, one_sample_at_each_whole_second) {
  struct sampler *s = start();
  struct server_sample latest;
  sampler_latest(s, &latest);
  cr_assert_eq(latest.page_reads, ABSENT);
  cr_assert_eq(latest.at_ns, ABSENT);
  await(3);
  sampler_latest(s, &latest);
  cr_assert_eq(latest.page_reads, 4242);
  cr_assert_eq(sampler_failed(s, NULL), 0);
  cr_assert_geq(sampler_calls(s), 12);
  sampler_stop(s);
  cr_assert_eq(fake.closed, fake.opened);
  for (int i = 0; i < 3; i++)
    cr_assert_geq(at[i], (i + 1) * NS_PER_S); /* never before its second */
}

Test(sample, the_thread_remembers_that_there_was_no_memory) {
  struct sampler *s = start();
  struct cause c = {0};
  await(1);
  cr_assert_eq(sampler_starved(s, &c), 0);
  sampler_stop(s);
  fake.refuse = "server/cpu";
  fake.refuse_number = 8645;
  s = start();
  await(atomic_load(&fake.samples) + 1);
  cr_assert_eq(sampler_starved(s, &c), -1);
  cr_assert_eq(c.number, 8645);
  cr_assert_eq(sampler_failed(s, NULL), 0);
  sampler_stop(s);
}

Test(sample, a_late_sample_comes_at_once_and_none_is_made_up_for) {
  struct sampler *s = start();
  await(1);
  atomic_store(&fake.slow_ms, 2500);
  await(4);
  sampler_stop(s);
  /* 1.0; begun at 2.0 and done at 4.5; at once; then 5.0 */
  cr_assert_geq(at[2], 4 * NS_PER_S + 400 * NS_PER_MS);
  cr_assert_geq(at[3], 5 * NS_PER_S);
  cr_assert_neq(at[2] / NS_PER_S, at[3] / NS_PER_S);
}

Test(sample, a_lost_connection_is_opened_again) {
  struct sampler *s = start();
  await(1);
  atomic_store(&fake.lose, 1);
  await(3);
  cr_assert_eq(fake.opened, 2);
  cr_assert_eq(fake.closed, 1);
  cr_assert_eq(sampler_failed(s, NULL), 0);
  atomic_store(&fake.deny, 1);
  atomic_store(&fake.lose, 1);
  struct cause c = {0};
  for (int i = 0; i < 4000 && sampler_failed(s, &c) == 0; i++)
    sleep_until_ns(mono_ns() + 5 * NS_PER_MS);
  cr_assert(strstr(c.text, "lost and cannot be had again") && strstr(c.text, "refused"), "%s", c.text);
  atomic_store(&fake.deny, 0);
  int n = atomic_load(&fake.samples);
  await(n + 1);
  cr_assert_eq(sampler_failed(s, NULL), 0); /* regained */
  cr_assert_geq(sampler_calls(s), 4 * (n + 1));
  sampler_stop(s);
}

Test(sample, a_first_connection_that_fails_is_a_cause) {
  struct sampler *s = NULL;
  struct cause c = {0};
  const struct target t = {.query_timeout_s = 1};
  fake.deny = 1;
  cr_assert_eq(sampler_start(&s, &t, "ramknee_orders", mono_ns(), note, NULL, &c), -1);
  cr_assert_str_eq(c.text, "log-in refused");
  cr_assert_eq(c.status, STATUS_SETUP);
  sampler_stop(NULL);
}

Test(sample, stopping_ends_a_sample_that_hangs) {
  struct sampler *s = start();
  await(1);
  atomic_store(&fake.hang, 1);
  sleep_until_ns(started + 2200 * NS_PER_MS);
  sampler_stop(s);
  cr_assert_eq(fake.closed, fake.opened);
}

/* ---- this host ---- */

Test(host, the_kernels_line_is_taken_apart) {
  struct host_sample h = {.total = 5};
  cr_assert_eq(host_parse_stat("cpu  10 20 30 400 50 6 7 8 999 999\ncpu0 1 1 1 1\n", &h), 0);
  cr_assert_eq(h.total, 10 + 20 + 30 + 400 + 50 + 6 + 7 + 8); /* guest time is in user time */
  cr_assert_eq(h.idle, 400);
  cr_assert_eq(h.iowait, 50);
  cr_assert_eq(h.steal, 8);
  cr_assert_eq(host_parse_stat("cpu  1 2 3 4\n", &h), 0);
  cr_assert_eq(h.total, 10);
  cr_assert_eq(h.iowait, ABSENT);
  cr_assert_eq(h.steal, ABSENT);
  struct host_sample same = {.total = 7};
  cr_assert_eq(host_parse_stat("cpu0 1 2 3 4\n", &same), -1);
  cr_assert_eq(host_parse_stat("cpu  1 2\n", &same), -1);
  cr_assert_eq(host_parse_stat("", &same), -1);
  cr_assert_eq(same.total, 7);
  cr_assert_eq(host_parse_stat("cpu  99999999999999999999999999 2 3 4\n", &same), 0); /* no overflow */
}

Test(host, time_goes_on) {
  struct host_sample a, b;
  host_sample(&a);
  volatile uint64_t x = 0;
  do {
    for (int i = 0; i < 1000000; i++)
      x = x + (uint64_t)i;
    host_sample(&b);
  } while (b.process_cpu_ns - a.process_cpu_ns < 30 * NS_PER_MS);
  cr_assert_gt(b.at_ns, a.at_ns);
  cr_assert(a.total == ABSENT || b.total >= a.total);
  cr_assert(a.idle == ABSENT || b.idle >= a.idle);
}
