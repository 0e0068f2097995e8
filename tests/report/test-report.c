/* report: its small parts, and figures of runs made up in memory. */
#include "config.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "report/axes.h"
#include "report/b64.h"
#include "report/figures.h"
#include "report/account.h"
#include "report/html.h"
#include "report/meta.h"
#include "report/moderate.h"
#include "report/places.h"
#include "report/plot.h"
#include "report/resample.h"
#include "report/summary.h"
#include "report/tables.h"
#include "report/words.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- texts ---- */

Test(text, base64_of_rfc_4648) {
  static const char *const pair[][2] = {{"", ""},
                                        {"f", "Zg=="},
                                        {"fo", "Zm8="},
                                        {"foo", "Zm9v"},
                                        {"foob", "Zm9vYg=="},
                                        {"fooba", "Zm9vYmE="},
                                        {"foobar", "Zm9vYmFy"},
                                        {"\xff\xfe\xfd", "//79"}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    struct text t = {0};
    b64_add(&t, pair[i][0], strlen(pair[i][0]));
    cr_expect_str_eq(t.s ? t.s : "", pair[i][1]);
    text_free(&t);
  }
}

Test(text, html_is_escaped) {
  struct text t = {0};
  html_text(&t, "<a href=\"x\">'&'</a>\033[31m\n");
  cr_expect_str_eq(t.s, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\\x1b[31m\\x0a");
  text_clear(&t);
  html_text(&t, "\xc3\xa9 \xc3( \xc0\xaf \xed\xa0\x80 \xf0\x9f\x98\x80 \xff");
  cr_expect_str_eq(t.s,
                   "\xc3\xa9 \xef\xbf\xbd( \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x98\x80 "
                   "\xef\xbf\xbd",
                   "bytes that are no UTF-8 are replaced, characters kept: %s", t.s);
  text_free(&t);
}

Test(text, gnuplot_strings_are_literal) {
  struct text t = {0};
  plot_quote(&t, "it's `date`\n\"x\" \\ @y");
  cr_expect_str_eq(t.s, "'it''s `date`\\x0a\"x\" \\ @y'");
  text_free(&t);
}

static void expect_figure(double v, const char *want) {
  char buf[40];
  cr_expect_str_eq(figure_text(v, buf, sizeof buf), want, "%g gives %s, not %s", v, buf, want);
}

Test(text, figures_have_two_or_three_digits) {
  expect_figure(0, "0.00");
  expect_figure(0.0042, "0.0042");
  expect_figure(0.0851, "0.085");
  expect_figure(0.5, "0.50");
  expect_figure(2.345, "2.35");
  expect_figure(46.04, "46.0");
  expect_figure(460.4, "460");
  expect_figure(1234567, "1,234,567");
  expect_figure(NAN, "-");
  expect_figure(INFINITY, "-");
}

static void expect_percent(double v, const char *want) {
  char buf[40];
  cr_expect_str_eq(percent_text(v, buf, sizeof buf), want, "%g gives %s, not %s", v, buf, want);
}

Test(text, percentages_keep_their_sign) {
  expect_percent(0, "+0.0 %");
  expect_percent(-0.004, "-0.4 %");
  expect_percent(0.66, "+66 %");
  expect_percent(12.5, "+1,250 %");
  expect_percent(NAN, "-");
}

static void expect_number(double v, int decimals, const char *want) {
  struct text t = {0};
  tsv_number(&t, v, decimals);
  cr_expect_str_eq(t.s ? t.s : "", want);
  text_free(&t);
}

Test(text, tsv_numbers) {
  expect_number(NAN, 3, "");
  expect_number(INFINITY, 3, "");
  expect_number(12.5, 4, "12.5");
  expect_number(100, 0, "100");
  expect_number(100, 2, "100");
  expect_number(-0.00001, 2, "0");
  expect_number(0.1234567, 4, "0.1235");
}

Test(text, what_a_terminal_obeys_is_shown) {
  struct text t = {0};
  text_visible(&t, "a\tb\033[31m \x7f \xc2\x9b \xe2\x80\xae \xff \xc3\xa9 \xf0\x9f\x98\x80");
  cr_expect_str_eq(t.s, "a\\x09b\\x1b[31m \\x7f \\xc2\\x9b \\xe2\\x80\\xae \\xff \xc3\xa9 \xf0\x9f\x98\x80", "%s", t.s);
  text_clear(&t);
  text_visible(&t, "");
  cr_expect_str_eq(t.s, "");
  text_free(&t);
}

Test(text, lines_are_wrapped_between_words) {
  struct text t = {0};
  text_wrap(&t, "one two  three 128 GB four", "- ", "  ", 12);
  cr_expect_str_eq(t.s, "- one two\n  three\n  128 GB\n  four\n", "%s", t.s);
  text_clear(&t);
  text_wrap(&t, "averyveryverylongword x", "", "", 5);
  cr_expect_str_eq(t.s, "averyveryverylongword\nx\n");
  text_clear(&t);
  text_wrap(&t, "", "- ", "", 5);
  cr_expect_str_eq(t.s, "- \n");
  text_free(&t);
}

Test(text, meta_of_any_shape_is_taken_with_care) {
  json_t *m = json_pack("{s:{s:s, s:i, s:n}, s:s, s:b}", "server", "name", "A", "cpus", 4, "label", "text", "x", "flag", 1);
  cr_expect_str_eq(meta_text(m, "server.name"), "A");
  cr_expect_null(meta_text(m, "server.cpus"));
  cr_expect_null(meta_text(m, "server.label"));
  cr_expect_null(meta_text(m, "text.name"));
  cr_expect_null(meta_at(m, "nothing.at.all"));
  cr_expect_float_eq(meta_number(m, "server.cpus"), 4, 0);
  cr_expect(isnan(meta_number(m, "server.name")));
  cr_expect(meta_true(m, "flag"));
  cr_expect_not(meta_true(m, "server.name"));
  cr_expect_null(meta_at(NULL, "x"));
  json_decref(m);
}

/* ---- figures ---- */

#define SECONDS 20

struct made {
  struct run_data run;
  struct step_data step;
  struct server_sample sample[SECONDS + 2];
  struct load_second second[SECONDS];
  struct hist_record_row hist[SECONDS * 3];
};

/* 20 s measured from 100 s on: 50 transactions a second, 45 of 1 ms, 5 of 9 ms; 10 reads of 8 KiB a second, 2 ms each. */
static void make(struct made *m) {
  memset(m, 0, sizeof *m);
  struct step_facts *f = &m->step.facts;
  *f = (struct step_facts){.index = 1,
                           .role = STEP_MEASURED,
                           .setting_mib = 65536,
                           .reached_kib = 64 << 20,
                           .cache_kib = 60 << 20,
                           .reached = 1,
                           .steady = 1,
                           .row_lock_wait_ms = 500};
  f->begin_ns[PHASE_MEASURE] = 100 * NS_PER_S;
  f->end_ns[PHASE_MEASURE] = (100 + SECONDS) * NS_PER_S;
  for (int i = 0; i < SECONDS + 2; i++) {
    struct server_sample *s = &m->sample[i];
#define X(name, kind) s->name = ABSENT;
    SERVER_FIELDS(X)
#undef X
    s->at_ns = (99 + i) * NS_PER_S + 1000000;
    s->data_reads = 1000 + 10 * i;
    s->data_read_bytes = 8192 * s->data_reads;
    s->data_read_stall_ms = 2 * s->data_reads;
    s->page_reads = 10 * i;
    s->page_lookups = 1000 * i;
    s->page_life_expectancy_s = 300;
    s->start_ticks = 7;
  }
  for (int i = 0; i < SECONDS; i++) {
    m->second[i] = (struct load_second){
        .second = 100 + i, .phase = PHASE_MEASURE, .done = 50, .host_idle_permille = 500, .host_iowait_permille = 100};
    m->hist[2 * SECONDS + i] = (struct hist_record_row){100 + i, 0, HIST_LATENESS, {hist_bucket(250000), 50}};
    m->hist[2 * i] = (struct hist_record_row){100 + i, 0, HIST_RESPONSE, {hist_bucket(1000000), 45}};
    m->hist[2 * i + 1] = (struct hist_record_row){100 + i, 1, HIST_RESPONSE, {hist_bucket(9000000), 5}};
  }
  m->step.name = (char[]){"01-64G"};
  m->step.sample = m->sample;
  m->step.nsample = SECONDS + 2;
  m->step.second = m->second;
  m->step.nsecond = SECONDS;
  m->step.hist = m->hist;
  m->step.nhist = 3 * SECONDS;
  m->run.step = &m->step;
  m->run.nstep = 1;
}

Test(figures, of_a_steady_step) {
  struct made m;
  struct figures_list l;
  make(&m);
  figures_make(&l, &m.run, 1);
  cr_assert_eq(l.n, 1);
  const struct figures *f = &l.row[0];
  cr_expect_eq(f->kind, ROW_STEP);
  cr_expect_eq(f->marks, 0);
  cr_expect_str_eq(f->memory, "64 GB");
  cr_expect_float_eq(f->cache_gb, 60, 1e-9);
  cr_expect_float_eq(f->tx_s.value, 50, 1e-9);
  cr_expect_float_eq(f->latencies, 1000, 0);
  cr_expect_float_eq(f->ms[MS_P50].value, 1.0005, 1e-9);
  cr_expect_float_eq(f->ms[MS_P90].value, 1.0005, 1e-9, "the 900th of 1,000 is the last of 1 ms");
  cr_expect_float_eq(f->ms[MS_P95].value, 9, 0.01);
  cr_expect_float_eq(f->ms[MS_P99].value, 9, 0.01, "ten of 1,000 lie beyond it");
  cr_expect(isnan(f->ms[MS_P999].value) && isnan(f->ms[MS_P999].lo), "one of 1,000 says nothing about p99.9");
  cr_expect_float_eq(f->ms[MS_MEAN].value, 1.8, 0.01);
  cr_expect_float_eq(f->read_mb_s.value, 10 * 8192 / 1e6, 1e-9);
  cr_expect_float_eq(f->reads_s, 10, 1e-9);
  cr_expect_float_eq(f->read_ms, 2, 1e-9);
  cr_expect_float_eq(f->reads_per_tx.value, 0.2, 1e-9);
  cr_expect_float_eq(f->read_stall_ms_per_tx, 0.4, 1e-9);
  cr_expect_float_eq(f->hit_ratio, 0.99, 1e-9);
  cr_expect_float_eq(f->page_life_s, 300, 0);
  cr_expect_float_eq(f->row_lock_ms_per_tx, 0.5, 1e-9);
  cr_expect_float_eq(f->lateness_p99_ms, 0.2505, 1e-9);
  cr_expect_float_eq(f->host_idle, 0.6, 1e-9);
  cr_expect(isnan(f->write_mb_s));
  cr_expect(isnan(f->cpu));
  /* All seconds alike: no scatter but the bucket's. */
  cr_expect(f->ms[MS_P95].lo < f->ms[MS_P95].value && f->ms[MS_P95].value < f->ms[MS_P95].hi);
  cr_expect_float_eq(f->ms[MS_P95].lo, f->ms[MS_P95].hi, 0.01);
  cr_expect_float_eq(f->tx_s.lo, 50, 1e-9);
  cr_expect_float_eq(f->read_mb_s.hi, f->read_mb_s.value, 1e-9);
  figures_free(&l);
}

Test(figures, a_restart_or_a_count_that_went_back_is_unknown) {
  struct made m;
  struct figures_list l;
  make(&m);
  for (int i = 10; i < SECONDS + 2; i++)
    m.sample[i].start_ticks = 8;
  figures_make(&l, &m.run, 1);
  cr_expect(isnan(l.row[0].read_mb_s.value));
  cr_expect(isnan(l.row[0].hit_ratio));
  cr_expect_float_eq(l.row[0].tx_s.value, 50, 1e-9);
  figures_free(&l);
  make(&m);
  for (int i = 10; i < SECONDS + 2; i++)
    m.sample[i].data_read_bytes -= 1000 * 8192;
  figures_make(&l, &m.run, 1);
  cr_expect(isnan(l.row[0].read_mb_s.value));
  cr_expect(isnan(l.row[0].read_mb_s.lo));
  cr_expect_float_eq(l.row[0].reads_s, 10, 1e-9);
  figures_free(&l);
}

/* The collector goes on telling seconds of the measured phase until the next one begins. */
Test(figures, seconds_behind_the_measured_window_do_not_count) {
  struct made m;
  struct figures_list l;
  make(&m);
  m.step.facts.end_ns[PHASE_MEASURE] -= 2 * NS_PER_S + NS_PER_MS;
  figures_make(&l, &m.run, 1);
  cr_expect_eq(l.row[0].nsecond, SECONDS - 3);
  cr_expect_float_eq(l.row[0].done, 50 * (SECONDS - 3), 0);
  cr_expect_float_eq(l.row[0].tx_s.value, 50, 1e-9);
  cr_expect_float_eq(l.row[0].latencies, 50 * (SECONDS - 3), 0);
  figures_free(&l);
}

Test(figures, nothing_sampled_is_unknown_not_zero) {
  struct made m;
  struct figures_list l;
  make(&m);
  m.step.nsample = 0;
  m.step.nhist = 0;
  m.step.facts.cache_kib = ABSENT;
  m.step.facts.row_lock_wait_ms = ABSENT;
  figures_make(&l, &m.run, 1);
  const struct figures *f = &l.row[0];
  cr_expect(isnan(f->read_mb_s.value) && isnan(f->reads_per_tx.value) && isnan(f->hit_ratio) && isnan(f->page_life_s));
  cr_expect(isnan(f->cache_gb) && isnan(f->ms[MS_P50].value) && isnan(f->ms[MS_MAX].value) && isnan(f->row_lock_ms_per_tx));
  cr_expect(isnan(f->ms[MS_P95].lo) && isnan(f->read_mb_s.lo));
  figures_free(&l);
  m.run.nstep = 0;
  figures_make(&l, &m.run, 1);
  cr_expect_eq(l.n, 0);
  figures_free(&l);
}

Test(figures, a_broken_step_tells_what_it_has) {
  struct made m;
  struct figures_list l;
  make(&m);
  m.step.facts.incomplete = 1;
  m.step.facts.begin_ns[PHASE_MEASURE] = m.step.facts.end_ns[PHASE_MEASURE] = ABSENT;
  m.step.nsecond = 5;
  figures_make(&l, &m.run, 1);
  cr_expect_eq(l.row[0].kind, ROW_BROKEN);
  cr_expect_eq(l.nstep, 0);
  cr_expect_float_eq(l.row[0].begin_s, 100, 0);
  cr_expect_float_eq(l.row[0].end_s, 105, 0);
  cr_expect_float_eq(l.row[0].tx_s.value, 50, 1e-9);
  cr_expect_float_eq(l.row[0].latencies, 250, 0);
  figures_free(&l);
  m.step.nsecond = 0;
  figures_make(&l, &m.run, 1);
  cr_expect_eq(l.n, 1);
  cr_expect(isnan(l.row[0].tx_s.value));
  figures_free(&l);
}

Test(figures, intervals_cover_and_depend_on_the_seed_alone) {
  struct made m;
  struct figures_list a, b, c;
  make(&m);
  for (int i = 0; i < SECONDS; i++) {
    m.second[i].done = 40 + 7 * i % 20;
    m.hist[2 * i + 1].e.count = (uint32_t)(i % 4);
  }
  figures_make(&a, &m.run, 1);
  figures_make(&b, &m.run, 1);
  figures_make(&c, &m.run, 2);
  cr_expect(a.row[0].tx_s.lo < a.row[0].tx_s.value && a.row[0].tx_s.value < a.row[0].tx_s.hi);
  cr_expect_eq(memcmp(a.row[0].draw_tx_s, b.row[0].draw_tx_s, a.row[0].ndraw * sizeof(double)), 0);
  cr_expect_neq(memcmp(a.row[0].draw_tx_s, c.row[0].draw_tx_s, a.row[0].ndraw * sizeof(double)), 0);
  cr_expect_float_eq(a.row[0].tx_s.value, c.row[0].tx_s.value, 0);
  /* The mean of the replicates is near the estimate. */
  double sum = 0;
  for (size_t d = 0; d < a.row[0].ndraw; d++)
    sum += a.row[0].draw_tx_s[d];
  cr_expect_float_eq(sum / (double)a.row[0].ndraw, 49.5, 1);
  figures_free(&a);
  figures_free(&b);
  figures_free(&c);
}

Test(figures, too_few_seconds_give_no_interval) {
  struct made m;
  struct figures_list l;
  make(&m);
  m.step.nsecond = STATS_MIN - 1;
  m.step.facts.end_ns[PHASE_MEASURE] = (100 + STATS_MIN - 1) * NS_PER_S;
  figures_make(&l, &m.run, 1);
  cr_expect_eq(l.row[0].ndraw, 0);
  cr_expect(isnan(l.row[0].ms[MS_P95].lo));
  cr_expect_float_eq(l.row[0].ms[MS_P95].value, 9, 0.01);
  figures_free(&l);
}

Test(figures, steps_share_what_they_know_of_their_noise) {
  struct stats_value v[6], *p[6];
  for (int i = 0; i < 6; i++) {
    p[i] = &v[i];
    v[i] = (struct stats_value){{10, 9, 11}, 0.02, 2};
  }
  /* Equal errors stay, and are surer. */
  moderate_errors(p, 6);
  for (int i = 0; i < 6; i++) {
    cr_expect_float_eq(v[i].df, 12, 1e-9);
    cr_expect(v[i].se_log > 0.015 && v[i].se_log < 0.03, "%g", v[i].se_log);
  }
  /* One that is ten times as large by bad luck is drawn in; one without an error is left alone. */
  for (int i = 0; i < 6; i++)
    v[i] = (struct stats_value){{10, 9, 11}, i == 2 ? 0.2 : 0.02, 1.5};
  v[4].se_log = NAN;
  v[5].se_log = 0;
  moderate_errors(p, 6);
  cr_expect(v[2].se_log < 0.15);
  cr_expect(v[2].df >= 1.5 && v[2].df <= 6);
  cr_expect(isnan(v[4].se_log));
  cr_expect_float_eq(v[5].se_log, 0, 0);
  cr_expect_float_eq(v[5].df, 1.5, 0);
  /* What many degrees of freedom tell apart stays apart. */
  for (int i = 0; i < 6; i++)
    v[i] = (struct stats_value){{10, 9, 11}, i < 3 ? 0.01 : 0.1, 200};
  moderate_errors(p, 6);
  cr_expect_float_eq(v[0].se_log, 0.01, 0.002);
  cr_expect_float_eq(v[5].se_log, 0.1, 0.01);
  /* Two steps have nothing to share. */
  v[0] = (struct stats_value){{10, 9, 11}, 0.02, 2};
  v[1] = (struct stats_value){{10, 9, 11}, 0.2, 2};
  moderate_errors(p, 2);
  cr_expect_float_eq(v[1].se_log, 0.2, 0);
}

/* ---- pressure ---- */

Test(pressure, waits_come_before_counters) {
  struct made m;
  struct figures_list l;
  make(&m);
  /* Counters alone: stalls of reads, row locks. */
  figures_make(&l, &m.run, 1);
  cr_expect_float_eq(l.row[0].wait_ms_per_tx[PRESSURE_READS], 0.4, 1e-9);
  cr_expect_float_eq(l.row[0].wait_ms_per_tx[PRESSURE_LOCKS], 0.5, 1e-9);
  cr_expect(isnan(l.row[0].wait_ms_per_tx[PRESSURE_GRANTS]) && isnan(l.row[0].wait_ms_per_tx[PRESSURE_CPU]));
  cr_expect_eq(words_pressures(&l.row[0]), 1u << PRESSURE_READS | 1u << PRESSURE_LOCKS, "of a mean of 1.8 ms both make a fifth");
  figures_free(&l);
  /* 1,000 transactions.  What is left of a wait when its signal came is spent in the queue for a processor. */
  struct wait_row wait[] = {{"PAGEIOLATCH_SH", 10, 600, 100}, {"PAGEIOLATCH_EX", 10, 200, 0},   {"WRITELOG", 10, 900, 0},
                            {"RESOURCE_SEMAPHORE", 1, 50, 0}, {"SOS_SCHEDULER_YIELD", 9, 30, 30}, {"LCK_M_X", 1, 20, 0},
                            {"SOMETHING_NEW", 1, 5000, 0}};
  m.step.wait = wait;
  m.step.nwait = sizeof wait / sizeof *wait;
  m.sample[3].grants_pending = 2;
  figures_make(&l, &m.run, 1);
  const double *ms = l.row[0].wait_ms_per_tx;
  cr_expect_float_eq(ms[PRESSURE_READS], 0.7, 1e-9);
  cr_expect_float_eq(ms[PRESSURE_LOG], 0.9, 1e-9);
  cr_expect_float_eq(ms[PRESSURE_GRANTS], 0.05, 1e-9);
  cr_expect_float_eq(ms[PRESSURE_CPU], 0.13, 1e-9);
  cr_expect_float_eq(ms[PRESSURE_LOCKS], 0.02, 1e-9);
  cr_expect_eq(words_pressures(&l.row[0]), 1u << PRESSURE_READS | 1u << PRESSURE_LOG | 1u << PRESSURE_GRANTS,
               "queries that waited for memory count however short");
  figures_free(&l);
}

/* ---- limits ---- */

Test(limits, as_people_write_them) {
  struct report_options o = REPORT_DEFAULTS;
  struct cause c;
  static const char *const good[] = {"p95=5ms", "mean=250us", "p99.9=1s", "p50=1.5ms"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    cr_expect_eq(report_slo_add(&o, good[i], &c), 0, "%s: %s", good[i], c.text);
  cr_assert_eq(o.nslo, 4);
  cr_expect(o.slo[0].stat == MS_P95 && o.slo[1].stat == MS_MEAN && o.slo[2].stat == MS_P999 && o.slo[3].stat == MS_P50);
  cr_expect_float_eq(o.slo[1].limit_ms, 0.25, 1e-9);
  cr_expect_float_eq(o.slo[2].limit_ms, 1000, 1e-9);
  static const char *const bad[] = {"p95", "=5ms", "p95=", "p95=5", "p95=0", "p95=-1ms", "p98=5ms", "max=5ms", "p9=5ms", "p95=5parsec"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cr_expect_eq(report_slo_add(&o, bad[i], &c), -1, "%s was taken", bad[i]);
    cr_expect(c.text[0] && c.remedy[0]);
  }
  cr_expect_eq(o.nslo, 4);
  free(o.slo);
}

/* ---- axes ---- */

Test(axes, labels_stay_apart) {
  struct figures row[60];
  struct account f = {.rows = {.row = row, .n = 60, .nstep = 60}};
  memset(row, 0, sizeof row);
  for (int i = 0; i < 60; i++)
    row[i].memory_gb = 256 - 4 * i;
  struct text t = {0};
  axes_memory_tics(&t, &f, 1);
  int shown = 0, tics = 0;
  for (const char *p = t.s; (p = strchr(p, '"')); p = strchr(p + 1, '"') + 1) {
    tics++;
    shown += p[1] != '"';
  }
  cr_expect_eq(tics, 60);
  cr_expect(shown >= 5 && shown <= 24, "%d labels", shown);
  cr_expect_not_null(strstr(t.s, "\"256\" 256"));
  cr_expect_not_null(strstr(t.s, "\"20\" 20"));
  text_free(&t);
  double lo, hi;
  axes_memory_range(&f, &lo, &hi);
  cr_expect(lo < 20 && hi > 256);
  cr_expect(axes_memory_at(&f, 256) < 1 && axes_memory_at(&f, 20) > 0);
  f.rows.n = f.rows.nstep = 0;
  axes_memory_range(&f, &lo, &hi);
  cr_expect(lo > 0 && hi > lo, "no rows give a range, too");
}

Test(places, a_label_keeps_clear_of_what_is_drawn) {
  struct places p = {0};
  struct spot s = places_take(&p, 0.1, 0.5);
  cr_assert(s.x > 0.9 && s.y > 0.5, "free: at the right end, above its line");
  s = places_take(&p, 0.1, 0.5);
  cr_assert(s.x > 0.9 && s.y < 0.5, "that place is taken now: below");
  places_add_line(&p, 0.7, 0, 1, 1);
  s = places_take(&p, 0.1, 0.6);
  cr_assert(s.x < 0.88 || s.x - 0.1 > 0.88, "the stroke goes through 0.88, 0.6");
  places_add(&p, NAN, 0.5);
  s = places_take(&p, 0.1, 0.99);
  cr_assert(s.y < 0.99, "above there is no room");
  places_free(&p);
  for (int i = 0; i <= 10; i++)
    places_add_line(&p, 0, i / 10.0, 1, i / 10.0);
  s = places_take(&p, 0.2, 0.52);
  cr_assert(s.x <= 1 && s.x - 0.2 >= 0 && s.y > 0 && s.y < 1, "no room at all: somewhere within the plot");
  places_free(&p);
}

/* The ends of the range that a script sets are the ends of the axis. */
static int ends_agree(const char *script, const struct account *f) {
  double lo, hi;
  return sscanf(strstr(script, "set yrange ["), "set yrange [%lf:%lf]", &lo, &hi) == 2 && fabs(axes_latency_at(f, lo)) < 1e-4 &&
         fabs(axes_latency_at(f, hi) - 1) < 1e-4;
}

Test(axes, wide_ranges_are_logarithmic) {
  struct figures row[2];
  struct account f = {.rows = {.row = row, .n = 2, .nstep = 2}};
  struct text t = {0};
  memset(row, 0, sizeof row);
  row[0].ms[MS_P50].value = 2;
  row[1].ms[MS_P99].value = 20;
  double end;
  f.subject = (struct subject){.main = MS_P95, .upper = MS_P99, .lower = MS_P50};
  cr_expect_str_eq(axes_latency(&t, &f, &end), "ms");
  cr_expect_not_null(strstr(t.s, "unset logscale y"));
  cr_expect(ends_agree(t.s, &f));
  text_clear(&t);
  row[1].ms[MS_P99].value = 2e5;
  cr_expect_str_eq(axes_latency(&t, &f, &end), "s");
  cr_expect_not_null(strstr(t.s, "set logscale y 10"));
  cr_expect_not_null(strstr(t.s, "\"100\" 100000"));
  cr_expect(ends_agree(t.s, &f));
  text_clear(&t);
  row[0].ms[MS_P50].value = row[1].ms[MS_P99].value = NAN;
  axes_latency(&t, &f, &end);
  cr_expect_null(strstr(t.s, "nan"));
  text_free(&t);
}

/* ---- gnuplot as a child ---- */

static char folder[] = "/var/tmp/ramknee-draw.XXXXXX";

static void fake_gnuplot(const char *script) {
  struct cause c;
  cr_assert_not_null(mkdtemp(folder));
  char *path = xprintf("%s/gnuplot", folder), *plots_folder = xprintf("%s/plots", folder),
       *env = xprintf("%s:/usr/bin:/bin", folder);
  cr_assert_eq(file_write(path, script, strlen(script), 0755, &c), 0);
  cr_assert_eq(chmod(path, 0755), 0);
  cr_assert_eq(folder_make(plots_folder, &c), 0);
  setenv("PATH", env, 1);
  free(path);
  free(plots_folder);
  free(env);
}

static void remove_fake(void) {
  folder_remove(folder, NULL);
}

Test(draw, a_gnuplot_that_hangs_is_ended_with_its_children, .fini = remove_fake, .timeout = 60) {
  fake_gnuplot("#!/bin/sh\nsleep 300 &\necho $! > child\necho half > plots/latency.png\nsleep 300\n");
  static const struct plot p = {"latency", "", 900, 0};
  struct cause c;
  int64_t from = mono_ns();
  cr_expect_eq(plot_draw(folder, &p, 1, &c), -1);
  cr_expect(mono_ns() - from < 30 * NS_PER_S);
  cr_expect_not_null(strstr(c.text, "longer than 1 s"), "%s", c.text);
  char *path = xprintf("%s/plots/latency.png", folder), *child = xprintf("%s/child", folder), *data;
  cr_expect_neq(access(path, F_OK), 0);
  size_t size;
  cr_assert_eq(file_read(child, 100, &data, &size, &c), 0);
  data[strcspn(data, "\n")] = '\0';
  char *proc = xprintf("/proc/%s/exe", data);
  /* It dies a moment after the signal. */
  for (int64_t until = mono_ns() + 20 * NS_PER_S; access(proc, R_OK) == 0 && mono_ns() < until;)
    sleep_until_ns(mono_ns() + 20 * NS_PER_MS);
  cr_expect_neq(access(proc, R_OK), 0, "its child %s is gone", data);
  free(path);
  free(child);
  free(proc);
  free(data);
}

Test(draw, words_without_end_do_no_harm, .fini = remove_fake, .timeout = 60) {
  fake_gnuplot("#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x >&2\necho drawn > plots/latency.png\n");
  static const struct plot p = {"latency", "", 900, 0};
  struct cause c;
  cr_expect_eq(plot_draw(folder, &p, 30, &c), 0, "%s", c.text);
}

Test(draw, drawing_nothing_is_a_failure, .fini = remove_fake, .timeout = 60) {
  fake_gnuplot("#!/bin/sh\nexit 0\n");
  static const struct plot p = {"latency", "", 900, 0};
  struct cause c;
  cr_expect_eq(plot_draw(folder, &p, 30, &c), -1);
  cr_expect_not_null(strstr(c.text, "drew nothing"), "%s", c.text);
}
