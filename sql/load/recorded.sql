/* ramknee:load/recorded */
/* result: name text, value text */
/* Write down the properties that the database has in the end, and the server that it was loaded on, in dbo.ramknee_property; and
   show them. sys.databases has more columns in later versions: each is asked for only where it is. */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_property') IS NULL
    CREATE TABLE dbo.ramknee_property (
        name nvarchar(128) NOT NULL CONSTRAINT pk_ramknee_property PRIMARY KEY,
        value nvarchar(256) NOT NULL
    );
DELETE FROM dbo.ramknee_property;
DECLARE @sql nvarchar(max) = N'', @column sysname;
DECLARE wanted CURSOR LOCAL FAST_FORWARD FOR
SELECT c.name
FROM sys.all_columns AS c
WHERE
    c.object_id = OBJECT_ID(N'sys.databases')
    AND c.name IN (
        N'recovery_model_desc', N'compatibility_level', N'is_read_committed_snapshot_on', N'snapshot_isolation_state_desc',
        N'page_verify_option_desc', N'is_parameterization_forced', N'is_auto_create_stats_on', N'is_auto_update_stats_on',
        N'is_auto_close_on', N'is_auto_shrink_on', N'target_recovery_time_in_seconds', N'delayed_durability_desc',
        N'is_query_store_on', N'is_accelerated_database_recovery_on', N'is_optimized_locking_on', N'is_encrypted', N'collation_name'
    );
OPEN wanted;
FETCH NEXT FROM wanted INTO @column;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @sql = N'INSERT INTO dbo.ramknee_property (name, value) SELECT N''' + @column + N''', CONVERT(nvarchar(256), d.' + @column
        + N') FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.' + @column + N' IS NOT NULL;';
    EXEC sys.sp_executesql @sql;
    FETCH NEXT FROM wanted INTO @column;
END;
CLOSE wanted;
DEALLOCATE wanted;
INSERT INTO dbo.ramknee_property (name, value)
VALUES
    (N'server_version', CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion'))),
    (N'server_edition', CONVERT(nvarchar(128), SERVERPROPERTY(N'Edition')));
SELECT p.name, p.value FROM dbo.ramknee_property AS p ORDER BY p.name;
