/* ramknee:server/volumes */
/* result: what text, mount text, file_system text, total_bytes int, available_bytes int */
/* The volumes under the current database's files (ROWS, LOG) and under tempdb's.  sys.database_files needs no rights on the server. */
SELECT
    f.type_desc AS what, ISNULL(v.volume_mount_point, N'') AS mount, ISNULL(v.file_system_type, N'') AS file_system, v.total_bytes,
    v.available_bytes
FROM sys.database_files AS f
CROSS APPLY sys.dm_os_volume_stats(DB_ID(), f.file_id) AS v
UNION ALL
SELECT
    N'TEMPDB' AS what, ISNULL(v.volume_mount_point, N'') AS mount, ISNULL(v.file_system_type, N'') AS file_system, v.total_bytes,
    v.available_bytes
FROM tempdb.sys.database_files AS f
CROSS APPLY sys.dm_os_volume_stats(2, f.file_id) AS v
WHERE f.type = 0;
