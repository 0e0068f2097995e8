/* day: hours of samples, made up in memory. */
#include "config.h"

#include "base/units.h"
#include "report/day.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct server_sample nothing(int64_t at_s) {
  struct server_sample s;
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  const int64_t absent = ABSENT;
  for (size_t i = 0; i < n; i++)
    memcpy((char *)&s + f[i].offset, &absent, sizeof absent);
  s.at_ns = at_s * NS_PER_S;
  return s;
}

/* 10 MB/s of reads in 100 reads of 2 ms, 50 batches/s, 9 of 10 lookups hit. */
static struct server_sample busy(int64_t at_s, int64_t ticks) {
  struct server_sample s = nothing(at_s);
  s.data_read_bytes = at_s * 10000000;
  s.data_reads = at_s * 100;
  s.data_read_stall_ms = at_s * 200;
  s.batch_requests = at_s * 50;
  s.page_lookups = at_s * 1000;
  s.page_reads = at_s * 100;
  s.page_life_expectancy_s = 300 + at_s;
  s.database_cache_kb = 8 * 1048576;
  s.total_memory_kb = 10 * 1048576;
  s.cpu_ms = at_s * 500;
  s.schedulers = 2;
  s.start_ticks = ticks;
  return s;
}

/* started at 08:59:30 UTC, on a client that is an hour ahead. */
static struct run_data run_of(struct step_data *st, struct server_sample *s, size_t n) {
  *st = (struct step_data){.sample = s, .nsample = n};
  return (struct run_data){.step = st, .nstep = 1,
                           .meta = json_pack("{s:s, s:s, s:i}", "kind", "day", "started", "2026-11-30T08:59:30Z", "local_offset_s", 3600)};
}

Test(day, means) {
  struct server_sample s[121];
  for (int i = 0; i <= 120; i++)
    s[i] = busy(i + 1, 7);
  struct step_data st;
  struct run_data run = run_of(&st, s, 121);
  struct day d;
  cr_assert(day_is(&run));
  day_make(&d, &run);
  cr_expect_eq(d.n, 120);
  cr_expect_float_eq(d.whole.read_mb_s, 10, 1e-9);
  cr_expect_float_eq(d.whole.read_ms, 2, 1e-9);
  cr_expect_float_eq(d.whole.batches_s, 50, 1e-9);
  cr_expect_float_eq(d.whole.hit_ratio, 0.9, 1e-9);
  cr_expect_float_eq(d.whole.cpu, 0.25, 1e-9);
  cr_expect_float_eq(d.whole.cache_gb, 8, 1e-9);
  cr_expect_float_eq(d.whole.page_life_min_s, 302, 1e-9);
  cr_expect(isnan(d.whole.log_mb_s), "what was not told is not zero");
  cr_expect_eq(d.gaps, 0);
  cr_expect_eq(d.npart, 3, "minutes, the first one from 9:59 local time");
  cr_expect_float_eq(d.part[0].from_s, -30, 1e-6);
  double sum = 0;
  for (size_t i = 0; i < d.npart; i++)
    sum += d.part[i].sampled_s;
  cr_expect_float_eq(sum, d.whole.sampled_s, 1e-6);
  day_free(&d);
  json_decref(run.meta);
}

Test(day, gaps_and_restarts) {
  struct server_sample s[8] = {busy(1, 7), busy(2, 7), busy(3, 7), busy(63, 7), busy(64, 7), busy(65, 8), busy(66, 8), busy(67, 8)};
  s[5].data_read_bytes = 0;
  s[6].data_read_bytes = 30000000;
  s[7].data_read_bytes = 60000000;
  struct step_data st;
  struct run_data run = run_of(&st, s, 8);
  struct day d;
  day_make(&d, &run);
  cr_expect_eq(d.gaps, 1);
  cr_expect_float_eq(d.gap_s, 60, 1e-9);
  cr_expect_eq(d.restarts, 1);
  cr_expect_float_eq(d.whole.sampled_s, 5, 1e-9, "neither the gap nor the second of the restart");
  cr_expect_float_eq(d.whole.read_mb_s, (3 * 10 + 2 * 30) / 5.0, 1e-9);
  cr_expect_float_eq(d.whole.read_mb_s_max, 30, 1e-9);
  day_free(&d);
  json_decref(run.meta);
}

Test(day, nothing) {
  struct server_sample s[1] = {busy(1, 7)};
  struct step_data st;
  struct run_data run = run_of(&st, s, 1);
  struct day d;
  day_make(&d, &run);
  cr_expect_eq(d.n, 0);
  cr_expect_eq(d.npart, 0);
  cr_expect(isnan(d.whole.read_mb_s));
  cr_expect(isnan(d.whole.hit_ratio));
  day_free(&d);
  struct server_sample empty[3] = {nothing(1), nothing(2), nothing(3)};
  st.sample = empty;
  st.nsample = 3;
  day_make(&d, &run);
  cr_expect_eq(d.n, 2);
  cr_expect(isnan(d.whole.read_mb_s) && isnan(d.whole.batches_s) && isnan(d.whole.page_life_s) && isnan(d.whole.cpu) && isnan(d.whole.cache_gb));
  day_free(&d);
  json_decref(run.meta);
}
