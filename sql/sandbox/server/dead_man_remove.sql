-- twin of server/dead_man_remove sha256:fd504032b37ccb7fb004dfe2f10500b4620607559b7872ca7ce8b271b2dca779
CREATE TABLE IF NOT EXISTS ramknee_dead_man LIKE sys.ramknee_dead_man;
UPDATE ramknee_dead_man SET state = 'over' WHERE id = 1 AND state = 'armed';
DELETE FROM msdb.sysjobs WHERE name IN (SELECT job FROM ramknee_dead_man WHERE id = 1);
DELETE FROM ramknee_dead_man WHERE id = 1
