/* The orders mix: its sizes, its statements, its procedures.  Derived from TPC-C revision 5.11; its results are not TPC results.
 */
#include "config.h"

#include "mix/orders.h"

#include <stddef.h>

/* What a row takes on an 8 KiB page of SQL Server, with its slot, its share of the page's header and of what stays empty, and of
 * non-clustered indexes; rows of a warehouse with padding take 8 KiB, ten districts too.  At density 1 that is 73 MiB a
 * warehouse. */
#define ITEM_BYTES 94
#define STOCK_BYTES 328
#define CUSTOMER_BYTES (612 + 50)
#define HISTORY_BYTES 71
#define ORDER_BYTES (43 + 25)
#define LINE_BYTES 69
#define NEW_ORDER_BYTES 21
#define WAREHOUSE_BYTES (2 * 8192)

static double item_bytes(const struct orders_shape *s) {
  return (double)s->items * ITEM_BYTES;
}

static double warehouse_bytes(const struct orders_shape *s) {
  double district = (double)s->customers * (CUSTOMER_BYTES + HISTORY_BYTES + ORDER_BYTES) +
                    (double)orders_lines_district(s) * LINE_BYTES + (double)s->new_orders * NEW_ORDER_BYTES;
  return WAREHOUSE_BYTES + ORDERS_DISTRICTS * district + (double)s->items * STOCK_BYTES;
}

static int64_t scale_for(int64_t bytes, double density) {
  struct orders_shape s;
  orders_shape(&(struct mix_load){.scale = 1, .density = density}, &s);
  double n = ((double)bytes - item_bytes(&s)) / warehouse_bytes(&s);
  return n < 1 ? 1 : n > 1e6 ? 1000000 : (int64_t)n;
}

static int64_t bytes_for(int64_t scale, double density) {
  struct orders_shape s;
  orders_shape(&(struct mix_load){.scale = 1, .density = density}, &s);
  return (int64_t)(item_bytes(&s) + (double)scale * warehouse_bytes(&s));
}

static int64_t rows(const struct mix_load *load, int part, int nparts) {
  int64_t n = 0;
  for (int t = 0; t < ORDERS_TABLES; t++)
    n += orders_table_rows(load, (enum orders_table)t, part, nparts);
  return n;
}

/* 45 % new orders with ten lines, 43 % payments with a row of history; the rows of new_order that deliveries do not keep up with.
 */
static double growth(const struct mix_load *load) {
  (void)load;
  return 0.445 * (ORDER_BYTES + 10.0 * LINE_BYTES) + 0.43 * HISTORY_BYTES + 0.045 * NEW_ORDER_BYTES;
}

static int create(struct conn *conn, const struct mix_load *load, struct cause *c) {
  (void)load;
  return conn_query(conn, "orders/tables", NULL, 0, NULL, NULL, c);
}

static int finish(struct conn *conn, const struct mix_load *load, struct cause *c) {
  static const char *const tag[] = {"orders/indexes",  "orders/new_order",   "orders/payment",   "orders/order_status",
                                    "orders/delivery", "orders/stock_level", "orders/statistics"};
  (void)load;
  for (size_t i = 0; i < sizeof tag / sizeof *tag; i++)
    if (conn_query(conn, tag[i], NULL, 0, NULL, NULL, c) != 0)
      return cause_prefix(c, "%s", tag[i]);
  return 0;
}

struct check {
  const struct mix_load *load;
  int64_t found[ORDERS_TABLES];
  int n;
  int64_t bad, checked;
};

static int count_row(void *arg, int result, const struct val *col, int ncol) {
  struct check *k = arg;
  (void)result;
  (void)ncol;
  if (k->n < ORDERS_TABLES)
    k->found[k->n] = col[1].i;
  k->n++;
  return 0;
}

static int condition_row(void *arg, int result, const struct val *col, int ncol) {
  struct check *k = arg;
  (void)result;
  (void)ncol;
  k->bad = col[0].i;
  k->checked = col[1].i;
  k->n++;
  return 0;
}

static int verify(struct conn *conn, const struct mix_load *load, struct cause *c) {
  struct check k = {.load = load};
  if (conn_query(conn, "orders/counts", NULL, 0, count_row, &k, c) != 0)
    return -1;
  for (int t = 0; t < ORDERS_TABLES; t++) {
    int64_t want = orders_table_rows(load, (enum orders_table)t, 0, 1);
    if (k.n != ORDERS_TABLES || k.found[t] != want)
      return cause_set(c, STATUS_INCOMPLETE, "%s has %lld rows after the load, not %lld", orders_tables[t].name,
                       (long long)k.found[t], (long long)want);
  }
  return orders_conditions(conn, load, c);
}

int orders_conditions(struct conn *conn, const struct mix_load *load, struct cause *c) {
  static const struct {
    const char *tag, *what;
    int of; /* how many things it looks at a warehouse */
  } condition[] = {
    {"orders/condition_1", "w_ytd is the sum of d_ytd", 1},
    {"orders/condition_2", "d_next_o_id - 1 is the greatest o_id and no_o_id", ORDERS_DISTRICTS},
    {"orders/condition_3", "the rows of new_order are numbered without a gap", ORDERS_DISTRICTS},
    {"orders/condition_4", "the sum of o_ol_cnt is the number of order lines", ORDERS_DISTRICTS},
  };
  for (size_t i = 0; i < sizeof condition / sizeof *condition; i++) {
    struct check k = {.bad = -1};
    if (conn_query(conn, condition[i].tag, NULL, 0, condition_row, &k, c) != 0)
      return cause_prefix(c, "%s", condition[i].tag);
    int64_t want = load->scale * condition[i].of;
    if (k.n != 1 || k.bad != 0 || k.checked != want) {
      cause_set(c, STATUS_INCOMPLETE,
                "the data are not consistent: '%s' (condition %zu) is broken %lld times in %lld, of %lld looked for",
                condition[i].what, i + 1, (long long)k.bad, (long long)k.checked, (long long)want);
      return cause_remedy(c, "load the data again: ramknee load --replace");
    }
  }
  return 0;
}

static const struct proc_param new_order_params[] = {
  {"@w", P_INT, 0, 0},
  {"@d", P_TINYINT, 0, 0},
  {"@c", P_INT, 0, 0},
  {"@n", P_TINYINT, 0, 0},
  {"@lines", P_VARBINARY, ORDERS_LINES_MAX *ORDERS_LINE_BYTES, 0},
  {"@window", P_INT, 0, 0},
  {"@o", P_INT, 0, 1},
  {"@total_cents", P_BIGINT, 0, 1},
};
static const struct proc_param payment_params[] = {
  {"@w", P_INT, 0, 0},     {"@d", P_TINYINT, 0, 0},
  {"@cw", P_INT, 0, 0},    {"@cd", P_TINYINT, 0, 0},
  {"@c", P_INT, 0, 0},     {"@last", P_VARCHAR, 16, 0},
  {"@cents", P_INT, 0, 0}, {"@keep", P_INT, 0, 0},
  {"@found", P_INT, 0, 1}, {"@balance_cents", P_BIGINT, 0, 1},
};
static const struct proc_param order_status_params[] = {
  {"@w", P_INT, 0, 0},         {"@d", P_TINYINT, 0, 0}, {"@c", P_INT, 0, 0},
  {"@last", P_VARCHAR, 16, 0}, {"@o", P_INT, 0, 1},     {"@balance_cents", P_BIGINT, 0, 1},
};
static const struct proc_param delivery_params[] = {
  {"@w", P_INT, 0, 0},
  {"@carrier", P_TINYINT, 0, 0},
  {"@delivered", P_INT, 0, 1},
};
static const struct proc_param stock_level_params[] = {
  {"@w", P_INT, 0, 0},
  {"@d", P_TINYINT, 0, 0},
  {"@threshold", P_INT, 0, 0},
  {"@low", P_INT, 0, 1},
};
#define PROC(n, p)                                                                                                               \
  { n, (int)(sizeof p / sizeof *p), p }
const struct proc orders_procs[ORDERS_TYPES] = {
  [NEW_ORDER] = PROC("dbo.rk_new_order", new_order_params),          [PAYMENT] = PROC("dbo.rk_payment", payment_params),
  [ORDER_STATUS] = PROC("dbo.rk_order_status", order_status_params), [DELIVERY] = PROC("dbo.rk_delivery", delivery_params),
  [STOCK_LEVEL] = PROC("dbo.rk_stock_level", stock_level_params),
};

static enum outcome run(struct conn *conn, const struct request *r, struct cause *c) {
  return conn_call(conn, &orders_procs[r->type], r->arg, c);
}

static const char *const type_names[ORDERS_TYPES] = {"new_order", "payment", "order_status", "delivery", "stock_level"};
static const char *const table_names[] = {"item",  "warehouse", "district",   "customer",  "history",
                                          "stock", "orders",    "order_line", "new_order", NULL};

const struct mix orders_mix = {
  .name = "orders",
  .title = "orders (derived from TPC-C)",
  .ntype = ORDERS_TYPES,
  .type_name = type_names,
  .table = table_names,
  .schema_version = ORDERS_SCHEMA_VERSION,
  .density_min = ORDERS_DENSITY_MIN,
  .scale_name = "warehouses",
  .sandbox_size = 1.16, /* measured: InnoDB's rows and pages have larger heads */
  .scale_for = scale_for,
  .bytes_for = bytes_for,
  .rows = rows,
  .constants = orders_constants,
  .create = create,
  .load = orders_load,
  .finish = finish,
  .verify = verify,
  .draw = orders_draw,
  .run = run,
  .growth = growth,
};
