#include "config.h"

#include "sandbox/statements.h"
#include "sandbox/facts.h"
#include "sandbox/filestats.h"
#include "sandbox/persona.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void setup(void) {
  struct cause c;
  cr_assert_eq(statements_init(&c), 0, "%s", c.text);
}

TestSuite(statements, .init = setup);

Test(statements, digest_is_sha_256) {
  char hex[DIGEST_HEX];
  digest_hex("abc", 3, hex);
  cr_expect_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); /* FIPS 180-4's example */
}

Test(statements, every_twin_was_written_for_the_text_that_is_built_in) {
  size_t n;
  const struct twin *t = twin_all(&n);
  cr_assert_gt(n, 20);
  for (size_t i = 0; i < n; i++) {
    cr_expect_not_null(t[i].original, "sql/sandbox/%s.sql is the twin of nothing", t[i].tag);
    cr_expect(t[i].same, "sql/%s.sql has changed: look at its twin, then write the new digest into it", t[i].tag);
  }
}

Test(statements, every_statement_for_the_server_has_a_twin_but_those_judged_by_their_text) {
  size_t n;
  const struct sqltext *t = sqltext_all(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(t[i].tag, "server/session") != 0 && strncmp(t[i].tag, "scripts/", 8) != 0) /* scripts are never sent */
      cr_expect_not_null(twin_find(t[i].tag), "%s has no twin", t[i].tag);
}

Test(statements, a_changed_text_does_not_fit) {
  const struct twin *w = twin_find("server/settings");
  cr_assert_not_null(w);
  cr_expect(twin_fits(w, w->original->text, w->original->size));
  char *other = strdup(w->original->text);
  other[w->original->size / 2] ^= 1;
  cr_expect_not(twin_fits(w, other, w->original->size));
  cr_expect_not(twin_fits(w, w->original->text, w->original->size - 1));
  free(other);
}

Test(statements, tags_are_read_from_the_beginning_only) {
  char tag[40];
  static const char text[] = "/* ramknee:server/cpu */\nSELECT 1";
  cr_expect(statements_tag(text, strlen(text), tag, sizeof tag));
  cr_expect_str_eq(tag, "server/cpu");
  cr_expect_not(statements_tag(text + 1, strlen(text) - 1, tag, sizeof tag));
  cr_expect_not(statements_tag(text, 15, tag, sizeof tag), "cut short");
  cr_expect_not(statements_tag("", 0, tag, sizeof tag));
  char longer[200];
  memset(longer, 'x', sizeof longer);
  memcpy(longer, "/* ramknee:", 11);
  memcpy(longer + 150, " */", 3);
  cr_expect_not(statements_tag(longer, sizeof longer, tag, sizeof tag), "longer than any tag");
}

Test(statements, views_that_a_statement_names_are_known) {
  cr_expect_eq(facts_needed("SELECT * FROM sys.configurations AS c"), FACT_SETTINGS);
  cr_expect_eq(facts_needed("select 1 from SYS.DM_OS_WAIT_STATS, sys.dm_os_sys_info"), FACT_WAITS | FACT_MEMORY);
  cr_expect_eq(facts_needed("SELECT * FROM sys.database_files"), FACT_DATABASES);
  cr_expect_eq(facts_needed("SELECT * FROM sys.configurationsx"), 0);
  cr_expect_eq(facts_needed("SELECT 'sys.'"), 0);
}

Test(statements, files_belong_to_the_database_of_their_folder) {
  char name[80];
  cr_expect(filestats_folder("/var/x/data/shop/t.ibd", "/var/x/data", name, sizeof name));
  cr_expect_str_eq(name, "shop");
  cr_expect(filestats_folder("./a@002db/t.ibd", "/var/x/data", name, sizeof name));
  cr_expect_str_eq(name, "a-b");
  cr_expect(filestats_folder("/d/@00e4/t.ibd", "/d", name, sizeof name));
  cr_expect_str_eq(name, "ä");
  cr_expect_not(filestats_folder("/var/x/data/ibdata1", "/var/x/data", name, sizeof name));
  cr_expect_not(filestats_folder("./undo001", "/var/x/data", name, sizeof name));
  cr_expect_not(filestats_folder("ibdata1", "/var/x/data", name, sizeof name));
}

Test(statements, personas_are_found_by_name) {
  cr_expect_not_null(persona_find("named-instance"));
  cr_expect_eq(persona_find(""), persona_at(0));
  cr_expect_null(persona_find("nobody"));
  for (int i = 0; persona_at(i); i++)
    cr_expect_not_null(persona_at(i)->what);
}
