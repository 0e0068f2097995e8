-- twin of server/database_size sha256:2464b7a7a8f30765c7004999b31b4eb1379bbdce0e1637a85fb3d3f991a011e5
-- the pages in use, as the engine's statistics have them; a size, so times 1,024
SELECT
    SUM(CASE WHEN f.type = 0 THEN f.size * 8192 ELSE 0 END) AS data_bytes,
    SUM(CASE WHEN f.type = 1 THEN f.size * 8192 ELSE 0 END) AS log_bytes,
    (SELECT SUM(t.data_length + t.index_length) * 1024 FROM information_schema.tables AS t WHERE t.table_schema = @rk_db) AS used_bytes
FROM sys.database_files AS f
