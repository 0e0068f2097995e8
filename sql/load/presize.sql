/* ramknee:load/presize */
/* params: @data_mb int, @log_mb int */
/* Make the files as large as they will need to be, so that none grows under the measurement; the log in steps of 8,000 MB, which
   give it virtual log files of a sane size.  A file that is larger already is left as it is. */
SET NOCOUNT ON;
IF CONVERT(int, SERVERPROPERTY(N'EngineEdition')) IN (5, 8) RETURN; /* managed: files are the service's business */
DECLARE @data sysname, @log sysname, @data_now int, @log_now int, @sql nvarchar(1000);
SELECT @data = f.name, @data_now = f.size / 128 FROM sys.database_files AS f WHERE f.file_id = 1;
SELECT @log = f.name, @log_now = f.size / 128 FROM sys.database_files AS f WHERE f.file_id = 2;
IF @data_now < @data_mb
BEGIN
    SET @sql = N'ALTER DATABASE CURRENT MODIFY FILE (NAME = N' + QUOTENAME(@data, N'''')
        + N', SIZE = ' + CONVERT(nvarchar(11), @data_mb) + N'MB);';
    EXEC sys.sp_executesql @sql;
END;
SET @sql = N'ALTER DATABASE CURRENT MODIFY FILE (NAME = N' + QUOTENAME(@data, N'''') + N', FILEGROWTH = 1024MB);';
EXEC sys.sp_executesql @sql;
SET @sql = N'ALTER DATABASE CURRENT MODIFY FILE (NAME = N' + QUOTENAME(@log, N'''') + N', FILEGROWTH = 1024MB);';
EXEC sys.sp_executesql @sql;
WHILE @log_now < @log_mb
BEGIN
    SET @log_now = CASE WHEN @log_now + 8000 < @log_mb THEN @log_now + 8000 ELSE @log_mb END;
    SET @sql = N'ALTER DATABASE CURRENT MODIFY FILE (NAME = N' + QUOTENAME(@log, N'''')
        + N', SIZE = ' + CONVERT(nvarchar(11), @log_now) + N'MB);';
    EXEC sys.sp_executesql @sql;
END;
