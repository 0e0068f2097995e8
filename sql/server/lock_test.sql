/* ramknee:server/lock_test */
/* result: is_free int */
/* Whether the lock of server/lock could be had: application locks are per database, this one is kept in master. */
SET NOCOUNT ON;
DECLARE @free int;
EXEC master.sys.sp_executesql
    N'SELECT @f = APPLOCK_TEST(N''public'', N''ramknee'', N''Exclusive'', N''Session'');', N'@f int OUTPUT', @f = @free OUTPUT;
SELECT ISNULL(@free, 1) AS is_free;
