libramknee_a_SOURCES += \
	%D%/host.c \
	%D%/inside.h \
	%D%/sample.h \
	%D%/sampler.c \
	%D%/server.c
