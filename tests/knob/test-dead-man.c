/* The dead-man's job against a server made of a few variables: conn_query is this file's own. */
#include "config.h"

#include "base/sqltext.h"
#include "base/text.h"
#include "knob/dead_man.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  int64_t agent[4]; /* xps, service, sessions, may_add; -1: NULL */
  const char *refuse;
  int written, jobs, removed;
  char step[16000], job[200], about[600], next[100];
} sv;

static void reset(void) {
  memset(&sv, 0, sizeof sv);
  memcpy(sv.agent, (int64_t[]){1, 4, 2, 1}, sizeof sv.agent);
  cr_assert_eq(sqltext_init(NULL), 0);
}

int conn_query(struct conn *conn, const char *tag, const struct val *p, int n, row_fn *fn, void *arg, struct cause *c) {
  (void)conn;
  if (sv.refuse && strcmp(tag, sv.refuse) == 0) {
    cause_set(c, STATUS_SETUP, "the server said no");
    if (c)
      c->number = 229;
    return -1;
  }
  if (strcmp(tag, "server/agent") == 0) {
    struct val row[4];
    for (int i = 0; i < 4; i++)
      row[i] = (struct val){.type = sv.agent[i] < 0 ? VAL_NULL : VAL_INT, .i = sv.agent[i]};
    fn(arg, 0, row, 4);
  } else if (strcmp(tag, "server/dead_man_write") == 0) {
    cr_assert_eq(n, 7);
    sv.written++;
  } else if (strcmp(tag, "server/dead_man_make") == 0) {
    cr_assert_eq(n, 5);
    snprintf(sv.job, sizeof sv.job, "%.*s", p[0].len, p[0].p);
    snprintf(sv.about, sizeof sv.about, "%.*s", p[1].len, p[1].p);
    for (int i = 2; i < 5; i++) {
      cr_assert(p[i].type == VAL_TEXT && p[i].len > 0 && p[i].len <= 4000, "piece %d has %d bytes", i, p[i].len);
      strncat(sv.step, p[i].p, (size_t)p[i].len);
    }
    sv.jobs++;
  } else if (strcmp(tag, "server/dead_man_remove") == 0) {
    sv.removed++;
    sv.written = sv.jobs = 0;
  } else if (strcmp(tag, "server/dead_man_next") == 0) {
    snprintf(sv.next, sizeof sv.next, "%lld %lld %lld %lld", (long long)p[0].i, (long long)p[1].i, (long long)p[2].i, (long long)p[3].i);
  } else if (strcmp(tag, "server/journal_write") != 0) {
    cr_assert_fail("an unexpected statement: %s", tag);
  }
  return 0;
}

TestSuite(dead_man, .init = reset);

static void possible(int64_t xps, int64_t service, int64_t sessions, int64_t may_add, int want, const char *words) {
  struct cause c = {0};
  memcpy(sv.agent, (int64_t[]){xps, service, sessions, may_add}, sizeof sv.agent);
  cr_assert_eq(dead_man_possible(NULL, 3, &c), want, "%s", c.text);
  if (want != 0)
    cr_assert(strstr(c.text, words) && c.remedy[0], "%s; %s", c.text, c.remedy);
}

Test(dead_man, runs_only_where_an_agent_does) {
  possible(1, 4, 2, 1, 0, NULL);
  possible(1, -1, 2, 1, 0, NULL);  /* its sessions prove it */
  possible(1, 4, 0, 1, 0, NULL);
  possible(0, -1, 0, 1, -1, "does not run here");
  possible(1, 1, 0, 1, -1, "does not run here");
  possible(0, 1, 0, 1, -1, "does not run here");
  possible(1, -1, 0, 1, 1, "cannot be seen");
  possible(-1, -1, 0, -1, 1, "cannot be seen");
  possible(1, 4, 2, 0, -1, "may not make a job");
}

Test(dead_man, express_has_no_agent) {
  struct cause c = {0};
  cr_assert_eq(dead_man_possible(NULL, 4, &c), -1);
  cr_assert(strstr(c.text, "Express") && c.remedy[0], "%s", c.text);
}

Test(dead_man, what_cannot_be_asked_is_no) {
  struct cause c = {0};
  sv.refuse = "server/agent";
  cr_assert_eq(dead_man_possible(NULL, 3, &c), -1);
}

Test(dead_man, names_are_plain_and_short) {
  char *name = dead_man_job("DB1\\RK", "night1");
  cr_assert_str_eq(name, "ramknee puts the memory of DB1\\RK back when run night1 is dead");
  free(name);
  /* The Agent refuses '%' and replaces $(...). */
  name = dead_man_job("S", "a%b$(ESCAPE_NONE(JOBID))'\xC3\xA9z");
  cr_assert(!strpbrk(name, "%$('\xC3"), "%s", name);
  cr_assert(strstr(name, "_z is dead"), "%s", name);
  free(name);
  char much[400];
  memset(much, 'x', sizeof much - 1);
  much[sizeof much - 1] = '\0';
  name = dead_man_job(much, much);
  cr_assert_leq(strlen(name), 128u);
  free(name);
}

Test(dead_man, is_armed_with_the_whole_step) {
  struct cause c = {0};
  struct journal j = {.database = xstrdup("ramknee_orders"), .client = xstrdup("host"), .dead_man = xstrdup("the job"),
                      .state = {.server = "DB1", .max_mib = 200000}};
  cr_assert_eq(dead_man_arm(NULL, &j, "run1", 300, &c), 0, "%s", c.text);
  cr_assert_eq(sv.removed, 1, "one of an earlier run goes first");
  cr_assert(sv.written == 1 && sv.jobs == 1);
  cr_assert_str_eq(sv.job, "the job");
  cr_assert_str_eq(sv.step, sqltext_find("server/dead_man")->text);
  cr_assert_leq(strlen(sv.about), 512u);
  cr_assert(strstr(sv.about, "300 s") && strstr(sv.about, "ramknee_orders"), "%s", sv.about);
  journal_free(&j);
}

Test(dead_man, a_failure_leaves_nothing_behind) {
  static const char *const at[] = {"server/dead_man_remove", "server/dead_man_write", "server/dead_man_make"};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    struct cause c = {0};
    struct journal j = {.dead_man = xstrdup("the job")};
    reset();
    sv.refuse = at[i];
    cr_assert_eq(dead_man_arm(NULL, &j, "run1", 300, &c), -1);
    cr_assert(sv.written == 0 && sv.jobs == 0, "%s", at[i]);
    cr_assert(strstr(c.text, "nothing was changed") && c.remedy[0], "%s; %s", c.text, c.remedy);
    cr_assert_eq(c.number, 229);
    journal_free(&j);
  }
}

/* Whoever writes the journal's row tells the job's row, too; without a job nothing of it is sent. */
Test(dead_man, hears_of_every_set_beforehand) {
  struct cause c = {0};
  struct journal j = {.state = {.server = "DB1", .max_mib = 200000, .last_mib = 16384, .next_mib = 8192, .next_min_mib = 1}};
  cr_assert_eq(journal_row_write(NULL, &j, &c), 0, "%s", c.text);
  cr_assert_str_eq(sv.next, "");
  j.dead_man = xstrdup("the job");
  cr_assert_eq(journal_row_write(NULL, &j, &c), 0, "%s", c.text);
  cr_assert_str_eq(sv.next, "16384 0 8192 1");
  sv.refuse = "server/dead_man_next";
  cr_assert_eq(journal_row_write(NULL, &j, &c), -1, "a sweep that was taken for dead may not set anything");
  journal_free(&j);
}

Test(dead_man, the_journal_keeps_the_jobs_name) {
  struct cause c = {0};
  struct journal j = {.dead_man = xstrdup("the job"), .state = {.server = "DB1", .max_mib = 1}}, back;
  char *text = journal_text(&j, 1);
  cr_assert_eq(journal_parse(&back, text, strlen(text), "here", &c), 0, "%s", c.text);
  cr_assert_str_eq(back.dead_man, "the job");
  journal_free(&back);
  journal_free(&j);
  free(text);
}
