#include "config.h"

#include "analysis/points.h"
#include "analysis/sheet.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sheet *parse(const char *s) {
  struct sheet *t;
  struct cause c = {0};
  cr_assert_eq(sheet_parse(&t, s, strlen(s), &c), 0, "%s", c.text);
  return t;
}

static void refused(const char *s, size_t n, const char *word) {
  struct sheet *t;
  struct cause c = {0};
  cr_assert_eq(sheet_parse(&t, s, n, &c), -1, "'%s' was taken", s);
  cr_assert_null(t);
  cr_expect(strstr(c.text, word), "'%s' does not say '%s'", c.text, word);
  cr_expect_eq(c.status, STATUS_SETUP);
}

Test(sheet, tabs_commas_semicolons_blanks_and_quotes) {
  const char *const same[] = {
    "# a comment\n\na\tb c\n1\t2\n3\t4\n",
    "a,\"b c\"\r\n1,2\r\n#\r\n 3 , 4\r\n",
    "a;b c\n1;2\n3;4",
    "a \"b c\"\n1   2\n3\t4\n",
    ("\xef\xbb\xbf" "a,b c\n1,2\n\n3,4\n"),
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    struct sheet *t = parse(same[i]);
    cr_assert(t->ncol == 2 && t->nrow == 2, "table %zu has %zu columns and %zu rows", i, t->ncol, t->nrow);
    cr_expect_str_eq(t->column[0], "a");
    cr_expect_str_eq(t->column[1], "b c");
    cr_expect_str_eq(t->row[0].field[1], "2");
    cr_expect_str_eq(t->row[1].field[0], "3");
    cr_expect_eq(sheet_column(t, "B C"), 1);
    cr_expect_eq(sheet_column(t, "2"), 1);
    cr_expect_eq(sheet_column(t, "3"), -1);
    sheet_free(t);
  }
}

Test(sheet, as_people_print_them) {
  const char *const same[] = {
    "| memory | p 95 |\n|---|:-:|\n| 8 | 1.5 |\n| 16 | 1,200 |\n",
    "+--------+------+\n| memory | p 95 |\n+--------+------+\n|      8 |  1.5 |\n|     16 | 1200 |\n+--------+------+\n2 rows in set\n",
    " memory | p 95\n--------+------\n      8 | 1.5\n     16 | 1 200\n(2 rows)\n",
    "          p\nmemory   95\n------ ----\n     8  1.5 a remark\n    16 1200\n",
    "memory   p 95\n8        1.5\n16       1_200\n",
    "memory;p 95\n8;1,5\n16;1.200\n",
    "memory,p 95\n8,\"1,5\"\n16,\"1 200,0\"\n",
    "memory\tp 95\n8\t1,5\n16\t1\342\200\257200,0\n",
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    struct sheet *t = parse(same[i]);
    double a = 0, b = 0;
    cr_assert(t->ncol == 2 && t->nrow == 2, "table %zu has %zu columns and %zu rows", i, t->ncol, t->nrow);
    cr_expect_str_eq(t->column[0], "memory", "table %zu: %s", i, t->column[0]);
    cr_expect_str_eq(t->column[1], "p 95", "table %zu: %s", i, t->column[1]);
    cr_expect_str_eq(t->row[1].field[0], "16");
    cr_expect(sheet_number(t->row[0].field[1], &a) == 0 && sheet_number(t->row[1].field[1], &b) == 0, "table %zu: '%s' and '%s'", i,
              t->row[0].field[1], t->row[1].field[1]);
    cr_expect(fabs(a - 1.5) < 1e-9 && fabs(b - 1200) < 1e-9, "table %zu: %g and %g", i, a, b);
    sheet_free(t);
  }
}

Test(sheet, decimal_commas_are_no_thousands) {
  /* Nothing tells: thousands, as before. */
  struct sheet *t = parse("a;b\n1,234;2\n");
  cr_expect_str_eq(t->row[0].field[0], "1,234");
  sheet_free(t);
  /* One field tells for all. */
  t = parse("a;b\n1,234;2\n1,5;3\n");
  cr_expect_str_eq(t->row[0].field[0], "1.234");
  sheet_free(t);
  /* Both kinds: a field is wrong, not the table. */
  t = parse("a;b\n1,5;2.5\n");
  cr_expect_str_eq(t->row[0].field[0], "1,5");
  sheet_free(t);
}

Test(sheet, a_table_on_its_side_is_turned) {
  struct sheet *t = parse("memory,8 GB,16 GB,32 GB\ntps,1,2,3\nlatency,5,4\n");
  cr_assert(t->ncol == 3 && t->nrow == 3, "%zu columns, %zu rows", t->ncol, t->nrow);
  cr_expect_str_eq(t->column[2], "latency");
  cr_expect_str_eq(t->row[2].field[0], "32 GB");
  cr_expect_str_eq(t->row[2].field[1], "3");
  cr_expect(sheet_empty(t->row[2].field[2]));
  cr_expect_eq(sheet_keep(t, 1, "2.0"), 1);
  cr_expect_str_eq(t->row[0].field[0], "16 GB");
  sheet_free(t);
}

Test(sheet, lines_keep_their_numbers) {
  struct sheet *t = parse("# x\na,b\n\n1,2\n# y\n3,4\n");
  cr_expect_eq(t->row[0].line, 4);
  cr_expect_eq(t->row[1].line, 6);
  sheet_free(t);
}

Test(sheet, a_heading_of_numbers_is_a_row) {
  struct sheet *t = parse("128 2.5\n64 3\n");
  cr_assert(t->ncol == 2 && t->nrow == 2);
  cr_expect_str_eq(t->column[1], "2");
  sheet_free(t);
}

Test(sheet, what_is_no_table_is_refused) {
  refused("", 0, "empty");
  refused("# only a comment\n", 17, "empty");
  refused("a,b\n", 4, "no rows");
  refused("a,b\n1,\0\n", 8, "line 2");
  refused("a,b\n1,2\n\xff\xfe\n", 11, "line 3");
  refused("\x89PNG", 4, "line 1");
}

Test(sheet, numbers) {
  const struct {
    const char *s;
    double v;
  } good[] = {{"1", 1},  {" 2.5 ", 2.5}, {"1,234,567", 1234567}, {"192317943", 192317943}, {".93", 0.93},       {"-3", -3},
              {"+4", 4}, {"1e3", 1000},  {"2.5E-1", 0.25},       {"20.9%", 20.9},          {"1,234.5", 1234.5}, {"5.", 5},
              {"1 234 567", 1234567}, {"12'345", 12345}, {"1\xc2\xa0""234.5", 1234.5}, {"7_000", 7000}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    double v = NAN;
    cr_assert_eq(sheet_number(good[i].s, &v), 0, "'%s'", good[i].s);
    cr_expect_float_eq(v, good[i].v, 1e-9 * fabs(good[i].v));
  }
  const char *const bad[] = {"",
                             "-",
                             "x",
                             "1x",
                             "12,34",
                             "1,2345",
                             ",123",
                             "1..2",
                             "1.2.3",
                             "0x10",
                             "inf",
                             "nan",
                             "1e",
                             "1e9999",
                             "--1",
                             "1 2",
                             "%",
                             ".",
                             "99999999999999999999999999999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double v = 7;
    cr_expect_eq(sheet_number(bad[i], &v), -1, "'%s' was taken as %g", bad[i], v);
    cr_expect_eq(v, 7);
  }
}

/* ---- points ---- */

static int take(struct points *p, const char *s, const struct points_options *o, struct cause *c) {
  struct sheet *t = parse(s);
  int rc = points_take(p, t, o, c);
  sheet_free(t);
  return rc;
}

static const struct points_options from_heading = {.sense = -1};

Test(points, bad_rows_are_named_by_line) {
  struct points p;
  struct cause c = {0};
  cr_assert_eq(
      take(&p, "memory_GB,p95_ms\n128,2.5\n96,oops\n64,2.5\n32\n16,\n8,31.6,9\n-4,3\n0,3\n4,0\n2,50\n", &from_heading, &c), 0,
      "%s", c.text);
  cr_expect_eq(p.n, 3);
  cr_expect_eq(p.nbad, 6);
  cr_expect_eq(p.nmissing, 1);
  const size_t lines[] = {3, 5, 6, 7, 8, 9, 10};
  cr_assert_eq(p.nnote, 7);
  for (size_t i = 0; i < 7; i++)
    cr_expect_eq(p.note[i].line, lines[i], "note %zu is about line %zu", i, p.note[i].line);
  cr_expect(strstr(p.note[0].text, "oops"));
  points_free(&p);
}

Test(points, too_few_rows_name_the_first_bad_one) {
  struct points p;
  struct cause c = {0};
  cr_assert_eq(take(&p, "memory_GB,p95_ms\n128,2.5\n96,oops\n64,2.5\n", &from_heading, &c), -1);
  cr_expect(strstr(c.text, "line 3") && c.remedy[0]);
  points_free(&p);
}

Test(points, units) {
  struct points p;
  struct cause c = {0};
  char buf[40];
  const struct {
    const char *heading, *unit;
    double mib;
    const char *shown;
  } cases[] = {{"memory_GB", NULL, 1024, "1 GB"},
               {"Memory (MiB)", NULL, 1, "1 MiB"},
               {"ram [TB]", NULL, 1048576, "1 TB"},
               {"mem_bytes", NULL, 1.0 / 1048576, "1 bytes"},
               {"cache_pages", NULL, 1, "1 pages"},
               {"memory", "GB", 1024, "1 GB"},
               {"memory", NULL, 1, "1"},
               {"buffer_pool_GB", "MB", 1, "1 MB"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    snprintf(text, sizeof text, "%s\ttps\n1\t10\n2\t20\n4\t30\n", cases[i].heading);
    struct points_options o = from_heading;
    o.memory_unit = cases[i].unit;
    cr_assert_eq(take(&p, text, &o, &c), 0, "%s: %s", cases[i].heading, c.text);
    cr_expect_float_eq(p.point[0].mem_mib, cases[i].mib, 1e-12, "%s", cases[i].heading);
    cr_expect_str_eq(points_memory_text(&p, p.point[0].mem_mib, buf, sizeof buf), cases[i].shown);
    points_free(&p);
  }
  cr_assert_eq(take(&p, "memory tps\n1G 10\n2048M 20\n4GiB 30\n", &from_heading, &c), 0, "%s", c.text);
  cr_expect_float_eq(p.point[1].mem_mib, 2048, 1e-9);
  cr_expect_eq(p.sized, 1);
  points_free(&p);
  cr_assert_eq(take(&p, "memory tps\n1G 10\n2048 20\n4G 30\n", &from_heading, &c), -1,
               "memories with and without a unit were mixed");
  points_free(&p);
}

Test(points, columns_by_name_number_and_kind) {
  struct points p;
  struct cause c = {0};
  const char *table = "run,buffer_pool_GB,avg_ms,p99_ms,tps,colour\n1,8,3,9,100,red\n2,16,2,8,120,red\n3,32,1,7,130,red\n";
  cr_assert_eq(take(&p, table, &from_heading, &c), 0, "%s", c.text);
  cr_expect_str_eq(p.memory_name, "buffer_pool_GB");
  cr_expect_str_eq(p.metric_name, "p99_ms");
  points_free(&p);
  struct points_options o = from_heading;
  o.metric = "TPS";
  cr_assert_eq(take(&p, table, &o, &c), 0);
  cr_expect_eq(p.sense, MORE_IS_BETTER);
  points_free(&p);
  o.metric = "3";
  cr_assert_eq(take(&p, table, &o, &c), 0);
  cr_expect_str_eq(p.metric_name, "avg_ms");
  points_free(&p);
  o.metric = "p50_ms";
  cr_assert_eq(take(&p, table, &o, &c), -1);
  cr_expect(strstr(c.text, "p50_ms") && strstr(c.remedy, "buffer_pool_GB"), "the columns there are must be named");
  points_free(&p);
  o.metric = "run";
  cr_assert_eq(take(&p, table, &o, &c), -1, "nobody knows whether less is better");
  cr_expect(strstr(c.remedy, "--sense"));
  points_free(&p);
  o.sense = LESS_IS_BETTER;
  cr_assert_eq(take(&p, table, &o, &c), 0);
  points_free(&p);
  o.metric = "buffer_pool_GB";
  cr_assert_eq(take(&p, table, &o, &c), -1, "memory and metric are the same column");
  points_free(&p);
  cr_assert_eq(take(&p, "x,y\n1,2\n2,3\n3,4\n", &from_heading, &c), -1);
  cr_expect(strstr(c.remedy, "--memory"));
  points_free(&p);
}

Test(points, figures_with_units_of_their_own) {
  struct points p;
  struct cause c = {0};
  cr_assert_eq(take(&p, "memory\tlatency\n1,024 MB\t2.5 ms\n2 GB RAM\t900 us\n4G\t0.5ms\n", &from_heading, &c), 0, "%s", c.text);
  cr_expect_float_eq(p.point[0].mem_mib, 1024, 1e-9);
  cr_expect_float_eq(p.point[1].y, 0.9, 1e-9);
  cr_expect_str_eq(p.unit, "ms");
  points_free(&p);
  cr_assert_eq(take(&p, "memory_GB\ttps\n1\t2.5k\n2\t3100 tps\n4\t3.2K\n8\t5 qps\n16\t1e4\n", &from_heading, &c), 0, "%s", c.text);
  cr_expect_float_eq(p.point[0].y, 2500, 1e-9);
  cr_expect_float_eq(p.point[2].y, 3200, 1e-9);
  cr_expect_eq(p.nbad, 1, "another unit is not compared");
  points_free(&p);
  cr_assert_eq(take(&p, "memory_GB\tlatency\n1\t2.5 ms\n2\t3\n4\t3\n", &from_heading, &c), -1, "values with and without units");
  points_free(&p);
  cr_assert_eq(take(&p, "memory_GB\ttps\n1\t100 +/- 5\n2\t200\xc2\xb1""4\n4\t300\n", &from_heading, &c), 0, "%s", c.text);
  cr_expect(p.has_error);
  cr_expect_float_eq(p.point[0].se_log, 0.05, 1e-12);
  cr_expect_float_eq(p.point[1].se_log, 0.02, 1e-12);
  points_free(&p);
}

Test(points, standard_errors) {
  struct points p;
  struct cause c = {0};
  cr_assert_eq(take(&p, "memory_GB,p95_ms,p95_se_ms\n8,4,0.2\n16,2,0.1\n32,1,\n", &from_heading, &c), 0, "%s", c.text);
  cr_expect(p.has_error);
  cr_expect_float_eq(p.point[0].se_log, 0.05, 1e-12);
  cr_expect(isnan(p.point[2].se_log));
  points_free(&p);
  cr_assert_eq(take(&p, "memory_GB,tps,stderr_pct\n8,4,2\n16,2,3\n32,1,4\n", &from_heading, &c), 0, "%s", c.text);
  cr_expect_float_eq(p.point[0].se_log, 0.02, 1e-12);
  points_free(&p);
  /* Whose error is it?  Of the metric at its left. */
  struct points_options o = {.metric = "avg_ms", .sense = -1};
  cr_assert_eq(take(&p, "memory_GB,avg_ms,p95_ms,se\n8,4,5,2\n16,2,3,3\n32,1,4,1\n", &o, &c), 0);
  cr_expect_not(p.has_error);
  points_free(&p);
}

Test(points, the_same_memory_twice_is_averaged) {
  struct points p;
  struct cause c = {0};
  cr_assert_eq(take(&p, "memory_GB\ttps\tse\n16\t100\t2\n8\t50\t1\n16\t121\t2.42\n4\t20\t1\n", &from_heading, &c), 0, "%s",
               c.text);
  cr_expect_eq(p.n, 3);
  cr_expect_eq(p.merged, 1);
  cr_expect_float_eq(p.point[2].y, 110, 1e-9);
  cr_expect_float_eq(p.point[2].se_log, 0.02 / sqrt(2), 1e-9);
  points_free(&p);
}

Test(points, a_limit_names_its_column_by_a_word) {
  struct cause c = {0};
  struct sheet *t = parse("memory_GB,latency_p95_ms,latency_p99_ms,tps\n1,2,3,4\n");
  cr_expect_eq(points_column(t, "p99", "tps", &c), 2);
  cr_expect_eq(points_column(t, "tps", "latency_p95_ms", &c), 3);
  cr_expect_eq(points_column(t, "latency", "latency_p99_ms", &c), 2);
  cr_expect_eq(points_column(t, "latency", "tps", &c), -1, "two columns have that word");
  cr_expect_eq(points_column(t, "p50", "tps", &c), -1);
  sheet_free(t);
}

Test(points, headings_of_many_tools) {
  const struct {
    const char *heading, *metric;
    enum verdict_sense sense;
  } cases[] = {
      {"shared_buffers_GB,transactions_per_min,uptime_s", "transactions_per_min", MORE_IS_BETTER},
      {"WiredTiger cache (MB),elapsed_s,95th percentile latency (ms)", "95th percentile latency (ms)", LESS_IS_BETTER},
      {"size_factor,estd_phys_reads,x", "estd_phys_reads", LESS_IS_BETTER},
      {"target_mb,cache_hit_perc,y", "cache_hit_perc", MORE_IS_BETTER},
      {"RAM_GB,requests/s,read_requests", "requests/s", MORE_IS_BETTER},
      {"buffer_pool_pages,misses_per_1k,logical_writes", "misses_per_1k", LESS_IS_BETTER},
      {"max_server_memory_MB,avgLatency,maxLatency", "avgLatency", LESS_IS_BETTER},
      {"cache_GiB,read_MB_s,time_s", "read_MB_s", LESS_IS_BETTER},
      {"SGA Target Size (M),Est DB Time (s),Est Physical Reads", "Est Physical Reads", LESS_IS_BETTER},
      {"memory (GB),99% latency,95% latency", "95% latency", LESS_IS_BETTER},
      {"memory GB,lat_p99.9_us,cpu", "lat_p99.9_us", LESS_IS_BETTER},
      {"memory (MB),Elapsed time (min),CPU", "Elapsed time (min)", LESS_IS_BETTER},
      {"memory_mb,min_latency_ms,p50_latency_ms", "p50_latency_ms", LESS_IS_BETTER},
      {"RAM (GB),MB/s read,uptime", "MB/s read", LESS_IS_BETTER},
      {"cache MB,Page life expectancy (s),threads", "Page life expectancy (s)", MORE_IS_BETTER},
      {"innodb_buffer_pool_size_GB_total,operations/s,cpu", "operations/s", MORE_IS_BETTER},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct points p;
    struct cause c = {0};
    char text[200];
    snprintf(text, sizeof text, "%s\n1,2,3\n2,3,4\n4,5,6\n", cases[i].heading);
    cr_assert_eq(take(&p, text, &from_heading, &c), 0, "%s: %s", cases[i].heading, c.text);
    cr_expect_str_eq(p.metric_name, cases[i].metric);
    cr_expect_eq(p.sense, cases[i].sense, "%s", cases[i].heading);
    points_free(&p);
  }
}
