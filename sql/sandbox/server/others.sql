-- twin of server/others sha256:35ac6a17629c89e7e5aaa56f91aaaee3a51e5cb0994cab03bd8689e6ab0f1126
SELECT r.command, COUNT(*) AS requests
FROM sys.dm_exec_requests AS r
INNER JOIN sys.dm_exec_sessions AS s ON s.session_id = r.session_id
WHERE s.is_user_process = 1 AND s.program_name <> 'ramknee'
GROUP BY r.command
