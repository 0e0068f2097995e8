/* ramknee:server/database_size */
/* result: data_bytes int, log_bytes int, used_bytes? int */
/* The current database: its files, and the pages that are in use in them. */
SELECT
    SUM(CASE WHEN f.type = 0 THEN CONVERT(bigint, f.size) * 8192 ELSE 0 END) AS data_bytes,
    SUM(CASE WHEN f.type = 1 THEN CONVERT(bigint, f.size) * 8192 ELSE 0 END) AS log_bytes,
    SUM(CASE WHEN f.type = 0 THEN CONVERT(bigint, FILEPROPERTY(f.name, N'SpaceUsed')) * 8192 ELSE 0 END) AS used_bytes
FROM sys.database_files AS f;
