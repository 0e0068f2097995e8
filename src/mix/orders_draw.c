/* What a user asks for: pure functions of (load, seed, user, seq). */
#include "config.h"

#include "mix/orders.h"

#include <math.h>
#include <string.h>

/* Streams of the generator that must not meet: one a purpose. */
#define KEY_DECK UINT64_C(0x6465636B)
#define KEY_CONSTANTS UINT64_C(0x434F4E5354)

/* The largest 2^k - 1 that is at most a x density, but at least 1. */
static int32_t scaled_a(int32_t a, double density) {
  int32_t v = 1;
  while (2 * v + 1 <= a * density)
    v = 2 * v + 1;
  return v;
}

void orders_shape(const struct mix_load *load, struct orders_shape *s) {
  double d = load->density;
  s->warehouses = (int32_t)load->scale;
  s->customers = (int32_t)lround(3000 * d);
  s->new_orders = s->customers * 3 / 10;
  s->items = (int32_t)lround(100000 * d);
  s->names = s->customers / 3 > 10 ? s->customers / 3 : 10;
  s->a_last = scaled_a(255, d);
  s->a_cust = scaled_a(1023, d);
  s->a_item = scaled_a(8191, d);
}

void orders_constants(struct mix_load *load) {
  struct orders_shape s;
  orders_shape(load, &s);
  struct rng g = rng_at(load->seed, KEY_CONSTANTS, 0);
  load->c_last = (int32_t)rng_range(&g, 0, s.a_last);
  load->c_cust = (int32_t)rng_range(&g, 0, s.a_cust);
  load->c_item = (int32_t)rng_range(&g, 0, s.a_item);
}

int32_t orders_run_c_last(const struct mix_load *load) {
  struct rng g = rng_at(load->seed, KEY_CONSTANTS, 1);
  struct orders_shape s;
  orders_shape(load, &s);
  if (s.a_last < 255)
    return (int32_t)rng_range(&g, 0, s.a_last);
  /* At the specification's shape the two constants differ by 65 to 119, but not by 96 or 112. */
  int32_t delta = (int32_t)rng_range(&g, 65, 117);
  delta += (delta >= 96) + (delta >= 111);
  return load->c_last + delta <= 255 ? load->c_last + delta : load->c_last - delta;
}

int32_t orders_nurand(struct rng *g, int32_t a, int32_t lo, int32_t hi, int32_t c) {
  int32_t r = (int32_t)rng_range(g, 0, a) | (int32_t)rng_range(g, lo, hi);
  return (r + c) % (hi - lo + 1) + lo;
}

/* A Feistel network over the square that holds 0 .. n - 1: a permutation of the square whatever the round function is; what falls
 * outside n goes round again until it falls inside. */
uint32_t orders_shuffle(uint64_t key, uint32_t n, uint32_t x) {
  uint32_t side = (uint32_t)sqrt((double)n);
  while (side * side < n)
    side++;
  do {
    uint32_t left = x / side, right = x % side;
    for (uint64_t round = 1; round <= 6; round++) {
      uint32_t f = (uint32_t)(mix64(key + round * UINT64_C(0x9E3779B97F4A7C15) + right) >> 32);
      uint32_t next = (left + f % side) % side;
      left = right;
      right = next;
    }
    x = left * side + right;
  } while (x >= n);
  return x;
}

int orders_last_name(int32_t number, char *buf) {
  static const char *const syllable[10] = {"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"};
  char *end = stpcpy(buf, syllable[number / 100 % 10]);
  end = stpcpy(end, syllable[number / 10 % 10]);
  end = stpcpy(end, syllable[number % 10]);
  return (int)(end - buf);
}

/* Each run of 100 transactions is a shuffled deck: 45, 43, 4, 4 and 4 cards. */
static enum orders_type deal(uint64_t seed, uint64_t user, uint64_t seq) {
  static const uint8_t up_to[ORDERS_TYPES] = {45, 88, 92, 96, 100};
  struct rng g = rng_at(seed ^ KEY_DECK, user, seq / ORDERS_DECK);
  uint32_t card = orders_shuffle(rng_u64(&g), ORDERS_DECK, (uint32_t)(seq % ORDERS_DECK));
  int type = 0;
  while (card >= up_to[type])
    type++;
  return (enum orders_type)type;
}

static void put32(unsigned char *p, int32_t v) {
  p[0] = (unsigned char)(v >> 24);
  p[1] = (unsigned char)(v >> 16);
  p[2] = (unsigned char)(v >> 8);
  p[3] = (unsigned char)v;
}

static void arg_int(struct request *r, int64_t v) {
  r->arg[r->narg++] = VAL_I(v);
}

static void arg_null(struct request *r) {
  r->arg[r->narg++] = (struct val){.type = VAL_NULL};
}

/* A warehouse other than w, when there is another. */
static int32_t other_warehouse(struct rng *g, const struct orders_shape *s, int32_t w) {
  if (s->warehouses == 1)
    return w;
  int32_t o = (int32_t)rng_range(g, 1, s->warehouses - 1);
  return o + (o >= w);
}

struct line {
  int32_t item, warehouse, quantity;
};

/* Sorted by (warehouse, item): rows are then locked in the order of their key, and two orders cannot wait for each other. */
static void sort_lines(struct line *l, int n) {
  for (int i = 1; i < n; i++) {
    struct line x = l[i];
    int k = i;
    for (; k > 0 && (l[k - 1].warehouse > x.warehouse || (l[k - 1].warehouse == x.warehouse && l[k - 1].item > x.item)); k--)
      l[k] = l[k - 1];
    l[k] = x;
  }
}

static void draw_new_order(const struct mix_load *load, const struct orders_shape *s, struct rng *g, struct request *r) {
  int32_t w = (int32_t)rng_range(g, 1, s->warehouses);
  struct line line[ORDERS_LINES_MAX];
  arg_int(r, w);
  arg_int(r, rng_range(g, 1, ORDERS_DISTRICTS));
  arg_int(r, orders_nurand(g, s->a_cust, 1, s->customers, load->c_cust));
  int n = (int)rng_range(g, ORDERS_LINES_MIN, ORDERS_LINES_MAX);
  int unused_item = rng_range(g, 1, 100) == 1;
  for (int i = 0; i < n; i++) {
    line[i].item = orders_nurand(g, s->a_item, 1, s->items, load->c_item);
    line[i].warehouse = rng_range(g, 1, 100) == 1 ? other_warehouse(g, s, w) : w;
    line[i].quantity = (int32_t)rng_range(g, 1, 10);
  }
  sort_lines(line, n);
  if (unused_item)
    line[n - 1].item = s->items + 1; /* found out at the last line: all the work of the order is then rolled back */
  for (int i = 0; i < n; i++) {
    unsigned char *p = r->bytes + i * ORDERS_LINE_BYTES;
    put32(p, line[i].item);
    put32(p + 4, line[i].warehouse);
    put32(p + 8, line[i].quantity);
  }
  arg_int(r, n);
  r->arg[r->narg++] = VAL_B((const char *)r->bytes, n * ORDERS_LINE_BYTES);
  arg_int(r, load->stationary ? s->customers : 0);
  arg_null(r); /* @o */
  arg_null(r); /* @total_cents */
}

/* Who: 60 % by last name (@c is then 0), 40 % by number. */
static void draw_customer(const struct mix_load *load, const struct orders_shape *s, struct rng *g, struct request *r) {
  if (rng_range(g, 1, 100) <= 60) {
    int32_t name = orders_nurand(g, s->a_last, 0, s->names - 1, orders_run_c_last(load));
    int len = orders_last_name(name, (char *)r->bytes);
    arg_int(r, 0);
    r->arg[r->narg++] = (struct val){.type = VAL_TEXT, .p = (const char *)r->bytes, .len = len};
  } else {
    arg_int(r, orders_nurand(g, s->a_cust, 1, s->customers, load->c_cust));
    arg_null(r);
  }
}

static void draw_payment(const struct mix_load *load, const struct orders_shape *s, struct rng *g, struct request *r) {
  int32_t w = (int32_t)rng_range(g, 1, s->warehouses), d = (int32_t)rng_range(g, 1, ORDERS_DISTRICTS);
  arg_int(r, w);
  arg_int(r, d);
  int remote = rng_range(g, 1, 100) <= 15 && s->warehouses > 1;
  arg_int(r, remote ? other_warehouse(g, s, w) : w);
  arg_int(r, remote ? rng_range(g, 1, ORDERS_DISTRICTS) : d);
  draw_customer(load, s, g, r);
  arg_int(r, rng_range(g, 100, 500000)); /* cents */
  arg_int(r, load->stationary ? 1 : 0);  /* history rows kept a customer; 0: all */
  arg_null(r);                           /* @found */
  arg_null(r);                           /* @balance_cents */
}

void orders_draw(const struct mix_load *load, uint64_t seed, uint64_t user, uint64_t seq, struct request *r) {
  struct orders_shape s;
  orders_shape(load, &s);
  struct rng g = rng_at(seed, user, seq);
  r->type = (uint8_t)deal(seed, user, seq);
  r->narg = 0;
  switch ((enum orders_type)r->type) {
  case NEW_ORDER: draw_new_order(load, &s, &g, r); break;
  case PAYMENT: draw_payment(load, &s, &g, r); break;
  case ORDER_STATUS:
    arg_int(r, rng_range(&g, 1, s.warehouses));
    arg_int(r, rng_range(&g, 1, ORDERS_DISTRICTS));
    draw_customer(load, &s, &g, r);
    arg_null(r); /* @o */
    arg_null(r); /* @balance_cents */
    break;
  case DELIVERY:
    arg_int(r, rng_range(&g, 1, s.warehouses));
    arg_int(r, rng_range(&g, 1, 10)); /* carrier */
    arg_null(r);                      /* @delivered */
    break;
  case STOCK_LEVEL:
  case ORDERS_TYPES:
    arg_int(r, rng_range(&g, 1, s.warehouses));
    arg_int(r, rng_range(&g, 1, ORDERS_DISTRICTS));
    arg_int(r, rng_range(&g, 10, 20)); /* threshold */
    arg_null(r);                       /* @low */
    break;
  }
}
