/* ramknee:server/lock */
/* result: got int */
/* Kept by a session in master: application locks are per database.  0 or 1 means held; -1 somebody else holds it. */
SET NOCOUNT ON;
DECLARE @got int;
EXEC @got = sys.sp_getapplock @Resource = N'ramknee', @LockMode = N'Exclusive', @LockOwner = N'Session', @LockTimeout = 0;
SELECT @got AS got;
