-- twin of server/files_all sha256:790995c6f6f08f78fd8548ba09d94bf009ff58be197a1624c03e932c3b1939a4
SELECT
    v.database_id, (SELECT d.name FROM sys.databases AS d WHERE d.database_id = v.database_id) AS database_name,
    SUM(v.num_of_reads) AS num_of_reads, SUM(v.num_of_bytes_read) AS num_of_bytes_read, SUM(v.num_of_writes) AS num_of_writes,
    SUM(v.num_of_bytes_written) AS num_of_bytes_written
FROM sys.dm_io_virtual_file_stats AS v
GROUP BY v.database_id
