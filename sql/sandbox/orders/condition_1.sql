-- twin of orders/condition_1 sha256:3ead04c3302a88bde796975404df008d71064d8d775aea2a84fe7b524ac72eb9
SELECT CAST(IFNULL(SUM(CASE WHEN d.ytd = w.w_ytd THEN 0 ELSE 1 END), 0) AS SIGNED) AS bad, COUNT(*) AS checked
FROM warehouse AS w
LEFT JOIN (SELECT d_w_id, SUM(d_ytd) AS ytd FROM district GROUP BY d_w_id) AS d ON d.d_w_id = w.w_id;
