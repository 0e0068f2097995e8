-- twin of orders/condition_4 sha256:66b4df06c7a9720d91e958d16eecb6ed5ac654d28d76b3b65aa4c0fc321733cf
SELECT CAST(IFNULL(SUM(CASE WHEN o.line_count = l.n THEN 0 ELSE 1 END), 0) AS SIGNED) AS bad, COUNT(*) AS checked
FROM district AS d
LEFT JOIN (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS line_count FROM orders GROUP BY o_w_id, o_d_id) AS o
  ON o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id
LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS n FROM order_line GROUP BY ol_w_id, ol_d_id) AS l
  ON l.ol_w_id = d.d_w_id AND l.ol_d_id = d.d_id;
