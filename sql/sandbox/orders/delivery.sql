-- twin of orders/delivery sha256:a0fc02f36810e4d3efe53107fea3ac7041e191fb3a94b23aa2abd3508c41c44e
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
      SELECT o_c_id INTO c FROM orders WHERE o_w_id = p_w AND o_d_id = d AND o_id = o;
      UPDATE order_line SET ol_delivery_d = now_at WHERE ol_w_id = p_w AND ol_d_id = d AND ol_o_id = o;
      SELECT SUM(ol_amount) INTO total FROM order_line WHERE ol_w_id = p_w AND ol_d_id = d AND ol_o_id = o;
      UPDATE customer SET c_balance = c_balance + total, c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = p_w AND c_d_id = d AND c_id = c;
      SET p_delivered = p_delivered + 1;
    END IF;
    COMMIT;
    SET d = d + 1;
  END WHILE;
  SET rc = 0;
END
