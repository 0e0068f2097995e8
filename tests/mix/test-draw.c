/* The orders mix: what users ask for. */
#include "config.h"

#include "mix/orders.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct mix_load load_of(int64_t warehouses, double density) {
  struct mix_load l = {
    .mix = "orders", .schema_version = 1, .scale = warehouses, .density = density, .seed = 42, .stationary = 1};
  orders_constants(&l);
  return l;
}

static int32_t get32(const char *p) {
  const unsigned char *u = (const unsigned char *)p;
  return (int32_t)((uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3]);
}

Test(shape, density_one_is_the_specifications) {
  struct mix_load l = load_of(1, 1);
  struct orders_shape s;
  orders_shape(&l, &s);
  cr_assert_eq(s.customers, 3000);
  cr_assert_eq(s.new_orders, 900);
  cr_assert_eq(s.items, 100000);
  cr_assert_eq(s.names, 1000);
  cr_assert_eq(s.a_last, 255);
  cr_assert_eq(s.a_cust, 1023);
  cr_assert_eq(s.a_item, 8191);
}

Test(shape, density_scales_rows_and_the_skew_with_them) {
  struct mix_load l = load_of(64, 0.04);
  struct orders_shape s;
  orders_shape(&l, &s);
  cr_assert_eq(s.customers, 120);
  cr_assert_eq(s.new_orders, 36);
  cr_assert_eq(s.items, 4000);
  cr_assert_eq(s.names, 40);
  cr_assert_eq(s.a_last, 7);   /* 2^k - 1 <= 10.2 */
  cr_assert_eq(s.a_cust, 31);  /* <= 40.9 */
  cr_assert_eq(s.a_item, 255); /* <= 327.6 */
}

Test(shape, the_constant_of_a_run_keeps_its_distance_at_density_one) {
  int seen[256] = {0};
  for (uint64_t seed = 0; seed < 3000; seed++) {
    struct mix_load l = {.scale = 1, .density = 1, .seed = seed};
    orders_constants(&l);
    int32_t run = orders_run_c_last(&l), delta = abs(run - l.c_last);
    cr_assert(run >= 0 && run <= 255 && l.c_last >= 0 && l.c_last <= 255 && l.c_cust >= 0 && l.c_cust <= 1023 && l.c_item >= 0 &&
              l.c_item <= 8191);
    cr_assert(delta >= 65 && delta <= 119 && delta != 96 && delta != 112, "seed %d: %d", (int)seed, delta);
    seen[delta] = 1;
  }
  for (int delta = 65; delta <= 119; delta++)
    cr_assert_eq(seen[delta], delta != 96 && delta != 112, "%d", delta);
}

Test(shuffle, is_a_permutation) {
  static const uint32_t sizes[] = {1, 2, 3, 60, 100, 120, 3000};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (uint64_t key = 0; key < 20; key++) {
      char seen[3000] = {0};
      uint32_t moved = 0;
      for (uint32_t x = 0; x < sizes[k]; x++) {
        uint32_t y = orders_shuffle(key, sizes[k], x);
        cr_assert(y < sizes[k] && !seen[y]);
        seen[y] = 1;
        moved += y != x;
      }
      if (sizes[k] >= 60)
        cr_assert(moved > sizes[k] * 8 / 10);
    }
}

Test(names, three_syllables) {
  char b[20];
  cr_assert_eq(orders_last_name(0, b), 9);
  cr_assert_str_eq(b, "BARBARBAR");
  cr_assert_eq(orders_last_name(371, b), 13);
  cr_assert_str_eq(b, "PRICALLYOUGHT");
  for (int i = 0; i < 1000; i++)
    cr_assert_leq(orders_last_name(i, b), 16);
}

Test(nurand, stays_in_its_range_and_is_skewed) {
  enum { LO = 1, HI = 3000, DRAWS = 300000 };
  static int n[HI + 1];
  struct rng g = rng_at(1, 2, 3);
  for (int i = 0; i < DRAWS; i++) {
    int32_t v = orders_nurand(&g, 1023, LO, HI, 700);
    cr_assert(v >= LO && v <= HI);
    n[v]++;
  }
  /* Each of the low ten bits is set in three draws of four: the hottest values get many times their even share, most get less. */
  int hottest = 0, below = 0;
  for (int v = LO; v <= HI; v++) {
    hottest = n[v] > hottest ? n[v] : hottest;
    below += n[v] < DRAWS / HI;
  }
  cr_assert_gt(hottest, 8 * DRAWS / HI);
  cr_assert_gt(below, 6 * HI / 10);
}

Test(nurand, the_formula) {
  /* Against the definition, from the same draws. */
  for (uint64_t i = 0; i < 1000; i++) {
    struct rng a = rng_at(9, 9, i), b = a;
    int64_t x = rng_range(&b, 0, 255), y = rng_range(&b, 0, 999);
    cr_assert_eq(orders_nurand(&a, 255, 0, 999, 173), (((x | y) + 173) % 1000));
  }
}

Test(draw, shares_are_exact_over_each_deck) {
  static const int want[ORDERS_TYPES] = {45, 43, 4, 4, 4};
  struct mix_load l = load_of(64, 0.04);
  struct request r;
  for (uint64_t user = 0; user < 5; user++)
    for (uint64_t deck = 0; deck < 20; deck++) {
      int n[ORDERS_TYPES] = {0};
      for (uint64_t i = 0; i < 100; i++) {
        orders_draw(&l, 7, user, deck * 100 + i, &r);
        n[r.type]++;
      }
      cr_assert_arr_eq(n, want, sizeof want);
    }
}

Test(draw, decks_are_shuffled_each_in_its_own_way) {
  struct mix_load l = load_of(64, 0.04);
  struct request a, b;
  int same_deck = 0, same_user = 0;
  for (uint64_t i = 0; i < 100; i++) {
    orders_draw(&l, 7, 1, i, &a);
    orders_draw(&l, 7, 1, 100 + i, &b);
    same_deck += a.type == b.type;
    orders_draw(&l, 7, 2, i, &b);
    same_user += a.type == b.type;
  }
  cr_assert(same_deck < 70 && same_user < 70, "%d %d", same_deck, same_user); /* about 39 by chance */
}

Test(draw, is_pure) {
  struct mix_load l = load_of(64, 0.04);
  struct request a, b, other;
  for (uint64_t seq = 0; seq < 2000; seq++) {
    orders_draw(&l, 11, 3, seq, &a);
    orders_draw(&l, 12, 4, seq * 17, &other); /* what was drawn before does not matter */
    memset(&b, 0xA5, sizeof b);
    orders_draw(&l, 11, 3, seq, &b);
    cr_assert_eq(request_digest(&a), request_digest(&b));
    cr_assert_neq(request_digest(&a), request_digest(&other));
  }
}

/* Pinned: a change of the draws makes runs incomparable, and must be seen. */
Test(draw, the_digest_is_stable) {
  struct mix_load l = load_of(64, 0.04);
  struct request r;
  uint64_t h = 0;
  for (uint64_t seq = 0; seq < 1000; seq++) {
    orders_draw(&l, 1, 0, seq, &r);
    h = mix64(h ^ request_digest(&r));
  }
  cr_assert_eq(h, UINT64_C(0x6a1bf106070890b7), "%llx", (unsigned long long)h);
}

Test(draw, the_digest_sees_each_argument) {
  struct mix_load l = load_of(64, 0.04);
  struct request r;
  for (uint64_t seq = 0; seq < 200; seq++) {
    orders_draw(&l, 1, 0, seq, &r);
    uint64_t h = request_digest(&r);
    for (int i = 0; i < r.narg; i++) {
      struct val keep = r.arg[i];
      if (keep.type == VAL_INT)
        r.arg[i].i++;
      else if (keep.type == VAL_NULL)
        r.arg[i] = VAL_I(0);
      else
        r.bytes[keep.len - 1] ^= 1;
      cr_assert_neq(request_digest(&r), h);
      if (keep.type == VAL_TEXT || keep.type == VAL_BIN)
        r.bytes[keep.len - 1] ^= 1;
      r.arg[i] = keep;
    }
    r.type++;
    cr_assert_neq(request_digest(&r), h);
  }
}

struct tally {
  int64_t orders, lines, remote_lines, rollbacks, payments, remote_payments, asked, by_name;
  int warehouse[65];
};

static void look_at_order(const struct mix_load *l, const struct orders_shape *s, const struct request *r, struct tally *t) {
  int64_t w = r->arg[0].i, n = r->arg[3].i;
  cr_assert(r->arg[2].i >= 1 && r->arg[2].i <= s->customers);
  cr_assert(n >= ORDERS_LINES_MIN && n <= ORDERS_LINES_MAX);
  cr_assert_eq(r->arg[4].type, VAL_BIN);
  cr_assert_eq(r->arg[4].len, n * ORDERS_LINE_BYTES);
  cr_assert_eq(r->arg[5].i, l->stationary ? s->customers : 0);
  int64_t before = 0;
  t->orders++;
  for (int i = 0; i < n; i++) {
    const char *p = r->arg[4].p + i * ORDERS_LINE_BYTES;
    int64_t item = get32(p), supply = get32(p + 4), quantity = get32(p + 8);
    cr_assert(supply >= 1 && supply <= s->warehouses && quantity >= 1 && quantity <= 10 && item >= 1);
    cr_assert_geq((supply << 32) | item, before, "sorted by (warehouse, item)");
    before = (supply << 32) | item;
    if (item > s->items) {
      cr_assert_eq(i, n - 1, "the unused item comes last");
      t->rollbacks++;
    }
    t->lines++;
    t->remote_lines += supply != w;
  }
}

static void look_at_customer(const struct orders_shape *s, const struct val *c, const struct val *last, struct tally *t) {
  t->asked++;
  if (c->i == 0) {
    char name[20];
    int found = 0;
    cr_assert_eq(last->type, VAL_TEXT);
    for (int i = 0; i < s->names && !found; i++)
      found = orders_last_name(i, name) == last->len && memcmp(name, last->p, (size_t)last->len) == 0;
    cr_assert(found, "a name that exists");
    t->by_name++;
  } else {
    cr_assert(c->i >= 1 && c->i <= s->customers);
    cr_assert_eq(last->type, VAL_NULL);
  }
}

static void near(double got, double want, double by, const char *what) {
  cr_assert(got > want - by && got < want + by, "%s: %f, not %f", what, got, want);
}

static void check_shares(struct mix_load l) {
  struct orders_shape s;
  struct request r;
  struct tally t = {0};
  orders_shape(&l, &s);
  for (uint64_t user = 0; user < 10; user++)
    for (uint64_t seq = 0; seq < 10000; seq++) {
      orders_draw(&l, 5, user, seq, &r);
      cr_assert_eq(r.narg, orders_procs[r.type].nparam);
      cr_assert(r.arg[0].i >= 1 && r.arg[0].i <= s.warehouses);
      t.warehouse[r.arg[0].i]++;
      for (int i = 0; i < r.narg; i++) {
        if (orders_procs[r.type].param[i].out)
          cr_assert_eq(r.arg[i].type, VAL_NULL);
        if (strcmp(orders_procs[r.type].param[i].name, "@d") == 0)
          cr_assert(r.arg[i].i >= 1 && r.arg[i].i <= ORDERS_DISTRICTS);
      }
      if (r.type == NEW_ORDER)
        look_at_order(&l, &s, &r, &t);
      if (r.type == PAYMENT) {
        t.payments++;
        t.remote_payments += r.arg[2].i != r.arg[0].i;
        cr_assert(r.arg[6].i >= 100 && r.arg[6].i <= 500000);
        cr_assert_eq(r.arg[7].i, l.stationary);
        look_at_customer(&s, &r.arg[4], &r.arg[5], &t);
      }
      if (r.type == ORDER_STATUS)
        look_at_customer(&s, &r.arg[2], &r.arg[3], &t);
    }
  near((double)t.lines / (double)t.orders, 10, 0.1, "lines an order");
  near((double)t.rollbacks / (double)t.orders, 0.01, 0.003, "rollbacks");
  near((double)t.by_name / (double)t.asked, 0.60, 0.015, "by last name");
  near((double)t.remote_lines / (double)t.lines, s.warehouses > 1 ? 0.01 : 0, 0.002, "remote lines");
  near((double)t.remote_payments / (double)t.payments, s.warehouses > 1 ? 0.15 : 0, 0.01, "remote payments");
  for (int w = 1; w <= s.warehouses; w++)
    near(t.warehouse[w], 100000.0 / s.warehouses, 0.15 * 100000 / s.warehouses, "users roam over all warehouses");
}

Test(draw, the_shares_of_the_specification) {
  check_shares(load_of(64, 1));
  check_shares(load_of(64, 0.02));
  check_shares(load_of(1, 0.02));
  struct mix_load growing = load_of(3, 0.1);
  growing.stationary = 0;
  check_shares(growing);
}

Test(mix, is_found_by_name) {
  const struct mix *m = mix_find("orders");
  cr_assert_not_null(m);
  cr_assert_eq(m->ntype, ORDERS_TYPES);
  cr_assert_null(mix_find("order"));
  cr_assert_eq(mix_all()[0], m);
  int n = 0;
  while (m->table[n])
    n++;
  cr_assert_eq(n, ORDERS_TABLES);
}

Test(mix, sizes_go_there_and_back) {
  const struct mix *m = mix_find("orders");
  for (int64_t w = 1; w < 3000; w = w * 3 + 1)
    for (double d = 0.02; d <= 1; d += 0.049) {
      int64_t bytes = m->bytes_for(w, d);
      cr_assert_eq(m->scale_for(bytes + 8192, d), w);
    }
  cr_assert_eq(m->scale_for(1, 1), 1);
  double mib = (double)(m->bytes_for(101, 1) - m->bytes_for(1, 1)) / 100 / 1048576;
  cr_assert(mib > 70 && mib < 80, "%f MiB a warehouse", mib);
}
