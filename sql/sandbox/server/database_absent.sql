-- twin of server/database_absent sha256:b140d165a641af79b0a3551f2ecec4cb1447b08c2acffa20b92a6f998ceb7a7c
SELECT CASE WHEN EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.name = @db) THEN 0 ELSE 1 END AS is_absent
