-- twin of server/cpu sha256:4c2b4607e0012222f20b6920f2830e27f55ca22d9021564d89a150b4dc3696cf
SELECT
    i.process_kernel_time_ms + i.process_user_time_ms AS cpu_ms, i.ms_ticks,
    (SELECT COUNT(*) FROM sys.dm_os_schedulers AS s WHERE s.status = 'VISIBLE ONLINE') AS schedulers,
    i.sqlserver_start_time_ms_ticks AS start_ticks,
    (SELECT m.process_physical_memory_low FROM sys.dm_os_process_memory AS m) AS process_memory_low
FROM sys.dm_os_sys_info AS i
