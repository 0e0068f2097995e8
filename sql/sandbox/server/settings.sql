-- twin of server/settings sha256:d1781fe98db458f518f3e567e33e8af816368d9517b90087546b4dc3ff09fb4e
SELECT
    (SELECT p.value FROM sys.rk_property AS p WHERE p.name = 'ServerName') AS server_name,
    MAX(CASE c.configuration_id WHEN 1544 THEN c.value END) AS max_mb,
    MAX(CASE c.configuration_id WHEN 1544 THEN c.value_in_use END) AS max_in_use_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN c.value END) AS min_mb,
    MAX(CASE c.configuration_id WHEN 1543 THEN c.value_in_use END) AS min_in_use_mb,
    MAX(CASE c.configuration_id WHEN 518 THEN c.value END) AS advanced,
    MAX(CASE c.configuration_id WHEN 518 THEN c.value_in_use END) AS advanced_in_use
FROM sys.configurations AS c
