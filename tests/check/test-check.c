#include "config.h"

#include "base/text.h"
#include "check/check.h"
#include "check/edition.h"

#include <criterion/criterion.h>
#include <string.h>

static struct target target = {.name = (char[]){"db1"}, .encrypt = ENCRYPT_REQUIRE, .ca_file = (char[]){"/x.pem"}};
static const int64_t steps[] = {131072, 65536, 8192};
static struct check_facts f;
static struct check_plan plan;

/* A healthy SQL Server 2022 on Windows with nobody else on it, and a loaded database. */
static void healthy(void) {
  memset(&f, 0, sizeof f);
  struct check_part *parts[] = {&f.identity, &f.settings, &f.rights, &f.memory, &f.model, &f.tiers, &f.clerks, &f.governor, &f.pending, &f.counters,
                                &f.link, &f.database, &f.load, &f.size, &f.volumes, &f.sessions, &f.requests, &f.lock};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    parts[i]->have = 1;
  strcpy(f.server_name, "DB1");
  strcpy(f.edition, "Enterprise Edition: Core-based Licensing (64-bit)");
  strcpy(f.version, "16.0.4135.4");
  strcpy(f.platform, "Windows");
  f.engine_edition = 3;
  f.scale = CHECK_UNKNOWN;
  f.max_mib = f.max_in_use_mib = 2147483647;
  f.min_in_use_mib = 16;
  f.may_set = f.may_view = f.may_create = 1;
  f.may_view_performance = 1;
  f.set_by_procedure = CHECK_UNKNOWN;
  f.physical_kib = INT64_C(256) * 1024 * 1024;
  f.memory_model = 1;
  f.bpe_state = f.hybrid = 0;
  f.pool_max_cpu = f.pool_cap_cpu = f.pool_max_memory = 100;
  f.pool_max_iops = CHECK_UNKNOWN;
  strcpy(f.pool, "default");
  f.counter_rows = 90;
  f.stolen_kib = 2 * 1024 * 1024;
  strcpy(f.encrypted, "TRUE");
  f.database_exists = 1;
  strcpy(f.database_state, "ONLINE");
  strcpy(f.database_recovery, "SIMPLE");
  f.database_level = 160;
  f.data_bytes = f.used_bytes = INT64_C(140) << 30;
  f.load_exists = f.load_complete = 1;
  strcpy(f.load_mix, "orders");
  f.load_scale = 1600;
  f.free_bytes = INT64_C(500) << 30;
  f.lock_free = 1;
  plan = (struct check_plan){.purpose = CHECK_SWEEP, .target = &target, .database = "ramknee_orders", .step_mib = steps, .nstep = 3};
}

/* -1: there is no such finding. */
static int severity_of(const char *code, char *text, size_t size) {
  struct findings l = {0};
  int s = -1;
  check_judge(&f, &plan, &l);
  for (size_t i = 0; i < l.n; i++)
    if (strcmp(l.all[i].code, code) == 0) {
      cr_assert_eq(s, -1, "%s twice", code);
      s = l.all[i].severity;
      snprintf(text, size, "%s", l.all[i].text);
      cr_assert(l.all[i].severity != CHECK_REFUSAL || l.all[i].remedy[0] || strstr(text, "cannot be told"), "a refusal without remedy: %s", text);
    }
  findings_free(&l);
  return s;
}

#define EXPECT(code, want) \
  do { \
    char text_[600] = ""; \
    int s_ = severity_of(code, text_, sizeof text_); \
    cr_assert_eq(s_, want, "%s: %d, %s", code, s_, text_); \
  } while (0)

Test(judge, a_healthy_server_has_nothing_but_ok, .init = healthy) {
  struct findings l = {0};
  check_judge(&f, &plan, &l);
  cr_assert_gt(l.n, 10u);
  for (size_t i = 0; i < l.n; i++)
    cr_assert_eq(l.all[i].severity, CHECK_OK, "%s: %s", l.all[i].code, l.all[i].text);
  cr_assert_eq(findings_refusals(&l), 0u);
  findings_free(&l);
}

Test(judge, rights_refuse_a_sweep_and_warn_otherwise, .init = healthy) {
  f.may_set = 0;
  EXPECT("rights-set", CHECK_REFUSAL);
  f.set_by_procedure = 1;
  EXPECT("rights-set", CHECK_OK);
  f.set_by_procedure = CHECK_UNKNOWN;
  plan.purpose = CHECK_LOOK;
  EXPECT("rights-set", CHECK_WARNING);
  plan.purpose = CHECK_SWEEP;
  f.may_view = 0;
  f.may_view_performance = CHECK_UNKNOWN; /* before 2022 */
  EXPECT("rights-view", CHECK_REFUSAL);
  f.may_view_performance = 1;
  EXPECT("rights-view", CHECK_OK);
  plan.purpose = CHECK_LOAD;
  f.database_exists = 0;
  f.may_create = 0;
  EXPECT("rights-create", CHECK_REFUSAL);
}

Test(judge, versions_and_services, .init = healthy) {
  strcpy(f.version, "10.50.6000.34");
  EXPECT("version", CHECK_REFUSAL);
  strcpy(f.version, "18.0.100.1");
  EXPECT("version", CHECK_WARNING);
  f.engine_edition = 5;
  EXPECT("service", CHECK_REFUSAL);
  f.engine_edition = 8;
  plan.purpose = CHECK_MEASURE;
  EXPECT("service", CHECK_WARNING);
}

Test(judge, steps_that_cannot_be_reached, .init = healthy) {
  f.physical_kib = INT64_C(64) * 1024 * 1024;
  EXPECT("memory", CHECK_WARNING);
  plan.steps_named = 1;
  EXPECT("memory", CHECK_REFUSAL);
  f.physical_kib = INT64_C(256) * 1024 * 1024;
  EXPECT("memory", CHECK_OK);
  strcpy(f.edition, "Standard Edition (64-bit)");
  EXPECT("edition", CHECK_OK);
  EXPECT("steps", -1);
  plan.steps_named = 0;
  strcpy(f.edition, "Express Edition (64-bit)"); /* 1,410 MB: none of the default steps is left */
  EXPECT("steps", CHECK_REFUSAL);
  plan.steps_named = 1;
  strcpy(f.edition, "Web Edition (64-bit)");
  EXPECT("edition", CHECK_REFUSAL);
  plan.steps_named = 0;
  EXPECT("edition", CHECK_WARNING);
}

Test(judge, settings_of_others, .init = healthy) {
  f.pending_n = 1;
  strcpy(f.pending_names, "max degree of parallelism");
  EXPECT("pending-options", CHECK_REFUSAL);
  EXPECT("min-memory", -1);
  f.min_mib = 16384;
  EXPECT("min-memory", CHECK_WARNING);
  f.min_mib = 8192; /* the smallest step itself is fine */
  EXPECT("min-memory", -1);
}

Test(judge, memory_that_does_not_follow_the_setting, .init = healthy) {
  f.memory_model = 2;
  EXPECT("memory-model", CHECK_OK);
  f.memory_model = 3;
  EXPECT("memory-model", CHECK_REFUSAL);
  f.memory_model = CHECK_UNKNOWN; /* an old version tells by the pages in use */
  EXPECT("memory-model", CHECK_OK);
  f.large_pages_kib = 1 << 20;
  EXPECT("memory-model", CHECK_REFUSAL);
  f.bpe_state = 5;
  EXPECT("pool-extension", CHECK_REFUSAL);
  f.hybrid = 1;
  EXPECT("hybrid-pool", CHECK_REFUSAL);
  EXPECT("not-cache", CHECK_OK);
  f.xtp_kib = 3 * 1024 * 1024; /* with 2 GB stolen: twice 5 GB is more than 8 */
  EXPECT("not-cache", CHECK_REFUSAL);
}

Test(judge, the_database_and_its_load, .init = healthy) {
  f.load_complete = 0;
  EXPECT("load", CHECK_REFUSAL);
  f.load_exists = 0;
  EXPECT("load", CHECK_REFUSAL);
  f.database_exists = 0;
  EXPECT("database", CHECK_REFUSAL);
  EXPECT("load", -1);
  plan.purpose = CHECK_LOAD;
  EXPECT("database", CHECK_OK);
  healthy();
  strcpy(f.database_recovery, "FULL");
  EXPECT("recovery-model", CHECK_WARNING);
  strcpy(f.replica, "x");
  EXPECT("availability-group", CHECK_WARNING);
  f.used_bytes = INT64_C(4) << 30;
  EXPECT("data-size", CHECK_WARNING);
  f.database_read_only = 1;
  EXPECT("database", CHECK_REFUSAL);
}

Test(judge, room_for_a_load, .init = healthy) {
  plan.purpose = CHECK_LOAD;
  plan.load_bytes = INT64_C(200) << 30;
  f.data_bytes = 0;
  EXPECT("volumes", CHECK_OK);
  f.free_bytes = INT64_C(210) << 30;
  EXPECT("volumes", CHECK_REFUSAL);
}

Test(judge, other_people_and_other_sweeps, .init = healthy) {
  f.sessions_n = 3;
  strcpy(f.sessions_text, "app (3)");
  EXPECT("sessions", CHECK_WARNING);
  f.requests_n = 1;
  strcpy(f.requests_text, "BACKUP DATABASE (1)");
  EXPECT("requests", CHECK_WARNING);
  f.lock_free = 0;
  EXPECT("lock", CHECK_REFUSAL);
  f.server_journal = 1;
  EXPECT("journal", CHECK_OK); /* it may be that of the sweep at work */
  f.lock_free = 1;
  EXPECT("journal", CHECK_REFUSAL);
  f.server_journal = 0;
  strcpy(f.journal, "/home/x/journal/DB1.json");
  EXPECT("journal", CHECK_REFUSAL);
}

Test(judge, counters_and_links, .init = healthy) {
  f.counter_rows = 0;
  EXPECT("counters", CHECK_WARNING);
  target.ca_file = NULL;
  EXPECT("link", CHECK_WARNING);
  strcpy(f.encrypted, "FALSE");
  EXPECT("link", CHECK_WARNING);
  target.ca_file = (char[]){"/x.pem"};
  EXPECT("link", CHECK_WARNING);
  f.encrypted[0] = '\0'; /* the login may not see it: what was asked for holds, else nobody knows */
  EXPECT("link", CHECK_OK);
  target.encrypt = ENCRYPT_REQUEST;
  EXPECT("link", CHECK_WARNING);
  target.encrypt = ENCRYPT_REQUIRE;
  f.link.have = 0;
  EXPECT("link", CHECK_OK);
  EXPECT("listener", CHECK_WARNING);
  target.is_sandbox = 1;
  EXPECT("link", CHECK_OK);
}

Test(judge, what_cannot_be_read_is_said, .init = healthy) {
  f.settings.have = 0;
  strcpy(f.settings.why, "the login lacks a right");
  char text[600];
  cr_assert_eq(severity_of("setting", text, sizeof text), CHECK_REFUSAL);
  cr_assert(strstr(text, "the login lacks a right"), "%s", text);
  f.sessions.have = 0;
  EXPECT("sessions", CHECK_WARNING);
}

Test(judge, old_linux_versions_do_not_see_containers, .init = healthy) {
  EXPECT("linux-limits", -1);
  strcpy(f.platform, "Linux");
  EXPECT("linux-limits", CHECK_WARNING);
  strcpy(f.version, "16.0.4205.1");
  EXPECT("linux-limits", -1);
  strcpy(f.version, "17.0.1000.7");
  EXPECT("linux-limits", -1);
}

Test(findings, json_survives_a_text_cut_inside_a_character) {
  struct findings l = {0};
  findings_add(&l, "x", CHECK_WARNING, "do \xC3\xA4", "caf\xC3");
  findings_add(&l, "y", CHECK_REFUSAL, NULL, "caf\xC3\xA9");
  json_t *j = findings_json(&l);
  cr_assert(j);
  cr_assert_eq(json_integer_value(json_object_get(j, "refusals")), 1);
  cr_assert_eq(json_integer_value(json_object_get(j, "warnings")), 1);
  json_t *all = json_object_get(j, "findings");
  cr_assert_eq(json_array_size(all), 2u);
  cr_assert_str_eq(json_string_value(json_object_get(json_array_get(all, 0), "text")), "caf?");
  cr_assert_str_eq(json_string_value(json_object_get(json_array_get(all, 1), "text")), "caf\xC3\xA9");
  json_decref(j);
  findings_free(&l);
}
