-- twin of server/memory_model sha256:06a8499fa19afc28a5bb3a965ec4e679f022369fecc67fa19d8d7048b5cabc17
SELECT
    (SELECT i.sql_memory_model FROM sys.dm_os_sys_info AS i) AS sql_memory_model, m.large_page_allocations_kb AS large_pages_kb,
    m.locked_page_allocations_kb AS locked_pages_kb
FROM sys.dm_os_process_memory AS m
