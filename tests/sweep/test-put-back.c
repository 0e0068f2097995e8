/* Putting back when the server is away, has moved, refuses, or somebody else was quicker: the connection is this file's own. */
#include "config.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "sweep/put_back.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct conn {
  int lost;
};

static struct {
  char name[64];
  int64_t max;
  int opens, opens_to_fail, open_now, sets, refuse_set;
  int lose_on; /* the n-th query loses the connection */
  int queries, row;
  int64_t start_ticks;
  const char *dead_man; /* state in the row of the Agent's job; NULL: there is none */
  int refuse_remove;
} sv;

static int fail(struct cause *c, int number, const char *text) {
  cause_set(c, STATUS_INCOMPLETE, "%s", text);
  c->number = number;
  return -1;
}

int conn_open(struct conn **out, const struct target *t, struct cause *c) {
  sv.opens++;
  cr_assert(t->database);
  if (sv.opens_to_fail > 0) {
    sv.opens_to_fail--;
    return fail(c, 0, "no answer");
  }
  sv.open_now++;
  *out = xcalloc(1, sizeof **out);
  return 0;
}

void conn_close(struct conn *conn) {
  if (!conn)
    return;
  sv.open_now--;
  free(conn);
}

int conn_lost(const struct conn *conn) {
  return conn->lost;
}

int conn_query(struct conn *conn, const char *tag, const struct val *p, int n, row_fn *fn, void *arg, struct cause *c) {
  (void)n;
  if (++sv.queries == sv.lose_on) {
    conn->lost = 1;
    return fail(c, 20003, "the connection is gone");
  }
  if (strcmp(tag, "server/settings") == 0) {
    struct val row[] = {VAL_T(sv.name), VAL_I(sv.max), VAL_I(sv.max), VAL_I(0), VAL_I(16), VAL_I(1), VAL_I(1)};
    fn(arg, 0, row, 7);
  } else if (strcmp(tag, "server/set") == 0) {
    sv.sets++;
    if (sv.refuse_set)
      return fail(c, sv.refuse_set, "refused");
    sv.max = p[3].i;
    struct val row[] = {VAL_I(sv.max), VAL_I(sv.max), VAL_I(0), VAL_I(16)};
    fn(arg, 0, row, 4);
  } else if (strcmp(tag, "server/journal_clear") == 0) {
    sv.row = 0;
  } else if (strcmp(tag, "server/cpu") == 0) {
    struct val row[] = {VAL_I(1000), VAL_I(5000), VAL_I(4), VAL_I(sv.start_ticks), VAL_I(0)};
    fn(arg, 0, row, 5);
  } else if (strcmp(tag, "server/dead_man_read") == 0) {
    if (sv.dead_man) {
      struct val row[] = {VAL_T("the job"), VAL_T("run1"), VAL_T("DB1"), VAL_T(sv.dead_man), VAL_I(300), VAL_I(200000), VAL_I(8192), VAL_T("")};
      fn(arg, 0, row, 8);
    }
  } else if (strcmp(tag, "server/dead_man_remove") == 0) {
    sv.dead_man = NULL;
    if (sv.refuse_remove)
      return fail(c, 229, "refused");
  } else {
    cr_assert_fail("an unexpected statement: %s", tag);
  }
  return 0;
}

static char folder[] = "/var/tmp/rk-put-back-XXXXXX";
static char *path;
static struct target target;
static struct conn *conn;
static struct journal got;
static struct cause c;

static void setup(void) {
  cr_assert(mkdtemp(folder));
  setenv("XDG_STATE_HOME", folder, 1);
  log_quiet(1);
  memset(&sv, 0, sizeof sv);
  strcpy(sv.name, "DB1");
  sv.max = 8192;
  sv.row = 1;
  target.name = xstrdup("db1");
  target.host = xstrdup("db1");
  struct journal j = {.database = xstrdup("ramknee_orders"), .target = xstrdup("db1")};
  j.state = (struct knob_state){.server = "DB1", .max_mib = 200000, .max_in_use_mib = 200000, .min_in_use_mib = 16, .advanced = 1,
                                .last_mib = 16384, .next_mib = 8192};
  j.path = path = journal_path("DB1", &c);
  cr_assert_eq(journal_write(&j, &c), 0, "%s", c.text);
}

static void teardown(void) {
  conn_close(conn);
  cr_assert_eq(sv.open_now, 0, "a connection was left open");
  folder_remove(folder, NULL);
}

TestSuite(put_back, .init = setup, .fini = teardown, .timeout = 60);

static enum put_back_result go(int64_t max_ns) {
  struct put_back p = {.target = &target, .conn = &conn, .journal_path = path, .max_ns = max_ns};
  return put_back(&p, &got, &c);
}

static int journal_is_there(void) {
  return access(path, F_OK) == 0;
}

Test(put_back, with_the_connection_at_hand) {
  cr_assert_eq(conn_open(&conn, &(struct target){.database = target.name}, &c), 0);
  cr_assert_eq(go(0), PUT_BACK_DONE, "%s", c.text);
  cr_assert_eq(sv.max, 200000);
  cr_assert_eq(sv.row, 0);
  cr_assert_eq(sv.opens, 2, "only the row needs another one");
  cr_assert(!journal_is_there());
  cr_assert_eq(go(0), PUT_BACK_NOTHING, "a second time there is nothing to do");
}

Test(put_back, reconnects_until_the_server_answers) {
  sv.opens_to_fail = 2;
  cr_assert_eq(go(30 * NS_PER_S), PUT_BACK_DONE, "%s", c.text);
  cr_assert_eq(sv.max, 200000);
  cr_assert(!journal_is_there());
}

Test(put_back, survives_losing_the_connection_at_any_point) {
  for (int at = 1; at <= 3; at++) { /* read, set, read back */
    sv.max = 8192;
    sv.queries = 0;
    sv.lose_on = at;
    struct journal j = {.database = xstrdup("ramknee_orders"), .path = xstrdup(path)};
    j.state = (struct knob_state){.server = "DB1", .max_mib = 200000, .max_in_use_mib = 200000, .min_in_use_mib = 16, .advanced = 1,
                                  .last_mib = 8192};
    cr_assert_eq(journal_write(&j, &c), 0);
    cr_assert_eq(go(30 * NS_PER_S), PUT_BACK_DONE, "lost at %d: %s", at, c.text);
    cr_assert_eq(sv.max, 200000);
    journal_free(&j);
    journal_free(&got);
  }
}

Test(put_back, gives_up_after_its_time_and_keeps_the_journal) {
  sv.opens_to_fail = 1000;
  cr_assert_eq(go(NS_PER_S / 10), PUT_BACK_FAILED);
  cr_assert_eq(c.status, STATUS_NOT_PUT_BACK);
  cr_assert(c.remedy[0]);
  cr_assert_gt(sv.opens, 1, "it tried again");
  cr_assert(journal_is_there());
  cr_assert_eq(got.state.max_mib, 200000, "the caller can print what to run by hand");
}

Test(put_back, another_instance_is_refused_at_once) {
  strcpy(sv.name, "DB2");
  cr_assert_eq(go(600 * NS_PER_S), PUT_BACK_FAILED);
  cr_assert_eq(c.number, KNOB_OTHER_SERVER);
  cr_assert_eq(sv.sets, 0);
  cr_assert_eq(sv.max, 8192);
  cr_assert(journal_is_there());
}

Test(put_back, somebody_elses_setting_is_left) {
  sv.max = 50000;
  cr_assert_eq(go(0), PUT_BACK_LEFT);
  cr_assert_eq(sv.max, 50000);
  cr_assert_eq(sv.row, 0);
  cr_assert(!journal_is_there());
}

Test(put_back, an_error_of_the_server_is_tried_a_few_times) {
  sv.refuse_set = KNOB_PENDING;
  cr_assert_eq(go(20 * NS_PER_S), PUT_BACK_FAILED);
  cr_assert_eq(c.number, KNOB_PENDING);
  cr_assert_gt(sv.sets, 1);
  cr_assert(journal_is_there());
}

Test(put_back, takes_the_dead_mans_job_away) {
  sv.dead_man = "armed";
  cr_assert_eq(go(0), PUT_BACK_DONE, "%s", c.text);
  cr_assert_null(sv.dead_man);
  cr_assert(!journal_is_there());
}

Test(put_back, a_job_that_cannot_be_taken_away_is_no_failure) {
  sv.dead_man = "restored";
  sv.max = 200000; /* as the job has left it */
  sv.refuse_remove = 1;
  cr_assert_eq(go(0), PUT_BACK_DONE, "%s", c.text);
  cr_assert_eq(sv.sets, 0);
  cr_assert(!journal_is_there());
}

Test(put_back, a_setting_that_stays_away_leaves_the_job_at_work) {
  sv.dead_man = "armed";
  sv.refuse_set = KNOB_PENDING;
  cr_assert_eq(go(20 * NS_PER_S), PUT_BACK_FAILED);
  cr_assert_str_eq(sv.dead_man, "armed");
}

/* The file goes or is spoilt while the sweep runs: what it said is still known to the process that wrote it. */
static enum put_back_result go_knowing(int64_t max_ns) {
  struct knob_state known = {.server = "DB1", .max_mib = 200000, .max_in_use_mib = 200000, .min_in_use_mib = 16, .advanced = 1,
                             .last_mib = 16384, .next_mib = 8192};
  struct put_back p = {.target = &target, .conn = &conn, .journal_path = path, .max_ns = max_ns, .known = &known, .database = "ramknee_orders"};
  return put_back(&p, &got, &c);
}

Test(put_back, a_lost_journal_is_no_loss) {
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(go_knowing(0), PUT_BACK_DONE, "%s", c.text);
  cr_assert_eq(sv.max, 200000);
  cr_assert_eq(sv.row, 0);
  cr_assert(!journal_is_there());
}

Test(put_back, a_spoilt_journal_is_no_loss) {
  cr_assert_eq(file_write(path, "{", 1, 0600, &c), 0);
  cr_assert_eq(go_knowing(0), PUT_BACK_DONE, "%s", c.text);
  cr_assert_eq(sv.max, 200000);
  cr_assert(!journal_is_there());
}

Test(put_back, a_lost_journal_is_written_again_when_the_server_is_away) {
  cr_assert_eq(unlink(path), 0);
  sv.opens_to_fail = 1000;
  cr_assert_eq(go_knowing(0), PUT_BACK_FAILED);
  struct journal again;
  cr_assert_eq(journal_read(&again, path, &c), 0, "%s", c.text);
  cr_assert_eq(again.state.max_mib, 200000);
  cr_assert_eq(again.state.next_mib, 8192);
  cr_assert_str_eq(again.target, "db1");
  journal_free(&again);
}

Test(put_back, other_ticks_tell_of_a_restart) {
  sv.start_ticks = 777;
  cr_assert_eq(conn_open(&conn, &(struct target){.database = target.name}, &c), 0);
  cr_assert_eq(put_back_restarted(conn, 777), 0);
  cr_assert_eq(put_back_restarted(conn, 776), 1);
  cr_assert_eq(put_back_restarted(conn, 0), 0, "nobody knows what they were");
  sv.lose_on = sv.queries + 1;
  cr_assert_eq(put_back_restarted(conn, 776), 0, "it did not answer");
}

Test(put_back, a_damaged_journal_is_a_failure) {
  cr_assert_eq(file_write(path, "{", 1, 0600, &c), 0);
  cr_assert_eq(go(0), PUT_BACK_FAILED);
  cr_assert(strstr(c.text, path));
  cr_assert(strstr(c.remedy, "restore -S"), "the server's record may still be whole");
  cr_assert_eq(sv.sets, 0);
  cr_assert(journal_is_there());
}
