-- twin of orders/delivery sha256:e27f98d0b71bd00344d48838fbfc8ea533336e52ea22d0c4adc42f340fdcaa53
CREATE PROCEDURE rk_delivery(
  OUT rc INT,
  IN p_w INT,
  IN p_carrier TINYINT UNSIGNED,
  OUT p_delivered INT
)
BEGIN
  DECLARE d TINYINT UNSIGNED DEFAULT 1;
  DECLARE o, c INT;
  DECLARE total DECIMAL(12, 2);
  DECLARE now_at DATETIME DEFAULT NOW();
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
  SET p_delivered = 0;
  WHILE d <= 10 DO
    START TRANSACTION;
    UPDATE district SET d_next_delivery = d_next_delivery + 1 WHERE d_w_id = p_w AND d_id = d AND d_next_delivery < d_next_o_id;
    IF ROW_COUNT() = 1 THEN
      SELECT d_next_delivery - 1 INTO o FROM district WHERE d_w_id = p_w AND d_id = d;
      DELETE FROM new_order WHERE no_w_id = p_w AND no_d_id = d AND no_o_id = o;
      UPDATE orders SET o_carrier_id = p_carrier WHERE o_w_id = p_w AND o_d_id = d AND o_id = o;
      UPDATE order_line SET ol_delivery_d = now_at WHERE ol_w_id = p_w AND ol_d_id = d AND ol_o_id = o;
      SELECT h.o_c_id, SUM(l.ol_amount) INTO c, total
      FROM orders AS h
      STRAIGHT_JOIN order_line AS l ON l.ol_w_id = h.o_w_id AND l.ol_d_id = h.o_d_id AND l.ol_o_id = h.o_id
      WHERE h.o_w_id = p_w AND h.o_d_id = d AND h.o_id = o
      GROUP BY h.o_c_id;
      UPDATE customer
      SET c_balance = c_balance + total, c_delivery_cnt = c_delivery_cnt + 1
      WHERE c_w_id = p_w AND c_d_id = d AND c_id = c;
      SET p_delivered = p_delivered + 1;
    END IF;
    COMMIT;
    SET d = d + 1;
  END WHILE;
  SET rc = 0;
END
