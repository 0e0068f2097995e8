-- twin of server/sessions sha256:d8f40df1ef831050d29f5a552b240e56f791d7a3e2dd70b1cac2bd25b299bc1a
SELECT s.login_name, s.program_name, COUNT(*) AS sessions
FROM sys.dm_exec_sessions AS s
WHERE s.is_user_process = 1 AND s.session_id <> @rk_spid AND s.program_name <> 'ramknee'
GROUP BY s.login_name, s.program_name
ORDER BY COUNT(*) DESC
