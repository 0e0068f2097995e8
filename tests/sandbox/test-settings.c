#include "config.h"

#include "sandbox/settings.h"
#include "base/file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct settings *s;
static char path[64];

static void setup(void) {
  snprintf(path, sizeof path, "/tmp/ramknee-settings-%d", (int)getpid());
  s = settings_new(path, NULL);
}

static void teardown(void) {
  settings_free(s);
  unlink(path);
}

TestSuite(settings, .init = setup, .fini = teardown);

static void show_advanced(void) {
  int32_t before;
  cr_assert_eq(settings_store(s, SET_ADVANCED, 1, &before, NULL), 0);
  settings_install(s);
}

Test(settings, begins_with_the_defaults_of_a_server) {
  cr_expect_eq(settings_get(s, SET_MAX_MEMORY).value, SET_UNLIMITED);
  cr_expect_eq(settings_get(s, SET_MIN_MEMORY).value, 0);
  cr_expect_eq(settings_get(s, SET_MIN_MEMORY).in_use, 16);
  cr_expect_eq(settings_get(s, SET_ADVANCED).in_use, 0);
}

Test(settings, names_are_found_by_their_beginning_and_advanced_ones_only_when_shown) {
  int id = 0;
  cr_expect_eq(settings_find(s, "max server memory (MB)", &id), 15123);
  cr_expect_eq(settings_find(s, "SHOW", &id), 0);
  cr_expect_eq(id, SET_ADVANCED);
  show_advanced();
  cr_expect_eq(settings_find(s, "Max Server Memory (mb)", &id), 0);
  cr_expect_eq(id, SET_MAX_MEMORY);
  cr_expect_eq(settings_find(s, "max s", &id), 0);
  cr_expect_eq(settings_find(s, "max", &id), 15124);
  cr_expect_eq(settings_find(s, "", &id), 15123);
  cr_expect_eq(settings_find(s, "max server memory (MB) ", &id), 15123);
}

Test(settings, a_value_is_stored_before_it_runs) {
  int32_t before = -1;
  cr_expect_eq(settings_store(s, SET_MAX_MEMORY, 8192, &before, NULL), 0);
  cr_expect_eq(before, SET_UNLIMITED);
  cr_expect_eq(settings_get(s, SET_MAX_MEMORY).value, 8192);
  cr_expect_eq(settings_get(s, SET_MAX_MEMORY).in_use, SET_UNLIMITED);
  cr_expect_eq(settings_install(s), 1);
  cr_expect_eq(settings_get(s, SET_MAX_MEMORY).in_use, 8192);
  cr_expect_eq(settings_install(s), 0, "nothing has changed since");
}

Test(settings, values_out_of_range_are_refused) {
  int32_t before;
  cr_expect_eq(settings_store(s, SET_MAX_MEMORY, 127, &before, NULL), 15129);
  cr_expect_eq(settings_store(s, SET_MAX_MEMORY, 128, &before, NULL), 0);
  cr_expect_eq(settings_store(s, SET_MAX_MEMORY, INT64_C(2147483648), &before, NULL), 15129);
  cr_expect_eq(settings_store(s, SET_MIN_MEMORY, -1, &before, NULL), 15129);
  cr_expect_eq(settings_store(s, SET_ADVANCED, 2, &before, NULL), 15129);
}

Test(settings, reconfigure_refuses_what_a_server_refuses) {
  int32_t before;
  cr_expect_eq(settings_check(s, 0), 0);
  settings_store(s, SET_MAX_MEMORY, 1024, &before, NULL);
  settings_store(s, SET_MIN_MEMORY, 1024, &before, NULL);
  cr_expect_eq(settings_check(s, 0), 0, "equal is fine");
  settings_store(s, SET_MIN_MEMORY, 1025, &before, NULL);
  cr_expect_eq(settings_check(s, 0), 5831);
  cr_expect_eq(settings_check(s, 1), 5831, "WITH OVERRIDE does not help");
  settings_store(s, SET_MIN_MEMORY, 0, &before, NULL);
  settings_store(s, SET_ALLOW_UPDATES, 1, &before, NULL);
  cr_expect_eq(settings_check(s, 0), 5808);
  cr_expect_eq(settings_check(s, 1), 0);
  settings_store(s, SET_ALLOW_UPDATES, 0, &before, NULL);
  settings_store(s, SET_RECOVERY, 61, &before, NULL);
  cr_expect_eq(settings_check(s, 0), 5807);
  cr_expect_eq(settings_check(s, 1), 0);
}

Test(settings, a_restart_installs_what_was_stored) {
  int32_t before;
  settings_store(s, SET_MAX_MEMORY, 4096, &before, NULL);
  settings_free(s);
  s = settings_new(path, NULL);
  cr_assert_not_null(s);
  cr_expect_eq(settings_get(s, SET_MAX_MEMORY).in_use, 4096);
}

Test(settings, a_damaged_file_is_named) {
  static const char *const bad[] = {"nonsense\n", "1544\n", "1544 127\n", "99 1\n", "1544 99999999999\n"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct cause c;
    cr_assert_eq(file_write(path, bad[i], strlen(bad[i]), 0600, &c), 0);
    cr_expect_null(settings_new(path, &c), "%s", bad[i]);
    cr_expect_not_null(strstr(c.text, path));
  }
}

Test(settings, the_target_is_the_setting_or_most_of_the_machine) {
  int32_t before;
  cr_expect_eq(settings_target_mib(s, 262144), 229376);
  settings_store(s, SET_MAX_MEMORY, 131072, &before, NULL);
  cr_expect_eq(settings_target_mib(s, 262144), 229376, "not in use yet");
  settings_install(s);
  cr_expect_eq(settings_target_mib(s, 262144), 131072);
  cr_expect_eq(settings_target_mib(s, 65536), 57344, "more than there is");
}
