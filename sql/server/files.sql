/* ramknee:server/files */
/* result: database_id int, file_id int, is_log int, num_of_reads int, num_of_bytes_read int, io_stall_read_ms int, num_of_writes int, num_of_bytes_written int, io_stall_write_ms? int, size_on_disk_bytes int */
/* This database and tempdb (2), each second.  file 2 is a log by default, but only sys.database_files knows; tempdb's log does not matter here. */
SELECT
    CONVERT(int, v.database_id) AS database_id, CONVERT(int, v.file_id) AS file_id, CASE WHEN f.type = 1 THEN 1 ELSE 0 END AS is_log,
    v.num_of_reads, v.num_of_bytes_read, v.io_stall_read_ms, v.num_of_writes, v.num_of_bytes_written, v.io_stall_write_ms, v.size_on_disk_bytes
FROM sys.dm_io_virtual_file_stats(DB_ID(), NULL) AS v
INNER JOIN sys.database_files AS f ON f.file_id = v.file_id
UNION ALL
SELECT
    CONVERT(int, t.database_id) AS database_id, CONVERT(int, t.file_id) AS file_id, 0 AS is_log,
    t.num_of_reads, t.num_of_bytes_read, t.io_stall_read_ms, t.num_of_writes, t.num_of_bytes_written, t.io_stall_write_ms, t.size_on_disk_bytes
FROM sys.dm_io_virtual_file_stats(2, NULL) AS t;
