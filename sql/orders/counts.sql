/* ramknee:orders/counts */
/* result: name text, n int */
/* In the order in which the tables are loaded. */
SELECT t.name, t.n
FROM (
    SELECT 1 AS pos, 'item' AS name, COUNT_BIG(*) AS n FROM dbo.item
    UNION ALL
    SELECT 2, 'warehouse', COUNT_BIG(*) FROM dbo.warehouse
    UNION ALL
    SELECT 3, 'district', COUNT_BIG(*) FROM dbo.district
    UNION ALL
    SELECT 4, 'customer', COUNT_BIG(*) FROM dbo.customer
    UNION ALL
    SELECT 5, 'history', COUNT_BIG(*) FROM dbo.history
    UNION ALL
    SELECT 6, 'stock', COUNT_BIG(*) FROM dbo.stock
    UNION ALL
    SELECT 7, 'orders', COUNT_BIG(*) FROM dbo.orders
    UNION ALL
    SELECT 8, 'order_line', COUNT_BIG(*) FROM dbo.order_line
    UNION ALL
    SELECT 9, 'new_order', COUNT_BIG(*) FROM dbo.new_order
) AS t
ORDER BY t.pos;
