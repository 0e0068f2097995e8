/* ramknee:server/pending */
/* result: name text, value int, value_in_use int */
/* Options that somebody has set and not yet installed: our RECONFIGURE would install them too.  The exceptions are no change at all:
   0 shows in use as 16 or, on 32 bits, as 8 (min) and as 2147483647 (max). */
SELECT CONVERT(nvarchar(70), c.name) AS name, CONVERT(bigint, c.value) AS value, CONVERT(bigint, c.value_in_use) AS value_in_use
FROM sys.configurations AS c
WHERE
    c.is_dynamic = 1
    AND CONVERT(bigint, c.value) <> CONVERT(bigint, c.value_in_use)
    AND NOT (c.configuration_id = 1543 AND CONVERT(int, c.value) < 16 AND CONVERT(int, c.value_in_use) IN (8, 16))
    AND NOT (c.configuration_id = 1544 AND CONVERT(int, c.value) = 0 AND CONVERT(int, c.value_in_use) = 2147483647)
ORDER BY c.name;
