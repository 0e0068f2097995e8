/* ramknee:server/files_all */
/* result: database_id int, database_name? text, num_of_reads int, num_of_bytes_read int, num_of_writes int, num_of_bytes_written int */
/* All databases, at the edges of a step: what neighbours read and write. */
SELECT
    CONVERT(int, v.database_id) AS database_id, DB_NAME(v.database_id) AS database_name, SUM(v.num_of_reads) AS num_of_reads,
    SUM(v.num_of_bytes_read) AS num_of_bytes_read, SUM(v.num_of_writes) AS num_of_writes, SUM(v.num_of_bytes_written) AS num_of_bytes_written
FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v
GROUP BY v.database_id;
