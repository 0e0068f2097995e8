/* ramknee:orders/condition_4 */
/* result: bad int, checked int */
/* TPC-C 3.3.2.4: the sum of o_ol_cnt is the number of order lines of the district. */
SELECT ISNULL(SUM(CASE WHEN o.line_count = l.n THEN 0 ELSE 1 END), 0) AS bad, COUNT(*) AS checked
FROM dbo.district AS d
LEFT JOIN (SELECT o_w_id, o_d_id, SUM(CONVERT(bigint, o_ol_cnt)) AS line_count FROM dbo.orders GROUP BY o_w_id, o_d_id) AS o
    ON o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id
LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT_BIG(*) AS n FROM dbo.order_line GROUP BY ol_w_id, ol_d_id) AS l
    ON l.ol_w_id = d.d_w_id AND l.ol_d_id = d.d_id;
