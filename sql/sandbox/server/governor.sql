-- twin of server/governor sha256:1dfb8c53da8eb1578733517a4b3473f1971a632462d835b323560e7e3e633187
-- the engine has no Resource Governor; a server whose governor was never configured answers the same
SELECT 'default' AS pool, 100 AS max_cpu_percent, 100 AS cap_cpu_percent, 100 AS max_memory_percent, NULL AS max_iops
