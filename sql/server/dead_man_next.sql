/* ramknee:server/dead_man_next */
/* params: @last_max int, @last_min int, @next_max int, @next_min int */
/* What the dead-man's job may find and put back, written before the server is told to set it.  When the row is not armed any more the job
   has taken the sweep for dead: then nothing may be set. */
SET NOCOUNT ON;
UPDATE dbo.ramknee_dead_man
SET last_max_mb = @last_max, last_min_mb = @last_min, next_max_mb = @next_max, next_min_mb = @next_min, beat_at = GETUTCDATE()
WHERE id = 1 AND state = N'armed';
IF @@ROWCOUNT = 0
    THROW 50006, N'ramknee: the dead-man''s job has taken this sweep for dead', 1;
