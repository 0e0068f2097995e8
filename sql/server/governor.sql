/* ramknee:server/governor */
/* result: pool text, max_cpu_percent int, cap_cpu_percent int, max_memory_percent int, max_iops? int */
/* The Resource Governor's pool in which our own sessions run.  Limits of I/O came with 2014; NULL or 0 is none. */
SET NOCOUNT ON;
DECLARE @pool int, @iops int;
SELECT @pool = g.pool_id FROM sys.dm_exec_sessions AS s
INNER JOIN sys.dm_resource_governor_workload_groups AS g ON g.group_id = s.group_id
WHERE s.session_id = @@SPID;
IF EXISTS (
    SELECT 1 FROM sys.all_columns
    WHERE object_id = OBJECT_ID(N'sys.dm_resource_governor_resource_pools') AND name = N'max_iops_per_volume'
)
    EXEC sys.sp_executesql
        N'SELECT @i = max_iops_per_volume FROM sys.dm_resource_governor_resource_pools WHERE pool_id = @p;',
        N'@p int, @i int OUTPUT', @p = @pool, @i = @iops OUTPUT;
SELECT p.name AS pool, p.max_cpu_percent, p.cap_cpu_percent, p.max_memory_percent, @iops AS max_iops
FROM sys.dm_resource_governor_resource_pools AS p
WHERE p.pool_id = @pool;
