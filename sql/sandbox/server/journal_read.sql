-- twin of server/journal_read sha256:a329eeeae8d188ec9b68c935ff6d947394602dc85059e61c5e352989829efa5b
CREATE TABLE IF NOT EXISTS ramknee_journal LIKE sys.ramknee_journal;
SELECT body, DATE_FORMAT(written_at, '%Y-%m-%dT%H:%i:%s') AS written_at FROM ramknee_journal WHERE id = 1
