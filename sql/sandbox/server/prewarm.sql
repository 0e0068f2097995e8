-- twin of server/prewarm sha256:8b26dbf7ea2307dbc2dedc2b503a6d25cb0034d3773ac66bc0c5b473cbeea8a3
SET @rk_scan = CONCAT('SELECT COUNT(*) AS n FROM `', REPLACE(@table, '`', '``'), '` FORCE INDEX (PRIMARY)');
PREPARE rk_scan FROM @rk_scan;
EXECUTE rk_scan;
DEALLOCATE PREPARE rk_scan;
