/* ramknee:server/memory_model */
/* result: sql_memory_model? int, large_pages_kb int, locked_pages_kb int */
/* 1 conventional, 2 locked pages, 3 large pages, which are not given back when the setting is lowered.  The column came with 2012 SP4 and
   2016 SP1; the pages in use are there in all versions.  Trace flag 834 alone proves nothing. */
SET NOCOUNT ON;
DECLARE @model int;
IF EXISTS (SELECT 1 FROM sys.all_columns WHERE object_id = OBJECT_ID(N'sys.dm_os_sys_info') AND name = N'sql_memory_model')
    EXEC sys.sp_executesql N'SELECT @m = sql_memory_model FROM sys.dm_os_sys_info;', N'@m int OUTPUT', @m = @model OUTPUT;
SELECT
    @model AS sql_memory_model, CONVERT(bigint, m.large_page_allocations_kb) AS large_pages_kb,
    CONVERT(bigint, m.locked_page_allocations_kb) AS locked_pages_kb
FROM sys.dm_os_process_memory AS m;
