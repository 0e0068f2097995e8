-- twin of server/journal_clear sha256:f06db52eaf80dcc2b6b80c4e063ce23d2a7f724a4d31b749da2f05b3c9a22bb4
-- T-SQL asks whether the table is there; here it is made, which comes to the same: empty afterwards
CREATE TABLE IF NOT EXISTS ramknee_journal LIKE sys.ramknee_journal;
DELETE FROM ramknee_journal WHERE id = 1
