/* ramknee:orders/indexes */
/* After the data.  Each index is built in the order of its key: pages lie in order, and are full whatever the server's
   fill factor is. */
SET NOCOUNT ON;
ALTER TABLE dbo.item ADD CONSTRAINT pk_item PRIMARY KEY CLUSTERED (i_id) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.warehouse ADD CONSTRAINT pk_warehouse PRIMARY KEY CLUSTERED (w_id) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.district ADD CONSTRAINT pk_district PRIMARY KEY CLUSTERED (d_w_id, d_id) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.customer ADD CONSTRAINT pk_customer PRIMARY KEY CLUSTERED (c_w_id, c_d_id, c_id) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.history ADD CONSTRAINT pk_history PRIMARY KEY CLUSTERED (h_c_w_id, h_c_d_id, h_c_id, h_n) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.stock ADD CONSTRAINT pk_stock PRIMARY KEY CLUSTERED (s_w_id, s_i_id) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.orders ADD CONSTRAINT pk_orders PRIMARY KEY CLUSTERED (o_w_id, o_d_id, o_id) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.order_line ADD CONSTRAINT pk_order_line PRIMARY KEY CLUSTERED (ol_w_id, ol_d_id, ol_o_id, ol_number) WITH (FILLFACTOR = 100);
ALTER TABLE dbo.new_order ADD CONSTRAINT pk_new_order PRIMARY KEY CLUSTERED (no_w_id, no_d_id, no_o_id) WITH (FILLFACTOR = 100);
CREATE INDEX ix_customer_name ON dbo.customer (c_w_id, c_d_id, c_last, c_first, c_id) WITH (FILLFACTOR = 100);
CREATE INDEX ix_orders_customer ON dbo.orders (o_w_id, o_d_id, o_c_id, o_id) WITH (FILLFACTOR = 100);
