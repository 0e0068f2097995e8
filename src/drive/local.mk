libramknee_a_SOURCES += \
	%D%/collector.c \
	%D%/drive.c %D%/drive.h \
	%D%/inside.h \
	%D%/live.c \
	%D%/recorder.c %D%/recorder.h \
	%D%/ring.h \
	%D%/schedule.c %D%/schedule.h \
	%D%/user.c
