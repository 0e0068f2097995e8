-- twin of server/waits sha256:63dd005337cd6de887d07d917a82ac6eb8dd5eff7741d9ce98de0389b5d6bde9
SELECT w.wait_type, w.waiting_tasks_count AS tasks, w.wait_time_ms AS wait_ms, w.signal_wait_time_ms AS signal_ms
FROM sys.dm_os_wait_stats AS w
