/* What ends a step or a descent, and what is noted at a step: the rules. */
#include "config.h"

#include "base/units.h"
#include "server/conn.h"
#include "sweep/feed.h"
#include "sweep/harm.h"
#include "sweep/remarks.h"
#include "sweep/stop.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- harm ---- */

static struct harm harm;

/* Second `s`: others wait (for wait_ms), memory is low. */
static enum harm_kind take(int64_t s, int64_t others, int64_t wait_ms, int64_t low, int settling) {
  struct server_sample x = {.at_ns = s * NS_PER_S, .grants_pending_others = others, .grants_wait_others_ms = wait_ms, .process_memory_low = low};
  return harm_take(&harm, &x, settling);
}

static void fresh(void) {
  memset(&harm, 0, sizeof harm);
}

TestSuite(harm, .init = fresh);

Test(harm, others_that_wait_for_five_seconds) {
  for (int s = 1; s < 6; s++)
    cr_assert_eq(take(s, 2, 300, 0, 0), HARM_NONE, "second %d", s);
  cr_assert_eq(take(6, 1, 300, 0, 0), HARM_GRANTS);
}

Test(harm, a_second_without_anybody_begins_anew) {
  for (int s = 1; s < 5; s++)
    take(s, 2, 300, 0, 0);
  cr_assert_eq(take(5, 0, 0, 0, 0), HARM_NONE);
  for (int s = 6; s < 11; s++)
    cr_assert_eq(take(s, 2, 300, 0, 0), HARM_NONE, "second %d", s);
  cr_assert_eq(take(11, 2, 300, 0, 0), HARM_GRANTS);
}

Test(harm, one_long_wait_needs_three_samples) {
  cr_assert_eq(take(1, 1, 60000, 0, 0), HARM_NONE);
  cr_assert_eq(take(1, 1, 60000, 0, 0), HARM_NONE, "the same sample again");
  cr_assert_eq(take(2, 1, 61000, 0, 1), HARM_NONE);
  cr_assert_eq(take(3, 1, 62000, 0, 1), HARM_GRANTS, "in every phase");
}

Test(harm, what_is_not_told_proves_nothing) {
  for (int s = 1; s < 60; s++)
    cr_assert_eq(take(s, ABSENT, ABSENT, ABSENT, 0), HARM_NONE);
  take(60, 1, ABSENT, ABSENT, 0);
  for (int s = 61; s < 70; s++)
    cr_assert_eq(take(s, ABSENT, ABSENT, ABSENT, 0), HARM_NONE);
  cr_assert_eq(take(70, 1, ABSENT, ABSENT, 0), HARM_NONE, "two samples are too few");
  cr_assert_eq(take(71, 1, ABSENT, ABSENT, 0), HARM_GRANTS);
  struct server_sample none = {0};
  fresh();
  none.grants_pending_others = 5;
  for (int i = 0; i < 5; i++)
    cr_assert_eq(harm_take(&harm, &none, 0), HARM_NONE, "before the first sample");
}

Test(harm, low_memory_for_ten_seconds_but_not_while_settling) {
  for (int s = 1; s < 40; s++)
    cr_assert_eq(take(s, 0, 0, 1, 1), HARM_NONE);
  for (int s = 40; s < 50; s++)
    cr_assert_eq(take(s, 0, 0, 1, 0), HARM_NONE, "second %d", s);
  cr_assert_eq(take(50, 0, 0, 1, 0), HARM_LOW);
}

Test(harm, words) {
  struct cause c = {0};
  struct server_sample x = {.grants_pending_others = 3, .grants_wait_others_ms = 7000};
  cr_assert_eq(harm_cause(HARM_GRANTS, &x, 8192, &c), -1);
  cr_assert(c.status == STATUS_INCOMPLETE && strstr(c.text, "3 of them") && strstr(c.text, "7 s") && strstr(c.text, "8 GB"), "%s", c.text);
  cr_assert(strstr(c.remedy, "--floor"), "%s", c.remedy);
  harm_cause(HARM_LOW, &x, 8192, &c);
  cr_assert(strstr(c.text, "short of physical memory") && c.remedy[0], "%s", c.text);
}

Test(harm, numbers_of_a_starved_server) {
  const int yes[] = {701, 802, 8645, 8651, 17803}, no[] = {0, -28, 1205, 208, 20003};
  for (size_t i = 0; i < 5; i++) {
    cr_assert(server_message_starved(yes[i]), "%d", yes[i]);
    cr_assert(!server_message_starved(no[i]), "%d", no[i]);
  }
}

/* ---- stop ---- */

Test(stop, limits_are_parsed) {
  struct stop_rules r = {0};
  struct cause c = {0};
  cr_assert_eq(stop_add(&r, "p95=50ms", &c), 0, "%s", c.text);
  cr_assert_eq(stop_add(&r, "p99.9=1.5s", &c), 0);
  cr_assert_eq(stop_add(&r, "mean=0.2ms", &c), 0);
  cr_assert_eq(r.n, 3);
  cr_assert_float_eq(r.rule[1].limit_ms, 1500, 1e-9);
  cr_assert_float_eq(r.rule[1].q, 0.999, 1e-12);
  char *text = stop_text(&r);
  cr_assert_str_eq(text, "p95 above 50 ms or p99.9 above 1.5 s or mean above 0.2 ms");
  free(text);
  const char *bad[] = {"", "p95", "p95=", "=50ms", "p95=50", "p95=-1ms", "p98=5ms", "p9=5ms", "p95=10ms", "p50=0", "p50=5ms,p90=6ms", NULL};
  for (int i = 0; bad[i]; i++) {
    cause_clear(&c);
    cr_assert_eq(stop_add(&r, bad[i], &c), -1, "'%s' was taken", bad[i]);
    cr_assert(c.status == STATUS_SETUP && c.text[0], "'%s'", bad[i]);
  }
  cr_assert_eq(r.n, 3);
  struct stop_rules none = {0};
  cr_assert_null(stop_text(&none));
}

Test(stop, judged_by_the_percentile_or_the_mean) {
  struct stop_rules r = {0};
  struct cause c;
  struct hist *h = hist_new();
  double v;
  stop_add(&r, "p95=50ms", &c);
  stop_add(&r, "mean=20ms", &c);
  stop_add(&r, "p99.9=1s", &c);
  cr_assert_eq(stop_judge(&r.rule[0], h, &v), -1, "nothing to judge");
  cr_assert(isnan(v));
  hist_add(h, hist_bucket(10 * NS_PER_MS), 960);
  hist_add(h, hist_bucket(100 * NS_PER_MS), 40);
  cr_assert_eq(stop_judge(&r.rule[0], h, &v), 0);
  cr_assert_float_eq(v, 10, 0.02);
  cr_assert_eq(stop_judge(&r.rule[1], h, &v), 0);
  cr_assert_float_eq(v, 13.6, 0.05);
  cr_assert_eq(stop_judge(&r.rule[2], h, &v), -1, "one transaction beyond p99.9 is no p99.9");
  hist_add(h, hist_bucket(100 * NS_PER_MS), 100);
  cr_assert_eq(stop_judge(&r.rule[0], h, &v), 1);
  cr_assert_float_eq(v, 100, 0.1);
  cr_assert_eq(stop_judge(&r.rule[1], h, &v), 1);
  free(h);
}

/* ---- remarks ---- */

static struct remark_facts quiet(void) {
  struct remark_facts f = {.samples = 21, .ours = 10000, .done = 9000, .users = 64, .idle_permille = 700, .steal_permille = 0, .late_p99_ms = 0.1,
                           .p99_ms = 20};
  f.first = (struct server_sample){.at_ns = 10 * NS_PER_S, .checkpoint_pages = 500, .compilations = 100, .log_growths = 7, .batch_requests = 2000};
  f.last = (struct server_sample){.at_ns = 30 * NS_PER_S, .checkpoint_pages = 500, .compilations = 108, .log_growths = 7, .batch_requests = 12050};
  return f;
}

static const char *text_of(const struct remark_facts *f, const char *code) {
  static struct remark r[REMARKS_MAX];
  size_t n = remarks_make(f, r);
  for (size_t i = 0; i < n; i++)
    if (strcmp(r[i].code, code) == 0)
      return r[i].text;
  return NULL;
}

Test(remarks, a_quiet_phase_has_none) {
  struct remark r[REMARKS_MAX];
  struct remark_facts f = quiet();
  cr_assert_eq(remarks_make(&f, r), 0);
}

Test(remarks, what_fell_into_it_with_its_figure) {
  struct remark_facts f = quiet();
  struct remark r[REMARKS_MAX];
  f.last.checkpoint_pages += 5000;
  f.last.compilations += 2000;
  f.last.log_growths += 2;
  f.last.batch_requests += 4010;
  f.idle_permille = 180;
  f.steal_permille = 42;
  cr_assert_eq(remarks_make(&f, r), REMARKS_MAX);
  cr_assert_str_eq(text_of(&f, "saw-checkpoint"), "pages written by checkpoints: 5,000 (2 MB/s)");
  cr_assert_str_eq(text_of(&f, "saw-plans"), "plans compiled: 2,008 (100 a second)");
  cr_assert_str_eq(text_of(&f, "saw-log-growth"), "growths of the log: 2");
  cr_assert_str_eq(text_of(&f, "saw-others"), "other people's batches: 4,060 (203 a second)");
  cr_assert_str_eq(text_of(&f, "saw-client"), "the client's mean idle processor time, and how late it sent requests (p99): 18 %, 0.1 ms");
  cr_assert_str_eq(text_of(&f, "saw-steal"), "processor time taken from the client by its hypervisor: 4.2 %");
}

Test(remarks, limits) {
  struct remark_facts f = quiet();
  f.last.compilations = f.first.compilations + 90;
  cr_assert_null(text_of(&f, "saw-plans"), "one for 100 transactions");
  f.last.compilations++;
  cr_assert_not_null(text_of(&f, "saw-plans"));
  f.done = 100;
  f.last.compilations = f.first.compilations + 10;
  cr_assert_null(text_of(&f, "saw-plans"), "ten are nothing");
  f.last.batch_requests = f.first.batch_requests + 10000 + 64 + 20 + 50;
  cr_assert_null(text_of(&f, "saw-others"), "under way when they were counted");
  f.last.batch_requests += 2;
  cr_assert_not_null(text_of(&f, "saw-others"));
  f.idle_permille = 500;
  f.steal_permille = 9.9;
  f.late_p99_ms = 2;
  cr_assert_null(text_of(&f, "saw-client"));
  cr_assert_null(text_of(&f, "saw-steal"));
  f.late_p99_ms = 2.1;
  cr_assert_str_eq(text_of(&f, "saw-client"), "how late the client sent requests (p99): 2.1 ms");
  f.late_p99_ms = 123.4;
  cr_assert_str_eq(text_of(&f, "saw-client"), "how late the client sent requests (p99): 123 ms");
}

Test(remarks, what_could_not_be_sampled_gives_none) {
  struct remark_facts f = quiet();
  struct remark r[REMARKS_MAX];
  f.first.checkpoint_pages = f.last.compilations = f.first.log_growths = ABSENT;
  f.last.checkpoint_pages = 9000;
  f.last.batch_requests += 9000;
  f.ours = ABSENT;
  f.idle_permille = f.steal_permille = f.late_p99_ms = f.p99_ms = NAN;
  cr_assert_eq(remarks_make(&f, r), 0);
  f = quiet();
  f.last.checkpoint_pages = 9; /* counts that began anew */
  f.last.log_growths = 0;
  cr_assert_eq(remarks_make(&f, r), 0);
  f = quiet();
  f.last.checkpoint_pages += 5000;
  f.samples = 1;
  cr_assert_eq(remarks_make(&f, r), 0);
}

/* ---- the feed's part ---- */

static void sample(struct feed *f, int64_t at_ns, int64_t batches) {
  struct server_sample s = {.at_ns = at_ns, .batch_requests = batches};
  feed_sample(f, &s);
}

Test(feed, first_and_last_sample_of_a_phase) {
  struct feed *f = feed_new();
  struct feed_span span;
  sample(f, NS_PER_S, 1);
  feed_phase(f, PHASE_MEASURE, 2 * NS_PER_S);
  feed_span(f, &span);
  cr_assert_eq(span.n, 0);
  for (int i = 2; i < 6; i++)
    sample(f, i * NS_PER_S + NS_PER_MS, 10 * i);
  feed_phase_end(f, 11 * NS_PER_S / 2);
  sample(f, 6 * NS_PER_S, 1000);
  feed_span(f, &span);
  cr_assert_eq(span.n, 4);
  cr_assert_eq(span.first.batch_requests, 20);
  cr_assert_eq(span.last.batch_requests, 50);
  cr_assert_eq(span.ours_first, ABSENT, "nobody is counted");
  feed_free(f);
}

Test(feed, responses_and_steal_of_a_phase) {
  struct feed *f = feed_new();
  struct feed_sums sums;
  struct hist *h = hist_new();
  feed_phase(f, PHASE_MEASURE, 2 * NS_PER_S);
  for (int i = 1; i < 5; i++) {
    struct load_second s = {.second = i, .phase = PHASE_MEASURE, .done = 5, .host_idle_permille = 500, .host_iowait_permille = 0,
                            .host_steal_permille = i == 3 ? ABSENT : 10 * i};
    struct hist_record_row row = {i, 0, HIST_RESPONSE, {hist_bucket(i * NS_PER_MS), 5}};
    feed_second(f, &s, &row, 1);
  }
  feed_responses(f, h);
  cr_assert_eq(h->total, 15);
  cr_assert_float_eq(hist_mean_ms(h), 3, 0.01);
  feed_sums(f, &sums);
  cr_assert_float_eq(sums.steal_permille, 30, 1e-9);
  feed_phase(f, PHASE_WARM, 6 * NS_PER_S);
  feed_sums(f, &sums);
  cr_assert(isnan(sums.steal_permille));
  free(h);
  feed_free(f);
}
