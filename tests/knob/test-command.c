/* The knob that is set by the user's own command, against a server whose value is in a file: the command writes it. */
#include "config.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "knob/command.h"
#include "knob/journal.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/var/tmp/rk-command-XXXXXX";
static char name[64], row[JOURNAL_ROW_MAX + 1];
static struct cause c;
static struct knob_state s;

static char *path_of(const char *file) {
  static char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return path;
}

static char *content(const char *file) {
  char *text;
  size_t size;
  cr_assert_eq(file_read(path_of(file), 10000, &text, &size, &c), 0, "%s", c.text);
  return text;
}

static void put(const char *file, const char *text) {
  cr_assert_eq(file_write(path_of(file), text, strlen(text), 0600, &c), 0, "%s", c.text);
}

int conn_query(struct conn *conn, const char *tag, const struct val *p, int n, row_fn *fn, void *arg, struct cause *cause) {
  (void)conn, (void)n, (void)cause;
  if (strcmp(tag, "server/settings") == 0) {
    char *text = content("max");
    int64_t max = strtoll(text, NULL, 10);
    struct val v[] = {VAL_T(name), VAL_I(max), VAL_I(max), VAL_I(0), VAL_I(16), VAL_I(0), VAL_I(0)};
    fn(arg, 0, v, 7);
    free(text);
  } else if (strcmp(tag, "server/journal_write") == 0) {
    snprintf(row, sizeof row, "%s", p[0].p);
  } else if (strcmp(tag, "server/journal_read") == 0) {
    struct val v[] = {VAL_T(row), VAL_T("2026-11-30T00:00:00")};
    fn(arg, 0, v, 2);
  } else {
    cr_assert_fail("an unexpected statement: %s", tag);
  }
  return 0;
}

static void setup(void) {
  cr_assert(mkdtemp(folder));
  setenv("XDG_STATE_HOME", folder, 1);
  setenv("RK_FOLDER", folder, 1);
  log_quiet(1);
  strcpy(name, "DB1\\X");
  put("max", "200000");
  command_surround(&(struct command_surroundings){.server = "db1,1433"});
  cr_assert_eq(knob_memory.read(NULL, &s, &c), 0);
}

static void teardown(void) {
  folder_remove(folder, NULL);
}

TestSuite(command, .init = setup, .fini = teardown, .timeout = 60);

static const char writes[] = "echo \"$1\" >\"$RK_FOLDER/max\"";

static int step(int64_t mib) {
  knob_of(&s)->intend(&s, mib);
  return knob_of(&s)->set(NULL, &s, &c);
}

static int is(const char *file, const char *wanted) {
  char *text = content(file);
  int same = strcmp(text, wanted) == 0;
  if (!same)
    cr_log_error("%s holds '%s', not '%s'", file, text, wanted);
  free(text);
  return same;
}

Test(command, steps_and_goes_back) {
  command_use(&s, writes, 20 * NS_PER_S);
  cr_assert_eq(knob_of(&s), &knob_command);
  cr_assert_eq(step(131072), 0, "%s", c.text);
  cr_assert(is("max", "131072\n"));
  cr_assert_eq(s.last_mib, 131072);
  cr_assert_eq(knob_of(&s)->holds(NULL, &s, &c), 1);
  cr_assert_eq(step(8192), 0, "%s", c.text);
  cr_assert_eq(knob_of(&s)->put_back(NULL, &s, &c), 0, "%s", c.text);
  cr_assert(is("max", "200000\n"));
  put("max", "200000"); /* without the line's end: not written again */
  cr_assert_eq(knob_of(&s)->put_back(NULL, &s, &c), 0);
  cr_assert(is("max", "200000"), "a second put_back has nothing to do");
}

Test(command, no_limit_is_a_number_for_it) {
  put("max", "0");
  cr_assert_eq(knob_memory.read(NULL, &s, &c), 0);
  command_use(&s, writes, 20 * NS_PER_S);
  cr_assert_eq(step(8192), 0, "%s", c.text);
  cr_assert_eq(knob_of(&s)->put_back(NULL, &s, &c), 0, "%s", c.text);
  cr_assert(is("max", "2147483647\n"));
}

Test(command, has_what_it_needs_and_no_more) {
  setenv("RAMKNEE_PASSWORD", "secret", 1);
  for (int sig = 1; sig < SIGRTMIN; sig++) /* a test run in the background of a shell has SIGINT ignored, and so would the command */
    signal(sig, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  sigset_t block;
  sigfillset(&block);
  sigprocmask(SIG_BLOCK, &block, NULL);
  cr_assert_eq(dup2(1, 77), 77); /* as some library's socket may be: kept over exec */
  command_use(&s,
              "echo \"$RAMKNEE_MAX_MEMORY_MB $RAMKNEE_MAX_MEMORY_BYTES $RAMKNEE_SERVER $RAMKNEE_INSTANCE $RAMKNEE_PASSWORD.\" >$RK_FOLDER/env; "
              "grep -E '^Sig(Blk|Ign)' /proc/self/status >$RK_FOLDER/signals; ls /proc/$$/fd >$RK_FOLDER/fd; cat >$RK_FOLDER/in",
              20 * NS_PER_S);
  cr_assert_eq(command_run(&s, 8192, mono_ns() + 20 * NS_PER_S, &c), 0, "%s", c.text);
  cr_assert(is("env", "8192 8589934592 db1,1433 DB1\\X .\n"));
  unsigned long long blocked, ignored;
  char *signals = content("signals");
  cr_assert_eq(sscanf(signals, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2, "%s", signals);
  cr_assert_eq(blocked | (ignored & 0x7fffffff), 0, "%s", signals); /* 32 and 33 are the C library's own, which nobody can set back */
  free(signals);
  cr_assert(is("in", ""));
  char *fd = content("fd");
  cr_assert_null(strstr(fd, "77"), "files of ours are open in it: %s", fd);
  free(fd);
}

Test(command, a_failure_is_told_in_its_own_words) {
  command_use(&s, "echo trying; echo 'no such group' >&2; exit 3", 20 * NS_PER_S);
  cr_assert_eq(step(8192), -1);
  cr_assert(strstr(c.text, "status 3") && strstr(c.text, "no such group"), "%s", c.text);
  cr_assert_eq(s.last_mib, 0);
  cr_assert_eq(s.next_mib, 8192, "the journal must know what may be there");
  command_use(&s, "kill -9 $$", 20 * NS_PER_S);
  cr_assert_eq(step(8192), -1);
  cr_assert(strstr(c.text, "signal 9"), "%s", c.text);
  command_use(&s, "/nowhere/at-all", 20 * NS_PER_S);
  cr_assert_eq(step(8192), -1);
  cr_assert(strstr(c.text, "status 127"), "%s", c.text);
}

Test(command, is_not_believed) {
  command_use(&s, "true", NS_PER_S);
  cr_assert_eq(step(8192), -1);
  cr_assert(strstr(c.text, "200000 MB, not 8192"), "%s", c.text);
  cr_assert(strstr(c.remedy, "--set-with-max"));
}

Test(command, may_take_effect_later) {
  command_use(&s, "(sleep 1; echo \"$1\" >\"$RK_FOLDER/max\") >/dev/null 2>&1 &", 30 * NS_PER_S);
  cr_assert_eq(step(8192), 0, "%s", c.text);
}

/* What it has started goes with it. */
Test(command, is_killed_with_its_group_when_its_time_is_up) {
  command_use(&s, "trap '' TERM; echo waiting; sh -c 'trap \"\" TERM; echo $$ >$RK_FOLDER/pid; sleep 100; sleep 100'; sleep 100", 3 * NS_PER_S);
  cr_assert_eq(step(8192), -1);
  cr_assert(strstr(c.text, "was killed") && strstr(c.text, "waiting"), "%s", c.text);
  char *pid = content("pid");
  pid_t left = (pid_t)strtol(pid, NULL, 10);
  for (int i = 0; i < 100 && kill(left, 0) == 0; i++)
    sleep_until_ns(mono_ns() + 50 * NS_PER_MS);
  char *status = xprintf("/proc/%s", pid);
  status[strcspn(status, "\n")] = '\0';
  char state[400] = "", *of = xprintf("%s/status", status);
  FILE *f = fopen(of, "r");
  if (f && fread(state, 1, sizeof state - 1, f) > 0)
    cr_assert(strstr(state, "State:\tZ"), "what it started is still there: %s", state);
  if (f)
    fclose(f);
  free(of);
  free(status);
  free(pid);
}

static int stop_at_once(void *arg) {
  ++*(int *)arg;
  return 1;
}

Test(command, ends_when_nobody_wants_it_any_more) {
  int asked = 0;
  command_surround(&(struct command_surroundings){.stop = stop_at_once, .arg = &asked});
  command_use(&s, "sleep 100", 60 * NS_PER_S);
  cr_assert_eq(step(8192), -1);
  cr_assert(strstr(c.text, "interrupted"), "%s", c.text);
  cr_assert_gt(asked, 0);
}

Test(command, much_output_does_not_hold_it_up) {
  command_use(&s, "yes 'a line' | head -n 20000; printf 'the end'; exit 1", 30 * NS_PER_S);
  cr_assert_eq(command_run(&s, 8192, mono_ns() + 30 * NS_PER_S, &c), -1);
  cr_assert(strstr(c.text, "the end"), "%s", c.text);
}

Test(command, somebody_elses_change_is_not_overwritten) {
  command_use(&s, writes, 20 * NS_PER_S);
  cr_assert_eq(step(16384), 0, "%s", c.text);
  put("max", "50000");
  cr_assert_eq(step(8192), -1);
  cr_assert_eq(c.number, KNOB_CHANGED);
  cr_assert_eq(knob_of(&s)->put_back(NULL, &s, &c), 1);
  cr_assert(is("max", "50000"));
  strcpy(name, "DB2");
  cr_assert_eq(knob_of(&s)->put_back(NULL, &s, &c), -1);
  cr_assert_eq(c.number, KNOB_OTHER_SERVER);
}

Test(command, what_can_be_kept) {
  char longer[KNOB_COMMAND_MAX + 2];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  cr_assert_eq(command_check(longer, &c), -1);
  cr_assert(strstr(c.remedy, "script"));
  longer[KNOB_COMMAND_MAX] = '\0';
  cr_assert_eq(command_check(longer, &c), 0);
  cr_assert_eq(command_check(" ", &c), -1);
  cr_assert_eq(command_check("a\nb", &c), -1);
}

/* The line by hand does the same for somebody in a shell. */
Test(command, by_hand) {
  command_use(&s, "echo \"it's $1 on $RAMKNEE_SERVER\" >\"$RK_FOLDER/hand\"", NS_PER_S);
  char *line = knob_by_hand(&s);
  cr_assert_null(strchr(line, '\n'));
  cr_assert_eq(system(line), 0);
  free(line);
  cr_assert(is("hand", "it's 200000 on db1,1433\n"));
}

Test(command, the_journal_keeps_it_and_the_row_only_shows_it) {
  char quotes[KNOB_COMMAND_MAX + 1];
  memset(quotes, '\'', KNOB_COMMAND_MAX); /* the longest when it is quoted */
  quotes[KNOB_COMMAND_MAX] = '\0';
  const char *const some[] = {writes, quotes};
  for (int i = 0; i < 2; i++) {
    struct journal j = {.target = xstrdup("db1,1433"), .database = xstrdup("ramknee_orders"), .run = xstrdup("/a/b"), .path = xstrdup(path_of("j"))}, k;
    j.state = s;
    command_use(&j.state, some[i], 7 * NS_PER_S);
    cr_assert_eq(journal_write(&j, &c), 0, "%s", c.text);
    cr_assert_eq(journal_read(&k, j.path, &c), 0, "%s", c.text);
    cr_assert_str_eq(k.state.command, some[i]);
    cr_assert_eq(k.state.command_max_ns, 7 * NS_PER_S);
    cr_assert_eq(k.state.command_foreign, 0);
    journal_free(&k);
    cr_assert_eq(journal_row_write(NULL, &j, &c), 0, "%s", c.text);
    cr_assert_eq(journal_row_read(NULL, &k, &c), 0, "%s", c.text);
    cr_assert_str_eq(k.state.command, some[i]);
    cr_assert_eq(k.state.command_foreign, 1);
    put("max", "8192");
    k.state.last_mib = 8192;
    cr_assert_eq(knob_of(&k.state)->put_back(NULL, &k.state, &c), -1);
    cr_assert_eq(c.number, KNOB_BY_COMMAND);
    cr_assert(is("max", "8192"), "a command from a record that others can write was run");
    put("max", "200000");
    cr_assert_eq(knob_of(&k.state)->put_back(NULL, &k.state, &c), 0, "put back by hand meanwhile: nothing to do");
    journal_free(&k);
    journal_free(&j);
  }
}
