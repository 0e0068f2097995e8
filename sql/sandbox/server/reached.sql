-- twin of server/reached sha256:452f6a65509b81cdc621cab145d12598a40efad34cef518017b3d369c5364fdd
SELECT
    i.committed_kb, i.committed_target_kb, i.physical_memory_kb, i.sqlserver_start_time_ms_ticks AS start_ticks,
    m.physical_memory_in_use_kb AS process_memory_kb, m.locked_page_allocations_kb AS locked_pages_kb,
    m.process_physical_memory_low AS process_memory_low, s.available_physical_memory_kb AS available_memory_kb, i.cpu_count
FROM sys.dm_os_sys_info AS i
CROSS JOIN sys.dm_os_process_memory AS m
CROSS JOIN sys.dm_os_sys_memory AS s
