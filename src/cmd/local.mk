libramknee_a_SOURCES += %D%/cmd.h %D%/confirm.h %D%/connect.h \
	%D%/again.c %D%/again.h \
	%D%/analysis.c %D%/analysis.h \
	%D%/analyze.c \
	%D%/check.c \
	%D%/confirm.c \
	%D%/connect.c \
	%D%/demand.c %D%/demand.h \
	%D%/drop.c \
	%D%/load.c \
	%D%/demo.c \
	%D%/ending.c %D%/ending.h \
	%D%/locate.c %D%/locate.h \
	%D%/measure.c \
	%D%/option.c %D%/option.h \
	%D%/rehearsal.h \
	%D%/report.c \
	%D%/restore.c \
	%D%/sandbox.c \
	%D%/sandbox_child.c %D%/sandbox_child.h \
	%D%/sql.c \
	%D%/sweep.c \
	%D%/table.c
