-- twin of server/files_whole sha256:b5a654ceedd45be3c1b05a4ed29b086978edbf67a640c70f1302d076add46ea2
SELECT
    x.database_id, 0 AS file_id, x.is_log, SUM(x.num_of_reads) AS num_of_reads, SUM(x.num_of_bytes_read) AS num_of_bytes_read,
    SUM(x.io_stall_read_ms) AS io_stall_read_ms, SUM(x.num_of_writes) AS num_of_writes, SUM(x.num_of_bytes_written) AS num_of_bytes_written,
    SUM(x.io_stall_write_ms) AS io_stall_write_ms, SUM(x.size_on_disk_bytes) AS size_on_disk_bytes
FROM (
    SELECT
        CASE WHEN v.database_id = 2 THEN 2 ELSE 0 END AS database_id, CASE WHEN v.database_id <> 2 AND v.file_id = 2 THEN 1 ELSE 0 END AS is_log,
        v.num_of_reads, v.num_of_bytes_read, v.io_stall_read_ms, v.num_of_writes, v.num_of_bytes_written, v.io_stall_write_ms,
        v.size_on_disk_bytes
    FROM sys.dm_io_virtual_file_stats AS v
) AS x
GROUP BY x.database_id, x.is_log
