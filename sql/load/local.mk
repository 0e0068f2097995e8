SQL_FILES += \
	%D%/emptiness.sql \
	%D%/presize.sql \
	%D%/proof_read.sql \
	%D%/proof_write.sql \
	%D%/properties.sql \
	%D%/recorded.sql
