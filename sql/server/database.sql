/* ramknee:server/database */
/* params: @db nvarchar(128) */
/* result: database_id int, name text, state_desc text, recovery_model? text, compatibility_level? int, rcsi? int, page_verify? text, is_read_only? int, replica_id? text, owner? text */
/* No row: no such database (or one that this login may not see).  Of a database that is not online some columns may be NULL. */
SELECT
    CONVERT(int, d.database_id) AS database_id, d.name, d.state_desc, d.recovery_model_desc AS recovery_model,
    CONVERT(int, d.compatibility_level) AS compatibility_level, CONVERT(int, d.is_read_committed_snapshot_on) AS rcsi,
    d.page_verify_option_desc AS page_verify, CONVERT(int, d.is_read_only) AS is_read_only,
    CONVERT(nvarchar(36), d.replica_id) AS replica_id, SUSER_SNAME(d.owner_sid) AS owner
FROM sys.databases AS d
WHERE d.name = @db;
