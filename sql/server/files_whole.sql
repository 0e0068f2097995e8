/* ramknee:server/files_whole */
/* result: database_id int, file_id int, is_log int, num_of_reads int, num_of_bytes_read int, io_stall_read_ms int, num_of_writes int, num_of_bytes_written int, io_stall_write_ms? int, size_on_disk_bytes int */
/* The files of all databases, summed: a row for data, one for logs, one for tempdb (2).  Of a database that this login may not see
   sys.master_files has no rows: there file 2 is taken for the log, as it is by default.  Azure SQL Database has no sys.master_files. */
SELECT
    x.database_id, 0 AS file_id, x.is_log, SUM(x.num_of_reads) AS num_of_reads, SUM(x.num_of_bytes_read) AS num_of_bytes_read,
    SUM(x.io_stall_read_ms) AS io_stall_read_ms, SUM(x.num_of_writes) AS num_of_writes, SUM(x.num_of_bytes_written) AS num_of_bytes_written,
    SUM(x.io_stall_write_ms) AS io_stall_write_ms, SUM(x.size_on_disk_bytes) AS size_on_disk_bytes
FROM (
    SELECT
        CASE WHEN v.database_id = 2 THEN 2 ELSE 0 END AS database_id,
        CASE WHEN v.database_id = 2 THEN 0 WHEN f.type = 1 OR (f.type IS NULL AND v.file_id = 2) THEN 1 ELSE 0 END AS is_log,
        v.num_of_reads, v.num_of_bytes_read, v.io_stall_read_ms, v.num_of_writes, v.num_of_bytes_written, v.io_stall_write_ms,
        v.size_on_disk_bytes
    FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v
    LEFT JOIN sys.master_files AS f ON f.database_id = v.database_id AND f.file_id = v.file_id
) AS x
GROUP BY x.database_id, x.is_log;
