-- twin of orders/payment sha256:02d8bd705ea4e904f550a2666b36420a45b33b9a2157bf8b3a97b1432d9c36d6
CREATE PROCEDURE rk_payment(
  OUT rc INT,
  IN p_w INT,
  IN p_d TINYINT UNSIGNED,
  IN p_cw INT,
  IN p_cd TINYINT UNSIGNED,
  IN p_c INT,
  IN p_last VARCHAR(16) CHARACTER SET latin1 COLLATE latin1_bin,
  IN p_cents INT,
  IN p_keep INT,
  OUT p_found INT,
  OUT p_balance_cents BIGINT
)
BEGIN
  DECLARE amount DECIMAL(8, 2) DEFAULT p_cents / 100;
  DECLARE n, slot, skip, payments INT DEFAULT 0;
  DECLARE credit CHAR(2) CHARACTER SET latin1 COLLATE latin1_bin;
  DECLARE balance DECIMAL(14, 2);
  DECLARE text_h CHAR(24) CHARACTER SET latin1 COLLATE latin1_bin;
  DECLARE now_at DATETIME DEFAULT NOW();
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
  START TRANSACTION;
  UPDATE warehouse SET w_ytd = w_ytd + amount WHERE w_id = p_w;
  UPDATE district SET d_ytd = d_ytd + amount WHERE d_w_id = p_w AND d_id = p_d;
  SET p_found = p_c;
  IF p_found = 0 THEN
    SELECT COUNT(*) INTO n FROM customer FORCE INDEX (ix_customer_name) WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_last = p_last;
    IF n = 0 THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 50010, MESSAGE_TEXT = 'ramknee: no customer has this name'; END IF;
    SET skip = (n - 1) DIV 2;
    SELECT c_id INTO p_found
    FROM customer FORCE INDEX (ix_customer_name)
    WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_last = p_last
    ORDER BY c_first, c_id
    LIMIT skip, 1;
  END IF;
  UPDATE customer
  SET c_balance = c_balance - amount, c_ytd_payment = c_ytd_payment + amount, c_payment_cnt = c_payment_cnt + 1
  WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_found;
  SELECT CONCAT(w.w_name, '    ', d.d_name), c.c_balance, c.c_credit, c.c_payment_cnt INTO text_h, balance, credit, payments
  FROM warehouse AS w
  STRAIGHT_JOIN district AS d ON d.d_w_id = w.w_id
  STRAIGHT_JOIN customer AS c
  WHERE w.w_id = p_w AND d.d_id = p_d AND c.c_w_id = p_cw AND c.c_d_id = p_cd AND c.c_id = p_found;
  IF credit = 'BC' THEN
    UPDATE customer
    SET c_data = LEFT(CONCAT(p_found, ' ', p_cd, ' ', p_cw, ' ', p_d, ' ', p_w, ' ', amount, ' ', c_data), 500)
    WHERE c_w_id = p_cw AND c_d_id = p_cd AND c_id = p_found;
  END IF;
  SET slot = IF(p_keep > 0, (payments - 1) MOD p_keep + 1, payments);
  -- with p_keep = 0 the number is new; else the row of that number is overwritten where it is there already
  INSERT INTO history (h_c_w_id, h_c_d_id, h_c_id, h_n, h_w_id, h_d_id, h_date, h_amount, h_data)
  VALUES (p_cw, p_cd, p_found, slot, p_w, p_d, now_at, amount, text_h)
  ON DUPLICATE KEY UPDATE h_w_id = p_w, h_d_id = p_d, h_date = now_at, h_amount = amount, h_data = text_h;
  COMMIT;
  SET p_balance_cents = balance * 100;
  SET rc = 0;
END
