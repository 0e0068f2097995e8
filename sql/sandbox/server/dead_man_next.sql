-- twin of server/dead_man_next sha256:993fff79e2bdd85912c9be09994a1c2518415af4a33199d594c026356aa25645
CREATE TABLE IF NOT EXISTS ramknee_dead_man LIKE sys.ramknee_dead_man;
BEGIN NOT ATOMIC
    IF (SELECT COUNT(*) FROM ramknee_dead_man WHERE id = 1 AND state = 'armed') = 0 THEN
        SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 50006, MESSAGE_TEXT = 'ramknee: the dead-man''s job has taken this sweep for dead';
    END IF;
END;
UPDATE ramknee_dead_man
SET last_max_mb = @last_max, last_min_mb = @last_min, next_max_mb = @next_max, next_min_mb = @next_min, beat_at = UTC_TIMESTAMP(3)
WHERE id = 1 AND state = 'armed'
