-- twin of server/database sha256:ea7990f224bd464c7295cdc04819e6ff7f5bc67f76ee7552a75980aacc275645
SELECT
    d.database_id, d.name, d.state_desc, d.recovery_model_desc AS recovery_model, d.compatibility_level, d.is_read_committed_snapshot_on AS rcsi,
    d.page_verify_option_desc AS page_verify, d.is_read_only, NULL AS replica_id, 'sa' AS owner
FROM sys.databases AS d
WHERE d.name = @db
