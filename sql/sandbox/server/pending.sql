-- twin of server/pending sha256:3b7579a0e66dba1844e963abf3badfd3ac9b766e549e20e9dcdb7d63b0adc933
SELECT c.name, c.value, c.value_in_use
FROM sys.configurations AS c
WHERE
    c.is_dynamic = 1 AND c.value <> c.value_in_use
    AND NOT (c.configuration_id = 1543 AND c.value < 16 AND c.value_in_use = 16)
    AND NOT (c.configuration_id = 1544 AND c.value = 0 AND c.value_in_use = 2147483647)
ORDER BY c.name
