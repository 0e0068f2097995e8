# twins of sql/server
SQL_FILES += %D%/prewarm.sql
