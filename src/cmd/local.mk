libramknee_a_SOURCES += %D%/cmd.h %D%/connect.h \
	%D%/check.c \
	%D%/connect.c \
	%D%/report.c \
	%D%/restore.c \
	%D%/sql.c \
	%D%/sweep.c \
	%D%/table.c
