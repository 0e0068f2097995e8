/* The orders mix: the rows that load makes. */
#include "config.h"

#include "base/random.h"
#include "mix/orders.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct mix_load load_of(int64_t warehouses, double density) {
  struct mix_load l = {.mix = "orders", .schema_version = 1, .scale = warehouses, .density = density, .seed = 42};
  orders_constants(&l);
  return l;
}

static uint64_t add(uint64_t h, uint64_t v) {
  return mix64(h ^ (v + 1));
}

static uint64_t digest_row(const struct val *col, int n) {
  uint64_t h = 7;
  for (int i = 0; i < n; i++) {
    h = add(h, (uint64_t)col[i].type);
    if (col[i].type == VAL_INT)
      h = add(h, (uint64_t)col[i].i);
    for (int k = 0; col[i].type == VAL_TEXT && k < col[i].len; k++)
      h = add(h, (unsigned char)col[i].p[k]);
  }
  return h;
}

/* The sum of the rows' digests: what comes from which part, and in which order, does not matter. */
static uint64_t digest_table(const struct mix_load *l, enum orders_table t, int nparts, int64_t *rows) {
  uint64_t sum = 0;
  *rows = 0;
  for (int part = 0; part < nparts; part++) {
    struct orders_cursor c;
    struct val col[24];
    int64_t n = 0;
    orders_begin(&c, l, t, part, nparts);
    while (orders_next(&c, col)) {
      sum += digest_row(col, orders_tables[t].ncol);
      n++;
    }
    cr_assert_eq(orders_next(&c, col), 0, "the end stays the end");
    cr_assert_eq(n, orders_table_rows(l, t, part, nparts), "%s, part %d of %d: %lld rows", orders_tables[t].name, part, nparts,
                 (long long)n);
    *rows += n;
  }
  return sum;
}

Test(rows, are_the_same_however_many_parts) {
  struct mix_load l = load_of(7, 0.02);
  for (int t = 0; t < ORDERS_TABLES; t++) {
    int64_t n, m;
    uint64_t one = digest_table(&l, (enum orders_table)t, 1, &n);
    static const int parts[] = {2, 3, 7, 16};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      cr_assert_eq(digest_table(&l, (enum orders_table)t, parts[i], &m), one, "%s in %d parts", orders_tables[t].name, parts[i]);
      cr_assert_eq(m, n);
    }
  }
}

Test(rows, another_seed_gives_other_data) {
  struct mix_load a = load_of(1, 0.02), b = a;
  b.seed = 43;
  for (int t = 0; t < ORDERS_TABLES; t++) {
    int64_t n;
    if (t == T_NEW_ORDER)
      continue; /* keys only */
    cr_assert_neq(digest_table(&a, (enum orders_table)t, 1, &n), digest_table(&b, (enum orders_table)t, 1, &n), "%s",
                  orders_tables[t].name);
  }
}

/* Pinned: data that change under the same seed make runs incomparable, and must be seen (and the schema version raised). */
Test(rows, are_stable) {
  struct mix_load l = load_of(2, 0.02);
  uint64_t h = 0;
  int64_t n;
  for (int t = 0; t < ORDERS_TABLES; t++)
    h = add(h, digest_table(&l, (enum orders_table)t, 1, &n));
  cr_assert_eq(h, UINT64_C(0x167e82b1ff8d0732), "%llx", (unsigned long long)h);
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

Test(rows, keys_are_unique_and_ascend) {
  static const int key_columns[ORDERS_TABLES] = {1, 1, 2, 3, 4, 2, 3, 4, 3};
  struct mix_load l = load_of(3, 0.02);
  for (int t = 0; t < ORDERS_TABLES; t++) {
    struct orders_cursor c;
    struct val col[24];
    int64_t rows = orders_table_rows(&l, (enum orders_table)t, 0, 1), n = 0;
    uint64_t *key = malloc((size_t)rows * sizeof *key), before = 0;
    orders_begin(&c, &l, (enum orders_table)t, 0, 1);
    while (orders_next(&c, col)) {
      uint64_t k = 0;
      for (int i = 0; i < key_columns[t]; i++)
        k = k << 16 | (uint64_t)col[i].i;
      cr_assert_gt(k, before, "%s: not in the order of its key", orders_tables[t].name);
      key[n++] = before = k;
    }
    qsort(key, (size_t)n, sizeof *key, by_value);
    for (int64_t i = 1; i < n; i++)
      cr_assert_neq(key[i], key[i - 1]);
    free(key);
  }
}

Test(rows, fit_their_columns) {
  struct mix_load l = load_of(2, 0.05);
  for (int t = 0; t < ORDERS_TABLES; t++) {
    struct orders_cursor c;
    struct val col[24];
    orders_begin(&c, &l, (enum orders_table)t, 0, 1);
    while (orders_next(&c, col))
      for (int i = 0; i < orders_tables[t].ncol; i++) {
        const struct bulk_column *b = &orders_tables[t].col[i];
        if (b->type == P_VARCHAR) {
          cr_assert_eq(col[i].type, VAL_TEXT, "%s", b->name);
          cr_assert(col[i].len >= 1 && col[i].len <= b->size, "%s: %d", b->name, col[i].len);
          for (int k = 0; k < col[i].len; k++)
            cr_assert(col[i].p[k] >= ' ' && col[i].p[k] < 127);
        } else
          cr_assert_eq(col[i].type, VAL_INT, "%s", b->name);
        if (b->type == P_TINYINT)
          cr_assert(col[i].i >= 0 && col[i].i <= 255);
      }
  }
}

Test(rows, orders_and_lines_agree) {
  struct mix_load l = load_of(1, 0.05);
  struct orders_shape s;
  orders_shape(&l, &s);
  struct orders_cursor o, lines;
  struct val order[8], line[10];
  orders_begin(&o, &l, T_ORDERS, 0, 1);
  orders_begin(&lines, &l, T_ORDER_LINE, 0, 1);
  for (int d = 1; d <= ORDERS_DISTRICTS; d++) {
    int64_t in_district = 0;
    char customer[3001] = {0};
    for (int k = 1; k <= s.customers; k++) {
      cr_assert(orders_next(&o, order));
      cr_assert_eq(order[2].i, k);
      cr_assert(order[3].i >= 1 && order[3].i <= s.customers && !customer[order[3].i], "each customer has one order");
      customer[order[3].i] = 1;
      int delivered = k <= s.customers - s.new_orders;
      cr_assert_eq(order[5].i > 0, delivered);
      cr_assert(order[6].i >= ORDERS_LINES_MIN && order[6].i <= ORDERS_LINES_MAX);
      for (int i = 1; i <= order[6].i; i++) {
        cr_assert(orders_next(&lines, line));
        cr_assert(line[1].i == d && line[2].i == k && line[3].i == i);
        cr_assert(line[4].i >= 1 && line[4].i <= s.items);
        if (delivered)
          cr_assert(line[6].i == order[4].i && line[8].i == 0);
        else
          cr_assert(line[6].i < order[4].i && line[8].i > 0);
      }
      in_district += order[6].i;
    }
    cr_assert_eq(in_district, orders_lines_district(&s));
  }
  cr_assert_eq(orders_next(&lines, line), 0);
}

Test(rows, customers_are_as_the_specification_has_them) {
  struct mix_load l = load_of(1, 1);
  struct orders_cursor c;
  struct val col[24];
  int64_t bad = 0, n = 0;
  char name[20];
  orders_begin(&c, &l, T_CUSTOMER, 0, 1);
  while (orders_next(&c, col)) {
    n++;
    bad += memcmp(col[13].p, "BC", 2) == 0;
    cr_assert(memcmp(col[13].p, "BC", 2) == 0 ? col[20].len == 500 : col[20].len >= 300);
    if (col[2].i <= 1000) {
      int len = orders_last_name((int32_t)col[2].i - 1, name);
      cr_assert(len == col[5].len && memcmp(name, col[5].p, (size_t)len) == 0, "the first thousand have each name once");
    }
  }
  cr_assert_eq(n, 30000);
  cr_assert(bad > 2700 && bad < 3300, "%lld", (long long)bad);
}
