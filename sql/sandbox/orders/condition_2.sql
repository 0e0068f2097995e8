-- twin of orders/condition_2 sha256:6594a9211cdb3e2fd523fbfb21acfef48d714dfd2e74f465b52620c0b6f3fe73
SELECT
  CAST(IFNULL(SUM(CASE
    WHEN o.newest = d.d_next_o_id - 1 AND (n.newest IS NULL OR n.newest = d.d_next_o_id - 1) THEN 0
    ELSE 1
  END), 0) AS SIGNED) AS bad,
  COUNT(*) AS checked
FROM district AS d
LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS newest FROM orders GROUP BY o_w_id, o_d_id) AS o
  ON o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id
LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS newest FROM new_order GROUP BY no_w_id, no_d_id) AS n
  ON n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id;
