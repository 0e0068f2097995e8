/* ramknee:server/journal_write */
/* params: @body nvarchar(3000) */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_journal') IS NULL
    CREATE TABLE dbo.ramknee_journal (
        id int NOT NULL CONSTRAINT pk_ramknee_journal PRIMARY KEY,
        body nvarchar(3000) NOT NULL,
        written_at datetime NOT NULL
    );
/* Never without a row between: another client may be looking for it. */
UPDATE dbo.ramknee_journal SET body = @body, written_at = GETUTCDATE() WHERE id = 1;
IF @@ROWCOUNT = 0
    INSERT INTO dbo.ramknee_journal (id, body, written_at) VALUES (1, @body, GETUTCDATE());
