/* The knob and its journal against a server made of a few variables: conn_query is this file's own. */
#include "config.h"

#include "base/file.h"
#include "base/text.h"
#include "knob/journal.h"
#include "knob/memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the server ---- */

static struct {
  char name[64];
  int64_t max, max_in_use, min, min_in_use, advanced, committed_kb, target_kb;
  int sets, others_pending, fail_set_half; /* fail_set_half: the batch breaks off before RECONFIGURE */
  char row[JOURNAL_ROW_MAX + 1];
} sv;

static void server_reset(void) {
  memset(&sv, 0, sizeof sv);
  strcpy(sv.name, "DB1");
  sv.max = sv.max_in_use = 2147483647;
  sv.min_in_use = 16;
}

static int refuse(struct cause *c, int number) {
  cause_set(c, STATUS_INCOMPLETE, "the server said %d", number);
  c->number = number;
  return -1;
}

static int do_set(const struct val *p, row_fn *fn, void *arg, struct cause *c) {
  if (strcmp(p[0].p, sv.name) != 0)
    return refuse(c, KNOB_OTHER_SERVER);
  if (sv.others_pending)
    return refuse(c, KNOB_PENDING);
  if (sv.max != p[1].i || sv.min != p[2].i)
    return refuse(c, KNOB_CHANGED);
  sv.sets++;
  sv.min = p[4].i;
  if (p[3].i != sv.max)
    sv.max = p[3].i ? p[3].i : 2147483647;
  if (sv.fail_set_half) {
    sv.advanced = 1;
    return refuse(c, 0);
  }
  sv.max_in_use = sv.max ? sv.max : 2147483647;
  sv.min_in_use = sv.min < 16 ? 16 : sv.min;
  struct val row[] = {VAL_I(sv.max), VAL_I(sv.max_in_use), VAL_I(sv.min), VAL_I(sv.min_in_use)};
  fn(arg, 0, row, 4);
  return 0;
}

int conn_query(struct conn *conn, const char *tag, const struct val *p, int n, row_fn *fn, void *arg, struct cause *c) {
  (void)conn;
  (void)n;
  if (strcmp(tag, "server/settings") == 0) {
    struct val row[] = {VAL_T(sv.name),  VAL_I(sv.max),        VAL_I(sv.max_in_use), VAL_I(sv.min),
                        VAL_I(sv.min_in_use), VAL_I(sv.advanced), VAL_I(sv.advanced)};
    fn(arg, 0, row, 7);
  } else if (strcmp(tag, "server/reached") == 0) {
    struct val row[9] = {VAL_I(sv.committed_kb), VAL_I(sv.target_kb)};
    fn(arg, 0, row, 9);
  } else if (strcmp(tag, "server/set") == 0) {
    return do_set(p, fn, arg, c);
  } else if (strcmp(tag, "server/set_advanced") == 0) {
    sv.advanced = p[1].i;
  } else if (strcmp(tag, "server/journal_write") == 0) {
    snprintf(sv.row, sizeof sv.row, "%s", p[0].p);
  } else if (strcmp(tag, "server/journal_clear") == 0) {
    sv.row[0] = '\0';
  } else if (strcmp(tag, "server/journal_read") == 0) {
    struct val row[] = {VAL_T(sv.row), VAL_T("2026-11-30T00:00:00")};
    if (sv.row[0])
      fn(arg, 0, row, 2);
  } else {
    cr_assert_fail("an unexpected statement: %s", tag);
  }
  return 0;
}

static struct knob_state begin(void) {
  struct knob_state s;
  struct cause c = {0};
  cr_assert_eq(knob_memory.read(NULL, &s, &c), 0);
  return s;
}

static int step(struct knob_state *s, int64_t mib, struct cause *c) {
  knob_memory.intend(s, mib);
  return knob_memory.set(NULL, s, c);
}

TestSuite(memory, .init = server_reset);

/* ---- the knob ---- */

Test(memory, steps_and_goes_back) {
  struct cause c = {0};
  sv.max = sv.max_in_use = 200000;
  sv.min = sv.min_in_use = 40000;
  struct knob_state s = begin();
  cr_assert_eq(s.max_mib, 200000);
  cr_assert_eq(s.last_mib, 0);
  cr_assert_eq(step(&s, 131072, &c), 0);
  cr_assert_eq(sv.max_in_use, 131072);
  cr_assert_eq(sv.min, 40000, "the floor is below the step: it stays");
  cr_assert_eq(step(&s, 8192, &c), 0);
  cr_assert_eq(sv.min, 8192, "the floor is lowered with the step");
  cr_assert_eq(step(&s, 131072, &c), 0);
  cr_assert_eq(sv.min, 40000, "and rises with it");
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0);
  cr_assert_eq(sv.max, 200000);
  cr_assert_eq(sv.max_in_use, 200000);
  cr_assert_eq(sv.min, 40000);
  int sets = sv.sets;
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0);
  cr_assert_eq(sv.sets, sets, "a second put_back has nothing to do");
}

Test(memory, no_limit_comes_back_as_no_limit) {
  struct cause c = {0};
  sv.max = 0; /* as an untouched server stores it */
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 8192, &c), 0);
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0);
  cr_assert_eq(sv.max, 2147483647);
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0);
}

/* SQL Server's documentation of sys.configurations: a floor of 0 is shown in use as 16, "in some cases" as 0. */
Test(memory, a_floor_of_nothing_is_back_however_it_is_shown) {
  struct cause c = {0};
  sv.min_in_use = 0;
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 8192, &c), 0);
  cr_assert_eq(sv.min_in_use, 16);
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0, "%s", c.text);
  cr_assert_eq(sv.max, 2147483647);
  int sets = sv.sets;
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0, "%s", c.text);
  cr_assert_eq(sv.sets, sets, "a second put_back has nothing to do");
}

Test(memory, below_the_least_is_refused_unsent) {
  struct cause c = {0};
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 127, &c), -1);
  cr_assert_eq(sv.sets, 0);
}

Test(memory, somebody_elses_change_is_not_overwritten) {
  struct cause c = {0};
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 65536, &c), 0);
  cr_assert_eq(knob_memory.holds(NULL, &s, &c), 1);
  sv.max = sv.max_in_use = 50000;
  cr_assert_eq(knob_memory.holds(NULL, &s, &c), 0);
  cr_assert_eq(c.number, KNOB_CHANGED);
  cr_assert_eq(step(&s, 32768, &c), -1);
  cr_assert_eq(c.number, KNOB_CHANGED);
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 1);
  cr_assert_eq(sv.max, 50000);
  cr_assert(strstr(c.text, "50000") && strstr(c.remedy, "no limit"), "%s; %s", c.text, c.remedy);
}

Test(memory, a_floor_of_ours_goes_back_under_somebody_elses_limit) {
  struct cause c = {0};
  sv.max = sv.max_in_use = 200000;
  sv.min = sv.min_in_use = 40000;
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 8192, &c), 0);
  sv.max = sv.max_in_use = 50000;
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 1);
  cr_assert_eq(sv.max, 50000);
  cr_assert_eq(sv.min, 40000);
}

Test(memory, a_batch_that_broke_off_in_the_middle_is_put_back) {
  struct cause c = {0};
  sv.max = sv.max_in_use = 200000;
  sv.min = sv.min_in_use = 40000;
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 131072, &c), 0);
  sv.fail_set_half = 1;
  cr_assert_eq(step(&s, 8192, &c), -1);
  cr_assert_eq(s.last_mib, 131072);
  cr_assert_eq(s.next_mib, 8192, "the journal must know what may be there");
  cr_assert_neq(sv.max, sv.max_in_use);
  sv.fail_set_half = 0;
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0, "%s", c.text);
  cr_assert_eq(sv.max, 200000);
  cr_assert_eq(sv.max_in_use, 200000);
  cr_assert_eq(sv.min_in_use, 40000);
  cr_assert_eq(sv.advanced, 0);
}

Test(memory, only_installing_is_left_to_do) {
  struct cause c = {0};
  sv.max = sv.max_in_use = 200000;
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 8192, &c), 0);
  sv.max = 200000; /* stored by a put_back that broke off */
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), 0);
  cr_assert_eq(sv.max_in_use, 200000);
}

Test(memory, another_instance_is_refused) {
  struct cause c = {0};
  struct knob_state s = begin();
  cr_assert_eq(step(&s, 65536, &c), 0);
  strcpy(sv.name, "DB2");
  cr_assert_eq(knob_memory.holds(NULL, &s, &c), 0);
  cr_assert_eq(c.number, KNOB_OTHER_SERVER);
  int sets = sv.sets;
  cr_assert_eq(knob_memory.put_back(NULL, &s, &c), -1);
  cr_assert_eq(c.number, KNOB_OTHER_SERVER);
  cr_assert_eq(sv.sets, sets);
  cr_assert_eq(sv.max, 65536);
}

Test(memory, pending_options_of_others_stop_a_set) {
  struct cause c = {0};
  struct knob_state s = begin();
  sv.others_pending = 1;
  cr_assert_eq(step(&s, 65536, &c), -1);
  cr_assert_eq(c.number, KNOB_PENDING);
  cr_assert(strstr(c.remedy, "sys.configurations"));
  cr_assert_eq(sv.max, 2147483647);
}

Test(memory, settles) {
  struct cause c = {0};
  int64_t reached;
  sv.committed_kb = 9000 * 1024;
  sv.target_kb = 8192 * 1024;
  cr_assert_eq(knob_memory.settled(NULL, 8192, &reached, &c), 0, "still above");
  cr_assert_eq(reached, 9000 * 1024);
  sv.committed_kb = 8200 * 1024;
  cr_assert_eq(knob_memory.settled(NULL, 8192, &reached, &c), 1);
  sv.committed_kb = 1000 * 1024;
  cr_assert_eq(knob_memory.settled(NULL, 8192, &reached, &c), 1, "upward the target decides");
  sv.target_kb = 4096 * 1024;
  cr_assert_eq(knob_memory.settled(NULL, 8192, &reached, &c), 0, "the server aims lower than it may");
}

Test(memory, statement_by_hand) {
  struct knob_state s = begin();
  char *t = knob_by_hand(&s);
  cr_assert_null(strchr(t, '\n'));
  cr_assert(strstr(t, "'max server memory (MB)', 2147483647;"));
  cr_assert(strstr(t, "'show advanced options', 0"));
  free(t);
  sv.advanced = 1;
  s = begin();
  t = knob_by_hand(&s);
  cr_assert_null(strstr(t, "'show advanced options', 0"));
  free(t);
}

/* ---- the journal ---- */

static char folder[] = "/var/tmp/rk-knob-XXXXXX";

static void journal_setup(void) {
  server_reset();
  cr_assert(mkdtemp(folder));
  setenv("XDG_STATE_HOME", folder, 1);
}

static void journal_teardown(void) {
  folder_remove(folder, NULL);
}

TestSuite(journal, .init = journal_setup, .fini = journal_teardown);

static struct journal some(void) {
  struct cause c;
  struct journal j = {.target = xstrdup("db1,1433"), .database = xstrdup("ramknee_orders"), .run = xstrdup("/r/1"), .pid = 4711,
                      .written_wall_ns = 12345678901234567};
  j.state = (struct knob_state){.server = "DB1\\X", .max_mib = 2147483647, .max_in_use_mib = 2147483647, .min_mib = 0,
                                .min_in_use_mib = 16, .advanced = 1, .last_mib = 131072, .last_min_mib = 0, .next_mib = 98304};
  j.path = journal_path(j.state.server, &c);
  cr_assert_not_null(j.path);
  return j;
}

Test(journal, names_are_safe) {
  struct cause c = {0};
  char *p = journal_path("DB1\\X", &c);
  cr_assert_str_eq(strrchr(p, '/'), "/DB1_5CX.json");
  free(p);
  p = journal_path("../a/b c", &c);
  cr_assert_str_eq(strrchr(p, '/'), "/_2E._2Fa_2Fb_20c.json");
  free(p);
  cr_assert_null(journal_path("", &c));
}

Test(journal, comes_back) {
  struct cause c = {0};
  struct journal j = some(), k;
  cr_assert_eq(journal_read(&k, j.path, &c), 1, "none yet");
  cr_assert_eq(journal_write(&j, &c), 0, "%s", c.text);
  struct stat st;
  cr_assert_eq(stat(j.path, &st), 0);
  cr_assert_eq(st.st_mode & 077, 0);
  cr_assert_eq(journal_read(&k, j.path, &c), 0, "%s", c.text);
  cr_assert_eq(memcmp(&k.state, &j.state, sizeof k.state), 0);
  cr_assert_str_eq(k.target, j.target);
  cr_assert_str_eq(k.database, j.database);
  cr_assert_str_eq(k.run, j.run);
  cr_assert_null(k.user);
  cr_assert_eq(k.pid, j.pid);
  cr_assert_eq(k.written_wall_ns, j.written_wall_ns);
  cr_assert_eq(journal_remove(&k, &c), 0);
  cr_assert_eq(journal_remove(&k, &c), 0, "gone already is fine");
  cr_assert_eq(access(j.path, F_OK), -1);
  journal_free(&j);
  journal_free(&k);
}

Test(journal, damage_is_named) {
  struct cause c = {0};
  struct journal j = some(), k;
  cr_assert_eq(journal_write(&j, &c), 0);
  char *text = journal_text(&j, 0);
  const char *bad[] = {"", "{", "[]", "{\"ramknee_journal\": 1}", NULL};
  for (int i = 0; bad[i]; i++) {
    cr_assert_eq(file_write(j.path, bad[i], strlen(bad[i]), 0600, &c), 0);
    cause_clear(&c);
    cr_assert_eq(journal_read(&k, j.path, &c), -1, "'%s' was taken", bad[i]);
    cr_assert(strstr(c.text, j.path) && c.remedy[0]);
  }
  /* Cut anywhere: never taken. */
  for (size_t n = 1; n < strlen(text); n += 7)
    cr_assert_eq(journal_parse(&k, text, n, "x", &c), -1);
  char *schema = strstr(text, "\"ramknee_journal\": 1");
  cr_assert_not_null(schema);
  schema[strlen("\"ramknee_journal\": ")] = '9';
  cr_assert_eq(journal_parse(&k, text, strlen(text), "x", &c), -1);
  free(text);
  journal_free(&j);
}

Test(journal, cannot_be_written_below_a_file) {
  struct cause c = {0};
  char *file = xprintf("%s/file", folder);
  cr_assert_eq(file_write(file, "x", 1, 0600, &c), 0);
  setenv("XDG_STATE_HOME", file, 1);
  struct journal j = some();
  cr_assert_eq(journal_write(&j, &c), -1);
  cr_assert_eq(c.status, STATUS_SETUP);
  cr_assert(strstr(c.text, "journal") && strstr(c.remedy, "XDG_STATE_HOME"));
  journal_free(&j);
  free(file);
}

Test(journal, row_on_the_server) {
  struct cause c = {0};
  struct journal j = some(), k;
  free(j.run);
  j.run = xmalloc(4001); /* too long for the row: left out, the rest is kept */
  memset(j.run, 'r', 4000);
  j.run[4000] = '\0';
  cr_assert_eq(journal_row_read(NULL, &k, &c), 1);
  cr_assert_eq(journal_row_write(NULL, &j, &c), 0);
  cr_assert_leq(strlen(sv.row), JOURNAL_ROW_MAX);
  cr_assert_eq(journal_row_read(NULL, &k, &c), 0, "%s", c.text);
  cr_assert_eq(memcmp(&k.state, &j.state, sizeof k.state), 0);
  cr_assert_null(k.run);
  cr_assert_eq(journal_row_clear(NULL, &c), 0);
  journal_free(&k);
  cr_assert_eq(journal_row_read(NULL, &k, &c), 1);
  journal_free(&j);
}
