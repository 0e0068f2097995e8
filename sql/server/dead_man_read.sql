/* ramknee:server/dead_man_read */
/* result: job text, run text, server_name text, state text, after_s int, max_mb int, found_max_mb? int, ended_at? text */
/* What the dead-man's job was told and has done.  No table: no row. */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_dead_man') IS NOT NULL
    EXEC sys.sp_executesql N'SELECT job, run, server_name, state, after_s, max_mb, found_max_mb,
    CONVERT(nvarchar(19), ended_at, 120) AS ended_at FROM dbo.ramknee_dead_man WHERE id = 1;';
ELSE
    SELECT N'' AS job, N'' AS run, N'' AS server_name, N'' AS state, 0 AS after_s, 0 AS max_mb, 0 AS found_max_mb, N'' AS ended_at WHERE 1 = 0;
