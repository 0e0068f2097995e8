-- twin of server/dead_man_read sha256:83b021899c61989ab728dfeeb1253a87e38d70ef4c1ec92cf1479c1c0ddec5f0
-- the table is made when it is not there, empty: no row either way
CREATE TABLE IF NOT EXISTS ramknee_dead_man LIKE sys.ramknee_dead_man;
SELECT
    job, run, server_name, state, after_s, max_mb, found_max_mb, DATE_FORMAT(ended_at, '%Y-%m-%d %H:%i:%s') AS ended_at
FROM ramknee_dead_man WHERE id = 1
