/* ramknee:server/dead_man_make */
/* params: @job nvarchar(128), @about nvarchar(512), @step_1 nvarchar(4000), @step_2 nvarchar(4000), @step_3 nvarchar(4000) */
/* The job of SQL Server Agent that puts the setting back when the sweep is not heard of any more, made before the first change and
   deleted after the setting is back.  Its one step is the text of server/dead_man, sent in three pieces, run each minute (daily, every
   minute of the day) in this database.  No owner is named: it belongs to the login that makes it, and a T-SQL step runs with its owner's
   rights.  So that login needs SQLAgentUserRole in msdb to make the job, and ALTER SETTINGS (or the procedure of scripts/signed) for
   what the step does: no role of msdb gives that.  What was made of a job that could not be made whole is deleted again. */
SET NOCOUNT ON;
DECLARE @id uniqueidentifier, @database sysname = DB_NAME(), @command nvarchar(max) = CONVERT(nvarchar(max), @step_1) + @step_2 + @step_3;
BEGIN TRY
    EXEC msdb.dbo.sp_add_job @job_name = @job, @enabled = 1, @description = @about, @job_id = @id OUTPUT;
    EXEC msdb.dbo.sp_add_jobstep
        @job_id = @id, @step_name = N'put back', @subsystem = N'TSQL', @command = @command, @database_name = @database,
        @on_success_action = 1, @on_fail_action = 2;
    EXEC msdb.dbo.sp_add_jobschedule
        @job_id = @id, @name = N'ramknee: every minute', @enabled = 1, @freq_type = 4, @freq_interval = 1,
        @freq_subday_type = 4, @freq_subday_interval = 1;
    EXEC msdb.dbo.sp_add_jobserver @job_id = @id, @server_name = N'(local)';
END TRY
BEGIN CATCH
    BEGIN TRY
        IF @id IS NOT NULL EXEC msdb.dbo.sp_delete_job @job_id = @id;
    END TRY
    BEGIN CATCH
        SET @id = NULL; /* the outer error is the one to report */
    END CATCH;
    THROW;
END CATCH;
