/* ramknee:server/rights */
/* result: may_set? int, may_view? int, may_view_performance? int, may_view_security? int, may_create_database? int, is_sysadmin? int, set_by_procedure? int */
/* HAS_PERMS_BY_NAME gives NULL for a permission that the version does not know (the two views came with 2022), and for a procedure that
   is not there: that of scripts/signed. */
SELECT
    HAS_PERMS_BY_NAME(NULL, NULL, N'ALTER SETTINGS') AS may_set,
    HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER STATE') AS may_view,
    HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER PERFORMANCE STATE') AS may_view_performance,
    HAS_PERMS_BY_NAME(NULL, NULL, N'VIEW SERVER SECURITY STATE') AS may_view_security,
    HAS_PERMS_BY_NAME(NULL, NULL, N'CREATE ANY DATABASE') AS may_create_database,
    IS_SRVROLEMEMBER(N'sysadmin') AS is_sysadmin,
    HAS_PERMS_BY_NAME(N'master.dbo.ramknee_set_memory', N'OBJECT', N'EXECUTE') AS set_by_procedure;
