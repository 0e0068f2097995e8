/* ramknee:server/others */
/* result: command text, requests int */
/* What other people's sessions are running now. */
SELECT r.command, COUNT(*) AS requests
FROM sys.dm_exec_requests AS r
INNER JOIN sys.dm_exec_sessions AS s ON s.session_id = r.session_id
WHERE s.is_user_process = 1 AND (s.program_name IS NULL OR s.program_name <> N'ramknee')
GROUP BY r.command;
