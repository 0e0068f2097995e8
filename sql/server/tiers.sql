/* ramknee:server/tiers */
/* result: bpe_state? int, hybrid? int */
/* Second tiers of the cache, outside 'max server memory': the buffer pool extension (2014; 0 is off) and the hybrid buffer pool (2019). */
SET NOCOUNT ON;
DECLARE @bpe int, @hybrid int;
IF OBJECT_ID(N'sys.dm_os_buffer_pool_extension_configuration') IS NOT NULL
    EXEC sys.sp_executesql N'SELECT @s = MAX(state) FROM sys.dm_os_buffer_pool_extension_configuration;', N'@s int OUTPUT', @s = @bpe OUTPUT;
IF EXISTS (
    SELECT 1 FROM sys.all_columns
    WHERE object_id = OBJECT_ID(N'sys.server_memory_optimized_hybrid_buffer_pool_configuration') AND name = N'is_enabled'
)
    EXEC sys.sp_executesql
        N'SELECT @h = MAX(CONVERT(int, is_enabled)) FROM sys.server_memory_optimized_hybrid_buffer_pool_configuration;',
        N'@h int OUTPUT', @h = @hybrid OUTPUT;
SELECT @bpe AS bpe_state, @hybrid AS hybrid;
