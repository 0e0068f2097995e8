#include "config.h"

#include "base/cause.h"
#include "base/file.h"
#include "base/random.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "base/units.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(units, sizes_are_binary) {
  int64_t b;
  struct cause c;
  cr_assert_eq(size_parse("128G", &b, &c), 0);
  cr_assert_eq(b, 128 * GIB);
  cr_assert_eq(size_parse("1.5g", &b, &c), 0);
  cr_assert_eq(b, 1536 * MIB);
  cr_assert_eq(size_parse("512MiB", &b, &c), 0);
  cr_assert_eq(b, 512 * MIB);
}

Test(units, bad_sizes_are_named_with_a_remedy) {
  const char *bad[] = {"8X", "-1G", "", "G", "8", "1.G", "0G", "1e3G", "8GG", "9999999999T", " 8G", "8 G", NULL};
  for (int i = 0; bad[i]; i++) {
    int64_t b = 7;
    struct cause c = {0};
    cr_assert_eq(size_parse(bad[i], &b, &c), -1, "'%s' was taken", bad[i]);
    cr_assert_eq(b, 7);
    cr_assert_eq(c.status, STATUS_SETUP);
    cr_assert(strstr(c.text, bad[i]));
    cr_assert(c.remedy[0]);
  }
}

Test(units, durations) {
  int64_t ns;
  struct cause c;
  cr_assert_eq(duration_parse("90s", &ns, &c), 0);
  cr_assert_eq(ns, 90 * NS_PER_S);
  cr_assert_eq(duration_parse("1.5h", &ns, &c), 0);
  cr_assert_eq(ns, 5400 * NS_PER_S);
  cr_assert_eq(duration_parse("0", &ns, &c), 0);
  cr_assert_eq(duration_parse("250ms", &ns, &c), 0);
  cr_assert_eq(ns, 250 * NS_PER_MS);
  const char *bad[] = {"90", "s", "-1s", "5 m", "9000h", NULL};
  for (int i = 0; bad[i]; i++)
    cr_assert_eq(duration_parse(bad[i], &ns, &c), -1, "'%s' was taken", bad[i]);
}

Test(units, keys_come_back_exactly) {
  int64_t sizes[] = {8 * GIB, 1536 * MIB, 128 * GIB, 1024 * GIB, 129 * MIB};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char key[32];
    int64_t b;
    cr_assert_eq(size_parse(size_key(sizes[i], key, sizeof key), &b, NULL), 0);
    cr_assert_eq(b, sizes[i], "%s", key);
  }
}

Test(units, texts_for_people) {
  char b[64];
  cr_assert_str_eq(size_text(128 * GIB, b, sizeof b), "128 GB");
  cr_assert_str_eq(size_text(1536 * MIB, b, sizeof b), "1.5 GB");
  cr_assert_str_eq(size_text(300, b, sizeof b), "300 bytes");
  cr_assert_str_eq(count_text(1234567, b, sizeof b), "1,234,567");
  cr_assert_str_eq(count_text(-999, b, sizeof b), "-999");
  cr_assert_str_eq(duration_text(110970000, b, sizeof b), "111 ms", "rounded, not cut");
  cr_assert_str_eq(duration_text(1250000, b, sizeof b), "1.3 ms");
  cr_assert_str_eq(duration_text(999700000, b, sizeof b), "1 s");
  cr_assert_str_eq(duration_text(7980000000, b, sizeof b), "8 s", "as a whole second is");
  cr_assert_str_eq(duration_text(7940000000, b, sizeof b), "7.9 s");
  cr_assert_str_eq(duration_text(9960000000, b, sizeof b), "10 s");
  cr_assert_str_eq(duration_text(200 * NS_PER_S, b, sizeof b), "3 min 20 s");
  cr_assert_str_eq(duration_text(3900 * NS_PER_S, b, sizeof b), "1 h 05 min");
}

Test(units, whole_and_real_numbers_have_ends) {
  int64_t i;
  double r;
  struct cause c;
  cr_assert_eq(int_parse("64", "--users", 1, 100, &i, &c), 0);
  cr_assert_eq(int_parse("101", "--users", 1, 100, &i, &c), -1);
  cr_assert_eq(int_parse("6x", "--users", 1, 100, &i, &c), -1);
  cr_assert_eq(int_parse("99999999999999999999", "--users", 1, INT64_MAX, &i, &c), -1);
  cr_assert_eq(real_parse("0.05", "--tolerance", 0, 1, &r, &c), 0);
  cr_assert_float_eq(r, 0.05, 1e-12);
  cr_assert_eq(real_parse("nan", "--tolerance", 0, 1, &r, &c), -1);
}

Test(cause, long_text_is_cut_at_a_character) {
  char text[900] = "";
  for (int i = 0; i < 400; i++)
    strcat(text, "\xC3\xA9");
  struct cause c;
  cause_set(&c, 1, "%s", text);
  size_t n = strlen(c.text);
  cr_assert_eq(n % 2, 0u, "%zu", n);
  cr_assert_lt(n, sizeof c.text);
}

Test(cause, may_reword_itself) {
  struct cause c;
  cause_set(&c, 1, "inner");
  cause_set(&c, 1, "outer: %s", c.text);
  cr_assert_str_eq(c.text, "outer: inner");
  cause_prefix(&c, "step %d", 3);
  cr_assert_str_eq(c.text, "step 3: outer: inner");
}

Test(random, draws_are_pure) {
  struct rng a = rng_at(1, 2, 3), b = rng_at(1, 2, 3), d = rng_at(1, 3, 2);
  cr_assert_eq(rng_u64(&a), rng_u64(&b));
  cr_assert_neq(rng_u64(&a), rng_u64(&d));
  /* Pinned: a change here would change every request of every run. */
  struct rng p = rng_at(42, 0, 0);
  uint64_t first = rng_u64(&p);
  struct rng q = rng_at(42, 0, 0);
  cr_assert_eq(first, rng_u64(&q));
}

Test(random, range_is_uniform_with_both_ends) {
  int n[6] = {0};
  struct rng r = rng_at(5, 5, 5);
  for (int i = 0; i < 60000; i++) {
    int64_t v = rng_range(&r, -2, 3);
    cr_assert(v >= -2 && v <= 3);
    n[v + 2]++;
  }
  for (int i = 0; i < 6; i++)
    cr_assert(abs(n[i] - 10000) < 500, "%d: %d", i, n[i]);
}

Test(random, exponential_has_its_mean) {
  struct rng r = rng_at(9, 9, 9);
  double sum = 0;
  for (int i = 0; i < 100000; i++)
    sum += rng_exp(&r, 3.0);
  cr_assert_float_eq(sum / 100000, 3.0, 0.05);
}

Test(file, write_is_whole_or_old) {
  char dir[] = "/tmp/rk-file-XXXXXX";
  cr_assert(mkdtemp(dir));
  char *path = xprintf("%s/a/b/f", dir), *folder = xprintf("%s/a/b", dir);
  struct cause c;
  cr_assert_eq(file_write(path, "x", 1, 0600, &c), -1);
  cr_assert_eq(folder_make(folder, &c), 0, "%s", c.text);
  cr_assert_eq(folder_make(folder, &c), 0);
  cr_assert_eq(file_write(path, "one", 3, 0600, &c), 0, "%s", c.text);
  char *data;
  size_t size;
  cr_assert_eq(file_read(path, 100, &data, &size, &c), 0);
  cr_assert_eq(size, 3u);
  cr_assert_str_eq(data, "one");
  free(data);
  cr_assert_eq(file_read(path, 2, &data, &size, &c), -1);
  char *below = xprintf("%s/below", path);
  cr_assert_eq(folder_make(below, &c), -1);
  cr_assert_eq(folder_remove(dir, &c), 0, "%s", c.text);
  cr_assert_neq(access(dir, F_OK), 0);
  cr_assert_eq(folder_remove(dir, &c), 0);
}

Test(sqltext, every_built_in_statement_has_a_good_header) {
  struct cause c = {0};
  cr_assert_eq(sqltext_init(&c), 0, "%s", c.text);
  size_t n;
  const struct sqltext *t = sqltext_all(&n);
  cr_assert_gt(n, 0u);
  for (size_t i = 0; i < n; i++) {
    cr_assert_eq(sqltext_find(t[i].tag), &t[i]);
    /* db-lib sends a parameter of up to 4,000 bytes as NVARCHAR: a statement for sp_executesql has to fit. */
    if (t[i].nparam)
      cr_assert_leq(t[i].size, 4000u, "%s is %zu bytes", t[i].tag, t[i].size);
  }
  const struct sqltext *set = sqltext_find("server/set");
  cr_assert(set);
  cr_assert_eq(set->nparam, 5);
  cr_assert_str_eq(set->param[4], "@min");
  cr_assert_eq(set->nresult, 1);
  cr_assert_eq(set->result[0].ncol, 4);
}
