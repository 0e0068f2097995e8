/* ramknee:orders/condition_2 */
/* result: bad int, checked int */
/* TPC-C 3.3.2.2: d_next_o_id - 1 is the newest o_id, and the newest no_o_id (where an order is waiting for delivery). */
SELECT
    ISNULL(SUM(CASE
        WHEN o.newest = d.d_next_o_id - 1 AND (n.newest IS NULL OR n.newest = d.d_next_o_id - 1) THEN 0
        ELSE 1
    END), 0) AS bad,
    COUNT(*) AS checked
FROM dbo.district AS d
LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS newest FROM dbo.orders GROUP BY o_w_id, o_d_id) AS o
    ON o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id
LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS newest FROM dbo.new_order GROUP BY no_w_id, no_d_id) AS n
    ON n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id;
