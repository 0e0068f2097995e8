/* ramknee:server/identity */
/* result: server_name? text, node? text, engine_edition? int, edition? text, version? text, is_clustered? int, is_hadr? int, xtp? int, database_name? text, session_id int, host_platform? text, scale? int */
/* Who answers.  SERVERPROPERTY gives sql_variant, which is converted so that clients see one type; a property that a version does not know is NULL.
   The platform: sys.dm_os_host_info came with 2017; before there was only Windows.  It may have been taken from public: then the version's
   text has to say it. */
SET NOCOUNT ON;
DECLARE @platform nvarchar(256) = N'Windows';
BEGIN TRY
    IF OBJECT_ID(N'sys.dm_os_host_info') IS NOT NULL
        EXEC sys.sp_executesql N'SELECT @p = host_platform FROM sys.dm_os_host_info;', N'@p nvarchar(256) OUTPUT', @p = @platform OUTPUT;
END TRY
BEGIN CATCH
    IF @@VERSION LIKE N'% on Linux%' SET @platform = N'Linux';
END CATCH;
SELECT
    CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) AS server_name,
    CONVERT(nvarchar(128), SERVERPROPERTY(N'ComputerNamePhysicalNetBIOS')) AS node,
    CONVERT(int, SERVERPROPERTY(N'EngineEdition')) AS engine_edition,
    CONVERT(nvarchar(128), SERVERPROPERTY(N'Edition')) AS edition,
    CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion')) AS version,
    CONVERT(int, SERVERPROPERTY(N'IsClustered')) AS is_clustered,
    CONVERT(int, SERVERPROPERTY(N'IsHadrEnabled')) AS is_hadr,
    CONVERT(int, SERVERPROPERTY(N'IsXTPSupported')) AS xtp,
    DB_NAME() AS database_name,
    CONVERT(int, @@SPID) AS session_id,
    @platform AS host_platform,
    CONVERT(int, SERVERPROPERTY(N'RamkneeScale')) AS scale; /* NULL on a real server; 1024 on the rehearsal server */
