/* ramknee:server/dead_man_write */
/* params: @job nvarchar(128), @run nvarchar(200), @server nvarchar(128), @after_s int, @max int, @min int, @advanced int */
/* The row that the dead-man's job goes by (server/dead_man), beside the journal's row.  beat_at is the sweep's sign of life, ran_at the
   job's; both by this server's clock, so that no client's matters.  state: armed; restored, or left (the setting was somebody else's), by
   the job; over, by the sweep or 'ramknee restore'. */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_dead_man') IS NULL
    CREATE TABLE dbo.ramknee_dead_man (
        id int NOT NULL CONSTRAINT pk_ramknee_dead_man PRIMARY KEY,
        job nvarchar(128) NOT NULL,
        run nvarchar(200) NOT NULL,
        server_name nvarchar(128) NOT NULL,
        state nvarchar(12) NOT NULL,
        after_s int NOT NULL,
        max_mb int NOT NULL,
        min_mb int NOT NULL,
        advanced int NOT NULL,
        last_max_mb int NOT NULL,
        last_min_mb int NOT NULL,
        next_max_mb int NOT NULL,
        next_min_mb int NOT NULL,
        found_max_mb int NULL,
        armed_at datetime NOT NULL,
        beat_at datetime NOT NULL,
        ran_at datetime NULL,
        ended_at datetime NULL
    );
DELETE FROM dbo.ramknee_dead_man WHERE id = 1;
INSERT INTO dbo.ramknee_dead_man (
    id, job, run, server_name, state, after_s, max_mb, min_mb, advanced, last_max_mb, last_min_mb, next_max_mb, next_min_mb, armed_at, beat_at
)
VALUES (1, @job, @run, @server, N'armed', @after_s, @max, @min, @advanced, 0, 0, 0, 0, GETUTCDATE(), GETUTCDATE());
