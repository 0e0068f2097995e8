libramknee_a_SOURCES += %D%/check.h %D%/edition.h \
	%D%/check.c \
	%D%/edition.c \
	%D%/facts.c \
	%D%/findings.c
