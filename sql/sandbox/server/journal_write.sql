-- twin of server/journal_write sha256:8a8259ff4b150fe30e7dddc33c172885d4d2c6140b7dc55a8613483867075428
CREATE TABLE IF NOT EXISTS ramknee_journal (
    id int NOT NULL PRIMARY KEY,
    body varchar(3000) NOT NULL,
    written_at datetime(3) NOT NULL
);
REPLACE INTO ramknee_journal (id, body, written_at) VALUES (1, @body, UTC_TIMESTAMP(3))
