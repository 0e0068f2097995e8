#include "config.h"

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "run/run.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static void setup(void) {
  strcpy(folder, "/var/tmp/ramknee-test-run-XXXXXX");
  cr_assert(mkdtemp(folder));
}

static void teardown(void) {
  folder_remove(folder, NULL);
}

TestSuite(run, .init = setup, .fini = teardown, .timeout = 60);

static json_t *meta(void) {
  return json_pack("{s:i, s:s, s:[s, s]}", "schema", 1, "program", "test", "types", "new_order", "payment");
}

static struct run *create(void) {
  struct run *r;
  struct cause c = {0};
  json_t *m = meta();
  cr_assert_eq(run_create(&r, folder, m, &c), 0, "%s", c.text);
  json_decref(m);
  return r;
}

static struct run_data *read_back(void) {
  struct run_data *d;
  struct cause c = {0};
  cr_assert_eq(run_read(&d, folder, &c), 0, "%s", c.text);
  return d;
}

static char *path_of(const char *name) {
  static char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void append(const char *name, const char *text, size_t n) {
  FILE *f = fopen(path_of(name), "a");
  cr_assert(f);
  cr_assert_eq(fwrite(text, 1, n, f), n);
  cr_assert_eq(fclose(f), 0);
}

/* Every field another value, every third ABSENT, some negative, but not the time. */
static struct server_sample sample_of(int64_t salt) {
  struct server_sample s;
  size_t n;
  const struct record_field *f = record_server_fields(&n);
  for (size_t i = 0; i < n; i++) {
    int64_t v = i % 3 == 2 ? ABSENT : (salt + 1) * INT64_C(1000000007) * (int64_t)(i + 1) * (i % 5 || i == 0 ? 1 : -1);
    memcpy((char *)&s + f[i].offset, &v, sizeof v);
  }
  return s;
}

static struct load_second second_of(int64_t salt) {
  struct load_second s = {.second = salt, .phase = PHASE_MEASURE, .users = 64, .done = 100 + salt, .waiting = ABSENT,
                          .lateness_p99_us = INT64_C(4000000000000000000), .by_type = {40 + salt, 60}};
  return s;
}

static const struct step_facts facts_full = {
    .index = 99, .role = STEP_BURN_IN, .setting_mib = 1, .reached_kib = 134217728, .cache_kib = 120000000,
    .begin_ns = {0, 1000000000, 2000000000}, .end_ns = {1000000000, 2000000000, INT64_C(4000000000000000000)}, .sent = 12345,
    .digest_requests = 1024, .digest = UINT64_C(0xF00000000000000D), .digest_long_requests = 64000, .digest_long = 7,
    .reached = 1, .steady = -1, .saturated = 0, .client_bound = 1, .rate_wanted = 200.5, .rate_reached = 199.25,
    .row_lock_wait_ms = ABSENT};

static int write_step(struct run *r, int index, int64_t mib, enum step_role role, int seconds, int incomplete) {
  struct run_step *s;
  struct cause c = {0};
  cr_assert_eq(run_step_begin(r, &s, index, mib, role, &c), 0, "%s", c.text);
  for (int i = 0; i < seconds; i++) {
    struct server_sample sample = sample_of(i);
    struct load_second second = second_of(i);
    struct hist_record_row row[3] = {{i, 0, HIST_RESPONSE, {1, 3}}, {i, 1, HIST_SERVICE, {HIST_BUCKETS - 1, UINT32_MAX}},
                                     {i, 0, HIST_LATENESS, {7, 1}}};
    run_step_sample(s, &sample);
    run_step_second(s, &second, row, 3);
  }
  run_step_note(s, "slow", "it took %d s, a \"long\" time", 5);
  struct wait_row w[2] = {{"PAGEIOLATCH_SH", 10, 200, 3}, {"WRITELOG", 1, ABSENT, 0}};
  struct step_facts f = facts_full;
  f.incomplete = incomplete;
  return run_step_end(s, &f, w, 2, &c);
}

Test(run, a_probed_demand_and_an_end_by_another_process) {
  struct run *r = create();
  json_t *demand = json_pack("{s:i, s:f}", "users", 64, "think_s", 0.25);
  cr_assert_eq(run_demand(r, demand, NULL), 0);
  json_decref(demand);
  json_t *refine = json_pack("{s:[{s:i}], s:s}", "added", "mib", 23552, "state", "add");
  cr_assert_eq(run_refine(r, refine, NULL), 0);
  json_object_set_new(refine, "state", json_string("done"));
  cr_assert_eq(run_refine(r, refine, NULL), 0, "it is written anew");
  json_decref(refine);
  run_close(r);

  cr_assert_eq(run_open(&r, folder, NULL), 0);
  cr_assert_eq(write(run_log_fd(r), "last words\n", 11), 11);
  cr_assert_eq(run_end(r, 2, 1, "killed", NULL), 0);
  run_close(r);
  struct run_data *d = read_back();
  cr_assert_eq(json_real_value(json_object_get(json_object_get(d->meta, "demand"), "think_s")), 0.25);
  cr_assert_str_eq(json_string_value(json_object_get(json_object_get(d->meta, "refine"), "state")), "done");
  cr_assert_str_eq(json_string_value(json_object_get(d->end, "why")), "killed");
  run_data_free(d);

  struct cause c = {0};
  cr_assert_eq(run_open(&r, "/nonexistent", &c), -1);
  cr_assert(strstr(c.text, "/nonexistent"));
}

Test(run, comes_back_as_it_was_written) {
  struct run *r = create();
  cr_assert_eq(write_step(r, 1, 131072, STEP_MEASURED, 5, 0), 0);
  cr_assert_eq(write_step(r, 2, 1536, STEP_DRIFT, 0, 0), 0);
  cr_assert_eq(run_end(r, 0, 1, NULL, NULL), 0);
  run_close(r);

  struct run_data *d = read_back();
  cr_assert_null(json_object_get(d->meta, "demand"));
  cr_assert_eq(d->ntype, 2);
  cr_assert_str_eq(d->type_name[1], "payment");
  cr_assert_str_eq(json_string_value(json_object_get(d->meta, "program")), "test");
  cr_assert(d->end && json_is_true(json_object_get(d->end, "put_back")));
  cr_assert_eq(d->nstep, 2);
  struct step_data *s = &d->step[0];
  cr_assert_str_eq(s->name, "01-128G");
  cr_assert_eq(s->facts.index, 1); /* those of run_step_begin */
  cr_assert_eq(s->facts.role, STEP_MEASURED);
  cr_assert_eq(s->facts.setting_mib, 131072);
  cr_assert_eq(s->facts.end_ns[PHASE_MEASURE], INT64_C(4000000000000000000));
  cr_assert_eq(s->facts.digest, facts_full.digest);
  cr_assert_eq(s->facts.digest_long, 7);
  cr_assert_eq(s->facts.digest_long_requests, 64000);
  cr_assert_eq(s->facts.reached, 1);
  cr_assert_eq(s->facts.steady, -1);
  cr_assert_eq(s->facts.saturated, 0);
  cr_assert_eq(s->facts.client_bound, 1);
  cr_assert_eq(s->facts.incomplete, 0);
  cr_assert_eq(s->facts.rate_wanted, 200.5);
  cr_assert_eq(s->facts.row_lock_wait_ms, ABSENT);
  cr_assert_eq(s->nsample, 5);
  cr_assert_eq(s->nsecond, 5);
  cr_assert_eq(s->nhist, 15);
  for (int i = 0; i < 5; i++) {
    struct server_sample sample = sample_of(i);
    cr_assert_eq(memcmp(&s->sample[i], &sample, sizeof sample), 0);
    cr_assert_eq(s->second[i].done, 100 + i);
    cr_assert_eq(s->second[i].waiting, ABSENT);
    cr_assert_eq(s->second[i].lateness_p99_us, INT64_C(4000000000000000000));
    cr_assert_eq(s->second[i].by_type[0], 40 + i);
    cr_assert_eq(s->second[i].by_type[1], 60);
    cr_assert_eq(s->hist[3 * i + 1].e.count, UINT32_MAX);
    cr_assert_eq(s->hist[3 * i + 1].what, HIST_SERVICE);
    cr_assert_eq(s->hist[3 * i + 2].what, HIST_LATENESS);
    cr_assert_eq(s->hist[3 * i + 2].second, i);
  }
  cr_assert_eq(s->nwait, 2);
  cr_assert_str_eq(s->wait[0].type, "PAGEIOLATCH_SH");
  cr_assert_eq(s->wait[0].wait_ms, 200);
  cr_assert_eq(s->nnote, 1);
  cr_assert_str_eq(s->note[0].code, "slow");
  cr_assert_str_eq(s->note[0].text, "it took 5 s, a \"long\" time");
  cr_assert_str_eq(d->step[1].name, "02-1536M");
  cr_assert_eq(d->step[1].facts.role, STEP_DRIFT);
  cr_assert_eq(d->step[1].nsample, 0);
  run_data_free(d);
}

Test(run, an_incomplete_step_stays_a_part_and_comes_last) {
  struct run *r = create();
  cr_assert_eq(write_step(r, 1, 16384, STEP_MEASURED, 2, 1), 0);
  cr_assert_eq(write_step(r, 2, 8192, STEP_MEASURED, 2, 0), 0);
  run_close(r);
  cr_assert_eq(access(path_of("steps/01-16G.part/step.json"), F_OK), 0);
  cr_assert_eq(access(path_of("steps/02-8G/step.json"), F_OK), 0);
  struct run_data *d = read_back();
  cr_assert_eq(d->nstep, 2);
  cr_assert_str_eq(d->step[0].name, "02-8G");
  cr_assert_str_eq(d->step[1].name, "01-16G");
  cr_assert_eq(d->step[1].facts.incomplete, 1);
  cr_assert_eq(d->step[1].nsecond, 2);
  cr_assert_null(d->end);
  run_data_free(d);
}

Test(run, a_killed_writer_leaves_what_was_there) {
  pid_t pid = fork();
  if (pid == 0) {
    struct run_step *s;
    struct run *r = create();
    if (run_step_begin(r, &s, 3, 8192, STEP_BURN_IN, NULL) == 0)
      for (int i = 0;; i++) {
        struct load_second second = second_of(i);
        run_step_second(s, &second, NULL, 0);
        usleep(100);
      }
    _exit(1);
  }
  struct stat st = {0};
  for (int i = 0; i < 3000 && st.st_size < 20000; i++) {
    usleep(10000);
    stat(path_of("steps/03-8G.part/load.tsv"), &st);
  }
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  append("steps/03-8G.part/load.tsv", "17\t2\t6", 6); /* a line cut off */
  struct run_data *d = read_back();
  cr_assert_eq(d->nstep, 1);
  cr_assert_eq(d->step[0].facts.incomplete, 1);
  cr_assert_eq(d->step[0].facts.role, STEP_BURN_IN);
  cr_assert_eq(d->step[0].facts.setting_mib, 8192);
  cr_assert_geq(d->step[0].nsecond, 100);
  for (size_t i = 0; i < d->step[0].nsecond; i++)
    cr_assert_eq(d->step[0].second[i].second, (int64_t)i);
  run_data_free(d);
}

Test(run, a_part_may_lack_files) {
  struct run *r = create();
  cr_assert_eq(write_step(r, 1, 16384, STEP_MEASURED, 2, 1), 0);
  run_close(r);
  unlink(path_of("steps/01-16G.part/step.json"));
  unlink(path_of("steps/01-16G.part/load.tsv"));
  struct run_data *d = read_back();
  cr_assert_eq(d->step[0].facts.setting_mib, 16384);
  cr_assert_eq(d->step[0].facts.index, 1);
  cr_assert_eq(d->step[0].facts.reached, -1);
  cr_assert_eq(d->step[0].facts.sent, ABSENT);
  cr_assert_eq(d->step[0].nsecond, 0);
  cr_assert_eq(d->step[0].nsample, 2);
  run_data_free(d);
}

Test(run, cut_off_lines_and_tails_of_nuls_are_dropped) {
  struct run *r = create();
  cr_assert_eq(write_step(r, 1, 8192, STEP_MEASURED, 3, 0), 0);
  run_close(r);
  append("steps/01-8G/latency.tsv", "3\t0\tr\t1", 7);
  append("steps/01-8G/samples.tsv", "\0\0\0\0", 4);
  append("steps/01-8G/load.tsv", "\n", 0);
  struct run_data *d = read_back();
  cr_assert_eq(d->step[0].nhist, 9);
  cr_assert_eq(d->step[0].nsample, 3);
  cr_assert_eq(d->step[0].nsecond, 3);
  run_data_free(d);
}

Test(run, unknown_columns_are_passed_over_and_missing_ones_absent) {
  struct run *r = create();
  cr_assert_eq(write_step(r, 1, 8192, STEP_MEASURED, 1, 0), 0);
  run_close(r);
  const char *text = "later_thing\tpage_reads\nx y\t42\n";
  cr_assert_eq(file_write(path_of("steps/01-8G/samples.tsv"), text, strlen(text), 0666, NULL), 0);
  struct run_data *d = read_back();
  cr_assert_eq(d->step[0].nsample, 1);
  cr_assert_eq(d->step[0].sample[0].page_reads, 42);
  cr_assert_eq(d->step[0].sample[0].page_lookups, ABSENT);
  run_data_free(d);
}

/* Each damage to a good run: the file, what is put in its place, and what the sentence has to name. */
Test(run, damage_is_named_with_file_and_line) {
  static const struct {
    const char *file, *text, *names;
  } bad[] = {
      {"steps/01-8G/samples.tsv", "at_ns\tpage_reads\n1\t2\n3\t4x\n", "samples.tsv:3"},
      {"steps/01-8G/samples.tsv", "at_ns\tpage_reads\n1\t99999999999999999999\n", "samples.tsv:2"},
      {"steps/01-8G/samples.tsv", "at_ns\tpage_reads\n1\t9223372036854775808\n", "samples.tsv:2"},
      {"steps/01-8G/samples.tsv", "at_ns\tpage_reads\n1\n", "samples.tsv:2"},
      {"steps/01-8G/samples.tsv", "at_ns\tpage_reads\n1\t2\t3\n", "samples.tsv:2"},
      {"steps/01-8G/load.tsv", "second\tdone_payment\n0\t-\n", "load.tsv:2"},
      {"steps/01-8G/load.tsv", "second\tdone\n\n", "load.tsv:2"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\tcount\n0\t0\tr\t1\t1\n0\t0\tr\t23552\t1\n", "latency.tsv:3"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\tcount\n0\t0\tr\t0\t1\n", "latency.tsv:2"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\tcount\n0\t8\tr\t1\t1\n", "latency.tsv:2"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\tcount\n0\t1\tx\t1\t1\n", "latency.tsv:2"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\tcount\n0\t1\ts\t1\t4294967296\n", "latency.tsv:2"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\tcount\n\t1\ts\t1\t1\n", "latency.tsv:2"},
      {"steps/01-8G/latency.tsv", "second\ttype\twhat\tbucket\n0\t1\ts\t1\n", "count"},
      {"steps/01-8G/waits.tsv", "type\ttasks\twait_ms\tsignal_ms\n\t1\t2\t3\n", "waits.tsv:2"},
      {"steps/01-8G/step.json", "{\"schema\":1,\n\"index\":}\n", "step.json:2"},
      {"steps/01-8G/step.json", "{\"schema\":1}\n", "step.json"},
      {"steps/01-8G/step.json", "[]\n", "step.json"},
      {"steps/01-8G/step.json", "{\"schema\":2}\n", "schema version 2"},
      {"run.json", "{\"schema\":1, \"types\":[3]}\n", "run.json"},
      {"run.json", "", "run.json"},
      {"end.json", "{", "end.json"},
  };
  struct run *r = create();
  cr_assert_eq(write_step(r, 1, 8192, STEP_MEASURED, 2, 0), 0);
  run_close(r);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *good = NULL;
    size_t n = 0;
    struct cause c = {0};
    int had = file_read(path_of(bad[i].file), 1 << 20, &good, &n, NULL) == 0;
    cr_assert_eq(file_write(path_of(bad[i].file), bad[i].text, strlen(bad[i].text), 0666, NULL), 0);
    struct run_data *d = NULL;
    int rc = run_read(&d, folder, &c);
    /* A step's file: that step is told to be damaged, the rest is there.  Another file: nothing is read. */
    if (strncmp(bad[i].file, "steps/", 6) == 0) {
      cr_assert_eq(rc, 0, "%s: %s", bad[i].file, c.text);
      cr_assert(d->step[0].damage, "%s was taken as good: %s", bad[i].file, bad[i].text);
      cr_expect(strstr(d->step[0].damage, bad[i].names), "'%s' does not name %s", d->step[0].damage, bad[i].names);
      cr_expect(strncmp(d->step[0].damage, "steps/01-8G/", 12) == 0, "'%s' does not begin in the run folder", d->step[0].damage);
      cr_expect(d->step[0].facts.incomplete && d->step[0].facts.setting_mib == 8192);
      run_data_free(d);
    } else {
      cr_expect_eq(rc, -1, "%s was taken as good: %s", bad[i].file, bad[i].text);
      cr_expect(strstr(c.text, bad[i].names), "'%s' does not name %s", c.text, bad[i].names);
      cr_expect(c.remedy[0], "no remedy for %s", bad[i].text);
    }
    if (had)
      cr_assert_eq(file_write(path_of(bad[i].file), good, n, 0666, NULL), 0);
    else
      unlink(path_of(bad[i].file));
    free(good);
  }
  unlink(path_of("steps/01-8G/load.tsv"));
  struct run_data *d;
  struct cause c = {0};
  cr_assert_eq(run_read(&d, folder, &c), 0);
  cr_assert(d->step[0].damage && strstr(d->step[0].damage, "load.tsv"), "a whole step without load.tsv was taken");
  cr_expect_gt(d->step[0].nsample, 0, "its other files are there");
  run_data_free(d);
}

Test(run, what_is_no_run_folder_is_said) {
  struct run_data *d;
  struct cause c = {0};
  cr_assert_eq(run_read(&d, folder, &c), -1);
  cr_assert(strstr(c.text, "is not a run folder"));
  cr_assert_eq(run_read(&d, path_of("nowhere"), &c), -1);
  cr_assert(strstr(c.text, "is not a run folder"));
}

Test(run, a_folder_that_cannot_be_used_is_refused) {
  struct run *r = NULL;
  struct cause c = {0};
  json_t *m = meta();
  append("something", "x", 1);
  cr_assert_eq(run_create(&r, folder, m, &c), -1);
  cr_assert(strstr(c.text, "not empty"));
  cr_assert_eq(c.status, STATUS_SETUP);
  cr_assert(c.remedy[0]);
  cr_assert_eq(run_create(&r, path_of("something/run"), m, &c), -1);
  cr_assert_eq(c.status, STATUS_SETUP);
  cr_assert(c.remedy[0]);
  cr_assert_eq(run_create(&r, path_of("new/and/deep"), m, &c), 0, "%s", c.text);
  run_close(r);
  json_decref(m);
}

Test(run, a_folder_that_cannot_be_made_is_known_before) {
  struct cause c = {0};
  cr_assert_eq(run_could_be(path_of("new"), &c), 0, "%s", c.text);
  cr_assert_eq(run_could_be(path_of("new/below/"), &c), 0, "%s", c.text);
  cr_assert_eq(run_could_be("new-in-the-current-folder", &c), 0, "%s", c.text);
  cr_assert_eq(run_could_be("/proc/self/status/new", &c), -1, "a file is in the way");
  cr_expect(strstr(c.text, "/proc/self/status/new") && c.remedy[0], "%s", c.text);
  cr_assert_eq(symlink("nowhere", path_of("link")), 0);
  cr_assert_eq(run_could_be(path_of("link"), &c), -1);
  cr_expect(c.remedy[0]);
  cr_assert_eq(run_could_be(path_of("link/below"), &c), -1);
  cr_assert_eq(run_could_be(path_of("link"), NULL), -1);
  cr_expect(access(path_of("new"), F_OK) != 0, "nothing is made");
}

Test(run, a_whole_step_is_never_overwritten) {
  struct run *r = create();
  struct run_step *s;
  struct cause c = {0};
  cr_assert_eq(write_step(r, 1, 8192, STEP_MEASURED, 1, 0), 0);
  cr_assert_eq(run_step_begin(r, &s, 1, 8192, STEP_MEASURED, &c), -1);
  cr_assert(strstr(c.text, "01-8G"));
  cr_assert_eq(write_step(r, 2, 8192, STEP_MEASURED, 1, 1), 0); /* a part is: the step begins anew */
  cr_assert_eq(write_step(r, 2, 8192, STEP_MEASURED, 1, 0), 0);
  run_close(r);
}

static void limit_files(rlim_t bytes) {
  struct rlimit l = {bytes, bytes};
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &l), 0);
}

/* Each test is a process of its own (Criterion forks): a limit stays in it. */
Test(run, a_full_disk_at_the_start_is_a_cause) {
  struct run *r = NULL;
  struct cause c = {0};
  json_t *m = meta();
  limit_files(4);
  cr_assert_eq(run_create(&r, folder, m, &c), -1);
  cr_assert_eq(c.status, STATUS_SETUP);
  cr_assert_eq(c.number, -EFBIG);
  cr_assert(strstr(c.text, "run.json"));
  cr_assert(c.remedy[0]);
  json_decref(m);
}

Test(run, a_full_disk_in_mid_step_is_kept_and_told_and_no_line_is_torn) {
  struct run *r = create();
  struct run_step *s;
  struct cause c = {0}, end = {0};
  cr_assert_eq(run_step_begin(r, &s, 1, 8192, STEP_MEASURED, &c), 0);
  cr_assert_eq(run_step_error(s, &c), 0);
  limit_files(6000);
  struct load_second second;
  int seen = 0, wrote;
  for (wrote = 0; wrote < 20000 && !seen; wrote++) {
    second = second_of(wrote);
    run_step_second(s, &second, NULL, 0);
    usleep(200);
    seen = run_step_error(s, &c) != 0;
  }
  cr_assert(seen);
  cr_assert_eq(c.status, STATUS_INCOMPLETE);
  cr_assert(strstr(c.text, "load.tsv"));
  cr_assert(c.remedy[0]);
  for (int i = 0; i < 100; i++) /* goes on without harm */
    run_step_second(s, &second, NULL, 0);
  struct step_facts f = facts_full;
  cr_assert_eq(run_step_end(s, &f, NULL, 0, &end), -1);
  cr_assert_str_eq(end.text, c.text);
  cr_assert_eq(access(path_of("steps/01-8G"), F_OK), -1);
  run_close(r);
  struct run_data *d = read_back();
  cr_assert_eq(d->step[0].facts.incomplete, 1);
  cr_assert_gt(d->step[0].nsecond, 10);
  for (size_t i = 0; i < d->step[0].nsecond; i++)
    cr_assert_eq(d->step[0].second[i].second, (int64_t)i);
  run_data_free(d);
}

static void *add_many(void *arg) {
  struct run_step *s = arg;
  for (int i = 0; i < 3000; i++) {
    struct server_sample sample = sample_of(i);
    run_step_sample(s, &sample);
  }
  return NULL;
}

Test(run, two_threads_may_add) {
  struct run *r = create();
  struct run_step *s;
  pthread_t t[2];
  cr_assert_eq(run_step_begin(r, &s, 1, 8192, STEP_MEASURED, NULL), 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, add_many, s);
  struct hist_record_row row[200];
  for (int i = 0; i < 200; i++)
    row[i] = (struct hist_record_row){0, 0, HIST_RESPONSE, {(uint32_t)i + 1, 1}};
  for (int i = 0; i < 200; i++) {
    struct load_second second = second_of(i);
    run_step_second(s, &second, row, 200);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  cr_assert_eq(run_step_end(s, &facts_full, NULL, 0, NULL), 0);
  run_close(r);
  struct run_data *d = read_back();
  cr_assert_eq(d->step[0].nsample, 6000);
  cr_assert_eq(d->step[0].nsecond, 200);
  cr_assert_eq(d->step[0].nhist, 40000);
  run_data_free(d);
}

Test(run, names_of_phases_and_roles) {
  cr_assert_str_eq(phase_name(PHASE_MEASURE), "measure");
  cr_assert_str_eq(role_name(STEP_DRIFT), "drift");
  size_t n;
  cr_assert_str_eq(record_server_fields(&n)[0].name, "at_ns");
  cr_assert_eq(n * sizeof(int64_t), sizeof(struct server_sample));
  record_load_fields(&n);
  cr_assert_eq(n * sizeof(int64_t), offsetof(struct load_second, by_type));
}
