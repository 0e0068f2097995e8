SQL_FILES += \
	%D%/grant.sql \
	%D%/signed.sql
