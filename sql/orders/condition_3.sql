/* ramknee:orders/condition_3 */
/* result: bad int, checked int */
/* TPC-C 3.3.2.3: the rows of new_order are numbered without a gap; and they begin with the next order to deliver. */
SELECT
    ISNULL(SUM(CASE
        WHEN n.n IS NULL AND d.d_next_delivery = d.d_next_o_id THEN 0
        WHEN n.newest - n.oldest + 1 = n.n AND n.oldest = d.d_next_delivery THEN 0
        ELSE 1
    END), 0) AS bad,
    COUNT(*) AS checked
FROM dbo.district AS d
LEFT JOIN (
    SELECT no_w_id, no_d_id, MIN(no_o_id) AS oldest, MAX(no_o_id) AS newest, COUNT(*) AS n
    FROM dbo.new_order
    GROUP BY no_w_id, no_d_id
) AS n ON n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id;
