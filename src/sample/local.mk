libramknee_a_SOURCES += \
	%D%/host.c \
	%D%/sample.h
