-- twin of orders/new_order sha256:52508800bc9c39e720e24bf781cf3e2273a5f9fbfba4fc449e582644dad73d43
CREATE PROCEDURE rk_new_order(
  OUT rc INT,
  IN p_w INT,
  IN p_d TINYINT UNSIGNED,
  IN p_c INT,
  IN p_n TINYINT UNSIGNED,
  IN p_lines VARBINARY(180),
  IN p_window INT,
  OUT p_o INT,
  OUT p_total_cents BIGINT
)
BEGIN
  DECLARE k, i, sw, q, old_o INT DEFAULT 0;
  DECLARE is_local TINYINT UNSIGNED DEFAULT 1;
  DECLARE total DECIMAL(12, 2);
  DECLARE tax_w, tax_d, discount DECIMAL(4, 4);
  DECLARE now_at DATETIME DEFAULT NOW();
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
  START TRANSACTION;
  SELECT w.w_tax, c.c_discount INTO tax_w, discount
  FROM warehouse AS w
  STRAIGHT_JOIN customer AS c ON c.c_w_id = w.w_id
  WHERE w.w_id = p_w AND c.c_d_id = p_d AND c.c_id = p_c;
  -- assignments are done from left to right here: d_next_delivery first, while d_next_o_id is still the old one
  UPDATE district
  SET
    d_next_delivery = IF(p_window > 0 AND d_next_delivery <= d_next_o_id - p_window, d_next_o_id - p_window + 1, d_next_delivery),
    d_next_o_id = d_next_o_id + 1
  WHERE d_w_id = p_w AND d_id = p_d;
  SELECT d_next_o_id - 1, d_tax INTO p_o, tax_d FROM district WHERE d_w_id = p_w AND d_id = p_d;
  each_line: WHILE k < p_n DO
    SET i = CONV(HEX(SUBSTRING(p_lines, k * 12 + 1, 4)), 16, 10);
    SET sw = CONV(HEX(SUBSTRING(p_lines, k * 12 + 5, 4)), 16, 10);
    SET q = CONV(HEX(SUBSTRING(p_lines, k * 12 + 9, 4)), 16, 10);
    SET k = k + 1;
    IF sw <> p_w THEN SET is_local = 0; END IF;
    UPDATE stock
    SET
      s_quantity = IF(s_quantity >= q + 10, s_quantity - q, s_quantity - q + 91),
      s_ytd = s_ytd + q,
      s_order_cnt = s_order_cnt + 1,
      s_remote_cnt = s_remote_cnt + (sw <> p_w)
    WHERE s_w_id = sw AND s_i_id = i;
    INSERT INTO order_line (
      ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info
    )
    SELECT p_w, p_d, p_o, k, s.s_i_id, s.s_w_id, '1900-01-01', q, q * t.i_price, SUBSTRING(s.s_dist, p_d * 24 - 23, 24)
    FROM item AS t
    STRAIGHT_JOIN stock AS s ON s.s_i_id = t.i_id
    WHERE t.i_id = i AND s.s_w_id = sw;
    IF ROW_COUNT() = 0 THEN
      ROLLBACK;
      SET rc = 1;
      LEAVE each_line;
    END IF;
  END WHILE;
  IF rc IS NULL THEN
    SELECT SUM(ol_amount) INTO total FROM order_line WHERE ol_w_id = p_w AND ol_d_id = p_d AND ol_o_id = p_o;
    INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
    VALUES (p_w, p_d, p_o, p_c, now_at, 0, p_n, is_local);
    INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (p_w, p_d, p_o);
    IF p_window > 0 THEN
      SET old_o = p_o - p_window;
      DELETE FROM order_line WHERE ol_w_id = p_w AND ol_d_id = p_d AND ol_o_id = old_o;
      DELETE FROM orders WHERE o_w_id = p_w AND o_d_id = p_d AND o_id = old_o;
      DELETE FROM new_order WHERE no_w_id = p_w AND no_d_id = p_d AND no_o_id = old_o;
    END IF;
    COMMIT;
    SET p_total_cents = TRUNCATE(total * (1 - discount) * (1 + tax_w + tax_d) * 100, 0);
    SET rc = 0;
  END IF;
END
