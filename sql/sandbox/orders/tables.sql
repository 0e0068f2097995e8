-- twin of orders/tables sha256:a5bc3ebc9eff88666ae8cd124165f8331d2e568ae40359ea508f968253efbd6f
-- InnoDB keeps rows in the order of the primary key: it is there from the start, and the generator feeds each part in its order.
-- CHAR ends at 255 here: the padding is put in by the twin of orders/indexes.  Statistics change only when they are asked to.
CREATE TABLE item (
  i_id INT NOT NULL,
  i_im_id INT NOT NULL,
  i_name VARCHAR(24) NOT NULL,
  i_price DECIMAL(5, 2) NOT NULL,
  i_data VARCHAR(50) NOT NULL,
  PRIMARY KEY (i_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE warehouse (
  w_id INT NOT NULL,
  w_name VARCHAR(10) NOT NULL,
  w_street_1 VARCHAR(20) NOT NULL,
  w_street_2 VARCHAR(20) NOT NULL,
  w_city VARCHAR(20) NOT NULL,
  w_state CHAR(2) NOT NULL,
  w_zip CHAR(9) NOT NULL,
  w_tax DECIMAL(4, 4) NOT NULL,
  w_ytd DECIMAL(14, 2) NOT NULL,
  w_pad VARCHAR(3700) NOT NULL,
  PRIMARY KEY (w_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE district (
  d_w_id INT NOT NULL,
  d_id TINYINT UNSIGNED NOT NULL,
  d_name VARCHAR(10) NOT NULL,
  d_street_1 VARCHAR(20) NOT NULL,
  d_street_2 VARCHAR(20) NOT NULL,
  d_city VARCHAR(20) NOT NULL,
  d_state CHAR(2) NOT NULL,
  d_zip CHAR(9) NOT NULL,
  d_tax DECIMAL(4, 4) NOT NULL,
  d_ytd DECIMAL(14, 2) NOT NULL,
  d_next_o_id INT NOT NULL,
  d_next_delivery INT NOT NULL,
  d_pad VARCHAR(640) NOT NULL,
  PRIMARY KEY (d_w_id, d_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE customer (
  c_w_id INT NOT NULL,
  c_d_id TINYINT UNSIGNED NOT NULL,
  c_id INT NOT NULL,
  c_first VARCHAR(16) NOT NULL,
  c_middle CHAR(2) NOT NULL,
  c_last VARCHAR(16) NOT NULL,
  c_street_1 VARCHAR(20) NOT NULL,
  c_street_2 VARCHAR(20) NOT NULL,
  c_city VARCHAR(20) NOT NULL,
  c_state CHAR(2) NOT NULL,
  c_zip CHAR(9) NOT NULL,
  c_phone CHAR(16) NOT NULL,
  c_since DATETIME NOT NULL,
  c_credit CHAR(2) NOT NULL,
  c_credit_lim DECIMAL(12, 2) NOT NULL,
  c_discount DECIMAL(4, 4) NOT NULL,
  c_balance DECIMAL(14, 2) NOT NULL,
  c_ytd_payment DECIMAL(14, 2) NOT NULL,
  c_payment_cnt INT NOT NULL,
  c_delivery_cnt INT NOT NULL,
  c_data VARCHAR(500) NOT NULL,
  PRIMARY KEY (c_w_id, c_d_id, c_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE history (
  h_c_w_id INT NOT NULL,
  h_c_d_id TINYINT UNSIGNED NOT NULL,
  h_c_id INT NOT NULL,
  h_n INT NOT NULL,
  h_w_id INT NOT NULL,
  h_d_id TINYINT UNSIGNED NOT NULL,
  h_date DATETIME NOT NULL,
  h_amount DECIMAL(8, 2) NOT NULL,
  h_data CHAR(24) NOT NULL,
  PRIMARY KEY (h_c_w_id, h_c_d_id, h_c_id, h_n)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE stock (
  s_w_id INT NOT NULL,
  s_i_id INT NOT NULL,
  s_quantity SMALLINT NOT NULL,
  s_ytd INT NOT NULL,
  s_order_cnt INT NOT NULL,
  s_remote_cnt INT NOT NULL,
  s_dist CHAR(240) NOT NULL,
  s_data VARCHAR(50) NOT NULL,
  PRIMARY KEY (s_w_id, s_i_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE orders (
  o_w_id INT NOT NULL,
  o_d_id TINYINT UNSIGNED NOT NULL,
  o_id INT NOT NULL,
  o_c_id INT NOT NULL,
  o_entry_d DATETIME NOT NULL,
  o_carrier_id TINYINT UNSIGNED NOT NULL,
  o_ol_cnt TINYINT UNSIGNED NOT NULL,
  o_all_local TINYINT UNSIGNED NOT NULL,
  PRIMARY KEY (o_w_id, o_d_id, o_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE order_line (
  ol_w_id INT NOT NULL,
  ol_d_id TINYINT UNSIGNED NOT NULL,
  ol_o_id INT NOT NULL,
  ol_number TINYINT UNSIGNED NOT NULL,
  ol_i_id INT NOT NULL,
  ol_supply_w_id INT NOT NULL,
  ol_delivery_d DATETIME NOT NULL,
  ol_quantity TINYINT UNSIGNED NOT NULL,
  ol_amount DECIMAL(8, 2) NOT NULL,
  ol_dist_info CHAR(24) NOT NULL,
  PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
CREATE TABLE new_order (
  no_w_id INT NOT NULL,
  no_d_id TINYINT UNSIGNED NOT NULL,
  no_o_id INT NOT NULL,
  PRIMARY KEY (no_w_id, no_d_id, no_o_id)
) ENGINE = InnoDB CHARACTER SET latin1 COLLATE latin1_bin STATS_PERSISTENT = 1 STATS_AUTO_RECALC = 0;
