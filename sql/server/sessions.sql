/* ramknee:server/sessions */
/* result: login_name text, host_name? text, program_name? text, sessions int */
/* Whose sessions are there, for the confirmation. */
SELECT s.login_name, s.host_name, s.program_name, COUNT(*) AS sessions
FROM sys.dm_exec_sessions AS s
WHERE s.is_user_process = 1 AND s.session_id <> @@SPID AND (s.program_name IS NULL OR s.program_name <> N'ramknee')
GROUP BY s.login_name, s.host_name, s.program_name
ORDER BY COUNT(*) DESC;
