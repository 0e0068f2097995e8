/* ramknee:load/proof_read */
/* result: database_name? text, record int */
/* The property that load has set (NULL: none), and whether there is a record of a load. */
SELECT
    (
        SELECT CONVERT(nvarchar(128), p.value) AS database_name
        FROM sys.extended_properties AS p
        WHERE p.class = 0 AND p.name = N'ramknee_load'
    ) AS database_name,
    CASE WHEN OBJECT_ID(N'dbo.ramknee_load') IS NULL THEN 0 ELSE 1 END AS record;
