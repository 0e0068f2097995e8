/* ramknee:server/set */
/* params: @server nvarchar(128), @expect_max int, @expect_min int, @max int, @min int */
/* result: max_mb int, max_in_use_mb int, min_mb int, min_in_use_mb int */
/* Compare and set, in one batch.  @expect_* is what we last saw or set: a DBA who stepped in is never overwritten.  Both values are stored
   first and installed by one RECONFIGURE, since each RECONFIGURE flushes the plan cache.  sp_configure stores a value before RECONFIGURE
   accepts it: when that fails the value is taken back at once, or the next RECONFIGURE or restart would install it.  A login without
   ALTER SETTINGS goes through the procedure of scripts/signed where a DBA has made it. */
SET NOCOUNT ON;
SET IMPLICIT_TRANSACTIONS OFF;
DECLARE @adv int, @shown int, @now_max int, @now_min int, @back_max int = @expect_max;
IF HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER SETTINGS') = 0
    AND HAS_PERMS_BY_NAME(N'master.dbo.ramknee_set_memory', N'OBJECT', N'EXECUTE') = 1
BEGIN
    EXEC master.dbo.ramknee_set_memory @server, @expect_max, @expect_min, @max, @min;
    RETURN;
END;
IF @@TRANCOUNT > 0 THROW 50001, N'ramknee: a transaction is open; RECONFIGURE cannot run inside one', 1;
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> @server
    THROW 50002, N'ramknee: another instance answers (a failover, or a listener?)', 1;
/* The three that this batch installs itself are not looked at here: a batch that broke off in the middle leaves them pending, and it
   must be possible to put them back; that nobody else has changed them is compared below. */
IF EXISTS (
    SELECT 1 FROM sys.configurations
    WHERE is_dynamic = 1 AND CONVERT(bigint, value) <> CONVERT(bigint, value_in_use) AND configuration_id NOT IN (518, 1543, 1544)
)
    THROW 50003, N'ramknee: a changed option of somebody else waits for RECONFIGURE, which would install it', 1;
SELECT @adv = CONVERT(int, ISNULL(value, value_in_use)), @shown = CONVERT(int, value_in_use)
FROM sys.configurations WHERE configuration_id = 518;
SELECT @now_max = CONVERT(int, ISNULL(value, value_in_use)) FROM sys.configurations WHERE configuration_id = 1544;
SELECT @now_min = CONVERT(int, ISNULL(value, value_in_use)) FROM sys.configurations WHERE configuration_id = 1543;
IF @now_max <> @expect_max OR @now_min <> @expect_min
    THROW 50004, N'ramknee: the memory setting was changed by somebody else', 1;
/* 0 is what an untouched server stores for "no limit"; written back is the limit that it means. */
IF @max = 0 SET @max = 2147483647;
IF @back_max = 0 SET @back_max = 2147483647;
BEGIN TRY
    IF @shown = 0 /* sp_configure looks at what runs */
    BEGIN
        EXEC sys.sp_configure N'show advanced options', 1;
        RECONFIGURE;
    END;
    IF @now_min <> @min EXEC sys.sp_configure N'min server memory (MB)', @min;
    IF @now_max <> @max EXEC sys.sp_configure N'max server memory (MB)', @max;
    RECONFIGURE;
END TRY
BEGIN CATCH
    BEGIN TRY
        IF @now_min <> @min EXEC sys.sp_configure N'min server memory (MB)', @expect_min;
        IF @now_max <> @max EXEC sys.sp_configure N'max server memory (MB)', @back_max;
        IF @adv = 0
        BEGIN
            EXEC sys.sp_configure N'show advanced options', 0;
            RECONFIGURE;
        END;
    END TRY
    BEGIN CATCH
        SET @adv = @adv; /* the outer error is the one to report */
    END CATCH;
    THROW;
END CATCH;
IF @adv = 0
BEGIN
    EXEC sys.sp_configure N'show advanced options', 0;
    RECONFIGURE;
END;
SELECT
    MAX(CASE c.configuration_id WHEN 1544 THEN CONVERT(int, ISNULL(c.value, c.value_in_use)) END) AS max_mb,
    MAX(CASE c.configuration_id WHEN 1544 THEN CONVERT(int, c.value_in_use) END) AS max_in_use_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN CONVERT(int, ISNULL(c.value, c.value_in_use)) END) AS min_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN CONVERT(int, c.value_in_use) END) AS min_in_use_mb
FROM sys.configurations AS c
WHERE c.configuration_id IN (1543, 1544);
