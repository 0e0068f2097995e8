libramknee_a_SOURCES += %D%/conn.h %D%/target.h %D%/impl.h \
	%D%/bulk.c \
	%D%/call.c \
	%D%/conn.c \
	%D%/errors.c \
	%D%/param.c \
	%D%/probe.c \
	%D%/query.c \
	%D%/setup.c \
	%D%/target.c
