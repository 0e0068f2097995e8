-- twin of server/pending sha256:39ebb58bc4b50041f4b59c05508137382fb59721a63285e5af7d5f7c2a05affb
SELECT c.name, c.value, c.value_in_use
FROM sys.configurations AS c
WHERE
    c.is_dynamic = 1 AND c.value <> c.value_in_use
    AND NOT (c.configuration_id = 1543 AND c.value < 16 AND c.value_in_use = 16)
    AND NOT (c.configuration_id = 1544 AND c.value = 0 AND c.value_in_use = 2147483647)
ORDER BY c.name
