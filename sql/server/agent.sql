/* ramknee:server/agent */
/* result: agent_xps? int, service? int, sessions int, may_add? int */
/* Whether SQL Server Agent could run a job of this login.  Without 'Agent XPs' (16384), which the Agent switches on when it starts, there is
   none; everybody may read that option.  service is 4 when it runs; NULL when the login may not see it (sys.dm_server_services takes VIEW
   SERVER STATE, from 2022 on VIEW SERVER SECURITY STATE).  Services have their names in the language of the machine, their files have not.
   Sessions of the Agent prove that it runs; they are seen with VIEW SERVER STATE, from 2022 on VIEW SERVER PERFORMANCE STATE. */
SET NOCOUNT ON;
DECLARE @xps int, @service int, @sessions int = 0;
SELECT @xps = CONVERT(int, value_in_use) FROM sys.configurations WHERE configuration_id = 16384;
BEGIN TRY
    EXEC sys.sp_executesql
        N'SELECT @s = MAX(status) FROM sys.dm_server_services WHERE servicename LIKE N''%Agent%'' OR filename LIKE N''%sqlagent%'';',
        N'@s int OUTPUT', @s = @service OUTPUT;
END TRY
BEGIN CATCH
    SET @service = NULL;
END CATCH;
SELECT @sessions = COUNT(*) FROM sys.dm_exec_sessions WHERE program_name LIKE N'SQLAgent%';
SELECT
    @xps AS agent_xps, @service AS service, @sessions AS sessions,
    HAS_PERMS_BY_NAME(N'msdb.dbo.sp_add_job', N'OBJECT', N'EXECUTE') AS may_add;
