-- twin of server/files sha256:a6fd18dba468b84ac8fba3b13812640cc79f61e3ffdeca05a78230d82c7a0b0e
SELECT
    v.database_id, v.file_id, v.file_id = 2 AS is_log, v.num_of_reads, v.num_of_bytes_read, v.io_stall_read_ms, v.num_of_writes,
    v.num_of_bytes_written, v.io_stall_write_ms, v.size_on_disk_bytes
FROM sys.dm_io_virtual_file_stats AS v
WHERE v.database_id = @rk_db_id OR v.database_id = 2
