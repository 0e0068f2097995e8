/* ramknee:server/reached */
/* result: committed_kb int, committed_target_kb int, physical_memory_kb int, start_ticks int, process_memory_kb? int, locked_pages_kb? int, process_memory_low? int, available_memory_kb? int, cpu_count int */
/* Polled while the server settles.  Target against committed: downward the committed memory lags, upward it grows only as the load needs it.
   Azure SQL Database has neither sys.dm_os_process_memory nor sys.dm_os_sys_memory: what they say is NULL there. */
SET NOCOUNT ON;
DECLARE @process bigint, @locked bigint, @low int, @available bigint;
BEGIN TRY
    IF OBJECT_ID(N'sys.dm_os_process_memory') IS NOT NULL AND OBJECT_ID(N'sys.dm_os_sys_memory') IS NOT NULL
        EXEC sys.sp_executesql
            N'SELECT @p = m.physical_memory_in_use_kb, @k = m.locked_page_allocations_kb, @l = CONVERT(int, m.process_physical_memory_low), @a = s.available_physical_memory_kb FROM sys.dm_os_process_memory AS m CROSS JOIN sys.dm_os_sys_memory AS s;',
            N'@p bigint OUTPUT, @k bigint OUTPUT, @l int OUTPUT, @a bigint OUTPUT',
            @p = @process OUTPUT, @k = @locked OUTPUT, @l = @low OUTPUT, @a = @available OUTPUT;
END TRY
BEGIN CATCH
    SELECT @process = NULL, @locked = NULL, @low = NULL, @available = NULL;
END CATCH;
SELECT
    CONVERT(bigint, i.committed_kb) AS committed_kb, CONVERT(bigint, i.committed_target_kb) AS committed_target_kb,
    CONVERT(bigint, i.physical_memory_kb) AS physical_memory_kb, CONVERT(bigint, i.sqlserver_start_time_ms_ticks) AS start_ticks,
    @process AS process_memory_kb, @locked AS locked_pages_kb, @low AS process_memory_low, @available AS available_memory_kb, i.cpu_count
FROM sys.dm_os_sys_info AS i;
