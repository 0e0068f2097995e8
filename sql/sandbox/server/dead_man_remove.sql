-- twin of server/dead_man_remove sha256:fd504032b37ccb7fb004dfe2f10500b4620607559b7872ca7ce8b271b2dca779
CREATE TABLE IF NOT EXISTS ramknee_dead_man (
    id int NOT NULL PRIMARY KEY,
    job varchar(128) NOT NULL,
    run varchar(200) NOT NULL,
    server_name varchar(128) NOT NULL,
    state varchar(12) NOT NULL,
    after_s int NOT NULL,
    max_mb int NOT NULL,
    min_mb int NOT NULL,
    advanced int NOT NULL,
    last_max_mb int NOT NULL,
    last_min_mb int NOT NULL,
    next_max_mb int NOT NULL,
    next_min_mb int NOT NULL,
    found_max_mb int,
    armed_at datetime(3) NOT NULL,
    beat_at datetime(3) NOT NULL,
    ran_at datetime(3),
    ended_at datetime(3)
);
UPDATE ramknee_dead_man SET state = 'over' WHERE id = 1 AND state = 'armed';
DELETE FROM msdb.sysjobs WHERE name IN (SELECT job FROM ramknee_dead_man WHERE id = 1);
DELETE FROM ramknee_dead_man WHERE id = 1
