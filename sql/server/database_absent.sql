/* ramknee:server/database_absent */
/* params: @db nvarchar(128) */
/* result: is_absent int */
/* 1 only when that is sure: a login without VIEW ANY DATABASE (public has it, unless it was taken away) does not see every database. */
SET NOCOUNT ON;
SELECT
    CASE
        WHEN HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW ANY DATABASE') = 1
            AND NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.name = @db) THEN 1
        ELSE 0
    END AS is_absent;
