libramknee_a_SOURCES += \
	%D%/lines.c %D%/lines.h \
	%D%/record.c %D%/record.h \
	%D%/run_read.c \
	%D%/run_write.c %D%/run.h \
	%D%/tsv.c %D%/tsv.h
