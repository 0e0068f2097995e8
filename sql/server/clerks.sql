/* ramknee:server/clerks */
/* result: xtp_kb int, columnstore_kb int */
/* Memory that is no page cache: In-Memory OLTP cannot be paged out, columnstore has a cache of its own. */
SELECT
    ISNULL(SUM(CASE WHEN m.type = N'MEMORYCLERK_XTP' THEN m.pages_kb ELSE 0 END), 0) AS xtp_kb,
    ISNULL(SUM(CASE WHEN m.type = N'CACHESTORE_COLUMNSTOREOBJECTPOOL' THEN m.pages_kb ELSE 0 END), 0) AS columnstore_kb
FROM sys.dm_os_memory_clerks AS m
WHERE m.type IN (N'MEMORYCLERK_XTP', N'CACHESTORE_COLUMNSTOREOBJECTPOOL');
