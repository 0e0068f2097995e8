-- twin of load/proof_read sha256:b34781e7257fb5a763efd18e4cce1d2c5e1486900d2ab25492b03bc68f3e9c57
SELECT
  (
    SELECT SUBSTRING(schema_comment, 14)
    FROM information_schema.schemata
    WHERE schema_name = DATABASE() AND schema_comment LIKE 'ramknee\_load %'
  ) AS database_name,
  (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'ramknee_load') AS record;
