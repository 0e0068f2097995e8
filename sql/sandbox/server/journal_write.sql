-- twin of server/journal_write sha256:d73636e4e545aa4175be2d2d76825efcfbca411dbc87947d7b2c82944b327f91
CREATE TABLE IF NOT EXISTS ramknee_journal LIKE sys.ramknee_journal;
REPLACE INTO ramknee_journal (id, body, written_at) VALUES (1, @body, UTC_TIMESTAMP(3))
