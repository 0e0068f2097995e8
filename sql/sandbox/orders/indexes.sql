-- twin of orders/indexes sha256:fc953cd5c0a6d5b1821e9abbe9a9cd3933daff81360285607155965a1f9b58c7
UPDATE warehouse SET w_pad = REPEAT(' ', 3700);
UPDATE district SET d_pad = REPEAT(' ', 600);
ALTER TABLE warehouse FORCE;
ALTER TABLE district FORCE;
ALTER TABLE customer ADD INDEX ix_customer_name (c_w_id, c_d_id, c_last, c_first, c_id);
ALTER TABLE orders ADD INDEX ix_orders_customer (o_w_id, o_d_id, o_c_id, o_id);
