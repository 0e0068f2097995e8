-- twin of orders/counts sha256:14eb3c1a08e9e8af1994ce2f8d2c54aca9fc130e50651db0975d2d6c7c3872a9
SELECT t.name, t.n
FROM (
  SELECT 1 AS pos, 'item' AS name, COUNT(*) AS n FROM item
  UNION ALL
  SELECT 2, 'warehouse', COUNT(*) FROM warehouse
  UNION ALL
  SELECT 3, 'district', COUNT(*) FROM district
  UNION ALL
  SELECT 4, 'customer', COUNT(*) FROM customer
  UNION ALL
  SELECT 5, 'history', COUNT(*) FROM history
  UNION ALL
  SELECT 6, 'stock', COUNT(*) FROM stock
  UNION ALL
  SELECT 7, 'orders', COUNT(*) FROM orders
  UNION ALL
  SELECT 8, 'order_line', COUNT(*) FROM order_line
  UNION ALL
  SELECT 9, 'new_order', COUNT(*) FROM new_order
) AS t
ORDER BY t.pos;
