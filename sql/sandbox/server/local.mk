# twins of sql/server
SQL_FILES += \
	%D%/clerks.sql \
	%D%/counters.sql \
	%D%/cpu.sql \
	%D%/database.sql \
	%D%/database_size.sql \
	%D%/files.sql \
	%D%/files_all.sql \
	%D%/governor.sql \
	%D%/grants.sql \
	%D%/identity.sql \
	%D%/journal_clear.sql \
	%D%/journal_read.sql \
	%D%/journal_write.sql \
	%D%/link.sql \
	%D%/load_read.sql \
	%D%/load_write.sql \
	%D%/lock.sql \
	%D%/lock_test.sql \
	%D%/memory_model.sql \
	%D%/others.sql \
	%D%/pending.sql \
	%D%/prewarm.sql \
	%D%/reached.sql \
	%D%/rights.sql \
	%D%/sessions.sql \
	%D%/set.sql \
	%D%/set_advanced.sql \
	%D%/settings.sql \
	%D%/tiers.sql \
	%D%/volumes.sql \
	%D%/waits.sql
