-- twin of server/dead_man_read sha256:83b021899c61989ab728dfeeb1253a87e38d70ef4c1ec92cf1479c1c0ddec5f0
-- the table is made when it is not there, empty: no row either way
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
SELECT
    job, run, server_name, state, after_s, max_mb, found_max_mb, DATE_FORMAT(ended_at, '%Y-%m-%d %H:%i:%s') AS ended_at
FROM ramknee_dead_man WHERE id = 1
