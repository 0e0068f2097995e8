/* ramknee:orders/tables */
/* Nine tables, without keys: they are filled as heaps, by parallel bulk loads, and get their indexes afterwards.  No column may
   be NULL, and what a transaction writes keeps its length: a row never grows, so that pages do not split under the measurement.
   Carrier 0 and delivery date 1900-01-01 mean "not delivered yet".  s_dist holds the ten texts of 24 letters, one for each
   district.  A warehouse fills a page and a warehouse's ten districts another, or their updates would meet on the page. */
SET NOCOUNT ON;
CREATE TABLE dbo.item (
    i_id int NOT NULL,
    i_im_id int NOT NULL,
    i_name varchar(24) NOT NULL,
    i_price decimal(5, 2) NOT NULL,
    i_data varchar(50) NOT NULL
);
CREATE TABLE dbo.warehouse (
    w_id int NOT NULL,
    w_name varchar(10) NOT NULL,
    w_street_1 varchar(20) NOT NULL,
    w_street_2 varchar(20) NOT NULL,
    w_city varchar(20) NOT NULL,
    w_state char(2) NOT NULL,
    w_zip char(9) NOT NULL,
    w_tax decimal(4, 4) NOT NULL,
    w_ytd decimal(14, 2) NOT NULL,
    w_pad char(4000) NOT NULL
);
CREATE TABLE dbo.district (
    d_w_id int NOT NULL,
    d_id tinyint NOT NULL,
    d_name varchar(10) NOT NULL,
    d_street_1 varchar(20) NOT NULL,
    d_street_2 varchar(20) NOT NULL,
    d_city varchar(20) NOT NULL,
    d_state char(2) NOT NULL,
    d_zip char(9) NOT NULL,
    d_tax decimal(4, 4) NOT NULL,
    d_ytd decimal(14, 2) NOT NULL,
    d_next_o_id int NOT NULL,
    d_next_delivery int NOT NULL,
    d_pad char(640) NOT NULL
);
CREATE TABLE dbo.customer (
    c_w_id int NOT NULL,
    c_d_id tinyint NOT NULL,
    c_id int NOT NULL,
    c_first varchar(16) NOT NULL,
    c_middle char(2) NOT NULL,
    c_last varchar(16) NOT NULL,
    c_street_1 varchar(20) NOT NULL,
    c_street_2 varchar(20) NOT NULL,
    c_city varchar(20) NOT NULL,
    c_state char(2) NOT NULL,
    c_zip char(9) NOT NULL,
    c_phone char(16) NOT NULL,
    c_since datetime NOT NULL,
    c_credit char(2) NOT NULL,
    c_credit_lim decimal(12, 2) NOT NULL,
    c_discount decimal(4, 4) NOT NULL,
    c_balance decimal(14, 2) NOT NULL,
    c_ytd_payment decimal(14, 2) NOT NULL,
    c_payment_cnt int NOT NULL,
    c_delivery_cnt int NOT NULL,
    c_data varchar(500) NOT NULL
);
CREATE TABLE dbo.history (
    h_c_w_id int NOT NULL,
    h_c_d_id tinyint NOT NULL,
    h_c_id int NOT NULL,
    h_n int NOT NULL,
    h_w_id int NOT NULL,
    h_d_id tinyint NOT NULL,
    h_date datetime NOT NULL,
    h_amount decimal(8, 2) NOT NULL,
    h_data char(24) NOT NULL
);
CREATE TABLE dbo.stock (
    s_w_id int NOT NULL,
    s_i_id int NOT NULL,
    s_quantity smallint NOT NULL,
    s_ytd int NOT NULL,
    s_order_cnt int NOT NULL,
    s_remote_cnt int NOT NULL,
    s_dist char(240) NOT NULL,
    s_data varchar(50) NOT NULL
);
CREATE TABLE dbo.orders (
    o_w_id int NOT NULL,
    o_d_id tinyint NOT NULL,
    o_id int NOT NULL,
    o_c_id int NOT NULL,
    o_entry_d datetime NOT NULL,
    o_carrier_id tinyint NOT NULL,
    o_ol_cnt tinyint NOT NULL,
    o_all_local tinyint NOT NULL
);
CREATE TABLE dbo.order_line (
    ol_w_id int NOT NULL,
    ol_d_id tinyint NOT NULL,
    ol_o_id int NOT NULL,
    ol_number tinyint NOT NULL,
    ol_i_id int NOT NULL,
    ol_supply_w_id int NOT NULL,
    ol_delivery_d datetime NOT NULL,
    ol_quantity tinyint NOT NULL,
    ol_amount decimal(8, 2) NOT NULL,
    ol_dist_info char(24) NOT NULL
);
CREATE TABLE dbo.new_order (
    no_w_id int NOT NULL,
    no_d_id tinyint NOT NULL,
    no_o_id int NOT NULL
);
