-- twin of server/sessions sha256:a30c11d008e1285177d39b6e7c8fbca6a6efdb27452880ab2689d419cce364e6
SELECT s.login_name, s.host_name, s.program_name, COUNT(*) AS sessions
FROM sys.dm_exec_sessions AS s
WHERE s.is_user_process = 1 AND s.session_id <> @rk_spid AND s.program_name <> 'ramknee'
GROUP BY s.login_name, s.host_name, s.program_name
ORDER BY COUNT(*) DESC
