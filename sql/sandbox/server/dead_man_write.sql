-- twin of server/dead_man_write sha256:6799d6458dc5f629466515851d64761e646a7fc3dea5274533bc771a5a3287cb
CREATE TABLE IF NOT EXISTS ramknee_dead_man LIKE sys.ramknee_dead_man;
REPLACE INTO ramknee_dead_man (
    id, job, run, server_name, state, after_s, max_mb, min_mb, advanced, last_max_mb, last_min_mb, next_max_mb, next_min_mb, armed_at, beat_at
)
VALUES (1, @job, @run, @server, 'armed', @after_s, @max, @min, @advanced, 0, 0, 0, 0, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))
