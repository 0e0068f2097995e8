libramknee_a_SOURCES += %D%/cmd.h %D%/connect.h \
	%D%/sql.c \
	%D%/table.c
