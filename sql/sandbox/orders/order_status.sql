-- twin of orders/order_status sha256:ba49c0972e89a11371aa446402a25778755f5bb794b35cc6f64e7c895ee39e26
CREATE PROCEDURE rk_order_status(
  OUT rc INT,
  IN p_w INT,
  IN p_d TINYINT UNSIGNED,
  IN p_c INT,
  IN p_last VARCHAR(16) CHARACTER SET latin1 COLLATE latin1_bin,
  OUT p_o INT,
  OUT p_balance_cents BIGINT
)
BEGIN
  DECLARE n, skip INT DEFAULT 0;
  DECLARE found INT DEFAULT p_c;
  DECLARE carrier TINYINT UNSIGNED;
  DECLARE entry DATETIME;
  IF found = 0 THEN
    SELECT COUNT(*) INTO n FROM customer FORCE INDEX (ix_customer_name) WHERE c_w_id = p_w AND c_d_id = p_d AND c_last = p_last;
    IF n = 0 THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 50010, MESSAGE_TEXT = 'ramknee: no customer has this name'; END IF;
    SET skip = (n - 1) DIV 2;
    SELECT c_id INTO found
    FROM customer FORCE INDEX (ix_customer_name)
    WHERE c_w_id = p_w AND c_d_id = p_d AND c_last = p_last
    ORDER BY c_first, c_id
    LIMIT skip, 1;
  END IF;
  SET p_balance_cents = (SELECT c_balance * 100 FROM customer WHERE c_w_id = p_w AND c_d_id = p_d AND c_id = found);
  SET p_o = (
    SELECT MAX(o_id) FROM orders FORCE INDEX (ix_orders_customer) WHERE o_w_id = p_w AND o_d_id = p_d AND o_c_id = found
  );
  IF p_o IS NOT NULL THEN
    SELECT o_entry_d, o_carrier_id INTO entry, carrier FROM orders WHERE o_w_id = p_w AND o_d_id = p_d AND o_id = p_o;
  END IF;
  SELECT ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d, entry AS o_entry_d, carrier AS o_carrier_id
  FROM order_line
  WHERE ol_w_id = p_w AND ol_d_id = p_d AND ol_o_id = p_o
  ORDER BY ol_number;
  SET rc = 0;
END
