/* ramknee:server/settings */
/* result: server_name? text, max_mb int, max_in_use_mb int, min_mb int, min_in_use_mb int, advanced int, advanced_in_use int */
/* One row: the three options that a sweep touches.  Ids: 1543 min server memory, 1544 max server memory, 518 show advanced options.
   value is what was configured (NULL: never, so what runs), value_in_use what runs; max 0 shows in use as 2147483647, min 0 as 16, or as 0
   before the first RECONFIGURE. */
SELECT
    CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName')) AS server_name,
    MAX(CASE c.configuration_id WHEN 1544 THEN CONVERT(int, ISNULL(c.value, c.value_in_use)) END) AS max_mb,
    MAX(CASE c.configuration_id WHEN 1544 THEN CONVERT(int, c.value_in_use) END) AS max_in_use_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN CONVERT(int, ISNULL(c.value, c.value_in_use)) END) AS min_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN CONVERT(int, c.value_in_use) END) AS min_in_use_mb,
    MAX(CASE c.configuration_id WHEN 518 THEN CONVERT(int, ISNULL(c.value, c.value_in_use)) END) AS advanced,
    MAX(CASE c.configuration_id WHEN 518 THEN CONVERT(int, c.value_in_use) END) AS advanced_in_use
FROM sys.configurations AS c
WHERE c.configuration_id IN (518, 1543, 1544);
