/* ramknee:server/dead_man_beat */
/* result: state text, armed_s int, ran_s? int */
/* The sweep's sign of life for the dead-man's job; what comes back is the job's: ran_s is how long ago it has last run, NULL: never. */
SET NOCOUNT ON;
UPDATE dbo.ramknee_dead_man SET beat_at = GETUTCDATE() WHERE id = 1 AND state = N'armed';
SELECT state, DATEDIFF(second, armed_at, GETUTCDATE()) AS armed_s, DATEDIFF(second, ran_at, GETUTCDATE()) AS ran_s
FROM dbo.ramknee_dead_man WHERE id = 1;
