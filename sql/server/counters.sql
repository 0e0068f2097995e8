/* ramknee:server/counters */
/* params: @db nvarchar(128) */
/* result: obj? text, cnt? text, inst? text, cntr_value int, cntr_type int */
/* object_name is "SQLServer:Buffer Manager" on a default instance and "MSSQL$NAME:Buffer Manager" on a named one, padded with blanks:
   what follows the colon is compared.  Some managed services give NULL names.  A database is called there as it was created, whatever the
   case in which the user wrote its name. */
SELECT
    RTRIM(SUBSTRING(p.object_name, CHARINDEX(N':', p.object_name) + 1, 128)) AS obj, RTRIM(p.counter_name) AS cnt,
    RTRIM(p.instance_name) AS inst, p.cntr_value, p.cntr_type
FROM sys.dm_os_performance_counters AS p
WHERE
    p.object_name LIKE N'%:Buffer Manager%'
    OR p.object_name LIKE N'%:Memory Manager%'
    OR p.object_name LIKE N'%:SQL Statistics%'
    OR (
        p.object_name LIKE N'%:Databases%' AND p.instance_name = ISNULL(DB_NAME(DB_ID(@db)), @db)
        AND p.counter_name IN (
            N'Transactions/sec', N'Log Flushes/sec', N'Log Bytes Flushed/sec', N'Log Flush Wait Time', N'Log Growths', N'Percent Log Used'
        )
    );
