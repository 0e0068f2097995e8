/* ramknee:server/journal_clear */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_journal') IS NOT NULL
    DELETE FROM dbo.ramknee_journal WHERE id = 1;
