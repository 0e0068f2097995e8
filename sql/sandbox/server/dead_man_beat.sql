-- twin of server/dead_man_beat sha256:68a05ef48d7f3fca3198dcf99d233d3b70827c2edeeb9203443919ff24322a54
UPDATE ramknee_dead_man SET beat_at = UTC_TIMESTAMP(3) WHERE id = 1 AND state = 'armed';
SELECT state, TIMESTAMPDIFF(SECOND, armed_at, UTC_TIMESTAMP(3)) AS armed_s, TIMESTAMPDIFF(SECOND, ran_at, UTC_TIMESTAMP(3)) AS ran_s
FROM ramknee_dead_man WHERE id = 1
