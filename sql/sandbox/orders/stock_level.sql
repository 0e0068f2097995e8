-- twin of orders/stock_level sha256:9ee3247de80a92aa7648f0da77fbd293ab92abab44c0d1f0ed5236a60e678804
CREATE PROCEDURE rk_stock_level(
  OUT rc INT,
  IN p_w INT,
  IN p_d TINYINT UNSIGNED,
  IN p_threshold INT,
  OUT p_low INT
)
BEGIN
  DECLARE o INT;
  SELECT d_next_o_id INTO o FROM district WHERE d_w_id = p_w AND d_id = p_d;
  SELECT COUNT(DISTINCT l.ol_i_id) INTO p_low
  FROM order_line AS l
  STRAIGHT_JOIN stock AS s ON s.s_w_id = p_w AND s.s_i_id = l.ol_i_id
  WHERE l.ol_w_id = p_w AND l.ol_d_id = p_d AND l.ol_o_id >= o - 20 AND l.ol_o_id < o AND s.s_quantity < p_threshold;
  SET rc = 0;
END
