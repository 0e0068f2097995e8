-- twin of server/counters sha256:00880279656dad8e498d299b11df4ceea58f1e692c169722f023baba7b604355
SELECT
    SUBSTRING(p.object_name, LOCATE(':', p.object_name) + 1) AS obj, p.counter_name AS cnt, p.instance_name AS inst, p.cntr_value, p.cntr_type
FROM sys.dm_os_performance_counters AS p
WHERE
    p.object_name LIKE '%:Buffer Manager%'
    OR p.object_name LIKE '%:Buffer Node%'
    OR p.object_name LIKE '%:Memory Manager%'
    OR p.object_name LIKE '%:SQL Statistics%'
    OR (p.object_name LIKE '%:Databases%' AND p.instance_name = @db)
