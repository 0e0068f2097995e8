#include "config.h"

#include "base/file.h"
#include "base/text.h"
#include "server/conn.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(const char *server, const char *host, int port, const char *instance) {
  struct target t;
  struct cause c = {0};
  cr_assert_eq(target_parse(&t, server, &c), 0, "'%s': %s", server, c.text);
  cr_assert_str_eq(t.name, server);
  cr_assert_str_eq(t.host, host, "'%s' gave '%s'", server, t.host);
  cr_assert_eq(t.port, port, "'%s' gave %d", server, t.port);
  if (instance)
    cr_assert_str_eq(t.instance, instance);
  else
    cr_assert_null(t.instance, "'%s'", server);
  cr_assert_eq(t.encrypt, ENCRYPT_REQUIRE);
  cr_assert_eq(t.is_sandbox, 0);
  cr_assert_eq(t.login_timeout_s, 15);
  cr_assert_eq(t.query_timeout_s, 30);
  target_free(&t);
}

Test(target, takes_what_people_write) {
  expect("db1", "db1", 0, NULL);
  expect("db1.example.com", "db1.example.com", 0, NULL);
  expect("db1:1433", "db1", 1433, NULL);
  expect("db1,14330", "db1", 14330, NULL);
  expect("tcp:db1,1433", "db1", 1433, NULL);
  expect("TCP:db1", "db1", 0, NULL);
  expect("10.0.0.7,1433", "10.0.0.7", 1433, NULL);
  expect("db1\\PAYROLL", "db1", 0, "PAYROLL");
  expect("db1\\MSSQLSERVER", "db1", 0, NULL);
  expect("db1\\PAYROLL,1444", "db1", 1444, NULL);
  expect("[::1]:1433", "::1", 1433, NULL);
  expect("[::1],1433", "::1", 1433, NULL);
  expect("[fe80::2%eth0]", "fe80::2%eth0", 0, NULL);
  expect("::1", "::1", 0, NULL);
  expect("2001:db8::7,1433", "2001:db8::7", 1433, NULL);
  expect("sandbox1", "sandbox1", 0, NULL);
}

Test(target, refuses_nonsense_with_a_remedy) {
  const char *bad[] = {"", "db1:", "db1:0", "db1:65536", "db1,", "db1,x", "db1:1433,1433", "db 1", "db1\nport = 1", "[::1", "[::1]x", "[db1]:1",
                       "[::1]:0", "a:b:c", "db1\\", "db1\\a b", "db1\\WAYTOOLONGANAME00", "np:db1", "db1#x", "db1;x", "tcp:", ":1433", "\\X",
                       "http://db1", NULL};
  for (int i = 0; bad[i]; i++) {
    struct target t;
    struct cause c = {0};
    cr_assert_eq(target_parse(&t, bad[i], &c), -1, "'%s' was taken as '%s'", bad[i], t.host);
    cr_assert_eq(c.status, STATUS_SETUP);
    cr_assert(c.text[0] && c.remedy[0], "'%s'", bad[i]);
    cr_assert_null(t.host);
  }
}

static char state[] = "/tmp/rk-target-XXXXXX";

static void own_state(void) {
  cr_assert(mkdtemp(state));
  setenv("XDG_STATE_HOME", state, 1);
}

static void drop_state(void) {
  folder_remove(state, NULL);
}

static void endpoint(const char *name, const char *text) {
  char *folder = xprintf("%s/ramknee/sandbox/%s", state, name), *path = xprintf("%s/endpoint", folder);
  cr_assert_eq(folder_make(folder, NULL), 0);
  cr_assert_eq(file_write(path, text, strlen(text), 0600, NULL), 0);
  free(folder);
  free(path);
}

Test(target, finds_a_sandbox_by_its_state, .init = own_state, .fini = drop_state) {
  struct target t;
  struct cause c = {0};
  cr_assert_eq(target_parse(&t, "sandbox", &c), -1);
  cr_assert(strstr(c.text, "'default'") && c.remedy[0], "%s", c.text);
  endpoint("default", "127.0.0.1:41433\n");
  endpoint("b-2", "127.0.0.1:41434\n");
  cr_assert_eq(target_parse(&t, "sandbox", &c), 0, "%s", c.text);
  cr_assert_eq(t.port, 41433);
  cr_assert_str_eq(t.host, "127.0.0.1");
  cr_assert(t.is_sandbox);
  cr_assert_eq(t.encrypt, ENCRYPT_OFF);
  cr_assert(strstr(t.sandbox_folder, "/ramknee/sandbox/default"));
  target_free(&t);
  cr_assert_eq(target_parse(&t, "sandbox:b-2", &c), 0);
  cr_assert_eq(t.port, 41434);
  target_free(&t);
}

Test(target, a_sandbox_has_a_plain_name_and_a_whole_endpoint, .init = own_state, .fini = drop_state) {
  const char *bad[] = {"sandbox:", "sandbox:../x", "sandbox:a/b", "sandbox:.hidden", NULL};
  struct target t;
  struct cause c = {0};
  for (int i = 0; bad[i]; i++)
    cr_assert_eq(target_parse(&t, bad[i], &c), -1, "%s", bad[i]);
  const char *broken[] = {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", ":1", NULL};
  for (int i = 0; broken[i]; i++) {
    endpoint("x", broken[i]);
    cr_assert_eq(target_parse(&t, "sandbox:x", &c), -1, "'%s'", broken[i]);
    cr_assert(c.remedy[0]);
  }
}

Test(target, copies_are_their_own) {
  struct target a, b;
  cr_assert_eq(target_parse(&a, "db1\\X", NULL), 0);
  a.user = xstrdup("sa");
  a.password = xstrdup("secret");
  target_copy(&b, &a);
  target_free(&a);
  cr_assert_str_eq(b.instance, "X");
  cr_assert_str_eq(b.password, "secret");
  cr_assert_null(a.password);
  target_free(&b);
  target_free(&b);
}

Test(quote, doubles_the_bracket) {
  static const struct { const char *name, *want; } cases[] = {
    {"orders", "[orders]"}, {"a]b", "[a]]b]"}, {"", "[]"}, {"x];DROP", "[x]];DROP]"}, {"[a", "[[a]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *q = quote_name(cases[i].name);
    cr_assert_str_eq(q, cases[i].want);
    free(q);
  }
}

Test(errors, every_number_that_users_meet_has_a_sentence_and_a_remedy) {
  const int numbers[] = {18456, 4060, 229, 15247, 15123, 574, 5808, 5812, 5831, 5869, 5874, 40510, 2812, 208, 207, 1205, 1222, 701, 802, 8645, 1105,
                         9002, 17803};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const char *s = server_message_sentence(numbers[i]), *r = server_message_remedy(numbers[i]);
    cr_assert(s && *s && r && *r, "%d", numbers[i]);
    cr_assert_neq(s[strlen(s) - 1], '.', "%d", numbers[i]);
  }
  cr_assert_null(server_message_sentence(99999));
  cr_assert_null(server_message_remedy(0));
}
