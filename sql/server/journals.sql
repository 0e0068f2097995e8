/* ramknee:server/journals */
/* result: name text */
/* The databases, of those that this login may open, which hold the record of a sweep that has not put its setting back. */
SET NOCOUNT ON;
DECLARE @sql nvarchar(max) = N'SELECT CONVERT(nvarchar(128), N'''') AS name WHERE 1 = 0';
SELECT @sql = @sql + N' UNION ALL SELECT CONVERT(nvarchar(128), ' + N'N' + QUOTENAME(d.name, N'''') + N') WHERE EXISTS (SELECT 1 FROM '
    + QUOTENAME(d.name) + N'.dbo.ramknee_journal WHERE id = 1)'
FROM sys.databases AS d
WHERE
    CASE WHEN HAS_DBACCESS(d.name) = 1 THEN OBJECT_ID(QUOTENAME(d.name) + N'.dbo.ramknee_journal', N'U') END IS NOT NULL;
EXEC sys.sp_executesql @sql;
