/* ramknee:load/emptiness */
/* result: sees_all int, things int */
/* Whether the current database is as CREATE DATABASE leaves it.  A login that may not see every definition would take for empty what only
   hides from it; whoever has put a user, a schema, a type or a property into a database means to use it. */
SELECT
    ISNULL(HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'VIEW DEFINITION'), 0) AS sees_all,
    (SELECT COUNT(*) FROM sys.objects AS o WHERE o.is_ms_shipped = 0)
    + (SELECT COUNT(*) FROM sys.types AS t WHERE t.is_user_defined = 1)
    + (SELECT COUNT(*) FROM sys.schemas AS s WHERE s.schema_id > 4 AND s.schema_id < 16384)
    + (SELECT COUNT(*) FROM sys.database_principals AS p WHERE p.principal_id > 4 AND p.is_fixed_role = 0)
    + (SELECT COUNT(*) FROM sys.assemblies AS a WHERE a.is_user_defined = 1)
    + (SELECT COUNT(*) FROM sys.extended_properties AS e WHERE e.class = 0) AS things;
