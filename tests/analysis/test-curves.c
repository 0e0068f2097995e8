/* Published curves (tests/analysis/curves, with their sources) against the reading that was given to them before this program saw
 * them. A reading is right when the knee or the plateau edge lies within the bracket that was expected, and when "no plateau" and
 * "no floor" come out as "plateau not reached". */
#include "config.h"

#include "analysis/points.h"
#include "base/file.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  const char *file, *metric; /* metric NULL: what the program chooses */
  double lo, hi;             /* expected knee, in the table's unit (GB where it is a size); 0: none was expected */
  double mib;                /* of that unit */
  int reached;               /* a plateau is there */
};

static const struct reading readings[] = {
    {"ibm_db2_bpa_separate", NULL, 125000, 150000, 1, 0},
    {"ibm_db2_bpa_separate", "global_miss_pct", 125000, 150000, 1, 0},
    {"oracle_docs_dbcacheadvice", NULL, 152, 243, 1, 0},
    {"oracle_docs_dbcacheadvice", "estd_phys_reads", 152, 243, 1, 0},
    {"perc2016_tpcc_pm1725_16k", NULL, 25, 45, 1024, 1},
    {"perc2016_tpcc_sam863_4k", NULL, 45, 65, 1024, 1},
    {"perc2018_mysql8_nobinlog", NULL, 0, 0, 1024, 0},
    {"perc2018_mysql8_nobinlog", "throughput_tps", 0, 0, 1024, 0},
    {"perc2018_mysql8_nobinlog", "latency_avg_ms", 0, 0, 1024, 0},
    {"perc2026a_hdb_mysql848", NULL, 50, 70, 1024, 1},
    {"perc2026a_hdb_mysql848", "TPM", 50, 70, 1024, 1},
    {"perc2026a_hdb_mysql848_reads", NULL, 50, 70, 1024, 1},
    {"perc2026a_hdb_mysql848_reads", "derived_reads_per_commit", 50, 70, 1024, 1},
    {"perc2026a_hdb_mysql848_reads", "derived_miss_pct_of_read_requests", 50, 70, 1024, 1},
};

static void read_points(struct points *p, const char *file, const char *metric) {
  const char *top = getenv("top_srcdir");
  char *path = xprintf("%s/tests/analysis/curves/%s.tsv", top ? top : ".", file), *data;
  size_t size;
  struct sheet *t;
  struct cause c = {0};
  struct points_options o = {.metric = metric, .sense = -1};
  cr_assert_eq(file_read(path, SHEET_BYTES_MAX, &data, &size, &c), 0, "%s", c.text);
  cr_assert_eq(sheet_parse(&t, data, size, &c), 0, "%s", c.text);
  cr_assert_eq(points_take(p, t, &o, &c), 0, "%s", c.text);
  cr_assert_eq(p->nnote, 0);
  sheet_free(t);
  free(data);
  free(path);
}

static int within(const struct bracket *b, const struct reading *r) {
  return b->found && b->a_mib >= r->lo * r->mib - 1e-6 && b->b_mib <= r->hi * r->mib + 1e-6;
}

Test(curves, come_out_as_they_were_read) {
  for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
    const struct reading *r = &readings[i];
    struct points p;
    struct verdict v;
    struct verdict_options o = VERDICT_DEFAULTS;
    read_points(&p, r->file, r->metric);
    o.sense = p.sense;
    cr_assert_eq(verdict_find(p.point, p.n, &o, &v), 0);
    const char *m = p.metric_name;
    if (r->lo > 0)
      cr_expect(within(&v.knee, r) || within(&v.edge, r), "%s, %s: knee (%g, %g), edge %g|%g", r->file, m, v.knee.a_mib / r->mib,
                v.knee.b_mib / r->mib, v.edge.a_mib / r->mib, v.edge.b_mib / r->mib);
    else
      cr_expect(!v.knee.found && v.below_knee, "%s, %s: knee (%g, %g)", r->file, m, v.knee.a_mib / r->mib, v.knee.b_mib / r->mib);
    if (r->reached)
      cr_expect(v.edge.found, "%s, %s: no edge", r->file, m);
    else
      cr_expect_eq(v.plateau, PLATEAU_NOT_REACHED, "%s, %s: plateau %d", r->file, m, v.plateau);
    points_free(&p);
  }
}

Test(curves, columns_and_units_are_found) {
  struct points p;
  read_points(&p, "ibm_db2_bpa_separate", NULL);
  cr_expect_str_eq(p.memory_name, "total_pages");
  cr_expect_str_eq(p.metric_name, "misses");
  cr_expect_not(p.sized);
  cr_expect_str_eq(p.memory_unit, "pages");
  cr_expect_eq(p.sense, LESS_IS_BETTER);
  points_free(&p);
  read_points(&p, "oracle_docs_dbcacheadvice", NULL);
  cr_expect_str_eq(p.memory_name, "cache_size_MB");
  cr_expect_float_eq(p.point[0].mem_mib, 30, 1e-9);
  points_free(&p);
  read_points(&p, "perc2018_mysql8_nobinlog", NULL);
  cr_expect_str_eq(p.metric_name, "latency_p95_ms");
  cr_expect_float_eq(p.ms_per_unit, 1, 1e-9);
  points_free(&p);
  read_points(&p, "perc2026a_hdb_mysql848", NULL);
  cr_expect_str_eq(p.metric_name, "NOPM");
  cr_expect_eq(p.sense, MORE_IS_BETTER);
  points_free(&p);
  read_points(&p, "perc2026a_hdb_mysql848_reads", NULL);
  cr_expect_str_eq(p.memory_name, "innodb_buffer_pool_size_GiB");
  cr_expect_str_eq(p.metric_name, "Innodb_buffer_pool_reads");
  points_free(&p);
}
