/* ramknee:server/dead_man_remove */
/* The setting is back, so the dead-man's job goes.  First the word 'over', so that a run of the job that begins now does nothing but
   delete itself; then the job, then the row.  A login sees its own jobs alone: a job that is not seen finds 'over' and goes by itself. */
SET NOCOUNT ON;
DECLARE @job nvarchar(128), @state nvarchar(12);
IF OBJECT_ID(N'dbo.ramknee_dead_man') IS NOT NULL
BEGIN
    UPDATE dbo.ramknee_dead_man SET state = N'over' WHERE id = 1 AND state = N'armed';
    SELECT @job = job, @state = state FROM dbo.ramknee_dead_man WHERE id = 1;
    IF @job IS NOT NULL AND EXISTS (SELECT 1 FROM msdb.dbo.sysjobs_view WHERE name = @job)
    BEGIN
        BEGIN TRY
            EXEC msdb.dbo.sp_delete_job @job_name = @job;
        END TRY
        BEGIN CATCH
            /* It may have gone by itself between the two. */
            IF EXISTS (SELECT 1 FROM msdb.dbo.sysjobs_view WHERE name = @job) THROW;
        END CATCH;
        SET @state = N'gone';
    END;
    IF @state <> N'over'
        DELETE FROM dbo.ramknee_dead_man WHERE id = 1;
END;
