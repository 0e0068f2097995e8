-- twin of server/volumes sha256:0f5f665b60b5c795eacb478a1f35e2db216a83f7ec8878933dacbfb9f80e3bff
SELECT f.type_desc AS what, v.volume_mount_point AS mount, v.file_system_type AS file_system, v.total_bytes, v.available_bytes
FROM sys.database_files AS f
CROSS JOIN sys.dm_os_volume_stats AS v
UNION ALL
SELECT 'TEMPDB', v.volume_mount_point, v.file_system_type, v.total_bytes, v.available_bytes
FROM sys.dm_os_volume_stats AS v
