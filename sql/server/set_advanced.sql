/* ramknee:server/set_advanced */
/* params: @server nvarchar(128), @value int */
/* 'show advanced options' back to what it was, when a batch that had switched it on broke off in the middle.  RECONFIGURE installs
   everybody's pending options: not while there are any.  Without ALTER SETTINGS: see server/set. */
SET NOCOUNT ON;
SET IMPLICIT_TRANSACTIONS OFF;
IF HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER SETTINGS') = 0
    AND HAS_PERMS_BY_NAME(N'master.dbo.ramknee_set_advanced', N'OBJECT', N'EXECUTE') = 1
BEGIN
    EXEC master.dbo.ramknee_set_advanced @server, @value;
    RETURN;
END;
IF @@TRANCOUNT > 0 THROW 50001, N'ramknee: a transaction is open; RECONFIGURE cannot run inside one', 1;
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> @server
    THROW 50002, N'ramknee: another instance answers (a failover, or a listener?)', 1;
IF EXISTS (
    SELECT 1 FROM sys.configurations
    WHERE is_dynamic = 1 AND CONVERT(bigint, value) <> CONVERT(bigint, value_in_use)
        AND configuration_id <> 518
        AND NOT (configuration_id = 1543 AND CONVERT(int, value) < 16 AND CONVERT(int, value_in_use) IN (8, 16))
        AND NOT (configuration_id = 1544 AND CONVERT(int, value) = 0 AND CONVERT(int, value_in_use) = 2147483647)
)
    THROW 50003, N'ramknee: a changed option of somebody else waits for RECONFIGURE, which would install it', 1;
EXEC sys.sp_configure N'show advanced options', @value;
RECONFIGURE;
