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
  char *path = xprintf("%s/tests/analysis/%s%s%s", top ? top : ".", strchr(file, '/') ? "" : "curves/", file,
                       strchr(file, '/') ? "" : ".tsv"),
       *data;
  size_t size;
  struct sheet *t;
  struct cause c = {0};
  struct points_options o = {.metric = metric, .sense = -1};
  cr_assert_eq(file_read(path, SHEET_BYTES_MAX, &data, &size, &c), 0, "%s", c.text);
  cr_assert_eq(sheet_parse(&t, data, size, &c), 0, "%s", c.text);
  cr_assert_eq(points_take(p, t, &o, &c), 0, "%s", c.text);
  cr_assert_eq(p->nnote, p->nmissing);
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

/* Tables as they are printed, pasted and exported, with the reading that a careful person gives them. */
struct shape {
  const char *file, *metric;      /* metric NULL: what the program chooses */
  const char *memory_name, *metric_name;
  size_t n;
  double top_mem, top_y;          /* of the largest memory: MiB where it is a size; in the unit of the table */
  enum verdict_sense sense;
  enum plateau plateau;
  double knee_lo, knee_hi;        /* 0: there is none; the knee or the edge must lie within */
  double second_lo, second_hi;    /* of another shoulder; 0: there is none */
};

static const struct shape shapes[] = {
    {"shapes/markdown.md", NULL, "Buffer pool (GB)", "95% latency (ms)", 7, 163840, 18.3, LESS_IS_BETTER, PLATEAU_EDGE, 65536, 98304, 0, 0},
    {"shapes/markdown.md", "Throughput (tps)", "Buffer pool (GB)", "Throughput (tps)", 7, 163840, 5210.4, MORE_IS_BETTER, PLATEAU_EDGE,
     65536, 98304, 0, 0},
    {"shapes/advisory.txt", NULL, "Cache Size (MB)", "Estd Phys Read Factor", 14, 5120, 0.95, LESS_IS_BETTER, PLATEAU_EDGE, 1280, 2560,
     0, 0},
    {"shapes/advisory.txt", "Estd Phys Reads", "Cache Size (MB)", "Estd Phys Reads", 14, 5120, 49779519, LESS_IS_BETTER, PLATEAU_EDGE,
     1280, 2560, 0, 0},
    {"shapes/commas.csv", NULL, "Cache (GB)", "p95 (ms)", 8, 65536, 22.2, LESS_IS_BETTER, PLATEAU_EDGE, 16384, 32768, 0, 0},
    {"shapes/commas.csv", "TPS", "Cache (GB)", "TPS", 8, 65536, 2415.9, MORE_IS_BETTER, PLATEAU_EDGE, 16384, 32768, 0, 0},
    {"shapes/percent.tsv", NULL, "buffer pool (% of data)", "QPS", 8, 120, 25200, MORE_IS_BETTER, PLATEAU_EDGE, 60, 80, 0, 0},
    {"shapes/side.csv", NULL, "Buffer pool", "99th percentile (ms)", 6, 131072, 47, LESS_IS_BETTER, PLATEAU_NOT_REACHED, 0, 0, 0, 0},
    {"shapes/side.csv", "TPS", "Buffer pool", "TPS", 6, 131072, 1370, MORE_IS_BETTER, PLATEAU_NOT_REACHED, 0, 0, 0, 0},
    {"shapes/psql.txt", NULL, "shared_buffers", "latency average (ms)", 6, 16384, 20.52, LESS_IS_BETTER, PLATEAU_FLAT, 0, 0, 0, 0},
    {"shapes/psql.txt", "tps", "shared_buffers", "tps", 6, 16384, 3118.7, MORE_IS_BETTER, PLATEAU_FLAT, 0, 0, 0, 0},
    {"shapes/bytes.tsv", NULL, "innodb_buffer_pool_size", "reads_per_transaction", 11, 65536, 0.085, LESS_IS_BETTER, PLATEAU_EDGE, 24576,
     32768, 4096, 8192},
    {"shapes/perfmon.csv", NULL, "Max Server Memory (MB)", "Response time 95th percentile (s)", 7, 131072, 0.0121, LESS_IS_BETTER,
     PLATEAU_EDGE, 32768, 65536, 0, 0},
    {"shapes/perfmon.csv", "Batch Requests/sec", "Max Server Memory (MB)", "Batch Requests/sec", 7, 131072, 812, MORE_IS_BETTER,
     PLATEAU_EDGE, 16384, 32768, 0, 0},
    {"shapes/perfmon.csv", "Avg. Disk sec/Read", "Max Server Memory (MB)", "Avg. Disk sec/Read", 7, 131072, 0.0004, LESS_IS_BETTER,
     PLATEAU_EDGE, 16384, 98304, 0, 0},
    {"shapes/noisy.txt", NULL, "RAM", "ops/sec", 9, 65536, 141750, MORE_IS_BETTER, PLATEAU_EDGE, 12288, 24576, 0, 0},
    {"shapes/wide.txt", NULL, "Data cache size MB", "Avg response ms", 9, 16384, 5.2, LESS_IS_BETTER, PLATEAU_EDGE, 2048, 4096, 0, 0},
    {"shapes/wide.txt", "Physical reads/s", "Data cache size MB", "Physical reads/s", 9, 16384, 199, LESS_IS_BETTER, PLATEAU_EDGE, 2048,
     4096, 0, 0},
};

static int holds(const struct bracket *b, double lo, double hi) {
  return b->found && b->a_mib >= lo * (1 - 1e-9) && b->b_mib <= hi * (1 + 1e-9);
}

Test(curves, shapes_come_out_as_a_person_reads_them) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const struct shape *r = &shapes[i];
    struct points p;
    struct verdict v;
    struct verdict_options o = VERDICT_DEFAULTS;
    read_points(&p, r->file, r->metric);
    const char *m = p.metric_name;
    cr_expect_str_eq(p.memory_name, r->memory_name, "%s: %s", r->file, p.memory_name);
    cr_expect_str_eq(m, r->metric_name, "%s: %s", r->file, m);
    cr_expect_eq(p.sense, r->sense, "%s, %s: sense %d", r->file, m, p.sense);
    cr_assert_eq(p.n, r->n, "%s, %s: %zu points", r->file, m, p.n);
    cr_expect_float_eq(p.point[p.n - 1].mem_mib, r->top_mem, 1e-6 * r->top_mem, "%s: %g", r->file, p.point[p.n - 1].mem_mib);
    cr_expect_float_eq(p.point[p.n - 1].y, r->top_y, 1e-6 * r->top_y, "%s, %s: %g", r->file, m, p.point[p.n - 1].y);
    o.sense = p.sense;
    cr_assert_eq(verdict_find(p.point, p.n, &o, &v), 0);
    cr_expect_eq(v.plateau, r->plateau, "%s, %s: plateau %d, edge %g|%g", r->file, m, v.plateau, v.edge.a_mib, v.edge.b_mib);
    if (r->knee_lo > 0)
      cr_expect(holds(&v.knee, r->knee_lo, r->knee_hi) || holds(&v.edge, r->knee_lo, r->knee_hi), "%s, %s: knee (%g, %g), edge %g|%g",
                r->file, m, v.knee.a_mib, v.knee.b_mib, v.edge.a_mib, v.edge.b_mib);
    else
      cr_expect_not(v.knee.found, "%s, %s: knee (%g, %g)", r->file, m, v.knee.a_mib, v.knee.b_mib);
    if (r->second_lo > 0)
      cr_expect(holds(&v.knee2, r->second_lo, r->second_hi) || holds(&v.knee, r->second_lo, r->second_hi),
                "%s, %s: knees (%g, %g) and (%g, %g)", r->file, m, v.knee.a_mib, v.knee.b_mib, v.knee2.a_mib, v.knee2.b_mib);
    else
      cr_expect_not(v.knee2.found, "%s, %s: second knee (%g, %g)", r->file, m, v.knee2.a_mib, v.knee2.b_mib);
    points_free(&p);
  }
}
