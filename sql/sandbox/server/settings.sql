-- twin of server/settings sha256:ba1ac877e9268769420b10b35fda1e6dfdde9273844ab2a4219706615489a1bb
SELECT
    (SELECT p.value FROM sys.rk_property AS p WHERE p.name = 'ServerName') AS server_name,
    MAX(CASE c.configuration_id WHEN 1544 THEN c.value END) AS max_mb,
    MAX(CASE c.configuration_id WHEN 1544 THEN c.value_in_use END) AS max_in_use_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN c.value END) AS min_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN c.value_in_use END) AS min_in_use_mb,
    MAX(CASE c.configuration_id WHEN 518 THEN c.value END) AS advanced,
    MAX(CASE c.configuration_id WHEN 518 THEN c.value_in_use END) AS advanced_in_use
FROM sys.configurations AS c
