-- twin of server/counters sha256:fa41bf5341e9ad6c4916e4a2d5ea16f4e63116785bce36a46946e579782405e2
SELECT
    SUBSTRING(p.object_name, LOCATE(':', p.object_name) + 1) AS obj, p.counter_name AS cnt, p.instance_name AS inst, p.cntr_value, p.cntr_type
FROM sys.dm_os_performance_counters AS p
WHERE
    p.object_name LIKE '%:Buffer Manager%'
    OR p.object_name LIKE '%:Memory Manager%'
    OR p.object_name LIKE '%:SQL Statistics%'
    OR (p.object_name LIKE '%:Databases%' AND p.instance_name = @db)
