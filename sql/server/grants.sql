/* ramknee:server/grants */
/* result: others int, others_wait_ms int */
/* Other people's requests that wait for a memory grant, and the longest of their waits.  Nested loops need no grant themselves. */
SELECT
    ISNULL(SUM(CASE WHEN s.program_name = N'ramknee' THEN 0 ELSE 1 END), 0) AS others,
    ISNULL(MAX(CASE WHEN s.program_name = N'ramknee' THEN 0 ELSE ISNULL(g.wait_time_ms, 0) END), 0) AS others_wait_ms
FROM sys.dm_exec_query_memory_grants AS g
INNER JOIN sys.dm_exec_sessions AS s ON s.session_id = g.session_id
WHERE s.is_user_process = 1 AND g.grant_time IS NULL
OPTION (LOOP JOIN);
