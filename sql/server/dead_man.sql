/* ramknee:server/dead_man */
/* The step of the Agent's job that 'ramknee sweep --dead-man' makes (server/dead_man_make).  The Agent runs it each minute in the loaded
   database, with the rights of the job's owner, who is the sweep's login.  While the sweep beats (server/dead_man_beat) it does nothing.
   When nothing has been heard of the sweep for after_s seconds it puts 'max server memory', 'min server memory' and 'show advanced
   options' back as the row in dbo.ramknee_dead_man says, notes that there, and deletes the job.

   Who can be at it at the same time:
   - The sweep, while it works and while it puts back, and 'ramknee restore' hold the application lock 'ramknee' in master.  Then this run
     ends, and the next one looks again.  The server frees the lock once it has noticed that a client is gone.  A client that is
     stopped, not gone, keeps it: after three times after_s this goes on without the lock.
   - If both should put back at once after all: each compares before it sets, and both set the same values.  Whoever comes second finds
     nothing to do, or is refused (50004; 15123 when the other has just hidden the advanced options) and tries again.
   - A sweep that wakes up later is told: before it sets anything it writes here what it is about to set (server/dead_man_next),
     which fails once this row is not armed any more; and its set compares, too.
   - A DBA: a value that is none of before, last and next is somebody else's, and stays.  While options of others wait for RECONFIGURE,
     which would install them, this fails with 50003 and the next run tries again.
   - The sweep's end, or 'ramknee restore': they say 'over' here first and delete the job then (server/dead_man_remove); a run between
     the two deletes the job itself.
   sp_configure stores a value before RECONFIGURE accepts it: when that fails it is taken back at once, as in server/set. */
SET NOCOUNT ON;
SET IMPLICIT_TRANSACTIONS OFF;
DECLARE
    @job nvarchar(128), @server nvarchar(128), @state nvarchar(12), @end nvarchar(12), @age int, @after int, @got int = -1, @go int = 0,
    @max int, @min int, @adv int, @last_max int, @last_min int, @next_max int, @next_min int,
    @now_max int, @now_min int, @now_adv int, @shown int, @limit int, @to_max int, @to_min int;
UPDATE dbo.ramknee_dead_man SET ran_at = GETUTCDATE() WHERE id = 1;
IF EXISTS (
    SELECT 1 FROM dbo.ramknee_dead_man
    WHERE id = 1 AND state = N'armed' AND DATEDIFF(second, beat_at, GETUTCDATE()) < after_s
)
    RETURN;
BEGIN TRY
    EXEC master.sys.sp_executesql
        N'EXEC @g = sys.sp_getapplock @Resource = N''ramknee'', @LockMode = N''Exclusive'', @LockOwner = N''Session'', @LockTimeout = 0;',
        N'@g int OUTPUT', @g = @got OUTPUT;
    SELECT
        @job = job, @server = server_name, @state = state, @after = after_s, @age = DATEDIFF(second, beat_at, GETUTCDATE()),
        @max = max_mb, @min = min_mb, @adv = advanced,
        @last_max = last_max_mb, @last_min = last_min_mb, @next_max = next_max_mb, @next_min = next_min_mb
    FROM dbo.ramknee_dead_man WHERE id = 1;
    IF @job IS NULL
        THROW 50007, N'ramknee: nobody knows any more what to put back; look at max server memory by hand, then delete this job', 1;
    IF @state <> N'armed'
        SET @go = 2;
    ELSE IF @age >= @after AND (@got >= 0 OR @age / 3 >= @after)
        SET @go = 1;
    IF @go = 1
    BEGIN
        SELECT
            @now_max = MAX(CASE configuration_id WHEN 1544 THEN CONVERT(int, ISNULL(value, value_in_use)) END),
            @now_min = MAX(CASE configuration_id WHEN 1543 THEN CONVERT(int, ISNULL(value, value_in_use)) END),
            @now_adv = MAX(CASE configuration_id WHEN 518 THEN CONVERT(int, ISNULL(value, value_in_use)) END),
            @shown = MAX(CASE configuration_id WHEN 518 THEN CONVERT(int, value_in_use) END)
        FROM sys.configurations WHERE configuration_id IN (518, 1543, 1544);
        /* 0 is what an untouched server stores for "no limit"; a last or next of 0: nothing was set yet. */
        SELECT
            @max = CASE @max WHEN 0 THEN 2147483647 ELSE @max END,
            @limit = CASE @now_max WHEN 0 THEN 2147483647 ELSE @now_max END,
            @last_min = CASE @last_max WHEN 0 THEN @min ELSE @last_min END,
            @next_min = CASE @next_max WHEN 0 THEN @min ELSE @next_min END;
        IF CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) <> @server
            SET @end = N'left';
        ELSE IF EXISTS (
            SELECT 1 FROM sys.configurations
            WHERE is_dynamic = 1 AND CONVERT(bigint, value) <> CONVERT(bigint, value_in_use) AND configuration_id NOT IN (518, 1543, 1544)
        )
            THROW 50003, N'ramknee: a changed option of somebody else waits for RECONFIGURE, which would install it', 1;
        ELSE IF @limit IN (@max, @last_max, @next_max) AND @now_min IN (@min, @last_min, @next_min)
            SELECT @end = N'restored', @to_max = @max, @to_min = @min;
        ELSE IF @now_min IN (@last_min, @next_min) AND @now_min <> @min AND @min <= @limit
            SELECT @end = N'left', @to_max = @limit, @to_min = @min, @adv = @now_adv; /* the floor alone is still the sweep's */
        ELSE
            SET @end = N'left';
    END;
    IF @to_max IS NOT NULL AND HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER SETTINGS') = 0
        AND HAS_PERMS_BY_NAME(N'master.dbo.ramknee_set_memory', N'OBJECT', N'EXECUTE') = 1
    BEGIN
        EXEC master.dbo.ramknee_set_memory @server, @now_max, @now_min, @to_max, @to_min;
        IF @now_adv <> @adv EXEC master.dbo.ramknee_set_advanced @server, @adv;
    END;
    ELSE IF @to_max IS NOT NULL
    BEGIN
        BEGIN TRY
            IF @shown = 0
            BEGIN
                EXEC sys.sp_configure N'show advanced options', 1;
                RECONFIGURE;
            END;
            IF @now_min <> @to_min EXEC sys.sp_configure N'min server memory (MB)', @to_min;
            IF @limit <> @to_max EXEC sys.sp_configure N'max server memory (MB)', @to_max;
            RECONFIGURE;
        END TRY
        BEGIN CATCH
            BEGIN TRY
                IF @now_min <> @to_min EXEC sys.sp_configure N'min server memory (MB)', @now_min;
                IF @limit <> @to_max EXEC sys.sp_configure N'max server memory (MB)', @limit;
                IF @adv = 0
                BEGIN
                    EXEC sys.sp_configure N'show advanced options', 0;
                    RECONFIGURE;
                END;
            END TRY
            BEGIN CATCH
                SET @go = @go; /* the outer error is the one to report */
            END CATCH;
            THROW;
        END CATCH;
        IF @adv = 0
        BEGIN
            EXEC sys.sp_configure N'show advanced options', 0;
            RECONFIGURE;
        END;
    END;
    IF @go = 1
        UPDATE dbo.ramknee_dead_man SET state = @end, found_max_mb = @now_max, ended_at = GETUTCDATE() WHERE id = 1 AND state = N'armed';
    IF @go = 2
        DELETE FROM dbo.ramknee_dead_man WHERE id = 1 AND state = N'over';
END TRY
BEGIN CATCH
    /* The Agent may use its connection again: the lock must not stay with it. */
    IF @got >= 0
        EXEC master.sys.sp_executesql N'EXEC sys.sp_releaseapplock @Resource = N''ramknee'', @LockOwner = N''Session'';';
    THROW;
END CATCH;
IF @got >= 0
    EXEC master.sys.sp_executesql N'EXEC sys.sp_releaseapplock @Resource = N''ramknee'', @LockOwner = N''Session'';';
/* Last of all: whatever the Agent does to the run of a job that is deleted, the work is done. */
IF @go > 0
    EXEC msdb.dbo.sp_delete_job @job_name = @job;
