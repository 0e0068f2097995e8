/* ramknee:server/reached */
/* result: committed_kb int, committed_target_kb int, physical_memory_kb int, start_ticks int, process_memory_kb? int, locked_pages_kb? int, process_memory_low? int, available_memory_kb? int, cpu_count int */
/* Polled while the server settles.  Target against committed: downward the committed memory lags, upward it grows only as the load needs it. */
SELECT
    CONVERT(bigint, i.committed_kb) AS committed_kb, CONVERT(bigint, i.committed_target_kb) AS committed_target_kb,
    CONVERT(bigint, i.physical_memory_kb) AS physical_memory_kb, CONVERT(bigint, i.sqlserver_start_time_ms_ticks) AS start_ticks,
    CONVERT(bigint, m.physical_memory_in_use_kb) AS process_memory_kb, CONVERT(bigint, m.locked_page_allocations_kb) AS locked_pages_kb,
    CONVERT(int, m.process_physical_memory_low) AS process_memory_low, CONVERT(bigint, s.available_physical_memory_kb) AS available_memory_kb,
    i.cpu_count
FROM sys.dm_os_sys_info AS i
CROSS JOIN sys.dm_os_process_memory AS m
CROSS JOIN sys.dm_os_sys_memory AS s;
