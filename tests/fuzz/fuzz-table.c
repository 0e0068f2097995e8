/* Tables of measurements as `ramknee analyze` reads them. */
#include "config.h"

#include "fuzz.h"

#include "analysis/points.h"
#include "analysis/verdict.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

const char fuzz_name[] = "table";
const int fuzz_rounds = 40000;

static void check_points(const struct points *p) {
  FUZZ_MUST(p->n >= 3);
  for (size_t i = 0; i < p->n; i++) {
    FUZZ_MUST(p->point[i].mem_mib > 0 && isfinite(p->point[i].mem_mib));
    FUZZ_MUST(p->point[i].y > 0 && isfinite(p->point[i].y));
    FUZZ_MUST(i == 0 || p->point[i].mem_mib > p->point[i - 1].mem_mib);
    char buf[40];
    FUZZ_MUST(strlen(points_memory_text(p, p->point[i].mem_mib, buf, sizeof buf)) < sizeof buf);
  }
}

static void judge(const struct points *p) {
  struct verdict_options o = VERDICT_DEFAULTS;
  struct verdict v;
  o.sense = p->sense;
  o.draws = 200;
  if (verdict_find(p->point, p->n, &o, &v) != 0)
    return;
  FUZZ_MUST(!v.knee.found || (v.knee.a_mib < v.knee.b_mib && v.knee.confidence <= v.knee.near && v.knee.near <= 1));
  FUZZ_MUST(!v.edge.found || v.edge.a_mib < v.edge.b_mib);
  verdict_slo(p->point, p->n, &o, p->point[0].y);
}

static void take(const struct sheet *t, const struct points_options *o, int judged) {
  struct points p;
  struct cause c = {0};
  if (points_take(&p, t, o, &c) == 0) {
    check_points(&p);
    if (judged && p.n <= 30)
      judge(&p);
  } else
    FUZZ_MUST(c.text[0]);
  points_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  struct sheet *t;
  struct cause c = {0};
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++)
    sum = sum * 31 + p[i];
  if (sheet_parse(&t, (const char *)p, n, &c) != 0) {
    FUZZ_MUST(c.text[0] && !t);
    return 0;
  }
  for (size_t i = 0; i < t->nrow; i++)
    FUZZ_MUST(t->row[i].n > 0 && t->row[i].line > 0);
  struct points_options named = {.memory = "1", .metric = "2", .error = "3", .sense = LESS_IS_BETTER}, found = {.sense = -1};
  take(t, &found, sum % 64 == 0);
  take(t, &named, sum % 64 == 1);
  points_column(t, "p95", NULL, &c);
  sheet_free(t);
  return 0;
}

void fuzz_seeds(void (*add)(const void *p, size_t n)) {
  static const char *const seeds[] = {
      "# points\nmemory_GB\tp95_ms\n128\t2.5\n96\t2.5\n64\t2.5\n32\t4.15\n16\t12.5\n8\t31.6\n",
      "memory,latency p95 (ms),\"read MB/s\",se\n128G,2.5,\"1,234\",0.1\n64 GB,2.5,60,\n32G,4,100,1e-1\n16G,12.5,800,NA\n",
      "buffer_pool_size_MiB;tps;tps_stderr_pct\r\n10;100;2\r\n20;180;2%\r\n20;181;\r\n40;200;3\r\n",
      ("\xef\xbb\xbf" "128 2.5 0.1\n64 2.5 0.1\n32 4 0.1\n"),
      "total_pages\tmisses\n100000\t2418999\n125000\t880442\n150000\t464793\n175000\t439478\n",
      "memory_GB,p95_ms\n128,\n64,x\n\n#\n32\n16,1,2,3\n",
      "| RAM (GB) | tps | 95% latency |\n|---:|---:|---|\n| 8 | 1,200.5 | 9.1 ms |\n| 16 | 2.4k | 800 us |\n| 32 | 2400 | 0.7ms |\n(3 rows)\n",
      "          Phys\nCache MB  Reads\n-------- ------\n      64  9,120 100% of now\n   1,024    200\n   2,048    199\n",
      "memory;p95 (ms)\n4;1.200,5\n8;96,3\n16;22,1 +/- 0,4\n32;22\xc2\xb1" "1\n",
      "pool,8 GB,16 GB,32 GB\ntps,1,2,3\nlatency,5,4\n",
      "innodb_buffer_pool_size  Physical reads/s\n1073741824               912\n2147483648               87\n4294967296               80\n",
  };
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    add(seeds[i], strlen(seeds[i]));
}
