/* ramknee:server/cpu */
/* result: cpu_ms int, ms_ticks int, schedulers int, start_ticks int, process_memory_low? int */
/* The instance's CPU over the schedulers that it may use: cpu_count is the machine's.  Azure SQL Database has no sys.dm_os_process_memory. */
SET NOCOUNT ON;
DECLARE @low int;
BEGIN TRY
    IF OBJECT_ID(N'sys.dm_os_process_memory') IS NOT NULL
        EXEC sys.sp_executesql N'SELECT @l = CONVERT(int, process_physical_memory_low) FROM sys.dm_os_process_memory;', N'@l int OUTPUT', @l = @low OUTPUT;
END TRY
BEGIN CATCH
    SET @low = NULL;
END CATCH;
SELECT
    CONVERT(bigint, i.process_kernel_time_ms + i.process_user_time_ms) AS cpu_ms, CONVERT(bigint, i.ms_ticks) AS ms_ticks,
    (SELECT COUNT(*) FROM sys.dm_os_schedulers AS s WHERE s.status = N'VISIBLE ONLINE') AS schedulers,
    CONVERT(bigint, i.sqlserver_start_time_ms_ticks) AS start_ticks, @low AS process_memory_low
FROM sys.dm_os_sys_info AS i;
