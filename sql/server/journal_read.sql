/* ramknee:server/journal_read */
/* result: body text, written_at text */
/* The row that says to another client what the local journal says here.  No table: no row. */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_journal') IS NOT NULL
    EXEC sys.sp_executesql N'SELECT body, CONVERT(nvarchar(30), written_at, 126) AS written_at FROM dbo.ramknee_journal WHERE id = 1;';
ELSE
    SELECT N'' AS body, N'' AS written_at WHERE 1 = 0;
