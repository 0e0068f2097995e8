/* ramknee:orders/condition_1 */
/* result: bad int, checked int */
/* TPC-C 3.3.2.1: w_ytd is the sum of d_ytd. */
SELECT ISNULL(SUM(CASE WHEN d.ytd = w.w_ytd THEN 0 ELSE 1 END), 0) AS bad, COUNT(*) AS checked
FROM dbo.warehouse AS w
LEFT JOIN (SELECT d_w_id, SUM(d_ytd) AS ytd FROM dbo.district GROUP BY d_w_id) AS d ON d.d_w_id = w.w_id;
