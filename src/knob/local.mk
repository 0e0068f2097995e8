libramknee_a_SOURCES += %D%/journal.c %D%/journal.h %D%/knob.h %D%/memory.c %D%/memory.h
