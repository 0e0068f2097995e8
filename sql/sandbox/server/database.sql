-- twin of server/database sha256:94a1905a38c3835f54f1fb138b1feb279f30b7fe07ba67977141ca704e3272c0
SELECT
    d.database_id, d.name, d.state_desc, d.recovery_model_desc AS recovery_model, d.compatibility_level, d.is_read_committed_snapshot_on AS rcsi,
    d.page_verify_option_desc AS page_verify, d.is_read_only, NULL AS replica_id, 'sa' AS owner
FROM sys.databases AS d
WHERE d.name = @db
