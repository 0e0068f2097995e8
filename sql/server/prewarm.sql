/* ramknee:server/prewarm */
/* params: @table nvarchar(128) */
/* result: n int */
/* Read a whole table of the current database through the cache, as going up to a larger setting needs it: INDEX(0) is a scan of the
   clustered index, or of the heap. */
SET NOCOUNT ON;
DECLARE @sql nvarchar(max) = N'SELECT COUNT_BIG(*) AS n FROM dbo.' + QUOTENAME(@table) + N' WITH (INDEX(0)) OPTION (MAXDOP 1);';
EXEC sys.sp_executesql @sql;
