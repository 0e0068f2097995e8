-- twin of server/journals sha256:85ac0af08dd2c2acff859745579f744b1529962b6ce5f00209271b65516322f2
SET @rk_sql = (
    SELECT CONCAT(
        'SELECT '''' AS name FROM DUAL WHERE 1 = 0',
        IFNULL(GROUP_CONCAT(CONCAT(' UNION ALL SELECT ', QUOTE(t.table_schema), ' FROM `', t.table_schema, '`.ramknee_journal WHERE id = 1') SEPARATOR ''), '')
    )
    FROM information_schema.tables AS t
    WHERE t.table_name = 'ramknee_journal' AND t.table_schema <> 'sys'
);
EXECUTE IMMEDIATE @rk_sql
