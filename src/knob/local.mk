libramknee_a_SOURCES += \
	%D%/command.c %D%/command.h %D%/command_private.h \
	%D%/command_run.c \
	%D%/dead_man.c %D%/dead_man.h \
	%D%/journal.c %D%/journal.h \
	%D%/knob.c %D%/knob.h \
	%D%/memory.c %D%/memory.h
