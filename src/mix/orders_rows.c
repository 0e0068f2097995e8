/* The rows that load makes: each a pure function of (seed, table, key), whatever part it comes from. */
#include "config.h"

#include "mix/orders.h"

#include <string.h>

/* The columns of sql/orders/tables.sql, in their order. */
static const struct bulk_column item_cols[] = {
  {"i_id", P_INT, 0}, {"i_im_id", P_INT, 0}, {"i_name", P_VARCHAR, 24}, {"i_price", P_DECIMAL, 2}, {"i_data", P_VARCHAR, 50},
};
static const struct bulk_column warehouse_cols[] = {
  {"w_id", P_INT, 0}, {"w_name", P_VARCHAR, 10}, {"w_street_1", P_VARCHAR, 20}, {"w_street_2", P_VARCHAR, 20},
  {"w_city", P_VARCHAR, 20}, {"w_state", P_VARCHAR, 2}, {"w_zip", P_VARCHAR, 9}, {"w_tax", P_DECIMAL, 4},
  {"w_ytd", P_DECIMAL, 2}, {"w_pad", P_VARCHAR, 4000},
};
static const struct bulk_column district_cols[] = {
  {"d_w_id", P_INT, 0}, {"d_id", P_TINYINT, 0}, {"d_name", P_VARCHAR, 10}, {"d_street_1", P_VARCHAR, 20},
  {"d_street_2", P_VARCHAR, 20}, {"d_city", P_VARCHAR, 20}, {"d_state", P_VARCHAR, 2}, {"d_zip", P_VARCHAR, 9},
  {"d_tax", P_DECIMAL, 4}, {"d_ytd", P_DECIMAL, 2}, {"d_next_o_id", P_INT, 0}, {"d_next_delivery", P_INT, 0},
  {"d_pad", P_VARCHAR, 640},
};
static const struct bulk_column customer_cols[] = {
  {"c_w_id", P_INT, 0}, {"c_d_id", P_TINYINT, 0}, {"c_id", P_INT, 0}, {"c_first", P_VARCHAR, 16}, {"c_middle", P_VARCHAR, 2},
  {"c_last", P_VARCHAR, 16}, {"c_street_1", P_VARCHAR, 20}, {"c_street_2", P_VARCHAR, 20}, {"c_city", P_VARCHAR, 20},
  {"c_state", P_VARCHAR, 2}, {"c_zip", P_VARCHAR, 9}, {"c_phone", P_VARCHAR, 16}, {"c_since", P_DATETIME, 0},
  {"c_credit", P_VARCHAR, 2}, {"c_credit_lim", P_DECIMAL, 2}, {"c_discount", P_DECIMAL, 4}, {"c_balance", P_DECIMAL, 2},
  {"c_ytd_payment", P_DECIMAL, 2}, {"c_payment_cnt", P_INT, 0}, {"c_delivery_cnt", P_INT, 0}, {"c_data", P_VARCHAR, 500},
};
static const struct bulk_column history_cols[] = {
  {"h_c_w_id", P_INT, 0}, {"h_c_d_id", P_TINYINT, 0}, {"h_c_id", P_INT, 0}, {"h_n", P_INT, 0}, {"h_w_id", P_INT, 0},
  {"h_d_id", P_TINYINT, 0}, {"h_date", P_DATETIME, 0}, {"h_amount", P_DECIMAL, 2}, {"h_data", P_VARCHAR, 24},
};
static const struct bulk_column stock_cols[] = {
  {"s_w_id", P_INT, 0}, {"s_i_id", P_INT, 0}, {"s_quantity", P_SMALLINT, 0}, {"s_ytd", P_INT, 0}, {"s_order_cnt", P_INT, 0},
  {"s_remote_cnt", P_INT, 0}, {"s_dist", P_VARCHAR, 240}, {"s_data", P_VARCHAR, 50},
};
static const struct bulk_column orders_cols[] = {
  {"o_w_id", P_INT, 0}, {"o_d_id", P_TINYINT, 0}, {"o_id", P_INT, 0}, {"o_c_id", P_INT, 0}, {"o_entry_d", P_DATETIME, 0},
  {"o_carrier_id", P_TINYINT, 0}, {"o_ol_cnt", P_TINYINT, 0}, {"o_all_local", P_TINYINT, 0},
};
static const struct bulk_column order_line_cols[] = {
  {"ol_w_id", P_INT, 0}, {"ol_d_id", P_TINYINT, 0}, {"ol_o_id", P_INT, 0}, {"ol_number", P_TINYINT, 0}, {"ol_i_id", P_INT, 0},
  {"ol_supply_w_id", P_INT, 0}, {"ol_delivery_d", P_DATETIME, 0}, {"ol_quantity", P_TINYINT, 0}, {"ol_amount", P_DECIMAL, 2},
  {"ol_dist_info", P_VARCHAR, 24},
};
static const struct bulk_column new_order_cols[] = {
  {"no_w_id", P_INT, 0}, {"no_d_id", P_TINYINT, 0}, {"no_o_id", P_INT, 0},
};

#define TABLE(t) {"dbo." #t, 1, (int)(sizeof t##_cols / sizeof *t##_cols), t##_cols}
const struct bulk_table orders_tables[ORDERS_TABLES] = {
  [T_ITEM] = TABLE(item),
  [T_WAREHOUSE] = TABLE(warehouse),
  [T_DISTRICT] = TABLE(district),
  [T_CUSTOMER] = TABLE(customer),
  [T_HISTORY] = TABLE(history),
  [T_STOCK] = TABLE(stock),
  [T_ORDERS] = TABLE(orders),
  [T_ORDER_LINE] = TABLE(order_line),
  [T_NEW_ORDER] = TABLE(new_order),
};

/* Dates lie in 2020, so that the data do not depend on the day of the load; order lines and orders not delivered yet bear
 * 1900-01-01 and carrier 0 instead of NULL: rows then keep their size when they are delivered. */
#define MS_2020 INT64_C(1577836800000)
#define MS_YEAR INT64_C(31536000000)
#define MS_1900 INT64_C(-2208988800000)

enum purpose { SHUFFLE_CUSTOMERS = ORDERS_TABLES, SHUFFLE_LINES }; /* streams beside those of the tables */

static uint64_t key_of(int32_t w, int32_t d, int32_t k) {
  return ((uint64_t)w << 4 | (uint64_t)d) << 32 | (uint32_t)k;
}

int32_t orders_lines(const struct mix_load *load, const struct orders_shape *s, int32_t w, int32_t d, int32_t o) {
  /* A permutation of the order numbers, folded: each number of lines comes equally often in a district, and in no order
   * that shows. */
  struct rng g = rng_at(load->seed, SHUFFLE_LINES, key_of(w, d, 0));
  uint32_t x = orders_shuffle(rng_u64(&g), (uint32_t)s->customers, (uint32_t)o - 1);
  return ORDERS_LINES_MIN + (int32_t)(x % (ORDERS_LINES_MAX - ORDERS_LINES_MIN + 1));
}

int64_t orders_lines_district(const struct orders_shape *s) {
  int64_t n = ORDERS_LINES_MAX - ORDERS_LINES_MIN + 1, whole = s->customers / n, rest = s->customers % n;
  return whole * n * (ORDERS_LINES_MIN + ORDERS_LINES_MAX) / 2 + rest * ORDERS_LINES_MIN + rest * (rest - 1) / 2;
}

/* What of 1 .. n part `part` of `nparts` has: from *first up to before *end. */
static void slice(int32_t n, int part, int nparts, int32_t *first, int32_t *end) {
  *first = 1 + (int32_t)((int64_t)n * part / nparts);
  *end = 1 + (int32_t)((int64_t)n * (part + 1) / nparts);
}

int64_t orders_table_rows(const struct mix_load *load, enum orders_table t, int part, int nparts) {
  struct orders_shape s;
  int32_t w, w_end, i, i_end;
  orders_shape(load, &s);
  slice(s.warehouses, part, nparts, &w, &w_end);
  slice(s.items, part, nparts, &i, &i_end);
  int64_t districts = (int64_t)(w_end - w) * ORDERS_DISTRICTS;
  switch (t) {
  case T_ITEM: return i_end - i;
  case T_WAREHOUSE: return w_end - w;
  case T_DISTRICT: return districts;
  case T_CUSTOMER:
  case T_HISTORY:
  case T_ORDERS: return districts * s.customers;
  case T_STOCK: return (int64_t)(w_end - w) * s.items;
  case T_ORDER_LINE: return districts * orders_lines_district(&s);
  case T_NEW_ORDER: return districts * s.new_orders;
  case ORDERS_TABLES: break;
  }
  return 0;
}

/* Texts of a row are put one behind the other into the cursor's buffer. */
struct writer {
  struct rng g;
  char *at;
  struct val *col;
};

static void int_col(struct writer *o, int64_t v) {
  *o->col++ = VAL_I(v);
}

static void text_col(struct writer *o, char *end) {
  *o->col++ = (struct val){.type = VAL_TEXT, .p = o->at, .len = (int)(end - o->at)};
  o->at = end;
}

/* lo to hi random letters and digits. */
static void letters_col(struct writer *o, int lo, int hi) {
  static const char letter[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.";
  int n = lo == hi ? lo : (int)rng_range(&o->g, lo, hi);
  char *p = o->at, *end = p + n;
  while (p < end) {
    uint64_t bits = rng_u64(&o->g);
    for (int i = 0; i < 10 && p < end; i++, bits >>= 6)
      *p++ = letter[bits & 63];
  }
  text_col(o, end);
}

static char *digits(struct writer *o, char *p, int n) {
  for (int i = 0; i < n; i++)
    *p++ = (char)('0' + rng_range(&o->g, 0, 9));
  return p;
}

static void zip_col(struct writer *o) {
  char *p = digits(o, o->at, 4);
  memcpy(p, "11111", 5);
  text_col(o, p + 5);
}

static void constant_col(struct writer *o, const char *s) {
  *o->col++ = VAL_T(s);
}

/* 26 to 50 letters; in a tenth of the rows "ORIGINAL" stands somewhere in them. */
static void data_col(struct writer *o) {
  char *start = o->at;
  letters_col(o, 26, 50);
  if (rng_range(&o->g, 1, 10) == 1)
    memcpy(start + rng_range(&o->g, 0, o->col[-1].len - 8), "ORIGINAL", 8);
}

static void address_cols(struct writer *o) {
  letters_col(o, 10, 20);
  letters_col(o, 10, 20);
  letters_col(o, 10, 20);
  letters_col(o, 2, 2);
  zip_col(o);
}

static void date_col(struct writer *o) {
  int_col(o, MS_2020 + rng_range(&o->g, 0, MS_YEAR / 1000) * 1000);
}

static void item_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->k);
  int_col(o, rng_range(&o->g, 1, 10000));
  letters_col(o, 14, 24);
  int_col(o, rng_range(&o->g, 100, 10000));
  data_col(o);
}

static void warehouse_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->w);
  letters_col(o, 6, 10);
  address_cols(o);
  int_col(o, rng_range(&o->g, 0, 2000));
  int_col(o, INT64_C(1000) * ORDERS_DISTRICTS * c->shape.customers); /* 10.00 of each customer, in cents */
  constant_col(o, " ");
}

static void district_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->w);
  int_col(o, c->d);
  letters_col(o, 6, 10);
  address_cols(o);
  int_col(o, rng_range(&o->g, 0, 2000));
  int_col(o, INT64_C(1000) * c->shape.customers);
  int_col(o, c->shape.customers + 1);
  int_col(o, c->shape.customers - c->shape.new_orders + 1);
  constant_col(o, " ");
}

static void customer_row(struct orders_cursor *c, struct writer *o) {
  const struct orders_shape *s = &c->shape;
  int bad_credit = rng_range(&o->g, 1, 10) == 1;
  int_col(o, c->w);
  int_col(o, c->d);
  int_col(o, c->k);
  letters_col(o, 8, 16);
  constant_col(o, "OE");
  int32_t name = c->k <= s->names ? c->k - 1 : orders_nurand(&o->g, s->a_last, 0, s->names - 1, c->load->c_last);
  text_col(o, o->at + orders_last_name(name, o->at));
  address_cols(o);
  text_col(o, digits(o, o->at, 16));
  date_col(o);
  constant_col(o, bad_credit ? "BC" : "GC");
  int_col(o, 5000000);
  int_col(o, rng_range(&o->g, 0, 5000));
  int_col(o, -1000);
  int_col(o, 1000);
  int_col(o, 1);
  int_col(o, 0);
  /* Payment writes into the data of customers with bad credit, up to 500 letters: theirs have that length from the start. */
  letters_col(o, bad_credit ? 500 : 300, 500);
}

static void history_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->w);
  int_col(o, c->d);
  int_col(o, c->k);
  int_col(o, 1);
  int_col(o, c->w);
  int_col(o, c->d);
  date_col(o);
  int_col(o, 1000);
  letters_col(o, 12, 24);
}

static void stock_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->w);
  int_col(o, c->k);
  int_col(o, rng_range(&o->g, 10, 100));
  int_col(o, 0);
  int_col(o, 0);
  int_col(o, 0);
  letters_col(o, 240, 240);
  data_col(o);
}

static int delivered(const struct orders_cursor *c) {
  return c->k <= c->shape.customers - c->shape.new_orders;
}

/* The day of an order; its lines must say the same, so it does not come from the row's own stream. */
static int64_t entry_ms(const struct orders_cursor *c) {
  struct rng g = rng_at(c->load->seed, T_ORDERS, key_of(c->w, c->d, c->k));
  return MS_2020 + rng_range(&g, 0, MS_YEAR / 1000) * 1000;
}

static void orders_row(struct orders_cursor *c, struct writer *o) {
  struct rng of_district = rng_at(c->load->seed, SHUFFLE_CUSTOMERS, key_of(c->w, c->d, 0));
  int_col(o, c->w);
  int_col(o, c->d);
  int_col(o, c->k);
  int_col(o, 1 + orders_shuffle(rng_u64(&of_district), (uint32_t)c->shape.customers, (uint32_t)c->k - 1));
  int_col(o, entry_ms(c));
  rng_u64(&o->g); /* the draw of entry_ms */
  int_col(o, delivered(c) ? rng_range(&o->g, 1, 10) : 0);
  int_col(o, orders_lines(c->load, &c->shape, c->w, c->d, c->k));
  int_col(o, 1);
}

static void order_line_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->w);
  int_col(o, c->d);
  int_col(o, c->k);
  int_col(o, c->line);
  int_col(o, rng_range(&o->g, 1, c->shape.items));
  int_col(o, c->w);
  int_col(o, delivered(c) ? entry_ms(c) : MS_1900);
  int_col(o, 5);
  int_col(o, delivered(c) ? 0 : rng_range(&o->g, 1, 999999));
  letters_col(o, 24, 24);
}

static void new_order_row(struct orders_cursor *c, struct writer *o) {
  int_col(o, c->w);
  int_col(o, c->d);
  int_col(o, c->k);
}

/* By district: the rows have a district in their key.  k runs over 1 (or first) .. count. */
static const struct {
  int by_warehouse, by_district, by_line;
  void (*row)(struct orders_cursor *, struct writer *);
} makers[ORDERS_TABLES] = {
  [T_ITEM] = {0, 0, 0, item_row},
  [T_WAREHOUSE] = {1, 0, 0, warehouse_row},
  [T_DISTRICT] = {1, 1, 0, district_row},
  [T_CUSTOMER] = {1, 1, 0, customer_row},
  [T_HISTORY] = {1, 1, 0, history_row},
  [T_STOCK] = {1, 0, 0, stock_row},
  [T_ORDERS] = {1, 1, 0, orders_row},
  [T_ORDER_LINE] = {1, 1, 1, order_line_row},
  [T_NEW_ORDER] = {1, 1, 0, new_order_row},
};

/* The first and the last k of a unit (a warehouse, or a district). */
static void k_range(const struct orders_cursor *c, int32_t *first, int32_t *end) {
  *first = 1;
  switch (c->table) {
  case T_WAREHOUSE:
  case T_DISTRICT: *end = 2; break;
  case T_STOCK: *end = c->shape.items + 1; break;
  case T_NEW_ORDER: *first = c->shape.customers - c->shape.new_orders + 1; /* fall through */
  default: *end = c->shape.customers + 1; break;
  }
}

void orders_begin(struct orders_cursor *c, const struct mix_load *load, enum orders_table t, int part, int nparts) {
  memset(c, 0, sizeof *c);
  c->load = load;
  c->table = t;
  orders_shape(load, &c->shape);
  if (makers[t].by_warehouse) {
    slice(c->shape.warehouses, part, nparts, &c->w, &c->w_end);
    c->d = makers[t].by_district;
    k_range(c, &c->k, &c->k_end);
  } else {
    c->w_end = 1; /* one unit, that of no warehouse */
    slice(c->shape.items, part, nparts, &c->k, &c->k_end);
  }
}

/* To the next district or warehouse; 0 when there is none. */
static int next_unit(struct orders_cursor *c) {
  if (makers[c->table].by_district && c->d < ORDERS_DISTRICTS)
    c->d++;
  else {
    c->w++;
    c->d = makers[c->table].by_district;
  }
  k_range(c, &c->k, &c->k_end);
  return c->w < c->w_end;
}

int orders_next(struct orders_cursor *c, struct val *col) {
  if (c->w >= c->w_end || (c->k >= c->k_end && !next_unit(c)))
    return 0;
  if (makers[c->table].by_line && c->lines == 0) {
    c->lines = orders_lines(c->load, &c->shape, c->w, c->d, c->k);
    c->line = 1;
  }
  struct writer o = {
    .g = rng_at(c->load->seed, (uint64_t)c->table | (uint64_t)c->line << 8, key_of(c->w, c->d, c->k)),
    .at = c->text,
    .col = col,
  };
  makers[c->table].row(c, &o);
  if (!makers[c->table].by_line || ++c->line > c->lines) {
    c->line = c->lines = 0;
    c->k++;
  }
  return 1;
}
