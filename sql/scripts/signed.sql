/* ramknee:scripts/signed */
/* For a DBA, to read, to edit and to run as a sysadmin; ramknee never sends it.  It makes two procedures in master with which a login that
   has no ALTER SETTINGS can change 'max server memory' and 'min server memory' within a range, and nothing else.  'ramknee sweep' and
   'ramknee restore' use them by themselves.  Edit the range (@least, @most, @most_min) and, near the end, the name of the login, and grant
   the rest with 'ramknee sql grant' and @step = 0.

   How it holds: the procedures run as ramknee_setter, a login that is disabled, may not connect, and whose password nobody knows.  Being
   run inside a database, that identity would count in master alone; the signature of a certificate whose login may AUTHENTICATE SERVER
   makes it count for the server (a signature alone would end where sp_configure begins).  The private key is destroyed after signing:
   nothing else can be signed with it, and a procedure that is altered loses its signature and stops working.
   It may be run again: what an earlier run made is dropped first. */
USE master;
IF OBJECT_ID(N'dbo.ramknee_set_memory', N'P') IS NOT NULL DROP PROCEDURE dbo.ramknee_set_memory;
IF OBJECT_ID(N'dbo.ramknee_set_advanced', N'P') IS NOT NULL DROP PROCEDURE dbo.ramknee_set_advanced;
IF SUSER_ID(N'ramknee_signer') IS NOT NULL DROP LOGIN ramknee_signer;
IF CERT_ID(N'ramknee_signer') IS NOT NULL DROP CERTIFICATE ramknee_signer;
IF USER_ID(N'ramknee_setter') IS NOT NULL DROP USER ramknee_setter;
IF SUSER_ID(N'ramknee_setter') IS NOT NULL DROP LOGIN ramknee_setter;
GO
DECLARE @sql nvarchar(300) = N'CREATE LOGIN ramknee_setter WITH PASSWORD = N''' + CONVERT(nvarchar(80), CRYPT_GEN_RANDOM(32), 1)
    + N'aA!'', CHECK_POLICY = OFF;';
EXEC sys.sp_executesql @sql;
ALTER LOGIN ramknee_setter DISABLE;
DENY CONNECT SQL TO ramknee_setter;
GRANT ALTER SETTINGS TO ramknee_setter;
CREATE USER ramknee_setter FOR LOGIN ramknee_setter;
GO
/* The same as the statement server/set, behind a range. */
CREATE PROCEDURE dbo.ramknee_set_memory
    @server nvarchar(128),
    @expect_max int,
    @expect_min int,
    @max int,
    @min int
WITH EXECUTE AS 'ramknee_setter'
AS
SET NOCOUNT ON;
SET IMPLICIT_TRANSACTIONS OFF;
DECLARE
    @least int = 4096, /* MB: the smallest 'max server memory' that may be set */
    @most int = 2147483647, /* the largest; what is configured now must be within, or it could not be put back */
    @most_min int = 2147483647, /* the largest 'min server memory'; the same */
    @adv int, @shown int, @now_max int, @now_min int, @back_max int = @expect_max;
IF @max = 0 SET @max = 2147483647; /* no limit */
IF @back_max = 0 SET @back_max = 2147483647;
IF ISNULL(@max, -1) NOT BETWEEN @least AND @most OR ISNULL(@min, -1) NOT BETWEEN 0 AND @most_min
    THROW 50005, N'ramknee: outside the range that master.dbo.ramknee_set_memory allows', 1;
IF @@TRANCOUNT > 0 THROW 50001, N'ramknee: a transaction is open; RECONFIGURE cannot run inside one', 1;
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> ISNULL(@server, N'')
    THROW 50002, N'ramknee: another instance answers (a failover, or a listener?)', 1;
IF EXISTS (
    SELECT 1 FROM sys.configurations
    WHERE is_dynamic = 1 AND CONVERT(bigint, value) <> CONVERT(bigint, value_in_use) AND configuration_id NOT IN (518, 1543, 1544)
)
    THROW 50003, N'ramknee: a changed option of somebody else waits for RECONFIGURE, which would install it', 1;
SELECT @adv = CONVERT(int, ISNULL(value, value_in_use)), @shown = CONVERT(int, value_in_use)
FROM sys.configurations WHERE configuration_id = 518;
SELECT @now_max = CONVERT(int, ISNULL(value, value_in_use)) FROM sys.configurations WHERE configuration_id = 1544;
SELECT @now_min = CONVERT(int, ISNULL(value, value_in_use)) FROM sys.configurations WHERE configuration_id = 1543;
IF @now_max <> ISNULL(@expect_max, -1) OR @now_min <> ISNULL(@expect_min, -1)
    THROW 50004, N'ramknee: the memory setting was changed by somebody else', 1;
BEGIN TRY
    IF @shown = 0
    BEGIN
        EXEC sys.sp_configure N'show advanced options', 1;
        RECONFIGURE;
    END;
    IF @now_min <> @min EXEC sys.sp_configure N'min server memory (MB)', @min;
    IF @now_max <> @max EXEC sys.sp_configure N'max server memory (MB)', @max;
    RECONFIGURE;
END TRY
BEGIN CATCH
    /* sp_configure has stored what RECONFIGURE refused: it is taken back, or the next RECONFIGURE would install it. */
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
GO
/* The same as the statement server/set_advanced: 'show advanced options' back, when a batch broke off between switching it on and off. */
CREATE PROCEDURE dbo.ramknee_set_advanced
    @server nvarchar(128),
    @value int
WITH EXECUTE AS 'ramknee_setter'
AS
SET NOCOUNT ON;
SET IMPLICIT_TRANSACTIONS OFF;
IF ISNULL(@value, -1) NOT IN (0, 1) THROW 50005, N'ramknee: outside the range that master.dbo.ramknee_set_advanced allows', 1;
IF @@TRANCOUNT > 0 THROW 50001, N'ramknee: a transaction is open; RECONFIGURE cannot run inside one', 1;
IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> ISNULL(@server, N'')
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
GO
DECLARE @password nvarchar(100) = CONVERT(nvarchar(80), CRYPT_GEN_RANDOM(32), 1) + N'aA!', @sql nvarchar(500);
SET @sql = N'CREATE CERTIFICATE ramknee_signer ENCRYPTION BY PASSWORD = N''' + @password
    + N''' WITH SUBJECT = N''signs master.dbo.ramknee_set_memory and ramknee_set_advanced'', EXPIRY_DATE = N''20991231'';';
EXEC sys.sp_executesql @sql;
SET @sql = N'ADD SIGNATURE TO dbo.ramknee_set_memory BY CERTIFICATE ramknee_signer WITH PASSWORD = N''' + @password + N''';';
EXEC sys.sp_executesql @sql;
SET @sql = N'ADD SIGNATURE TO dbo.ramknee_set_advanced BY CERTIFICATE ramknee_signer WITH PASSWORD = N''' + @password + N''';';
EXEC sys.sp_executesql @sql;
ALTER CERTIFICATE ramknee_signer REMOVE PRIVATE KEY;
CREATE LOGIN ramknee_signer FROM CERTIFICATE ramknee_signer;
GRANT AUTHENTICATE SERVER TO ramknee_signer;
GO
DECLARE @login sysname = N'ramknee', /* a login that exists already */ @user nvarchar(260), @sql nvarchar(max);
IF SUSER_ID(@login) IS NULL THROW 50020, N'ramknee: there is no such login; name it in the line that sets @login', 1;
SET @user = QUOTENAME(@login);
SET @sql = N'';
IF NOT EXISTS (SELECT 1 FROM sys.database_principals WHERE sid = SUSER_SID(@login))
    SET @sql = N'CREATE USER ' + @user + N' FOR LOGIN ' + @user + N';';
SET @sql = @sql + N' GRANT EXECUTE ON dbo.ramknee_set_memory TO ' + @user + N'; GRANT EXECUTE ON dbo.ramknee_set_advanced TO ' + @user + N';';
EXEC sys.sp_executesql @sql;

/* Try it: as that login the two options are set to what they are.  One row is the answer; error 15247 or 5812 means that it does not hold
   on this server, 50005 that the range leaves out what is configured now. */
SET @sql = N'DECLARE @server nvarchar(128) = CONVERT(nvarchar(128), SERVERPROPERTY(N''ServerName'')), @max int, @min int;
SELECT @max = CONVERT(int, ISNULL(value, value_in_use)) FROM sys.configurations WHERE configuration_id = 1544;
SELECT @min = CONVERT(int, ISNULL(value, value_in_use)) FROM sys.configurations WHERE configuration_id = 1543;
EXECUTE AS LOGIN = N' + QUOTENAME(@login, N'''') + N';
EXEC dbo.ramknee_set_memory @server, @max, @min, @max, @min;
REVERT;';
EXEC sys.sp_executesql @sql;
GO
/* Taking it all back: run the first batch again, and REVOKE what 'ramknee sql grant' gave. */
