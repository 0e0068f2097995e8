-- twin of server/counters sha256:c45e8900778a78bde6a4cb5e50e81c1eb66749a6f8f9e1b2ce5e20151af83fbb
SELECT
    SUBSTRING(p.object_name, LOCATE(':', p.object_name) + 1) AS obj, p.counter_name AS cnt, p.instance_name AS inst, p.cntr_value, p.cntr_type
FROM sys.dm_os_performance_counters AS p
WHERE
    p.object_name LIKE '%:Buffer Manager%'
    OR p.object_name LIKE '%:Buffer Node%'
    OR p.object_name LIKE '%:Memory Manager%'
    OR p.object_name LIKE '%:SQL Statistics%'
    OR (p.object_name LIKE '%:Databases%' AND p.instance_name = @db)
