/* ramknee:server/load_read */
/* result: mix text, schema_version int, scale int, density real, seed int, complete int, data_bytes int, c_last int, c_cust int, c_item int, loaded_at text */
/* What `ramknee load` wrote down.  No table: no row. */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_load') IS NOT NULL
    EXEC sys.sp_executesql N'SELECT mix, schema_version, scale, density, seed, complete, data_bytes, c_last, c_cust, c_item, CONVERT(nvarchar(30), loaded_at, 126) AS loaded_at FROM dbo.ramknee_load WHERE id = 1;';
ELSE
    SELECT
        N'' AS mix, 0 AS schema_version, 0 AS scale, CONVERT(float, 0) AS density, 0 AS seed, 0 AS complete, 0 AS data_bytes,
        0 AS c_last, 0 AS c_cust, 0 AS c_item, N'' AS loaded_at
    WHERE 1 = 0;
