-- twin of orders/condition_3 sha256:c5dc8df4ae909bdbdeb554f052c76eefa02617ee36eedd2c17cc9aad7119099b
SELECT
  CAST(IFNULL(SUM(CASE
    WHEN n.n IS NULL AND d.d_next_delivery = d.d_next_o_id THEN 0
    WHEN n.newest - n.oldest + 1 = n.n AND n.oldest = d.d_next_delivery THEN 0
    ELSE 1
  END), 0) AS SIGNED) AS bad,
  COUNT(*) AS checked
FROM district AS d
LEFT JOIN (
  SELECT no_w_id, no_d_id, MIN(no_o_id) AS oldest, MAX(no_o_id) AS newest, COUNT(*) AS n
  FROM new_order
  GROUP BY no_w_id, no_d_id
) AS n ON n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id;
