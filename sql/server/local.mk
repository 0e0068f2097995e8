SQL_FILES += \
	%D%/counters.sql \
	%D%/cpu.sql \
	%D%/database.sql \
	%D%/database_size.sql \
	%D%/files.sql \
	%D%/files_all.sql \
	%D%/identity.sql \
	%D%/journal_clear.sql \
	%D%/journal_read.sql \
	%D%/journal_write.sql \
	%D%/load_read.sql \
	%D%/load_write.sql \
	%D%/lock.sql \
	%D%/others.sql \
	%D%/pending.sql \
	%D%/prewarm.sql \
	%D%/reached.sql \
	%D%/rights.sql \
	%D%/session.sql \
	%D%/sessions.sql \
	%D%/set.sql \
	%D%/set_advanced.sql \
	%D%/settings.sql \
	%D%/waits.sql
